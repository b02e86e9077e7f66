/** How figures are written in English. Pure: no clock, no locale of the machine. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `1 commit`, `2 commits`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${whole(n)} ${n === 1 ? one : many}`;
}

/** `48,201`. */
export function whole(n: number): string {
  return n.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `db`, `db and mail`, `db, mail and web`. */
export function list(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** A length of time that is over: `0.04 s`, `6.2 s`, `1 min 12 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < MINUTE) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (ms < HOUR) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(ms / MINUTE);
  return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** `1 h 42 min`, `2 h`. */
export function pair(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
}

/** `18.4 of 41.0 MB`; without a total `18.4 MB`. Decimal units, as registries count. */
export function bytes(current: number, total: number | null): string {
  const [unit, size] = unitOf(total ?? current);
  const write = (n: number) => (size === 1 ? whole(n) : (n / size).toFixed(1));
  return total === null
    ? `${write(current)} ${unit}`
    : `${write(current)} of ${write(total)} ${unit}`;
}

function unitOf(n: number): [string, number] {
  if (n >= 1e9) return ['GB', 1e9];
  if (n >= 1e6) return ['MB', 1e6];
  if (n >= 1e3) return ['kB', 1e3];
  return ['B', 1];
}

function two(n: number): string {
  return n.toString().padStart(2, '0');
}

/** `14:02`, local time. */
export function clockTime(at: number): string {
  const d = new Date(at);
  return `${two(d.getHours())}:${two(d.getMinutes())}`;
}

/** `14:02:11.204`, local time. */
export function logTime(at: number): string {
  const d = new Date(at);
  return `${clockTime(at)}:${two(d.getSeconds())}.${d.getMilliseconds().toString().padStart(3, '0')}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `30 Nov 2026`, local time. */
export function date(at: number): string {
  const d = new Date(at);
  return `${d.getDate()} ${MONTHS[d.getMonth()] ?? ''} ${d.getFullYear()}`;
}

export { DAY, HOUR, MINUTE };
