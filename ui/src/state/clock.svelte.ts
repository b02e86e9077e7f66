import type { Timed } from '../strings/timeleft';

/** setTimeout counts in 32 bits; a suspended machine also makes long timers late. */
const LONGEST = 3_600_000;

/**
 * The time as the window shows it. One timer for everything: it fires when the
 * first displayed value changes, and not at all while nobody looks.
 */
export class Clock {
  now = $state(Date.now());
  #watched = new Set<(now: number) => number | null>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queued = false;

  constructor() {
    const look = () => this.#tick();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
  }

  /** `changesIn` says how long what is shown at `now` stays true. Returns what forgets it. */
  watch(changesIn: (now: number) => number | null): () => void {
    this.#watched.add(changesIn);
    this.#queue();
    return () => {
      this.#watched.delete(changesIn);
      this.#queue();
    };
  }

  /** A wording that is kept up to date while the calling component is shown. */
  timed(wording: (now: number) => Timed): { readonly text: string } {
    const text = $derived(wording(this.now).text);
    $effect(() => {
      // What it is about may change (an extended lifetime): then the timer is set anew.
      void text;
      return this.watch((now) => wording(now).changesIn);
    });
    return {
      get text() {
        return text;
      },
    };
  }

  #tick(): void {
    if (document.hidden) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.now = Date.now();
    this.#schedule();
  }

  /** Many rows come and go in one flush; one look at all of them is enough. */
  #queue(): void {
    if (this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      this.now = Date.now();
      this.#schedule();
    });
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (document.hidden) return;
    const now = Date.now();
    let wait = Infinity;
    for (const changesIn of this.#watched) wait = Math.min(wait, changesIn(now) ?? Infinity);
    if (wait === Infinity) return;
    this.#timer = setTimeout(() => this.#tick(), Math.min(Math.max(wait, 50), LONGEST));
  }
}

export const clock = new Clock();
