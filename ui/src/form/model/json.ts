/**
 * JSON values, handled so that no key is special: `__proto__` and
 * `constructor` are keys like any other.
 */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object's own value under `key`; `undefined` when there is none. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The member of `object` under `key`, given that it is a JSON object. */
export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** An object of these entries; plain assignment would lose `__proto__`. */
export function objectOf(entries: Iterable<readonly [string, Json]>): JsonObject {
  const made: JsonObject = {};
  for (const [key, value] of entries) {
    Object.defineProperty(made, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return made;
}

export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => sameJson(item, b[at]));
  if (!isObject(a) || !isObject(b)) return a === 0 && b === 0;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** `value` with whatever it lacks taken from `fill`; what it has wins. */
export function filledFrom(fill: JsonObject, value: JsonObject): JsonObject {
  const merged = new Map<string, Json>(Object.entries(value));
  for (const [key, under] of Object.entries(fill)) {
    const over = merged.get(key);
    if (over === undefined) merged.set(key, under);
    else if (isObject(over) && isObject(under)) merged.set(key, filledFrom(under, over));
  }
  return objectOf(merged);
}

/** The object with its keys in this order; the others follow as they came. */
export function ordered(object: JsonObject, order: readonly string[]): JsonObject {
  const left = new Map<string, Json>(Object.entries(object));
  const entries: [string, Json][] = [];
  for (const key of order) {
    const value = left.get(key);
    if (value === undefined) continue;
    entries.push([key, value]);
    left.delete(key);
  }
  return objectOf([...entries, ...left]);
}

/** The steps of a JSON pointer (RFC 6901); `null` when it is none. */
export function stepsOf(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointerTo(path: readonly (string | number)[]): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** A value as one reads it. An object's own `toString` may be anything. */
export function readable(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
