/**
 * The undo history of a text that changes from two sides: what is typed into
 * it, and what replaces it from elsewhere. A field's own history breaks as soon
 * as a program writes into it. Pure.
 */

/** `removed` stood at `at`; `inserted` stands there now. */
export type Edit = { at: number; removed: string; inserted: string };

/** The smallest edit that leads from one text to another; `null` when they are the same. */
export function difference(before: string, after: string): Edit | null {
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
    removed: before.slice(start, before.length - end),
    inserted: after.slice(start, after.length - end),
  };
}

export function applied(text: string, { at, removed, inserted }: Edit): string {
  return text.slice(0, at) + inserted + text.slice(at + removed.length);
}

export function reversed({ at, removed, inserted }: Edit): Edit {
  return { at, removed: inserted, inserted: removed };
}

type Step = Edit & { by: 'typing' | 'elsewhere' };

/** Steps that are kept, and how many characters they may hold together. */
const STEPS = 500;
const CHARACTERS = 16_000_000;

export class History {
  #past: Step[] = [];
  #future: Step[] = [];

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** A run of letters is one step, and so is a run of changes from elsewhere. */
  record(before: string, after: string, by: Step['by']): void {
    const edit = difference(before, after);
    if (edit === null) return;
    this.#future = [];
    const last = this.#past.at(-1);
    if (last?.by === by) {
      if (by === 'elsewhere') {
        this.#past.pop();
        const joined = difference(applied(before, reversed(last)), after);
        if (joined) this.#past.push({ ...joined, by });
        return;
      }
      const joined = joinedTyping(last, edit);
      if (joined) {
        this.#past[this.#past.length - 1] = { ...joined, by };
        return;
      }
    }
    this.#past.push({ ...edit, by });
    this.#trim();
  }

  /** What to apply to go one step back. */
  undo(): Edit | null {
    const step = this.#past.pop();
    if (!step) return null;
    this.#future.push(step);
    return reversed(step);
  }

  redo(): Edit | null {
    const step = this.#future.pop();
    if (!step) return null;
    this.#past.push(step);
    return step;
  }

  #trim(): void {
    let held = 0;
    let kept = 0;
    for (const { removed, inserted } of this.#past.toReversed()) {
      held += removed.length + inserted.length;
      if (kept > 0 && (kept >= STEPS || held > CHARACTERS)) break;
      kept += 1;
    }
    this.#past.splice(0, this.#past.length - kept);
  }
}

function joinedTyping(last: Edit, next: Edit): Edit | null {
  const letters = (text: string) => text.length <= 2 && !/\s/.test(text);
  if (next.removed === '' && letters(next.inserted)) {
    const follows = next.at === last.at + last.inserted.length;
    if (follows && last.inserted !== '' && !/\s$/.test(last.inserted))
      return { ...last, inserted: last.inserted + next.inserted };
  }
  if (next.inserted === '' && last.inserted === '' && next.removed.length <= 2) {
    if (next.at + next.removed.length === last.at)
      return { at: next.at, removed: next.removed + last.removed, inserted: '' };
    if (next.at === last.at)
      return { at: last.at, removed: last.removed + next.removed, inserted: '' };
  }
  return null;
}
