import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../backend/contract';
import { optionName } from '../fields/choice';
import { json } from './arbitrary.fixture';
import { compose } from './compose';
import type { Field } from './field';
import { fresh } from './fresh';
import { isObject } from './json';
import { outline } from './outline';
import { readSchema } from './read';

function kinds(schema: JsonSchema): Record<string, string> {
  const field = readSchema(schema);
  if (field.kind !== 'object') throw new Error('no object');
  return Object.fromEntries(field.properties.map(({ key, field: inner }) => [key, inner.kind]));
}

const of = (properties: JsonSchema, $defs: JsonSchema = {}) =>
  kinds({ type: 'object', properties, $defs });

describe('reading a schema', () => {
  it('draws what it cannot draw as JSON, and only that', () => {
    expect(
      of({
        fine: { type: 'string' },
        tuple: { type: 'array', prefixItems: [{ type: 'string' }] },
        both: { type: ['string', 'number'] },
        any: true,
        combined: { allOf: [{ type: 'string' }] },
        remote: { $ref: 'https://example.org/schema' },
        lost: { $ref: '#/$defs/nowhere' },
        same: {
          oneOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'object' }],
        },
        free: { type: 'object', additionalProperties: true },
      }),
    ).toEqual({
      fine: 'text',
      tuple: 'json',
      both: 'json',
      any: 'json',
      combined: 'json',
      remote: 'json',
      lost: 'json',
      same: 'json',
      free: 'json',
    });
  });

  it('follows references until they come back', () => {
    const tree = {
      type: 'object',
      properties: { name: { type: 'string' }, child: { $ref: '#/$defs/tree' } },
    };
    const field = readSchema({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/tree', title: 'Tree' } },
      $defs: { tree, loop: { $ref: '#/$defs/loop' } },
    });
    const [first] = field.kind === 'object' ? field.properties : [];
    expect(first?.field).toMatchObject({ kind: 'object', title: 'Tree' });
    const inner = first?.field.kind === 'object' ? first.field.properties : [];
    expect(inner.map(({ field: { kind } }) => kind)).toEqual(['text', 'json']);
    expect(of({ a: { $ref: '#/$defs/loop' } }, { loop: { $ref: '#/$defs/loop' } })).toEqual({
      a: 'json',
    });
  });

  it('stops at schemas that would never end', () => {
    const $defs: JsonSchema = {};
    for (let level = 0; level < 30; level += 1) {
      const next = { $ref: `#/$defs/level${level + 1}` };
      $defs[`level${level}`] = {
        type: 'object',
        properties: { a: next, b: next, c: next },
        required: ['a', 'b', 'c'],
      };
    }
    const bomb = readSchema({ ...($defs['level0'] as JsonSchema), $defs });
    const count = (field: Field): number =>
      field.kind === 'object'
        ? field.properties.reduce((sum, { field: inner }) => sum + count(inner), 1)
        : 1;
    expect(count(bomb)).toBeLessThan(20_000);
    let deep: JsonSchema = { type: 'string' };
    for (let level = 0; level < 20_000; level += 1) deep = { type: 'array', items: deep };
    expect(readSchema(deep).kind).toBe('list');
  });

  it('names a value that cannot be turned into text', () => {
    const odd = [{ toString: null }];
    expect(readSchema({ enum: [odd] }).kind).toBe('choice');
    expect(optionName({ value: odd, title: '', description: '' })).toBe('[{"toString":null}]');
  });

  it('takes any JSON for a schema', () => {
    const odd = fc.dictionary(
      fc.constantFrom(
        ...['type', 'properties', 'required', 'items', 'oneOf', 'anyOf', 'enum', 'const', '$ref'],
        ...['title', 'description', 'default', 'examples', 'discriminator', 'minLength', 'pattern'],
        ...['minItems', 'additionalProperties', 'x-berth-form', 'x-berth-when', 'x-berth-words'],
      ),
      fc.oneof(json, fc.constantFrom('string', 'object', 'array', 'null', '#', '#/$defs/%')),
    );
    fc.assert(
      fc.property(odd, odd, (outer, inner) => {
        const schema = { ...outer, properties: { a: inner, ['__proto__']: inner }, type: 'object' };
        for (const given of [outer, schema, { oneOf: [inner, outer] }]) {
          const field = readSchema(given);
          const draft = fresh(field, 'required');
          outline(field, draft);
          compose(field, draft, 'item');
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('x-berth-form', () => {
  it('shows its parts in its order, whatever else it says', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'string' }, c: { const: 1 } } },
        d: { type: 'string' },
      },
      required: ['a'],
      'x-berth-form': {
        show: [
          { at: '/d' },
          { at: '/a/b' },
          { at: 'nonsense' },
          { at: '/d' },
          null,
          { at: '/new' },
        ],
        fill: { a: { b: 'start', more: true } },
      },
    };
    const field = readSchema(schema);
    const draft = fresh(field, 'required');
    const { nodes } = outline(field, draft);
    expect(nodes.map(({ path }) => path?.join('/'))).toEqual(['', 'd', 'a/b', 'new']);
    const document = compose(field, draft, 'item');
    expect(document).toEqual({ a: { b: 'start', more: true } });
    expect(isObject(document)).toBe(true);
  });
});
