/** So many items of a list or record are drawn at first, and so many more at a time. */
export const STEP = 25;

/** The items that are drawn: from the first up to, but without, the last. A long list has too many to draw all. */
export interface Span {
  from: number;
  to: number;
}

export const atFirst: Span = { from: 0, to: STEP };

/** The span with an item in it: grown to it where it is near, else moved to it. */
export function reaching(span: Span, index: number): Span {
  if (index >= span.from - STEP && index < span.to + STEP) {
    const from = index < span.from ? Math.max(0, span.from - STEP) : span.from;
    return { from, to: index < span.to ? span.to : span.to + STEP };
  }
  return around(index);
}

function around(index: number): Span {
  const from = Math.max(0, Math.floor(index / STEP) * STEP);
  return { from, to: from + STEP };
}

/** What of the span is there in a list of this length; an emptied end shows what is before it. */
export function within(span: Span, length: number): Span {
  const there = span.from < length ? span : around(length - 1);
  return { from: there.from, to: Math.min(there.to, length) };
}
