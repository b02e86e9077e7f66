import type { JsonSchema } from '../../backend/contract';
import type { Branch, ConstField, Field, JsonField, ObjectField, Option, Property } from './field';
import { isObject, own, readable, sameJson } from './json';
import type { Json } from './json';
import { partial } from './partial';

/** Deeper than this, and beyond so many parts, a schema is edited as JSON. */
const MAX_DEPTH = 32;
const MAX_PARTS = 4_000;

/** How far reading has come. A schema may be a plugin's: nothing in it is trusted to end. */
export interface Reading {
  root: JsonSchema;
  /** The `$ref`s that are being followed. */
  refs: readonly string[];
  depth: number;
  budget: { parts: number };
}

/** The fields of a schema. Never fails: what it has no field for becomes a JSON part. */
export function readSchema(schema: JsonSchema): Field {
  const reading = { root: schema, refs: [], depth: 0, budget: { parts: MAX_PARTS } };
  return readField(schema, reading);
}

export function readField(given: unknown, reading: Reading): Field {
  reading.budget.parts -= 1;
  const resolved = resolve(given, reading);
  if (!resolved) return jsonField(isObject(given) ? given : {});
  const { schema } = resolved;
  const inner = { ...resolved.reading, depth: reading.depth + 1 };
  if (inner.depth > MAX_DEPTH || reading.budget.parts < 0) return jsonField(schema);
  return (
    constant(schema) ??
    choice(schema) ??
    alternatives(schema, inner) ??
    typed(schema, inner) ??
    jsonField(schema)
  );
}

function part(schema: JsonSchema) {
  const text = (key: string) => {
    const value = own(schema, key);
    return typeof value === 'string' ? value : '';
  };
  return {
    title: text('title'),
    description: text('description'),
    schema,
    initial: own(schema, 'default') as Json | undefined,
  };
}

export function jsonField(schema: JsonSchema): JsonField {
  return { ...part(schema), kind: 'json' };
}

/** Keywords that would have to be combined with a `$ref`'s target rather than put over it. */
const STRUCTURE = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'oneOf',
  'anyOf',
  'allOf',
  'enum',
  'const',
];

/** The schema behind a `$ref`, with the annotations beside it put over the target's. */
export function resolve(
  given: unknown,
  reading: Reading,
): { schema: JsonSchema; reading: Reading } | null {
  if (!isObject(given)) return null;
  const ref = own(given, '$ref');
  if (ref === undefined) return { schema: given, reading };
  if (typeof ref !== 'string' || reading.refs.includes(ref)) return null;
  if (reading.refs.length > MAX_DEPTH || STRUCTURE.some((key) => Object.hasOwn(given, key)))
    return null;
  const match = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref);
  if (!match) return null;
  const [, group = '', name = ''] = match;
  const target = own(own(reading.root, group), decoded(name));
  const found = resolve(target, { ...reading, refs: [...reading.refs, ref] });
  if (!found) return null;
  return { schema: { ...found.schema, ...without(given, '$ref') }, reading: found.reading };
}

function without(schema: JsonSchema, key: string): JsonSchema {
  const rest = { ...schema };
  Reflect.deleteProperty(rest, key);
  return rest;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return name;
  }
}

function constant(schema: JsonSchema): Field | null {
  const value = own(schema, 'const');
  return value === undefined ? null : { ...part(schema), kind: 'const', value: value as Json };
}

function choice(schema: JsonSchema): Field | null {
  const values = own(schema, 'enum');
  if (Array.isArray(values) && values.length > 0) {
    const words = own(schema, 'x-berth-words');
    const options = values.map((value: Json): Option => {
      const { title, description } = part((own(words, readable(value)) ?? {}) as JsonSchema);
      return { value, title, description };
    });
    return { ...part(schema), kind: 'choice', options };
  }
  const listed = own(schema, 'oneOf') ?? own(schema, 'anyOf');
  if (!Array.isArray(listed) || listed.length === 0) return null;
  const options: Option[] = [];
  for (const option of listed) {
    const value = own(option, 'const') as Json | undefined;
    if (value === undefined) return null;
    const { title, description } = part(option as JsonSchema);
    options.push({ value, title, description });
  }
  return { ...part(schema), kind: 'choice', options };
}

