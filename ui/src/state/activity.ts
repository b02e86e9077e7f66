import type { Activity } from '../generated/types';
import { en } from '../strings/en';
import { date, DAY } from '../strings/format';

/** Both without doubles, newest first. */
export function merged(known: readonly Activity[], page: readonly Activity[]): Activity[] {
  const byId = new Map([...known, ...page].map((line) => [line.id, line]));
  return [...byId.values()].toSorted((a, b) => b.at - a.at || b.id - a.id);
}

export interface Day {
  title: string;
  lines: Activity[];
}

/** Under the day they happened on, local time. */
export function byDay(lines: readonly Activity[], now: number): Day[] {
  const today = date(now);
  const yesterday = date(now - DAY);
  const days = new Map<string, Activity[]>();
  for (const line of lines) {
    const day = date(line.at);
    const title =
      day === today ? en.activity.today : day === yesterday ? en.activity.yesterday : day;
    const found = days.get(title);
    if (found) found.push(line);
    else days.set(title, [line]);
  }
  return [...days].map(([title, lines]) => ({ title, lines }));
}
