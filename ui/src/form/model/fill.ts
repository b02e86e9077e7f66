import type { Field } from './field';
import { filledFrom, isObject, member, objectOf } from './json';
import type { Json, JsonObject } from './json';
import { branchOf } from './load';

/** A document with what the form would have filled in around what it shows: a starter's lacks it. */
export function completed(field: Field, value: Json): Json {
  switch (field.kind) {
    case 'object': {
      if (!isObject(value)) return value;
      const entries = new Map<string, Json>(Object.entries(value));
      for (const { key, field: inner } of field.properties) {
        const given = entries.get(key);
        if (given !== undefined) entries.set(key, completed(inner, given));
      }
      const whole = objectOf(entries);
      return field.fill === null ? whole : filledFrom(field.fill, whole);
    }
    case 'union': {
      if (!isObject(value)) return value;
      const branch = field.branches[branchOf(field, value)];
      return branch ? completed(branch.field, value) : value;
    }
    case 'nullable':
      return value === null ? value : completed(field.inner, value);
    case 'list':
      return Array.isArray(value) ? value.map((item) => completed(field.item, item)) : value;
    case 'record':
      return isObject(value) ? record(field.value, value) : value;
    default:
      return value;
  }
}

function record(field: Field, value: JsonObject): JsonObject {
  const keys = Object.keys(value);
  return objectOf(keys.map((key) => [key, completed(field, member(value, key) ?? null)] as const));
}
