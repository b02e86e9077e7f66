import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../backend/contract';
import type { Json } from '../form/model/json';
import contract from '../generated/contract.json';
import { ownSecrets, secretValues } from './secretvalues';

const schemas = contract as Record<string, JsonSchema>;
function schemaOf(name: string): JsonSchema {
  const schema = schemas[name];
  if (!schema) throw new Error(`no ${name}`);
  return schema;
}

describe('secret values of a document', () => {
  it('are those of its record of them', () => {
    const schema = schemaOf('registerEnvironmentProviderSchema');
    const document = { secrets: { API_TOKEN: 's3cret', OTHER: '' }, manifest: { label: 'x' } };
    expect(secretValues(schema, document)).toEqual([['secrets', 'API_TOKEN']]);
    expect(secretValues(schema, { secrets: { API_TOKEN: '' } })).toEqual([]);
    expect(secretValues(schema, { secrets: {} })).toEqual([]);
    expect(secretValues(schema, null)).toEqual([]);
  });

  it('are found behind references, whatever is chosen', () => {
    const schema = schemaOf('environmentHandleSchema');
    const text = JSON.stringify(schema);
    expect(text).toContain('"writeOnly":true');
    const properties = schema['properties'] as Record<string, unknown>;
    const place = Object.keys(properties).find((key) =>
      JSON.stringify(properties[key]).includes('EnvironmentAccess'),
    );
    if (!place) throw new Error('no access');
    const document = { [place]: { scheme: 'bearer', token: 's3cret', password: 'left over' } };
    expect(secretValues(schema, document)).toEqual([
      [place, 'token'],
      [place, 'password'],
    ]);
  });

  it('are found in lists, in parts that a form shows, and where a schema refers to itself', () => {
    const secret = { type: 'string', writeOnly: true };
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { $ref: '#/$defs/Node' } },
        loop: { $ref: '#/$defs/Loop' },
      },
      'x-berth-form': { show: [{ at: '/config/key', schema: secret }, { at: '/list' }] },
      $defs: {
        Node: {
          type: 'object',
          properties: { value: secret, next: { $ref: '#/$defs/Node' } },
        },
        Loop: { anyOf: [{ $ref: '#/$defs/Loop' }, secret] },
      },
    };
    const document: Json = {
      list: [{ value: '' }, { value: 'a', next: { value: 'b' } }],
      loop: 'c',
      config: { key: 'd', other: 'e' },
    };
    expect(secretValues(schema, document)).toEqual([
      ['list', 1, 'value'],
      ['list', 1, 'next', 'value'],
      ['loop'],
      ['config', 'key'],
    ]);
  });

  it('that are no text count as well, and keys that objects have by nature', () => {
    const schema: JsonSchema = { additionalProperties: { writeOnly: true } };
    const document = JSON.parse('{"__proto__": {"x": 1}, "constructor": 0, "none": null}') as never;
    expect(secretValues(schema, document)).toEqual([['__proto__'], ['constructor']]);
  });

  it('are in every kind that is not stored, and in no other', () => {
    const secretive = Object.entries(schemas).filter(([, schema]) =>
      JSON.stringify(schema).includes('"writeOnly":true'),
    );
    expect(secretive.length).toBeGreaterThan(4);
    for (const [name, schema] of secretive)
      expect(ownSecrets(schema, null) !== null || name === 'environmentHandleSchema').toBe(true);
  });
});

describe('the names of a document’s own secrets', () => {
  it('come from its record', () => {
    const schema = schemaOf('registerRunnerPoolSchema');
    expect(ownSecrets(schema, { secrets: { A: 'x', B: '' } })).toEqual([
      { key: 'A', setAt: 0 },
      { key: 'B', setAt: null },
    ]);
    expect(ownSecrets(schema, 'nonsense')).toEqual([]);
  });

  it('are none where its secrets are kept outside of it', () => {
    expect(ownSecrets(schemaOf('environmentManifestSchema'), { secrets: { A: 'x' } })).toBeNull();
  });
});
