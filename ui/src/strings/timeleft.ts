import { DAY, HOUR, MINUTE, pair } from './format';

/** A wording that depends on the time, and for how long it stays true (milliseconds). */
export interface Timed {
  text: string;
  /** `null`: for ever. */
  changesIn: number | null;
}

/** From here on the end is near enough to be said in colour. */
export const ENDS_SOON = 10 * MINUTE;
/** From here on seconds are counted. */
const SECONDS_FROM = 2 * MINUTE;

/** Time left, rounded up, so that a fresh two-hour environment reads `2 h left`. */
export function timeLeft(ms: number): Timed {
  if (ms <= 0) return { text: 'ending now', changesIn: null };
  if (ms <= SECONDS_FROM) {
    const seconds = Math.ceil(ms / 1_000);
    const text =
      seconds < 60 ? `${seconds} s` : pair(Math.floor(seconds / 60), 'min', seconds % 60, 's');
    return { text: `${text} left`, changesIn: ms - (seconds - 1) * 1_000 };
  }
  const minutes = Math.ceil(ms / MINUTE);
  if (minutes < 60) return { text: `${minutes} min left`, changesIn: ms - (minutes - 1) * MINUTE };
  if (minutes < DAY / MINUTE) {
    return {
      text: `${pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min')} left`,
      changesIn: ms - (minutes - 1) * MINUTE,
    };
  }
  const hours = Math.ceil(ms / HOUR);
  return {
    text: `${pair(Math.floor(hours / 24), 'd', hours % 24, 'h')} left`,
    changesIn: ms - (hours - 1) * HOUR,
  };
}

/** How long ago, rounded down: `just now`, `3 min ago`, `2 h ago`, `4 d ago`. */
export function ago(ms: number): Timed {
  if (ms < MINUTE) return { text: 'just now', changesIn: MINUTE - Math.max(ms, 0) };
  for (const [unit, word, limit] of [
    [MINUTE, 'min', HOUR],
    [HOUR, 'h', DAY],
    [DAY, 'd', Infinity],
  ] as const) {
    if (ms < limit) {
      const n = Math.floor(ms / unit);
      return { text: `${n} ${word} ago`, changesIn: (n + 1) * unit - ms };
    }
  }
  return { text: '', changesIn: null };
}

/** Seconds an operation has been running, counted while somebody watches it: `14 s`, `3 min`. */
export function running(ms: number): Timed {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 120) return { text: `${seconds} s`, changesIn: (seconds + 1) * 1_000 - ms };
  const minutes = Math.floor(ms / MINUTE);
  return { text: `${minutes} min`, changesIn: (minutes + 1) * MINUTE - ms };
}