/** `anyOf: [X, null]`, and a choice of objects told apart by one property. */
function alternatives(schema: JsonSchema, reading: Reading): Field | null {
  if (own(schema, 'allOf') !== undefined || own(schema, 'properties') !== undefined) return null;
  const one = own(schema, 'oneOf');
  const options = one ?? own(schema, 'anyOf');
  if (!Array.isArray(options)) return null;
  const solid = options.filter((option) => own(option, 'type') !== 'null');
  if (solid.length < options.length) {
    if (solid.length === 1) return nullable(schema, readField(solid[0], reading));
    const inner = readField(
      { ...without(schema, 'default'), [one ? 'oneOf' : 'anyOf']: solid },
      reading,
    );
    return inner.kind === 'json' ? null : nullable(schema, inner);
  }
  return union(schema, options, reading);
}

function nullable(schema: JsonSchema, inner: Field): Field {
  const outer = part(schema);
  return {
    ...outer,
    title: outer.title || inner.title,
    description: outer.description || inner.description,
    kind: 'nullable',
    inner,
  };
}

function union(schema: JsonSchema, options: unknown[], reading: Reading): Field | null {
  const resolved = options.map((option) => resolve(option, reading));
  const found = resolved.filter((option) => option !== null);
  if (found.length < options.length || found.length === 0) return null;
  const discriminator = discriminatorOf(
    schema,
    found.map((option) => option.schema),
  );
  if (discriminator === null) return null;
  const branches: Branch[] = [];
  for (const option of found) {
    const tag = tagOf(option.schema, discriminator, reading);
    const typed = tag === undefined;
    if (typed && branches.some((other) => other.tag === undefined)) return null;
    if (!typed && branches.some((other) => sameJson(other.tag, tag))) return null;
    const always = required(option.schema);
    const shape = { ...option.schema, required: [...new Set([...always, discriminator])] };
    const { title, description } = part(option.schema);
    const named = tag === undefined ? '' : readable(tag);
    const field = readField(shape, option.reading);
    const branch = { title: title || named || discriminator, description, tag };
    if (field.kind === 'object') branches.push({ ...branch, field });
    else if (tag === undefined) return null;
    else {
      const initial = { [discriminator]: tag };
      branches.push({ ...branch, field: { ...jsonField(option.schema), initial } });
    }
  }
  return { ...part(schema), kind: 'union', discriminator, branches };
}

function discriminatorOf(schema: JsonSchema, options: JsonSchema[]): string | null {
  const named = own(own(schema, 'discriminator'), 'propertyName');
  if (typeof named === 'string') return named;
  const [first] = options;
  const keys = Object.keys((own(first, 'properties') as object | undefined) ?? {}).filter((key) =>
    options.every((option) => own(own(own(option, 'properties'), key), 'const') !== undefined),
  );
  return keys.length === 1 ? (keys[0] ?? null) : null;
}

/** The one value a branch has for the discriminator, or none when it is typed. */
function tagOf(option: JsonSchema, discriminator: string, reading: Reading): Json | undefined {
  const property = resolve(own(own(option, 'properties'), discriminator), reading)?.schema;
  const value = own(property, 'const') as Json | undefined;
  const only = own(property, 'enum');
  return value ?? (Array.isArray(only) && only.length === 1 ? (only[0] as Json) : undefined);
}

