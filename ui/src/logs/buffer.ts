import type { LogBatch, LogLine } from '../generated/types';
import { plainText } from './ansi';

/** How much of a log the window keeps. */
export const KEEP_LINES = 50_000;
/** Lines can be long: beyond so many characters the oldest go, too. */
export const KEEP_CHARS = 32_000_000;

/** One row of the log: a line, or where lines were left out. `n` grows and is never reused. */
export type Entry =
  | { n: number; kind: 'line'; line: LogLine; plain: string }
  | { n: number; kind: 'skipped'; count: number };

/** The last lines of a log, and what was let go. Not reactive: who shows it asks again. */
export class LogBuffer {
  entries: readonly Entry[] = [];
  /** Rows that were let go since the beginning. */
  dropped = 0;
  #services = new Set<string>();
  #chars = 0;
  #next = 0;
  #keepLines: number;
  #keepChars: number;

  constructor(keepLines = KEEP_LINES, keepChars = KEEP_CHARS) {
    this.#keepLines = keepLines;
    this.#keepChars = keepChars;
  }

  /** Services that have written, by name. */
  get services(): string[] {
    return [...this.#services].toSorted();
  }

  append({ lines, skipped }: Pick<LogBatch, 'lines' | 'skipped'>): void {
    const entries = this.entries.slice();
    if (skipped > 0) entries.push({ n: this.#next++, kind: 'skipped', count: skipped });
    for (const line of lines) {
      entries.push({ n: this.#next++, kind: 'line', line, plain: plainText(line.text) });
      this.#chars += line.text.length;
      this.#services.add(line.service);
    }
    let over = Math.max(0, entries.length - this.#keepLines);
    for (let i = 0; i < over; i++) this.#chars -= size(entries[i]);
    while (this.#chars > this.#keepChars && over < entries.length - 1) {
      this.#chars -= size(entries[over]);
      over += 1;
    }
    this.dropped += over;
    this.entries = over > 0 ? entries.slice(over) : entries;
  }

  clear(): void {
    this.entries = [];
    this.dropped = 0;
    this.#chars = 0;
    this.#services.clear();
  }
}

function size(entry: Entry | undefined): number {
  return entry?.kind === 'line' ? entry.line.text.length : 0;
}

/** Only what these services wrote; none named: everything. Gaps stay, they concern all. */
export function ofServices(
  entries: readonly Entry[],
  services: ReadonlySet<string>,
): readonly Entry[] {
  if (services.size === 0) return entries;
  return entries.filter((entry) => entry.kind === 'skipped' || services.has(entry.line.service));
}

/** Index of the first entry whose number is at least `n`. */
export function indexFrom(entries: readonly Entry[], n: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.n ?? Infinity) < n) low = middle + 1;
    else high = middle;
  }
  return low;
}
