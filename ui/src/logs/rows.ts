/** Height of every row of a log, in pixels; `logs.css` sets the same. */
export const ROW = 19;

/** Rows kept ready beyond what is seen, so that scrolling shows no gap. */
const SPARE = 12;

/** Which rows stand in the viewport: from `first` up to, without, `end`. */
export interface Range {
  first: number;
  end: number;
}

export function visibleRows(scrollTop: number, height: number, count: number): Range {
  const first = Math.max(0, Math.floor(scrollTop / ROW) - SPARE);
  const end = Math.min(count, Math.ceil((scrollTop + height) / ROW) + SPARE);
  return { first: Math.min(first, end), end };
}

/** Whether the last row is in sight; half a row of slack for fractions of pixels. */
export function atEnd(scrollTop: number, height: number, scrollHeight: number): boolean {
  return scrollTop + height >= scrollHeight - ROW / 2;
}

/** Where to scroll so that a row stands in the middle; `null` when it is in sight already. */
export function scrollToRow(row: number, scrollTop: number, height: number): number | null {
  const top = row * ROW;
  if (top >= scrollTop && top + ROW <= scrollTop + height) return null;
  return Math.max(0, top - Math.floor(height / 2));
}
