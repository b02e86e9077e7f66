import { describe, expect, it } from 'vitest';
import css from './tokens.css?raw';

function roles(selector: string): Record<string, string> {
  const body = css.slice(css.indexOf(`${selector} {`)).split('\n}')[0] ?? '';
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1] ?? '', m[2] ?? '']),
  );
}

/** Relative luminance as WCAG defines it. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['bg', 'surface', 'raised', 'sunken', 'accent-soft', 'idle-soft'];
const texts = ['text', 'text-2', 'text-3', 'accent', 'ok', 'run', 'warn', 'bad', 'idle'];
const pairs: [string, string][] = [
  ...texts.flatMap((text) => grounds.map((ground): [string, string] => [text, ground])),
  ['accent-ink', 'accent'],
  ['accent-ink', 'accent-strong'],
  ['surface', 'bad'],
  ['text', 'bad-soft'],
  ['text-2', 'bad-soft'],
  ['bad', 'bad-soft'],
  // A document's text on a line with a problem.
  ['log-1', 'bad-soft'],
  ['ok', 'bad-soft'],
  ['log-3', 'bad-soft'],
  ['text', 'warn-soft'],
  ['text', 'match'],
  ['match-ink', 'match-now'],
  ...Array.from({ length: 6 }, (_, i): [string, string] => [`log-${i + 1}`, 'surface']),
  ...Array.from({ length: 16 }, (_, i): [string, string] => [`ansi-${i}`, 'surface']),
];

describe.each([
  ['light', ':root'],
  ['dark', "[data-theme='dark']"],
])('in the %s theme', (_, selector) => {
  const colours = roles(selector);
  it.each(pairs)('%s can be read on %s', (text, ground) => {
    expect(colours[text], text).toBeDefined();
    expect(colours[ground], ground).toBeDefined();
    expect(contrast(colours[text] ?? '', colours[ground] ?? '')).toBeGreaterThanOrEqual(4.5);
  });
});
