import type { TemplateInfo } from './types';

/** Placeholders of a template: where they are, what they mean, what may be put in. Pure. */

/** What the contract fills in: `{{ input.branch }}`. Everything else stays in the text. */
const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_.]+)\s*\}\}/g;

/** From where to where the text is, in UTF-16 units. */
export type Span = { start: number; end: number };

export type Remark =
  | { kind: 'unknown'; name: string; meant: string | null }
  /** Filled in only when it is given at the start. */
  | { kind: 'open'; name: string; meant: string | null }
  /** Looks like a placeholder and is none. */
  | { kind: 'verbatim'; text: string }
  | { kind: 'unclosed'; text: string };

/** Names between braces, in order, each once. */
export function namesUsed(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))];
}

/** What is worth saying about the placeholders of a template, each thing once. */
export function remarks(template: string, { variables, open }: TemplateInfo): Remark[] {
  const known = new Set(variables.map(({ name }) => name));
  const found: Remark[] = [];
  for (const name of namesUsed(template)) {
    if (known.has(name)) continue;
    // `input.` alone begins like an open name and names nothing.
    const isOpen = open.some((prefix) => name.startsWith(prefix) && name !== prefix);
    const meant = closest(name, [...known], isOpen ? 2 : Infinity);
    found.push({ kind: isOpen ? 'open' : 'unknown', name, meant });
  }
  return [...found, ...lookalikes(template)];
}

/** Braces that fill nothing in. */
function lookalikes(template: string): Remark[] {
  const rest = template.replace(PLACEHOLDER, (whole) => ' '.repeat(whole.length));
  const found = new Map<string, Remark>();
  for (const { index } of rest.matchAll(/\{\{(?!\{)/g)) {
    const after = template.slice(index, index + 200);
    const closed = /^\{\{[^{}\n]{0,80}\}\}/.exec(after)?.[0];
    if (closed !== undefined) found.set(closed, { kind: 'verbatim', text: closed });
    else {
      // A JSON body closes its own braces with `}}` and opens none with `{{`.
      const begun = /^\{\{\s*[A-Za-z0-9_.]*/.exec(after)?.[0] ?? '{{';
      found.set(begun, { kind: 'unclosed', text: begun });
    }
  }
  return [...found.values()];
}

/**
 * The placeholder being written at the caret: what of its name stands before
 * the caret, and what an inserted variable takes the place of.
 */
export function placeholderAt(template: string, caret: number): (Span & { query: string }) | null {
  const before = /\{\{\s*([A-Za-z0-9_.]*)$/.exec(template.slice(0, caret));
  if (before === null) return null;
  const after = /^[A-Za-z0-9_.]*(?:\s*\}\})?/.exec(template.slice(caret))?.[0] ?? '';
  return { start: before.index, end: caret + after.length, query: before[1] ?? '' };
}

/** The placeholder as it is put into a text. */
export function placeholder(name: string): string {
  return `{{${name}}}`;
}

/** The template with every `{{from}}` naming `to` instead. */
export function renamed(template: string, from: string, to: string): string {
  return template.replace(PLACEHOLDER, (whole, name: string) =>
    name === from ? placeholder(to) : whole,
  );
}

/** The samples that a preview is rendered with. */
export function samples({ variables }: TemplateInfo): Record<string, string> {
  return Object.fromEntries(variables.map(({ name, sample }) => [name, sample]));
}

/** The known name that was probably meant, if one is no more than `most` slips away. */
export function closest(name: string, known: readonly string[], most = Infinity): string | null {
  const wanted = name.toLowerCase();
  // `branch` for `input.branch` is a matter of not knowing the rule, not of typing.
  const inside = known.find((candidate) => candidate.toLowerCase().endsWith(`.${wanted}`));
  if (inside !== undefined) return inside;
  let best: string | null = null;
  let bestAt = Math.min(most, Math.max(2, Math.floor(name.length / 3))) + 1;
  for (const candidate of known) {
    const far = distance(wanted, candidate.toLowerCase());
    if (far < bestAt) [best, bestAt] = [candidate, far];
  }
  return best;
}

/** Letters to add, drop, change or swap (optimal string alignment). */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 12 || a.length > 80) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? Infinity;
}
