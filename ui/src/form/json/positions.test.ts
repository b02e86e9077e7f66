import { describe, expect, it } from 'vitest';
import { controls } from '../../strings/controls';
import { positions, segments } from './lines';
import { positionAt, readJson } from './positions';

describe('reading JSON', () => {
  it('gives the value', () => {
    expect(readJson(' {"a":[1,null]} ')).toEqual({ ok: true, value: { a: [1, null] } });
  });

  it.each([
    ['{"a": }', 'ValueExpected', 1, 7],
    ['{\n  "a": 1,\n}', 'PropertyNameExpected', 3, 1],
    ['{\n  "a" 1\n}', 'ColonExpected', 2, 7],
    ['[1 2]', 'CommaExpected', 1, 4],
    ['[1,', 'ValueExpected', 1, 4],
    ['{"a": "x', 'UnexpectedEndOfString', 1, 7],
    ['{"a": 1} x', 'InvalidSymbol', 1, 10],
    ['// no\n1', 'InvalidCommentToken', 1, 1],
    ['{"😀": nul}', 'InvalidSymbol', 1, 7],
  ])('%s stops being JSON: %s', (text, what, line, column) => {
    const read = readJson(text);
    expect(read).toMatchObject({ ok: false, what, line, column });
    expect(controls.json.what[what]).toBeDefined();
  });

  it('bears hostile nesting', () => {
    const read = readJson('['.repeat(200_000));
    expect(read.ok).toBe(false);
    expect(positions('['.repeat(200_000), ['/0'])).toHaveLength(1);
  });

  it('has words for whatever the parser may find', () => {
    for (const text of [
      '',
      '{',
      '[',
      '"\\x"',
      '"\\u12"',
      '1e',
      '01',
      '\u0001',
      '"\u0001"',
      '/*',
      '}{',
    ]) {
      const read = readJson(text);
      expect(read.ok, text).toBe(false);
      if (!read.ok) expect(controls.json.what[read.what], read.what).toBeDefined();
    }
  });
});

describe('lines and columns', () => {
  const text = '{\n  "a😀b": 1\n}';
  it('are counted in characters, from one', () => {
    expect(positionAt(text, 0)).toEqual({ line: 1, column: 1 });
    expect(positionAt(text, text.indexOf('b"'))).toEqual({ line: 2, column: 6 });
    expect(positionAt(text, text.length)).toEqual({ line: 3, column: 2 });
  });
});

describe('where a pointer leads', () => {
  const text = JSON.stringify({ a: { 'x/y~': [1, { b: 2 }] }, '0': { '0': true } }, null, 2);

  it('is read with its escapes', () => {
    expect(segments('')).toEqual([]);
    expect(segments('/a/x~1y~0/0')).toEqual(['a', 'x/y~', '0']);
    expect(segments('/')).toEqual(['']);
  });

  it('is the value, or the nearest part around it', () => {
    const lineOf = (pointer: string) => positions(text, [pointer])[0]?.line;
    const lines = text.split('\n');
    expect(lines[(lineOf('/a/x~1y~0/1/b') ?? 0) - 1]).toContain('"b": 2');
    expect(lines[(lineOf('/0/0') ?? 0) - 1]).toContain('"0": true');
    expect(lineOf('/a/missing/deeper')).toBe(lineOf('/a'));
    expect(lineOf('/a/x~1y~0/7')).toBe(lineOf('/a/x~1y~0'));
    expect(lineOf('/nothing')).toBe(1);
  });

  it('is found in unfinished text as far as it goes', () => {
    expect(positions('{\n "a": {\n  "b": ', ['/a/b', '/a'])).toEqual([
      { line: 2, column: 7 },
      { line: 2, column: 7 },
    ]);
    expect(positions('', ['/a'])).toEqual([null]);
  });
});
