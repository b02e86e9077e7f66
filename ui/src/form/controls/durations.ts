/**
 * Durations as people write them, and back. Every sum is exact: a document's
 * number, shown and read again, is the same number.
 */

/** What a document counts in. */
export type Unit = 'ms' | 's' | 'min';

export type ParsedDuration =
  { ok: true; value: number; ms: Decimal } | { ok: false; problem: DurationProblem };

export type DurationProblem =
  | { kind: 'empty' }
  | { kind: 'negative' }
  /** `90`: of what? */
  | { kind: 'noUnit'; number: string }
  | { kind: 'unknownUnit'; word: string }
  /** `1,5 h` is one and a half hours to some and fifteen to others. */
  | { kind: 'comma' }
  | { kind: 'notUnderstood' }
  /** More than a number can hold. */
  | { kind: 'tooLong' };

/** `digits / 10 ** scale`, exactly. */
export type Decimal = { digits: bigint; scale: number };

const MS_IN = { ms: 1n, s: 1_000n, min: 60_000n } satisfies Record<Unit, bigint>;

const PARTS = [
  ['d', 86_400_000n],
  ['h', 3_600_000n],
  ['min', 60_000n],
  ['s', 1_000n],
  ['ms', 1n],
] as const;

type Part = (typeof PARTS)[number][0];

/** So much of each, largest first; the milliseconds may have a fraction. */
export type Amount = { part: Part; amount: string };

const WORDS = new Map<string, Part>(
  Object.entries({
    ms: ['ms', 'msec', 'millisecond', 'milliseconds'],
    s: ['s', 'sec', 'secs', 'second', 'seconds'],
    min: ['m', 'min', 'mins', 'minute', 'minutes'],
    h: ['h', 'hr', 'hrs', 'hour', 'hours'],
    d: ['d', 'day', 'days'],
  } satisfies Record<Part, string[]>).flatMap(([part, words]) =>
    words.map((word) => [word, part as Part]),
  ),
);

const PIECE = /^(?:,\s*|and\s+)?(\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?)\s*([a-zµ]*)\s*/;

/** From here on hours and minutes say less than the number itself. */
const PRETTY_BELOW = 1e15;

/** Reads `2 h`, `90 min`, `1 h 30 min`, `1.5 hours`, `500ms`. */
export function parseDuration(text: string, unit: Unit): ParsedDuration {
  const typed = text.trim().toLowerCase();
  const no = (problem: DurationProblem): ParsedDuration => ({ ok: false, problem });
  if (typed === '') return no({ kind: 'empty' });
  if (/^[-−]\s*\d/.test(typed)) return no({ kind: 'negative' });
  if (/\d,\d/.test(typed)) return no({ kind: 'comma' });
  let total: Decimal = { digits: 0n, scale: 0 };
  let rest = typed;
  while (rest !== '') {
    const [whole, number = '', word = ''] = PIECE.exec(rest) ?? [];
    // A separator belongs between two pieces.
    if (whole === undefined || (rest === typed && !/^\d/.test(rest)))
      return no({ kind: 'notUnderstood' });
    const part = word === '' && Number(number) === 0 ? 'ms' : WORDS.get(word);
    if (part === undefined)
      return no(word === '' ? { kind: 'noUnit', number } : { kind: 'unknownUnit', word });
    const size = PARTS.find(([name]) => name === part)?.[1] ?? 1n;
    total = add(total, times(decimal(number), size));
    rest = rest.slice(whole.length);
  }
  const value = quotient(total, MS_IN[unit]);
  return Number.isFinite(value) ? { ok: true, value, ms: total } : no({ kind: 'tooLong' });
}

/** A number of `unit` as it is written in the field: `1 h 30 min`, `0.5 ms`, `1e+300 ms`. */
export function formatDuration(value: number, unit: Unit): string {
  const ms = milliseconds(value, unit);
  if (value !== 0 && toNumber(ms) >= PRETTY_BELOW) return `${value} ${unit}`;
  if (ms.digits === 0n) return `0 ${unit}`;
  return amounts(ms)
    .map(({ part, amount }) => `${amount} ${part}`)
    .join(' ');
}

/** Days, hours and so on that make up so many milliseconds; none for nothing. */
export function amounts(ms: Decimal): Amount[] {
  const whole = ms.digits / 10n ** BigInt(ms.scale);
  const fraction = ms.digits % 10n ** BigInt(ms.scale);
  let left = whole;
  const found: Amount[] = [];
  for (const [part, size] of PARTS) {
    const amount = left / size;
    left -= amount * size;
    if (part === 'ms' && fraction > 0n) {
      const tail = fraction.toString().padStart(ms.scale, '0').replace(/0+$/, '');
      found.push({ part, amount: `${amount}.${tail}` });
    } else if (amount > 0n) found.push({ part, amount: amount.toString() });
  }
  return found;
}

/**
 * The milliseconds a number of `unit` stands for. A third of a minute has no
 * exact number; where a whole number of milliseconds gives the very same one,
 * that is what was meant.
 */
export function milliseconds(value: number, unit: Unit): Decimal {
  const exact = times(decimal(String(value)), MS_IN[unit]);
  const rounded = Math.round(value * Number(MS_IN[unit]));
  if (unit !== 'ms' && Number.isSafeInteger(rounded) && rounded / Number(MS_IN[unit]) === value)
    return { digits: BigInt(rounded), scale: 0 };
  return exact;
}

/** A non-negative number as ECMAScript prints it. */
function decimal(printed: string): Decimal {
  const [mantissa = '0', exponent = '0'] = printed.split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function times({ digits, scale }: Decimal, factor: bigint): Decimal {
  return { digits: digits * factor, scale };
}

function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const raised = (d: Decimal) => d.digits * 10n ** BigInt(scale - d.scale);
  return { digits: raised(a) + raised(b), scale };
}

function toNumber({ digits, scale }: Decimal): number {
  return Number(`${digits}e-${scale}`);
}

/** Enough digits beyond the 17 of a number that cutting them off cannot change it. */
const SPARE = 45;

function quotient({ digits, scale }: Decimal, divisor: bigint): number {
  return toNumber({
    digits: (digits * 10n ** BigInt(SPARE)) / divisor,
    scale: scale + SPARE,
  });
}
