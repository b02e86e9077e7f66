import type { Tone } from '../state/describe';

/** The role that a state's words are written in. */
export const toneInk: Record<Tone, string> = {
  ok: 'text-ok',
  run: 'text-run',
  warn: 'text-warn',
  bad: 'text-bad',
  idle: 'text-idle',
};
