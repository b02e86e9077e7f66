import { describe, expect, it } from 'vitest';
import { pemContents, withoutPrivateKeys } from './pem';

const block = (label: string, body = 'MIIBszCCAVmgAwIBAgIU\nAAAA==') =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
const certificate = block('CERTIFICATE');

describe('what a PEM text holds', () => {
  it.each([
    ['', { kind: 'empty' }],
    [' \n', { kind: 'empty' }],
    ['hello', { kind: 'none' }],
    [certificate, { kind: 'blocks', certificates: 1, others: [] }],
    [certificate.replaceAll('\n', '\r\n'), { kind: 'blocks', certificates: 1, others: [] }],
    [
      `subject=/CN=x\n${certificate}\n${certificate}`,
      { kind: 'blocks', certificates: 2, others: [] },
    ],
    [
      certificate + block('PUBLIC KEY'),
      { kind: 'blocks', certificates: 1, others: [['PUBLIC KEY', 1]] },
    ],
    [certificate.slice(0, -20), { kind: 'cut', label: 'CERTIFICATE' }],
    [certificate + '-----BEGIN CERTIFICATE-----\nMII', { kind: 'cut', label: 'CERTIFICATE' }],
    [block('CERTIFICATE', 'MII%%%'), { kind: 'damaged', label: 'CERTIFICATE' }],
    [block('CERTIFICATE', ''), { kind: 'damaged', label: 'CERTIFICATE' }],
  ])('%#', (text, expected) => {
    expect(pemContents(text)).toEqual(expected);
  });
});

describe('private keys', () => {
  const encrypted = block(
    'RSA PRIVATE KEY',
    'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123\n\nMIIE-----',
  );

  it.each([
    ['PKCS 8', block('PRIVATE KEY')],
    ['with headers', encrypted],
    ['OpenSSH', block('OPENSSH PRIVATE KEY')],
    ['EC', block('EC PRIVATE KEY')],
    ['PGP', block('PGP PRIVATE KEY BLOCK')],
    ['without its end', '-----BEGIN PRIVATE KEY-----\nMIIE\n'],
  ])('are left out of a bundle: %s', (_, key) => {
    expect(withoutPrivateKeys(certificate + key)).toEqual({ text: certificate, leftOut: true });
    expect(withoutPrivateKeys(key + certificate)).toEqual({ text: certificate, leftOut: true });
  });

  it('are not looked for where there is none', () => {
    const text = certificate + block('PUBLIC KEY');
    expect(withoutPrivateKeys(text)).toEqual({ text, leftOut: false });
  });

  it('are found in bounded time', () => {
    const hostile = '-----BEGIN PRIVATE KEY-----\n'.repeat(20_000);
    expect(withoutPrivateKeys(hostile).text).toBe('');
    expect(pemContents('-----BEGIN A-----'.repeat(20_000))).toEqual({ kind: 'cut', label: 'A' });
  });
});
