import { parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';

/** Line and column, both from 1. A column counts characters, as Rust does: one for 😀. */
export type Position = { line: number; column: number };

export type ReadJson =
  { ok: true; value: unknown } | ({ ok: false; what: string; offset: number } & Position);

/** Reads a text as JSON, or says where it stops being JSON. */
export function readJson(text: string): ReadJson {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (reason) {
    // The engines' own messages differ, and WebKit's has no place in it.
    const { what, offset } =
      reason instanceof SyntaxError ? firstFault(text) : { what: 'tooDeep', offset: 0 };
    return { ok: false, what, offset, ...positionAt(text, offset) };
  }
}

function firstFault(text: string): { what: string; offset: number } {
  const faults: ParseError[] = [];
  try {
    parseTree(text, faults, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return { what: 'tooDeep', offset: 0 };
  }
  const [first] = faults.toSorted((a, b) => a.offset - b.offset);
  return first === undefined
    ? { what: 'other', offset: 0 }
    : { what: printParseErrorCode(first.error), offset: first.offset };
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) line += 1;
  return { line, column: [...before.slice(start)].length + 1 };
}
