import { form as words } from '../strings/form';
import type { Message } from './context';
import type { Finding } from './model/messages';
import type { Label, Outline } from './model/outline';
import { isFault, placeOfIssue } from './model/outline';

/** One line of the summary. */
export interface SummaryLine {
  id: string;
  where: string;
  text: string;
}

export function messageOf(finding: Finding): Message {
  if ('trouble' in finding) {
    const { trouble } = finding;
    return {
      text: words.trouble(trouble),
      tone: isFault(trouble) ? 'bad' : 'warn',
      saidByControl: trouble.kind === 'unfinished',
    };
  }
  const { message, deeper } = finding.issue;
  const text = deeper.length > 0 ? words.deeper(deeper.join('.'), message) : message;
  return { text, tone: 'bad', saidByControl: false };
}

export function summaryLine(finding: Finding): SummaryLine {
  return {
    id: finding.id,
    where: words.summary.within(finding.trail.map(labelText)),
    text: messageOf(finding).text,
  };
}

/** What a place in the document is called in its form; empty for the whole of it. */
export function whereOf(outline: Outline, path: readonly (string | number)[]): string {
  return words.summary.within((placeOfIssue(outline, path)?.trail ?? []).map(labelText));
}

function labelText(label: Label): string {
  return typeof label === 'number' ? `#${label}` : label;
}
