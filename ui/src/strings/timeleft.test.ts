import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from './format';
import { ago, running, timeLeft } from './timeleft';
import type { Timed } from './timeleft';

describe('time left', () => {
  it.each([
    [2 * HOUR, '2 h left'],
    [2 * HOUR - 1, '2 h left'],
    [102 * MINUTE - 2_000, '1 h 42 min left'],
    [59 * MINUTE + 1, '1 h left'],
    [59 * MINUTE, '59 min left'],
    [6 * MINUTE - 1, '6 min left'],
    [2 * MINUTE + 1, '3 min left'],
    [2 * MINUTE, '2 min left'],
    [95_000, '1 min 35 s left'],
    [59_001, '1 min left'],
    [35_000, '35 s left'],
    [1, '1 s left'],
    [0, 'ending now'],
    [-5_000, 'ending now'],
    [DAY, '1 d left'],
    [2 * DAY + 3 * HOUR, '2 d 3 h left'],
  ])('%d ms reads %s', (ms, words) => {
    expect(timeLeft(ms).text).toBe(words);
  });

  it('says for how long it is true: the words change exactly then and not before', () => {
    for (const start of [2 * DAY, 5 * HOUR + 1_234, 61 * MINUTE, 7 * MINUTE + 3, 119_500, 3_001]) {
      const { text, changesIn } = timeLeft(start);
      expect(changesIn).not.toBeNull();
      expect(timeLeft(start - (changesIn ?? 0) + 1).text).toBe(text);
      expect(timeLeft(start - (changesIn ?? 0)).text).not.toBe(text);
    }
  });

  it('counts seconds only in the last two minutes', () => {
    expect(timeLeft(2 * MINUTE + 30_000).changesIn).toBe(30_000);
    expect(timeLeft(2 * MINUTE - 500).changesIn).toBe(500);
    expect(timeLeft(0).changesIn).toBeNull();
  });
});

function walk(wording: (ms: number) => Timed, from: number): void {
  const { text, changesIn } = wording(from);
  expect(changesIn).toBeGreaterThan(0);
  expect(wording(from + (changesIn ?? 0) - 1).text).toBe(text);
  expect(wording(from + (changesIn ?? 0)).text).not.toBe(text);
}

describe('time gone', () => {
  it.each([
    [-1, 'just now'],
    [59_999, 'just now'],
    [MINUTE, '1 min ago'],
    [3 * HOUR - 1, '2 h ago'],
    [50 * HOUR, '2 d ago'],
  ])('%d ms reads %s', (ms, words) => expect(ago(ms).text).toBe(words));

  it('changes when it says', () => {
    for (const ms of [0, 61_000, 5 * HOUR, 3 * DAY]) walk(ago, ms);
    for (const ms of [0, 14_300, 119_999, 5 * MINUTE]) walk(running, ms);
  });
});
