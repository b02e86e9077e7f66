import { describe, expect, it } from 'vitest';
import { difference } from './difference';

describe('the smallest change', () => {
  it.each([
    ['abc', 'abc', null],
    ['abc', 'abXc', { at: 2, removed: 0, inserted: 'X' }],
    ['abc', 'ac', { at: 1, removed: 1, inserted: '' }],
    ['aaa', 'aa', { at: 2, removed: 1, inserted: '' }],
    ['', 'x', { at: 0, removed: 0, inserted: 'x' }],
    ['x', 'y', { at: 0, removed: 1, inserted: 'y' }],
    ['a😀', 'a😁', { at: 2, removed: 1, inserted: '\ude01' }],
  ])('from %j to %j', (before, after, expected) => {
    const found = difference(before, after);
    expect(found).toEqual(expected);
    if (found === null) return;
    const { at, removed, inserted } = found;
    expect(before.slice(0, at) + inserted + before.slice(at + removed)).toBe(after);
  });
});
