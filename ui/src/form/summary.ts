import { form as words } from '../strings/form';
import type { Message } from './context';
import type { Finding } from './model/messages';
import type { Label } from './model/outline';
import { isFault } from './model/outline';

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

function labelText(label: Label): string {
  return typeof label === 'number' ? `#${label}` : label;
}
