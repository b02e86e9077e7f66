/** `removed` characters at `at` gave way to `inserted`. */
export type Difference = { at: number; removed: number; inserted: string };

/** The smallest single change that leads from one text to another; `null` when they are the same. */
export function difference(before: string, after: string): Difference | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end += 1;
  return {
    at: start,
    removed: before.length - end - start,
    inserted: after.slice(start, after.length - end),
  };
}
