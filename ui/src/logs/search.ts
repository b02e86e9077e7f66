import type { Run } from './ansi';
import { indexFrom } from './buffer';
import type { Entry } from './buffer';

/** A query as a pattern: every occurrence, capitals do not matter; `null` for an empty one. */
export function pattern(query: string): RegExp | null {
  if (query === '') return null;
  return new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
}

/** Which lines hold a query. Looks at a line once however often it is asked. */
export class LogSearch {
  #query = '';
  #pattern: RegExp | null = null;
  #hits: number[] = [];
  #seen = 0;

  /** Numbers of the entries that match, oldest first. */
  find(entries: readonly Entry[], query: string): readonly number[] {
    if (query !== this.#query) {
      this.#query = query;
      this.#pattern = pattern(query);
      this.#hits = [];
      this.#seen = 0;
    }
    const first = entries[0]?.n ?? 0;
    const gone = this.#hits.findIndex((n) => n >= first);
    if (gone !== 0) this.#hits = gone < 0 ? [] : this.#hits.slice(gone);
    if (!this.#pattern) return [];
    for (let i = indexFrom(entries, this.#seen); i < entries.length; i++) {
      const entry = entries[i];
      if (entry?.kind !== 'line') continue;
      this.#pattern.lastIndex = 0;
      if (this.#pattern.test(entry.plain)) this.#hits.push(entry.n);
    }
    this.#seen = (entries.at(-1)?.n ?? -1) + 1;
    return this.#hits;
  }
}

/** A run, or the part of one that matches. */
export interface MarkedRun extends Run {
  match: boolean;
}

/** Runs cut where matches begin and end; at most `limit` characters of them. */
export function marked(runs: readonly Run[], match: RegExp | null, limit: number): MarkedRun[] {
  const text = runs
    .map((run) => run.text)
    .join('')
    .slice(0, limit);
  const edges: [number, number][] = match
    ? [...text.matchAll(match)].map((found) => [found.index, found.index + found[0].length])
    : [];
  const result: MarkedRun[] = [];
  let at = 0;
  for (const run of runs) {
    const end = Math.min(at + run.text.length, text.length);
    let from = at;
    while (from < end) {
      const inside = edges.find(([start, stop]) => start <= from && from < stop);
      const next = inside ? inside[1] : (edges.find(([start]) => start > from)?.[0] ?? Infinity);
      const to = Math.min(end, next);
      result.push({ text: text.slice(from, to), style: run.style, match: inside !== undefined });
      from = to;
    }
    at += run.text.length;
  }
  return result;
}