export function required(schema: JsonSchema): string[] {
  const keys = own(schema, 'required');
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

function saysNothing(schema: unknown): boolean {
  return isObject(schema) && Object.keys(schema).length === 0;
}

/** What decides over an object's keys beyond its `properties`: more than fields can show. */
const BEYOND_PROPERTIES = [
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'patternProperties',
  'dependentSchemas',
  '$dynamicRef',
];

function typed(schema: JsonSchema, reading: Reading): Field | null {
  const type = own(schema, 'type');
  if (Array.isArray(type)) {
    // Digits, for which a plain number is taken as well.
    if (type.length === 2 && type.includes('string') && type.includes('integer')) {
      return string(schema);
    }
    const solid = type.filter((name) => name !== 'null');
    if (solid.length !== 1 || solid.length === type.length) return null;
    return nullable(schema, readField({ ...schema, type: solid[0] as Json }, reading));
  }
  if (['allOf', 'anyOf', 'oneOf'].some((key) => own(schema, key) !== undefined)) return null;
  if (type === 'string') return string(schema);
  if (type === 'integer' || type === 'number') {
    if (isUnit(own(schema, 'x-berth-unit')))
      return { ...part(schema), kind: 'duration', stored: 'number' };
    return { ...part(schema), kind: 'number', integer: type === 'integer' };
  }
  if (type === 'boolean') return { ...part(schema), kind: 'boolean' };
  if (type === 'array') return list(schema, reading);
  if (type === 'object') return object(schema, reading);
  return null;
}

function isUnit(unit: unknown): boolean {
  return unit === 'ms' || unit === 's' || unit === 'min';
}

function string(schema: JsonSchema): Field {
  if (isUnit(own(schema, 'x-berth-unit')))
    return { ...part(schema), kind: 'duration', stored: 'string' };
  return { ...part(schema), kind: 'text', style: style(schema), emptyAllowed: takesEmpty(schema) };
}

function style(schema: JsonSchema): 'line' | 'long' | 'pem' | 'template' | 'secret' {
  const media = own(schema, 'contentMediaType');
  if (own(schema, 'writeOnly') === true) return 'secret';
  if (media === 'application/x-pem-file') return 'pem';
  if (isObject(own(schema, 'x-berth-template'))) return 'template';
  if (media === 'application/json' || own(schema, 'x-berth-multiline') === true) return 'long';
  return 'line';
}

function takesEmpty(schema: JsonSchema): boolean {
  const least = own(schema, 'minLength');
  if (typeof least === 'number' && least > 0) return false;
  const pattern = own(schema, 'pattern');
  if (typeof pattern !== 'string') return own(schema, 'format') === undefined;
  try {
    return new RegExp(pattern, 'u').test('');
  } catch {
    return false;
  }
}

function list(schema: JsonSchema, reading: Reading): Field | null {
  const items = own(schema, 'items');
  if (items === undefined || items === false || own(schema, 'prefixItems') !== undefined)
    return null;
  const least = own(schema, 'minItems');
  const atFirst = typeof least === 'number' ? Math.min(Math.max(Math.ceil(least), 0), 8) : 0;
  return { ...part(schema), kind: 'list', item: readField(items, reading), atFirst };
}

function object(schema: JsonSchema, reading: Reading): Field | null {
  if (own(schema, 'x-berth-secret-ref') === true) return { ...part(schema), kind: 'secretRef' };
  if (BEYOND_PROPERTIES.some((key) => own(schema, key) !== undefined)) return null;
  const properties = own(schema, 'properties');
  if (!isObject(properties)) {
    const values = own(schema, 'additionalProperties');
    // Rows of JSON are harder to read than JSON.
    if (values === undefined || typeof values === 'boolean' || saysNothing(values)) return null;
    return { ...part(schema), kind: 'record', value: readField(values, reading) };
  }
  const shown = partial(schema, reading);
  if (shown) return { ...part(schema), ...shown };
  const always = new Set(required(schema));
  return {
    ...part(schema),
    kind: 'object',
    properties: Object.entries(properties).map(([key, value]) =>
      property(key, readField(value, reading), always.has(key)),
    ),
    shown: null,
    fill: null,
    keyOrder: Object.keys(properties),
  } satisfies ObjectField;
}

export function property(key: string, given: Field, required: boolean): Property {
  const field = given.kind === 'const' && !required ? orNothing(given) : given;
  const when = own(given.schema, 'x-berth-when');
  const conditions = isObject(when) ? Object.entries(when) : [];
  return {
    key,
    field,
    required,
    implicit: false,
    start: undefined,
    when: conditions.flatMap(([other, values]) =>
      Array.isArray(values) ? [{ key: other, values: values as Json[] }] : [],
    ),
  };
}

/** An optional key with one possible value is a choice between that and nothing. */
function orNothing({ value, ...rest }: ConstField): Field {
  return { ...rest, kind: 'choice', options: [{ value, title: '', description: '' }] };
}
