/** Numbers as they are typed. */

const WRITTEN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** What a typed number reads as; `undefined`: it is none, or too large to be held. */
export function readNumber(text: string): number | undefined {
  const typed = text.trim();
  if (!WRITTEN.test(typed)) return undefined;
  const value = Number(typed);
  return Number.isFinite(value) ? value : undefined;
}

export function writeNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

export type NumberProblem = 'comma' | 'notANumber' | 'tooLarge' | 'notWhole';

/** Why a typed number cannot be used; `null`: it can. */
export function numberProblem(text: string, integer: boolean): NumberProblem | null {
  const typed = text.trim();
  if (/^[+-]?\d+(,\d+)+(\.\d+)?$/.test(typed)) return 'comma';
  if (!WRITTEN.test(typed)) return 'notANumber';
  const value = readNumber(typed);
  if (value === undefined) return 'tooLarge';
  return integer && !Number.isInteger(value) ? 'notWhole' : null;
}

/** What is stored instead, where a number has more digits than one can hold. */
export function rounded(text: string): string | null {
  const value = readNumber(text);
  if (value === undefined) return null;
  return sameDigits(text.trim(), writeNumber(value)) ? null : writeNumber(value);
}

function sameDigits(a: string, b: string): boolean {
  const [digitsA, scaleA] = significant(a);
  const [digitsB, scaleB] = significant(b);
  return digitsA === digitsB && (digitsA === '' || scaleA === scaleB);
}

/** The digits without leading and trailing noughts, and the power of ten of the last. */
function significant(number: string): [string, number] {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().replace(/^[+-]/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return [kept, Number(exponent) - fraction.length + digits.length - kept.length];
}
