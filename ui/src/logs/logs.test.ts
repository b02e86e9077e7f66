import { describe, expect, it } from 'vitest';
import type { LogLine } from '../generated/types';
import { parseLine, plainText } from './ansi';
import { indexFrom, LogBuffer, ofServices } from './buffer';
import { atEnd, ROW, scrollToRow, visibleRows } from './rows';
import { LogSearch, marked, pattern } from './search';

const line = (text: string, service = 'web'): LogLine => ({
  service,
  container: `x-${service}-1`,
  at: 0,
  stderr: false,
  text,
});
const lines = (n: number, text = 'line') =>
  Array.from({ length: n }, (_, i) => line(`${text} ${i}`));

describe('terminal codes', () => {
  it('keeps colours and drops the rest', () => {
    expect(parseLine('\u001b[32mGET\u001b[0m /a')).toEqual([
      { text: 'GET', style: 'ansi-fg-2' },
      { text: ' /a', style: '' },
    ]);
    expect(parseLine('\u001b[1;91mno\u001b[m')).toEqual([
      { text: 'no', style: 'ansi-fg-9 ansi-bold' },
    ]);
    expect(plainText('\u001b[2K\u001b[1Gdone\u001b[?25h')).toBe('done');
    expect(plainText('\u001b]0;title\u0007text\u001b(B')).toBe('text');
    expect(plainText('a\u0000b\u0007c\td')).toBe('abc\td');
  });

  it('brings wide palettes to colours that can be read', () => {
    expect(parseLine('\u001b[38;5;196mx')[0]?.style).toBe('ansi-fg-9');
    expect(parseLine('\u001b[38;2;20;120;20mx')[0]?.style).toBe('ansi-fg-2');
    expect(parseLine('\u001b[38;5;244mx')[0]?.style).toBe('ansi-fg-8');
    expect(parseLine('\u001b[48;5;4;1mx')[0]?.style).toBe('ansi-bg-4 ansi-bold');
  });

  it('overwrites after a carriage return, as a terminal does', () => {
    expect(plainText('seeding  10%\rseeding 100%')).toBe('seeding 100%');
    expect(plainText('long line\rshort')).toBe('shortline');
    expect(plainText('with line end\r')).toBe('with line end');
    expect(plainText('abc\b\bX')).toBe('aXc');
  });

  it('is not confused by codes that break off', () => {
    expect(plainText('end \u001b')).toBe('end ');
    expect(plainText('end \u001b[3')).toBe('end ');
    expect(plainText('\u001b[38;5mx')).toBe('x');
    expect(plainText('\u001b[999;;;mx')).toBe('x');
  });

  it('takes a 64 KB line that overwrites itself throughout', () => {
    const text = '\u001b[31m\rab'.repeat(8_192);
    expect(plainText(text)).toBe('ab');
  });
});

describe('the buffer', () => {
  it('keeps the last lines and counts what it let go', () => {
    const buffer = new LogBuffer(100);
    buffer.append({ lines: lines(60), skipped: 0 });
    buffer.append({ lines: lines(60, 'more'), skipped: 0 });
    expect(buffer.entries).toHaveLength(100);
    expect(buffer.dropped).toBe(20);
    expect(buffer.entries[0]).toMatchObject({ n: 20, plain: 'line 20' });
    expect(buffer.entries.at(-1)).toMatchObject({ n: 119, plain: 'more 59' });
  });

  it('is bounded in characters, too, but always keeps the newest line', () => {
    const buffer = new LogBuffer(100, 1_000);
    buffer.append({ lines: [line('a'.repeat(600)), line('b'.repeat(600))], skipped: 0 });
    expect(buffer.entries).toHaveLength(1);
    buffer.append({ lines: [line('c'.repeat(5_000))], skipped: 0 });
    expect(buffer.entries).toMatchObject([{ plain: 'c'.repeat(5_000) }]);
  });

  it('names the gap where lines were left out', () => {
    const buffer = new LogBuffer();
    buffer.append({ lines: lines(1), skipped: 0 });
    buffer.append({ lines: lines(1), skipped: 1_204 });
    expect(buffer.entries.map(({ kind }) => kind)).toEqual(['line', 'skipped', 'line']);
    expect(buffer.entries[1]).toMatchObject({ count: 1_204 });
  });

  it('shows single services, with the gaps', () => {
    const buffer = new LogBuffer();
    buffer.append({ lines: [line('a', 'db'), line('b', 'web')], skipped: 3 });
    expect(ofServices(buffer.entries, new Set(['db'])).map(({ n }) => n)).toEqual([0, 1]);
    expect(ofServices(buffer.entries, new Set())).toBe(buffer.entries);
    expect(buffer.services).toEqual(['db', 'web']);
  });

  it('does not number anew after it was cleared', () => {
    const buffer = new LogBuffer();
    buffer.append({ lines: lines(2), skipped: 0 });
    buffer.clear();
    buffer.append({ lines: lines(1), skipped: 0 });
    expect(buffer.entries[0]?.n).toBe(2);
  });

  it('finds entries by number', () => {
    const buffer = new LogBuffer(10);
    buffer.append({ lines: lines(25), skipped: 0 });
    expect(indexFrom(buffer.entries, 0)).toBe(0);
    expect(indexFrom(buffer.entries, 18)).toBe(3);
    expect(indexFrom(buffer.entries, 99)).toBe(10);
  });
});

