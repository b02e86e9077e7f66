import { describe, expect, it } from 'vitest';
import { bytes, count, duration, list, whole } from './format';

describe('figures', () => {
  it('counts', () => {
    expect(count(1, 'commit')).toBe('1 commit');
    expect(count(0, 'commit')).toBe('0 commits');
    expect(count(48_201, 'line')).toBe('48,201 lines');
    expect(count(2, 'match', 'matches')).toBe('2 matches');
    expect(whole(1_234_567)).toBe('1,234,567');
  });

  it('lists', () => {
    expect(list([])).toBe('');
    expect(list(['db'])).toBe('db');
    expect(list(['db', 'mail', 'web'])).toBe('db, mail and web');
  });

  it('writes bytes in the unit of the whole', () => {
    expect(bytes(18_400_000, 41_000_000)).toBe('18.4 of 41.0 MB');
    expect(bytes(900, 41_000_000)).toBe('0.0 of 41.0 MB');
    expect(bytes(512, null)).toBe('512 B');
    expect(bytes(1_500_000_000, null)).toBe('1.5 GB');
  });

  it('writes lengths of time', () => {
    expect(duration(40)).toBe('0.04 s');
    expect(duration(6_240)).toBe('6.2 s');
    expect(duration(72_000)).toBe('1 min 12 s');
    expect(duration(59_999)).toBe('60.0 s');
    expect(duration(2 * 3_600_000)).toBe('2 h');
  });
});
