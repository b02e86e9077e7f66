import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { timeLeft } from '../strings/timeleft';
import { Clock } from './clock.svelte';

let hidden = false;
let forgets: (() => void)[] = [];

/** Clocks of earlier tests still hear the page: they must have nothing to do. */
function watch(clock: Clock, changesIn: (now: number) => number | null): () => void {
  const forget = clock.watch(changesIn);
  forgets.push(forget);
  return forget;
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000 });
  hidden = false;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
});
afterEach(async () => {
  for (const forget of forgets) forget();
  forgets = [];
  await settle();
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('the clock', () => {
  it('sets no timer while nothing depends on the time', async () => {
    const clock = new Clock();
    await settle();
    expect(vi.getTimerCount()).toBe(0);
    const forget = watch(clock, () => null);
    await settle();
    expect(vi.getTimerCount()).toBe(0);
    forget();
  });

  it('fires when the first displayed value changes, once for all', async () => {
    const clock = new Clock();
    const start = Date.now();
    const ends = start + 30 * 60_000 + 20_000;
    watch(clock, (now) => timeLeft(ends - now).changesIn);
    watch(clock, (now) => timeLeft(ends + 5_000 - now).changesIn);
    await settle();
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(clock.now).toBe(start);
    await vi.advanceTimersByTimeAsync(1);
    expect(clock.now).toBe(start + 20_000);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(clock.now).toBe(start + 25_000);
  });

  it('does not fire while the window is hidden, and catches up when it is seen again', async () => {
    const clock = new Clock();
    const ends = Date.now() + 600_000;
    watch(clock, (now) => timeLeft(ends - now).changesIn);
    await settle();
    hidden = true;
    document.dispatchEvent(new Event('visibilitychange'));
    expect(vi.getTimerCount()).toBe(0);
    const before = clock.now;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(clock.now).toBe(before);
    hidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
    expect(clock.now).toBe(before + 300_000);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('forgets what is no longer shown', async () => {
    const clock = new Clock();
    const forget = watch(clock, () => 1_000);
    await settle();
    expect(vi.getTimerCount()).toBe(1);
    forget();
    await settle();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never sets a timer longer than setTimeout can count', async () => {
    const clock = new Clock();
    const start = clock.now;
    watch(clock, () => 40 * 86_400_000);
    await settle();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(clock.now).toBe(start + 3_600_000);
  });
});
