import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { describe, expect, it } from 'vitest';
import JsonView from './JsonView.svelte';

const TEXT = '{\n  "a": 1,\n  "b": {\n    "c": true\n  }\n}';

const issue = (line: number | null, message: string, pointer = '') => ({
  pointer,
  message,
  line,
  column: line === null ? null : 3,
});

function show(text = TEXT, issues = [] as ReturnType<typeof issue>[]) {
  const changes: string[] = [];
  const view = render(JsonView, {
    props: {
      text,
      issues,
      onchange: (next: string) => {
        changes.push(next);
        void view.rerender({ text: next });
      },
    },
  });
  flushSync();
  const field = screen.getByTestId<HTMLTextAreaElement>('json-text');
  return { view, field, changes };
}

function type(field: HTMLTextAreaElement, text: string) {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
}

function press(field: HTMLElement, key: string, more: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  field.dispatchEvent(event);
  flushSync();
  return event.defaultPrevented;
}

describe('the JSON view', () => {
  it('hands on what is typed', () => {
    const { field, changes } = show();
    expect(field.value).toBe(TEXT);
    field.setSelectionRange(10, 10);
    type(field, '2');
    expect(changes).toEqual([field.value]);
    expect(field.value).toContain('"a": 12');
  });

  it('takes over what the form writes, and leaves the caret where it was', async () => {
    const { view, field, changes } = show();
    const at = TEXT.indexOf('true');
    field.setSelectionRange(at, at + 4);
    await view.rerender({ text: TEXT.replace('1,', '1234567,') });
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe('true');
    expect(changes).toEqual([]);
    const before = field.selectionStart;
    await view.rerender({ text: field.value.replace('}\n}', '},\n  "d": 1\n}') });
    expect(field.selectionStart).toBe(before);
  });

  it('undoes both, in order', async () => {
    const { view, field, changes } = show();
    field.setSelectionRange(10, 10);
    type(field, '2');
    await view.rerender({ text: field.value.replace('true', 'false') });
    expect(press(field, 'z', { ctrlKey: true })).toBe(true);
    expect(field.value).toContain('"c": true');
    expect(changes.at(-1)).toBe(field.value);
    press(field, 'z', { ctrlKey: true });
    expect(field.value).toBe(TEXT);
    expect(screen.getByTestId<HTMLButtonElement>('json-undo').disabled).toBe(true);
    press(field, 'Z', { ctrlKey: true, shiftKey: true });
    press(field, 'y', { ctrlKey: true });
    expect(field.value).toContain('"c": false');
    expect(screen.getByTestId<HTMLButtonElement>('json-redo').disabled).toBe(true);
  });

  it('marks problems at their line and lists them by line', async () => {
    const { field } = show(TEXT, [issue(4, 'must be a string'), issue(2, 'is too small')]);
    expect(screen.getByTestId('json-count').textContent?.trim()).toBe('2 problems');
    const items = [...screen.getByTestId('json-problems').querySelectorAll('button')];
    expect(items.map((item) => item.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
      'Line 2, column 3 is too small',
      'Line 4, column 3 must be a string',
    ]);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    items[1]?.click();
    flushSync();
    expect(document.activeElement).toBe(field);
    expect(field.selectionStart).toBe(TEXT.indexOf('"c"') - 2);
    expect(screen.getByTestId('json-here').textContent?.trim()).toBe('Line 4: must be a string');
  });

  it('finds the line of a problem that has none yet', () => {
    show(TEXT, [issue(null, 'is missing', '/b/d')]);
    expect(screen.getByTestId('json-problems').textContent).toContain('Line 3');
  });

  it('leaves Tab to the window', () => {
    const { field } = show();
    expect(press(field, 'Tab')).toBe(false);
    expect(press(field, 'Tab', { shiftKey: true })).toBe(false);
  });

  it('starts a new line as far in as it belongs', () => {
    const { field } = show();
    const at = TEXT.indexOf('"b": {') + 6;
    field.setSelectionRange(at, at);
    expect(press(field, 'Enter')).toBe(true);
    expect(field.value.slice(at, at + 5)).toBe('\n    ');
    expect(field.selectionStart).toBe(at + 5);
  });

  it('does not touch the text while letters are being composed', async () => {
    const { view, field } = show();
    field.dispatchEvent(new Event('compositionstart'));
    await view.rerender({ text: '{}' });
    expect(field.value).toBe(TEXT);
    field.dispatchEvent(new Event('compositionend'));
    expect(field.value).toBe('{}');
  });

  it('draws of a long text only what is seen', () => {
    show('\n'.repeat(50_000));
    expect(document.querySelectorAll('[data-line]').length).toBeLessThan(200);
  });

  it('lists no more problems than anybody reads', () => {
    show(
      TEXT,
      Array.from({ length: 250 }, () => issue(1, 'is wrong')),
    );
    const list = screen.getByTestId('json-problems');
    expect(list.querySelectorAll('button')).toHaveLength(100);
    expect(list.textContent).toContain('and 150 more');
  });
});
