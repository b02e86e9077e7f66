/** What a text of PEM blocks holds, by their labels alone: no certificate is parsed here. */

export type PemContents =
  | { kind: 'empty' }
  | { kind: 'none' }
  /** A block that begins and does not end. */
  | { kind: 'cut'; label: string }
  /** A block with something else than base64 in it. */
  | { kind: 'damaged'; label: string }
  | { kind: 'blocks'; certificates: number; others: [label: string, n: number][] };

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,60})-----([^-]*)-----END \1-----/g;
const BEGIN = /-----BEGIN ([A-Z0-9 ]{1,60})-----/;
/** A key's headers (`Proc-Type: 4,ENCRYPTED`) have dashes; it goes on to its end, or to the text's. */
const PRIVATE_KEY =
  /-----BEGIN ([A-Z0-9 ]{0,50}PRIVATE KEY(?: BLOCK)?)-----(?:(?!-----BEGIN )[\s\S])*?(?:-----END \1-----[ \t]*\r?\n?|(?=-----BEGIN )|$)/g;

export function pemContents(text: string): PemContents {
  if (text.trim() === '') return { kind: 'empty' };
  const counts = new Map<string, number>();
  for (const [, label = '', body = ''] of text.matchAll(BLOCK)) {
    // Headers such as `Proc-Type:` may stand before the data.
    const data = body.replace(/^[\w-]+:.*$/gm, '').replace(/\s/g, '');
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return { kind: 'damaged', label };
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const begun = BEGIN.exec(text.replace(BLOCK, ''))?.[1];
  if (begun !== undefined) return { kind: 'cut', label: begun };
  if (counts.size === 0) return { kind: 'none' };
  const certificates = (counts.get('CERTIFICATE') ?? 0) + (counts.get('TRUSTED CERTIFICATE') ?? 0);
  const others = [...counts].filter(([label]) => !/^(TRUSTED )?CERTIFICATE$/.test(label));
  return { kind: 'blocks', certificates, others };
}

/** The text without its private keys: a bundle often has one beside the certificate. */
export function withoutPrivateKeys(text: string): { text: string; leftOut: boolean } {
  const kept = text.replace(PRIVATE_KEY, '');
  return { text: kept, leftOut: kept !== text };
}
