/**
 * The entries whose words all of the query's words are found in. Those that
 * begin with the query come first; otherwise the order stays.
 */
export function matching<T>(
  entries: readonly T[],
  query: string,
  words: (entry: T) => string,
): T[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [...entries];
  const start = query.trim().toLowerCase();
  const fits = entries.filter((entry) => {
    const text = words(entry).toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const first = (entry: T) => (words(entry).toLowerCase().startsWith(start) ? 0 : 1);
  return fits.toSorted((a, b) => first(a) - first(b));
}
