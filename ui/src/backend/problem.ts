import type { Problem } from '../generated/types';
import { en } from '../strings/en';

/** Whether a rejection already is a problem of Berth's. */
export function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Problem).code === 'string' &&
    typeof (value as Problem).title === 'string' &&
    Array.isArray((value as Problem).places)
  );
}

/** A problem with nothing but a title and, where known, the next thing to do. */
export function problem(code: Problem['code'], title: string, hint: string | null = null): Problem {
  return {
    code,
    title,
    detail: null,
    hint,
    causes: [],
    places: [],
    lines: [],
    retryable: false,
  };
}

/** Any rejection as a problem; what is not one of Berth's is Berth's fault and says so. */
export function asProblem(value: unknown): Problem {
  if (isProblem(value)) return value;
  const detail = value instanceof Error ? value.message : String(value);
  return { ...problem('internal', en.internal.title, en.internal.hint), detail };
}
