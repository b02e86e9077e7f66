import fc from 'fast-check';
import type { JsonSchema } from '../../backend/contract';
import type { Field } from './field';
import type { Json } from './json';
import { objectOf } from './json';

/** Any JSON, with keys that trip up careless code. */
const keys = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', '', '0', 'a/b', 'a~b'),
  fc.string({ maxLength: 4 }),
);

export const json: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.string(),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie('json')), { maxLength: 4 }).map(objectOf),
  ),
})).json;

/** A document that mostly has the shape of the fields, so that it gets past their roots. */
export function near(field: Field): fc.Arbitrary<Json> {
  return fc.oneof({ arbitrary: shaped(field), weight: 8 }, { arbitrary: json, weight: 1 });
}

function shaped(field: Field): fc.Arbitrary<Json> {
  switch (field.kind) {
    case 'text':
      return fc.string({ maxLength: 6 });
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'duration':
      return field.stored === 'string' ? fc.nat().map(String) : fc.double({ min: 0, max: 1e12 });
    case 'boolean':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...field.options.map(({ value }) => value));
    case 'const':
      return fc.constant(field.value);
    case 'secretRef':
      return fc.string({ maxLength: 5 }).map((key) => objectOf([['key', key]]));
    case 'json':
      return json;
    case 'nullable':
      return fc.oneof(fc.constant(null), near(field.inner));
    case 'list':
      return fc.array(near(field.item), { maxLength: 3 });
    case 'record':
      return fc.array(fc.tuple(keys, near(field.value)), { maxLength: 4 }).map(objectOf);
    case 'union':
      return fc.oneof(
        ...field.branches.map(({ field: inner, tag }) =>
          shaped(inner).map((value) =>
            objectOf([
              ...Object.entries(value as object as Record<string, Json>),
              [field.discriminator, tag ?? 'other'],
            ]),
          ),
        ),
      );
    case 'object': {
      const known = field.properties.map(({ key, field: inner }) =>
        fc.option(near(inner), { nil: undefined, freq: 4 }).map((value) => [key, value] as const),
      );
      const unknown = fc.array(fc.tuple(keys, json), { maxLength: 2 });
      return fc.tuple(fc.tuple(...known), unknown).map(([entries, more]) => {
        const given = entries.filter((entry): entry is [string, Json] => entry[1] !== undefined);
        return objectOf([...given, ...more.filter(([key]) => !known.length || key !== 'type')]);
      });
    }
  }
}

/** Any schema of and around the dialect. */
export const schema: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const properties = fc
    .array(fc.tuple(keys, tie('schema')), { maxLength: 4 })
    .map((entries) => objectOf(entries as [string, Json][]));
  const branch = (tag: string) =>
    properties.map((inner) => ({
      type: 'object',
      properties: { ...inner, type: { const: tag } },
      required: ['type'],
    }));
  return {
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<JsonSchema[]>(
        {},
        { type: 'string' },
        { type: 'string', minLength: 1 },
        { type: 'string', 'x-berth-unit': 'min' },
        { type: 'number' },
        { type: 'integer', 'x-berth-unit': 'ms' },
        { type: 'boolean' },
        { type: 'boolean', default: true },
        { type: ['string', 'null'] },
        { enum: ['a', 1, null] },
        { const: 3 },
        { type: 'array' },
        { type: 'object' },
        { $ref: '#' },
        { $ref: 'https://example.org/x' },
        { type: 'object', 'x-berth-secret-ref': true },
      ),
      tie('schema').map((items) => ({ type: 'array', items })),
      tie('schema').map((values) => ({ type: 'object', additionalProperties: values })),
      tie('schema').map((inner) => ({ anyOf: [inner, { type: 'null' }] })),
      fc
        .tuple(properties, fc.array(keys, { maxLength: 3 }))
        .map(([inner, required]) => ({ type: 'object', properties: inner, required })),
      fc
        .tuple(branch('a'), branch('b'))
        .map((oneOf) => ({ discriminator: { propertyName: 'type' }, oneOf })),
      json.map((odd) => ({ type: 'object', properties: odd })),
    ),
  };
}).schema;
