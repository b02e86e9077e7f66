import type { JsonSchema } from '../../backend/contract';
import type { Field, ObjectField, Property } from './field';
import type { Json, JsonObject } from './json';
import { isObject, objectOf, own, readable, stepsOf } from './json';
import { jsonField, property, readField, required, resolve } from './read';
import type { Reading } from './read';

type Shape = Pick<ObjectField, 'kind' | 'properties' | 'shown' | 'fill' | 'keyOrder'>;

/** One entry of `show`, on its way down. */
interface Entry {
  steps: readonly string[];
  /** What to use there instead of the schema's own part. */
  instead: unknown;
}

/** The fields of an object of which `x-berth-form` shows only part; `null`: it has none. */
export function partial(schema: JsonSchema, reading: Reading): Shape | null {
  const form = own(schema, 'x-berth-form');
  const show = own(form, 'show');
  if (!Array.isArray(show)) return null;
  const entries = show.flatMap((entry): Entry[] => {
    const at = own(entry, 'at');
    const steps = typeof at === 'string' ? stepsOf(at) : null;
    return steps === null || steps.length === 0 ? [] : [{ steps, instead: own(entry, 'schema') }];
  });
  const fill = own(form, 'fill');
  return {
    ...shape(schema, entries, isObject(fill) ? (fill as JsonObject) : null, reading),
    shown: entries.map(({ steps }) => steps),
  };
}

function shape(
  schema: JsonSchema,
  entries: readonly Entry[],
  fill: JsonObject | null,
  reading: Reading,
): Shape {
  const parts = own(schema, 'properties');
  const keyOrder = isObject(parts) ? Object.keys(parts) : [];
  const always = new Set(required(schema));
  const below = new Map<string, Entry[]>();
  for (const entry of entries) {
    const [key = ''] = entry.steps;
    below.set(key, [...(below.get(key) ?? []), { ...entry, steps: entry.steps.slice(1) }]);
  }
  const properties: Property[] = [];
  for (const key of new Set([...keyOrder, ...below.keys()])) {
    const inner = below.get(key);
    const given = own(parts, key);
    if (inner) {
      const place = { given, fill: own(fill, key) as Json | undefined };
      properties.push(shownAt(key, place, inner, always.has(key), reading));
    } else if (always.has(key)) {
      const field = readField(given, reading);
      if (field.kind === 'const') properties.push(property(key, field, true));
    }
  }
  return { kind: 'object', properties, shown: [], fill: beside(fill, below), keyOrder };
}

/** What is filled in for good: a part that is shown only starts with it. */
function beside(fill: JsonObject | null, shown: ReadonlyMap<string, unknown>): JsonObject | null {
  return fill && objectOf(Object.entries(fill).filter(([key]) => !shown.has(key)));
}

function shownAt(
  key: string,
  { given, fill }: { given: unknown; fill: Json | undefined },
  entries: readonly Entry[],
  required: boolean,
  reading: Reading,
): Property {
  const whole = entries.find(({ steps }) => steps.length === 0);
  if (whole) {
    const field = readField(whole.instead ?? given ?? {}, reading);
    const shown = property(key, field, required);
    return { ...shown, implicit: field.kind === 'object', start: fill };
  }
  const found = resolve(given, reading);
  const deeper = { ...(found?.reading ?? reading), depth: reading.depth + 1 };
  const schema = found?.schema ?? {};
  const field: Field =
    deeper.depth > 32
      ? jsonField(schema)
      : {
          title: readable((own(schema, 'title') as Json | undefined) ?? ''),
          description: '',
          schema,
          initial: undefined,
          ...shape(schema, entries, isObject(fill) ? (fill as JsonObject) : null, deeper),
        };
  return { ...property(key, field, required), implicit: true };
}
