import { describe, expect, it } from 'vitest';
import { applied, difference, History, reversed } from './history';

/** A text that is edited and remembers how. */
class Text {
  history = new History();
  constructor(public now: string) {}

  to(next: string, by: 'typing' | 'elsewhere' = 'typing'): this {
    this.history.record(this.now, next, by);
    this.now = next;
    return this;
  }

  type(letters: string): this {
    for (const letter of letters) this.to(this.now + letter);
    return this;
  }

  undo(): string | null {
    const edit = this.history.undo();
    if (edit === null) return null;
    return (this.now = applied(this.now, edit));
  }

  redo(): string | null {
    const edit = this.history.redo();
    if (edit === null) return null;
    return (this.now = applied(this.now, edit));
  }
}

describe('the smallest edit', () => {
  it.each([
    ['abc', 'abc', null],
    ['abc', 'abXc', { at: 2, removed: '', inserted: 'X' }],
    ['abc', 'ac', { at: 1, removed: 'b', inserted: '' }],
    ['aaa', 'aa', { at: 2, removed: 'a', inserted: '' }],
    ['', 'x', { at: 0, removed: '', inserted: 'x' }],
    ['x', 'y', { at: 0, removed: 'x', inserted: 'y' }],
  ])('from %j to %j', (before, after, edit) => {
    expect(difference(before, after)).toEqual(edit);
    if (edit === null) return;
    expect(applied(before, edit)).toBe(after);
    expect(applied(after, reversed(edit))).toBe(before);
  });
});

describe('a history', () => {
  it('takes back words, not letters', () => {
    const text = new Text('').type('one two');
    expect(text.undo()).toBe('one ');
    expect(text.undo()).toBe('one');
    expect(text.undo()).toBe('');
    expect(text.undo()).toBeNull();
    expect([text.redo(), text.redo(), text.redo(), text.redo()]).toEqual([
      'one',
      'one ',
      'one two',
      null,
    ]);
  });

  it('takes back a run of deletions at once', () => {
    const text = new Text('abcdef').to('abcde').to('abcd').to('abc');
    expect(text.undo()).toBe('abcdef');
  });

  it('takes back what came from elsewhere, a run of it at once', () => {
    const text = new Text('{"a":1}').to('{"a":12}', 'elsewhere').to('{"a":123}', 'elsewhere');
    text.to('{"a":123} ').to('{"a":123,"b":2}', 'elsewhere');
    expect([text.undo(), text.undo(), text.undo(), text.undo()]).toEqual([
      '{"a":123} ',
      '{"a":123}',
      '{"a":1}',
      null,
    ]);
  });

  it('forgets what was taken back once something else is typed', () => {
    const text = new Text('a').to('a b');
    text.undo();
    text.to('a c');
    expect(text.redo()).toBeNull();
    expect(text.undo()).toBe('a');
  });

  it('leads from anywhere back to the start and forward again', () => {
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const text = new Text('start');
    for (let i = 0; i < 400; i += 1) {
      const at = next(text.now.length + 1);
      const removed = next(4);
      const inserted = 'ab \n{'.slice(0, next(5));
      text.to(
        text.now.slice(0, at) + inserted + text.now.slice(at + removed),
        next(3) === 0 ? 'elsewhere' : 'typing',
      );
    }
    const end = text.now;
    while (text.undo() !== null);
    expect(text.now).toBe('start');
    while (text.redo() !== null);
    expect(text.now).toBe(end);
  });

  it('keeps only so much', () => {
    const text = new Text('');
    for (let i = 0; i < 2_000; i += 1) text.to(`${text.now}x\n`);
    let steps = 0;
    while (text.undo() !== null) steps += 1;
    expect(steps).toBe(500);
  });
});
