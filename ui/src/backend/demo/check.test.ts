import { describe, expect, it } from 'vitest';
import contract from '../../generated/contract.json';
import type { JsonSchema } from '../contract';
import { demoCheck } from './check';

const schemas = contract as Record<string, JsonSchema>;
const starters = Object.entries(schemas).flatMap(([name, schema]) =>
  ((schema['x-berth-starters'] ?? []) as { title: string; document: unknown }[]).map(
    ({ title, document }) => [name, title, document] as const,
  ),
);

describe('the stand-in for the validator', () => {
  it.each(starters)('%s: takes the example “%s”', (name, _, document) => {
    const check = demoCheck(schemas[name] ?? {}, JSON.stringify(document));
    expect(check.issues).toEqual([]);
    expect(check.verdict).toBe('valid');
  });

  it('names the field and its line', () => {
    const text = '{\n  "type": "docker-compose",\n  "composePath": 5\n}';
    const check = demoCheck(schemas['serviceProvisioningSchema'] ?? {}, text);
    expect(check.issues).toMatchObject([{ pointer: '/composePath', line: 3, column: 18 }]);
  });

  it('says where text stops being JSON', () => {
    const check = demoCheck({}, '{\n  "a": 1,\n  oops\n}');
    expect(check.verdict).toBe('unreadable');
    expect(check.issues).toMatchObject([{ kind: 'json', line: 3, column: 3 }]);
  });

  it('complains in the chosen branch alone', () => {
    const text = JSON.stringify({
      engine: 'local-docker',
      manifest: { providerConfig: { port: -1 } },
    });
    const check = demoCheck(schemas['infraHandlerConfigSchema'] ?? {}, text);
    expect(check.issues.map(({ pointer }) => pointer)).toContain('/manifest/providerConfig/port');
    expect(check.issues.every(({ pointer }) => pointer.startsWith('/manifest'))).toBe(true);
  });
});
