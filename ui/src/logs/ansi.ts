/** A stretch of text written in one way. `style` holds class names of `logs.css`. */
export interface Run {
  text: string;
  style: string;
}

interface Pen {
  fg: number | null;
  bg: number | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
}

const PLAIN: Pen = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

/* eslint-disable no-control-regex -- control characters are what this file is about */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;
/** Escape sequences: CSI (its parameters and final byte captured), strings (OSC and kin), two-byte ones. */
const ESCAPE =
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/y;
/* eslint-enable no-control-regex */

/**
 * A line as a terminal would leave it: colours kept, a carriage return
 * overwriting what stands there, every other control code dropped.
 */
export function parseLine(text: string): Run[] {
  if (!CONTROL.test(text)) return text === '' ? [] : [{ text, style: '' }];
  const trimmed = text.replace(/\r+$/, '');
  const cells: { char: string; style: string }[] = [];
  let pen = PLAIN;
  let style = '';
  let column = 0;
  let at = 0;
  while (at < trimmed.length) {
    ESCAPE.lastIndex = at;
    const escape = ESCAPE.exec(trimmed);
    if (escape) {
      if (escape[2] === 'm') {
        pen = withCodes(pen, escape[1] ?? '');
        style = styleOf(pen);
      }
      at = ESCAPE.lastIndex;
      continue;
    }
    const point = trimmed.codePointAt(at) ?? 0;
    const char = String.fromCodePoint(point);
    at += char.length;
    if (char === '\r') column = 0;
    else if (char === '\b') column = Math.max(0, column - 1);
    else if (char === '\t' || !CONTROL.test(char)) cells[column++] = { char, style };
  }
  const runs: Run[] = [];
  for (const cell of cells) {
    const last = runs.at(-1);
    if (last?.style === cell.style) last.text += cell.char;
    else runs.push({ text: cell.char, style: cell.style });
  }
  return runs;
}

/** The same without its colours. */
export function plainText(text: string): string {
  if (!CONTROL.test(text)) return text;
  return parseLine(text)
    .map((run) => run.text)
    .join('');
}

function withCodes(pen: Pen, parameters: string): Pen {
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  let next = { ...pen };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 0) next = { ...PLAIN };
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 22) next.bold = next.dim = false;
    else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code === 27) next.inverse = false;
    else if (code >= 30 && code <= 37) next.fg = code - 30;
    else if (code === 39) next.fg = null;
    else if (code >= 40 && code <= 47) next.bg = code - 40;
    else if (code === 49) next.bg = null;
    else if (code >= 90 && code <= 97) next.fg = code - 90 + 8;
    else if (code >= 100 && code <= 107) next.bg = code - 100 + 8;
    else if (code === 38 || code === 48) {
      const [colour, used] = extended(codes.slice(i + 1));
      if (code === 38) next.fg = colour;
      else next.bg = colour;
      i += used;
    }
  }
  return next;
}

/** `5;n` and `2;r;g;b`, brought to the nearest of the sixteen, which are readable in both themes. */
function extended(codes: number[]): [number | null, number] {
  const [kind, a = 0, b = 0, c = 0] = codes;
  if (kind === 5) {
    if (a < 16) return [a, 2];
    if (a >= 232) return [nearest(...grey(8 + (a - 232) * 10)), 2];
    const cube = a - 16;
    const level = (n: number) => (n === 0 ? 0 : 55 + n * 40);
    return [
      nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)),
      2,
    ];
  }
  if (kind === 2) return [nearest(a, b, c), 4];
  return [null, 1];
}

function grey(level: number): [number, number, number] {
  return [level, level, level];
}

/** By which of red, green and blue are strong, and whether the whole is bright. */
function nearest(r: number, g: number, b: number): number {
  const most = Math.max(r, g, b);
  if (most - Math.min(r, g, b) < 32) return most < 64 ? 0 : most < 144 ? 8 : most < 224 ? 7 : 15;
  const strong = (n: number, bit: number) => (n > most * 0.6 ? bit : 0);
  return (strong(r, 1) | strong(g, 2) | strong(b, 4)) + (most > 200 ? 8 : 0);
}

function styleOf(pen: Pen): string {
  const names: string[] = [];
  if (pen.fg !== null) names.push(`ansi-fg-${pen.fg}`);
  if (pen.bg !== null) names.push(`ansi-bg-${pen.bg}`);
  for (const name of ['bold', 'dim', 'italic', 'underline', 'inverse'] as const) {
    if (pen[name]) names.push(`ansi-${name}`);
  }
  return names.join(' ');
}