describe('searching', () => {
  it('finds whatever the capitals and the colours, and keeps up with new lines', () => {
    const buffer = new LogBuffer(5);
    const search = new LogSearch();
    buffer.append({
      lines: [line('an ERROR'), line('fine'), line('\u001b[31merr\u001b[1mor\u001b[0m')],
      skipped: 0,
    });
    expect(search.find(buffer.entries, 'error')).toEqual([0, 2]);
    buffer.append({ lines: [line('error again'), line('fine'), line('fine')], skipped: 0 });
    expect(search.find(buffer.entries, 'error')).toEqual([2, 3]);
    expect(search.find(buffer.entries, 'fine')).toEqual([1, 4, 5]);
    expect(search.find(buffer.entries, '')).toEqual([]);
  });

  it('takes a query as it is written', () => {
    expect(pattern('a.b(')?.test('A.B(')).toBe(true);
    expect(pattern('a.b')?.test('axb')).toBe(false);
  });

  it('marks matches across colours and cuts long lines', () => {
    const runs = [
      { text: 'an er', style: 'a' },
      { text: 'ror here', style: 'b' },
    ];
    expect(marked(runs, pattern('error'), 10)).toEqual(
      [
        { text: 'an ', style: 'a', match: false },
        { text: 'er', style: 'a', match: true },
        { text: 'ror', style: 'b', match: true },
        { text: ' h', style: 'b', match: false },
      ].map((run, i) => (i === 3 ? { ...run, text: ' h' } : run)),
    );
    expect(marked(runs, null, 3)).toEqual([{ text: 'an ', style: 'a', match: false }]);
  });
});

describe('rows', () => {
  it('draws what fits the window, whatever the length of the log', () => {
    const range = visibleRows(500_000, 600, 50_000);
    expect(range.first).toBeLessThanOrEqual(Math.floor(500_000 / ROW));
    expect(range.end - range.first).toBeLessThan(80);
    expect(visibleRows(0, 600, 3)).toEqual({ first: 0, end: 3 });
    expect(visibleRows(0, 600, 0)).toEqual({ first: 0, end: 0 });
    // Scrolled beyond the end, as happens for a frame after a filter.
    expect(visibleRows(500_000, 600, 10)).toEqual({ first: 10, end: 10 });
  });

  it('knows the end, with half a row of slack', () => {
    expect(atEnd(400, 600, 1_000)).toBe(true);
    expect(atEnd(391, 600, 1_000)).toBe(true);
    expect(atEnd(380, 600, 1_000)).toBe(false);
  });

  it('scrolls only to rows that are out of sight', () => {
    expect(scrollToRow(2, 0, 600)).toBeNull();
    expect(scrollToRow(100, 0, 600)).toBe(100 * ROW - 300);
    expect(scrollToRow(0, 5_000, 600)).toBe(0);
  });
});
