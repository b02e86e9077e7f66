import { describe, expect, it } from 'vitest';
import type { Unit } from './durations';
import { formatDuration, parseDuration } from './durations';

function value(text: string, unit: Unit): number | string {
  const parsed = parseDuration(text, unit);
  return parsed.ok ? parsed.value : parsed.problem.kind;
}

/** Small, fast, seeded: a failure can be seen again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('reading a duration', () => {
  it.each<[string, Unit, number]>([
    ['2 h', 'ms', 7_200_000],
    ['2h', 'min', 120],
    ['90 min', 'ms', 5_400_000],
    ['90m', 's', 5_400],
    ['1 h 30 min', 'min', 90],
    ['1h30m', 'min', 90],
    ['1 hour and 30 minutes', 'min', 90],
    ['1 hour, 30 minutes', 'min', 90],
    ['  45 s ', 'ms', 45_000],
    ['500 ms', 's', 0.5],
    ['1.5 h', 'min', 90],
    ['0.1 s', 'ms', 100],
    ['0.3 ms', 'ms', 0.3],
    ['1 s', 'min', 1 / 60],
    ['2 days', 'min', 2_880],
    ['0', 'ms', 0],
    ['0 h', 's', 0],
    ['1e+300 ms', 'ms', 1e300],
    ['30 min 1 h', 'min', 90],
  ])('%s in %s is %d', (text, unit, expected) => {
    expect(value(text, unit)).toBe(expected);
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['90', 'noUnit'],
    ['1 h 30', 'noUnit'],
    ['-5 min', 'negative'],
    ['− 5 min', 'negative'],
    ['1,5 h', 'comma'],
    ['1,500 ms', 'comma'],
    ['2 fortnights', 'unknownUnit'],
    ['5 constructor', 'unknownUnit'],
    ['soon', 'notUnderstood'],
    ['and 5 min', 'notUnderstood'],
    ['2 h!', 'notUnderstood'],
    ['1:30', 'noUnit'],
    ['NaN h', 'notUnderstood'],
    ['Infinity h', 'notUnderstood'],
    ['1e308 d', 'tooLong'],
  ])('%j is refused as %s', (text, kind) => {
    expect(value(text, 'ms')).toBe(kind);
  });

  it('is quick about hostile text', () => {
    expect(value(`${'9'.repeat(5_000)} h`, 'ms')).toBe('tooLong');
    expect(value('1 h '.repeat(10_000), 'min')).toBe(600_000);
  });
});

describe('writing a duration', () => {
  it.each<[number, Unit, string]>([
    [7_200_000, 'ms', '2 h'],
    [5_400_000, 'ms', '1 h 30 min'],
    [90, 'min', '1 h 30 min'],
    [2_880, 'min', '2 d'],
    [90_061_001, 'ms', '1 d 1 h 1 min 1 s 1 ms'],
    [3_600_000.5, 'ms', '1 h 0.5 ms'],
    [0.5, 's', '500 ms'],
    [0.5, 'ms', '0.5 ms'],
    [1 / 60, 'min', '1 s'],
    [0, 'min', '0 min'],
    [0, 'ms', '0 ms'],
    [1e300, 'ms', '1e+300 ms'],
    [1e300, 'min', '1e+300 min'],
  ])('%d %s is written %s', (number, unit, text) => {
    expect(formatDuration(number, unit)).toBe(text);
  });
});

describe('there and back', () => {
  it.each<Unit>(['ms', 's', 'min'])('any number of %s is kept', (unit) => {
    const next = random(20_261_130);
    const numbers = [0, 1, 0.1, 0.2, 1 / 3, 1e-7, 5e-324, 1e15, 2 ** 53, 2 ** 53 + 2];
    numbers.push(1.7976931348623157e308 / 1e5, 59_999.999_999_999_99, 86_399_999.5);
    for (let i = 0; i < 3_000; i += 1) {
      const size = 10 ** Math.floor(next() * 40 - 12);
      numbers.push(next() * size, Math.floor(next() * size));
      numbers.push(Math.floor(next() * 1e6) / 60, Math.floor(next() * 1e9) / 1_000);
    }
    for (const number of numbers) {
      const text = formatDuration(number, unit);
      expect(value(text, unit), text).toBe(number);
    }
  });
});
