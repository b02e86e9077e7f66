import type { JsonSchema } from '../backend/contract';
import { isObject, own, stepsOf } from '../form/model/json';
import type { Json } from '../form/model/json';
import { resolve } from '../form/model/read';
import type { SecretKey } from '../form/controls/types';

export type Path = (string | number)[];

/** Where a document holds secret values (`writeOnly`) in clear text. */
export function secretValues(schema: JsonSchema, document: Json): Path[] {
  return marked(schema, document, 'writeOnly');
}

/** A place where a document names a secret. */
export interface SecretUse {
  key: string;
  path: Path;
}

/** Where a document names secrets. */
export function secretRefs(schema: JsonSchema, document: Json): SecretUse[] {
  return marked(schema, document, 'x-berth-secret-ref').flatMap((path) => {
    const key = own(valueAt(document, path), 'key');
    return typeof key === 'string' && key !== '' ? [{ key, path }] : [];
  });
}

function valueAt(document: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (outer, step) => (Array.isArray(outer) ? outer[Number(step)] : own(outer, String(step))),
    document,
  );
}

/**
 * The parts of a document whose schema has a keyword set. Of a choice every
 * branch counts: a value of a branch that is not chosen stands there just the
 * same.
 */
function marked(schema: JsonSchema, document: Json, keyword: string): Path[] {
  const found = new Map<string, Path>();
  look(schema, document, []);
  return [...found.values()];

  function look(given: unknown, value: unknown, path: Path, refs: readonly string[] = []): void {
    if (isBlank(value)) return;
    const part = resolve(given, { root: schema, refs, depth: 0, budget: { parts: 1 } });
    if (!part) return;
    if (own(part.schema, keyword) === true) {
      found.set(JSON.stringify(path), path);
      return;
    }
    for (const key of ['oneOf', 'anyOf', 'allOf']) {
      const branches = own(part.schema, key);
      if (!Array.isArray(branches)) continue;
      // Of the same value: a reference back to here would never end.
      for (const branch of branches) look(branch, value, path, part.reading.refs);
    }
    if (Array.isArray(value)) {
      const items = own(part.schema, 'items');
      value.forEach((item, at) => look(items, item, [...path, at]));
    } else if (isObject(value)) {
      const properties = own(part.schema, 'properties');
      const others = own(part.schema, 'additionalProperties');
      for (const [key, inner] of Object.entries(value))
        look(own(properties, key) ?? others, inner, [...path, key]);
    }
    shownParts(part.schema).forEach(({ at, schema }) => {
      const inner = valueAt(value, at);
      look(schema, inner, [...path, ...at], part.reading.refs);
    });
  }
}

/** The parts that `x-berth-form` shows with a schema of their own. */
function shownParts(schema: JsonSchema): { at: string[]; schema: unknown }[] {
  const show = own(own(schema, 'x-berth-form'), 'show');
  if (!Array.isArray(show)) return [];
  return show.flatMap((entry: unknown) => {
    const at = own(entry, 'at');
    const steps = typeof at === 'string' ? stepsOf(at) : null;
    return steps ? [{ at: steps, schema: own(entry, 'schema') }] : [];
  });
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * The names in the document's own record of secret values (`secrets`), which
 * its references to secrets are about; `null`: documents of this kind have none.
 */
export function ownSecrets(schema: JsonSchema, document: Json): SecretKey[] | null {
  const record = own(own(schema, 'properties'), 'secrets');
  if (own(own(record, 'additionalProperties'), 'writeOnly') !== true) return null;
  const secrets = own(document, 'secrets');
  if (!isObject(secrets)) return [];
  // When a value was typed into a document is not known; that it was is what counts.
  return Object.entries(secrets)
    .filter(([key]) => key !== '')
    .map(([key, value]) => ({ key, setAt: isBlank(value) ? null : 0 }));
}
