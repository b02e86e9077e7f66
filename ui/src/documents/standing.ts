import type { Tone } from '../state/describe';
import { en } from '../strings/en';
import type { Editing } from './editing.svelte';

/** What the newest check says of a document, in a few words. */
export function checkedWords(editing: Editing): { tone: Tone; text: string } {
  const words = en.documents.checked;
  const { check, mistakes, waiting } = editing;
  if (editing.checkProblem) return { tone: 'warn', text: words.failed };
  if (check === null || editing.pending) return { tone: 'idle', text: words.checking };
  if (check.verdict === 'unreadable') return { tone: 'bad', text: words.unreadable };
  const problems = mistakes.length + check.omitted;
  if (problems > 0) return { tone: 'bad', text: words.problems(problems) };
  if (editing.form.unfinished) return { tone: 'bad', text: words.unfinished };
  return check.verdict === 'valid'
    ? { tone: 'ok', text: words.valid }
    : { tone: 'idle', text: words.waiting(waiting) };
}
