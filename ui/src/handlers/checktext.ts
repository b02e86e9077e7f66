import type { CheckVerdict, ConnectionCheck } from '../generated/types';
import type { Tone } from '../state/describe';
import { en } from '../strings/en';

const words = en.handlers.test;

export const checkTone: Record<CheckVerdict['state'], Tone> = {
  waiting: 'idle',
  running: 'run',
  passed: 'ok',
  warned: 'warn',
  failed: 'bad',
  skipped: 'idle',
};

/** How long a check took; short ones in milliseconds. */
export function checkDuration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** A test's result as text, to be sent to somebody. */
export function checksAsText(
  label: string,
  summary: string,
  checks: readonly ConnectionCheck[],
  titleOf: (key: string) => string,
): string {
  const lines = checks.flatMap(({ title, verdict, durationMs, detail, facts, hint, command }) => {
    const state =
      verdict.state === 'skipped'
        ? words.skippedBecause(titleOf(verdict.because))
        : words.verdict[verdict.state];
    const took = durationMs === null ? '' : ` (${checkDuration(durationMs)})`;
    return [
      `- ${title}: ${state}${took}`,
      ...(detail === null ? [] : [`  ${detail}`]),
      ...facts.map(({ name, value }) => `  ${name}: ${value}`),
      ...(hint === null ? [] : [`  ${words.textHint(hint).replace(/\n/g, '\n  ')}`]),
      ...(command === null ? [] : [`  ${command.replace(/\n/g, '\n  ')}`]),
    ];
  });
  return [words.textTitle(label, summary), ...lines, ''].join('\n');
}
