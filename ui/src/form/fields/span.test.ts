import { describe, expect, it } from 'vitest';
import { atFirst, reaching, STEP, within } from './span';

describe('the drawn items of a long list', () => {
  it('grow to what is near and move to what is far', () => {
    expect(reaching(atFirst, 3)).toEqual(atFirst);
    expect(reaching(atFirst, STEP)).toEqual({ from: 0, to: 2 * STEP });
    const far = reaching(atFirst, 4000);
    expect(far).toEqual({ from: 4000, to: 4000 + STEP });
    expect(reaching(far, 3999)).toEqual({ from: 4000 - STEP, to: 4000 + STEP });
    expect(reaching(far, 0)).toEqual(atFirst);
  });

  it('are some of those that are there', () => {
    expect(within(atFirst, 3)).toEqual({ from: 0, to: 3 });
    expect(within(atFirst, 0)).toEqual({ from: 0, to: 0 });
    expect(within({ from: 4000, to: 4025 }, 60)).toEqual({ from: 50, to: 60 });
    expect(within({ from: 50, to: 75 }, 50)).toEqual({ from: 25, to: 50 });
  });
});
