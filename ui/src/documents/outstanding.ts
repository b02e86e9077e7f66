import type { Issue } from '../generated/types';

/** The value at a path of a JSON value; `undefined` where there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

/** Whether nobody has put anything there: no key, or an empty text. */
function isBlank(value: unknown): boolean {
  return value === undefined || value === '';
}

/**
 * Remembers which fields have ever held something. A field that nobody has
 * filled in yet is no mistake until the document is to be saved; one that was
 * emptied again is.
 */
export class FilledIn {
  #seen = new Set<string>();

  /** Splits what is wrong into mistakes and what is still to be filled in. */
  split(issues: readonly Issue[], value: unknown): { mistakes: Issue[]; blank: Issue[] } {
    const mistakes: Issue[] = [];
    const blank: Issue[] = [];
    for (const issue of issues) {
      const untouched = !this.#seen.has(issue.pointer) && isBlank(valueAt(value, issue.path));
      (untouched ? blank : mistakes).push(issue);
    }
    return { mistakes, blank };
  }

  /** Notes what holds something now. */
  note(value: unknown): void {
    const walk = (at: unknown, pointer: string): void => {
      if (isBlank(at)) return;
      this.#seen.add(pointer);
      if (typeof at !== 'object' || at === null) return;
      for (const [key, inner] of Object.entries(at)) {
        walk(inner, `${pointer}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`);
      }
    };
    walk(value, '');
  }
}
