import { render, screen, waitFor } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { EditorView } from '@codemirror/view';
import JsonView from './JsonView.svelte';
// What the view loads by itself is there at once.
import './editor';

const TEXT = '{\n  "a": 1,\n  "b": {\n    "c": true\n  }\n}';

/** For machines that compile meanwhile. */
const PATIENCE = { timeout: 20_000 };

const issue = (line: number | null, message: string, pointer = '') => ({
  pointer,
  message,
  line,
  column: line === null ? null : 3,
});

/** The view, and an owner that takes every change over. */
async function show(
  text = TEXT,
  issues: ReturnType<typeof issue>[] = [],
  takesOver: 'at once' | 'later' = 'at once',
) {
  const changes: string[] = [];
  const view = render(JsonView, {
    props: {
      text,
      issues,
      onchange: (next: string) => {
        changes.push(next);
        if (takesOver === 'at once') void view.rerender({ text: next });
      },
    },
  });
  const root = await waitFor(() => {
    const shadow = screen.getByTestId('json-text').shadowRoot;
    if (!shadow) throw new Error('no editor yet');
    return shadow;
  }, PATIENCE);
  const content = root.querySelector<HTMLElement>('.cm-content');
  const editor = content && EditorView.findFromDOM(content);
  if (!content || !editor) throw new Error('no editor');
  flushSync();
  return { view, changes, root, content, editor };
}

const click = (testid: string) => {
  screen.getByTestId(testid).click();
  flushSync();
};

describe('the JSON view', () => {
  it('hands on what is typed', async () => {
    const { editor, changes } = await show();
    expect(editor.state.doc.toString()).toBe(TEXT);
    editor.dispatch({ changes: { from: 10, insert: '2' }, userEvent: 'input.type' });
    expect(changes).toEqual([TEXT.replace('1', '12')]);
  });

  it('takes over what the form writes, leaves the caret where it was, and does not echo it', async () => {
    const { view, editor, changes } = await show();
    const at = TEXT.indexOf('true');
    editor.dispatch({ selection: { anchor: at, head: at + 4 } });
    const selected = () => {
      const { from, to } = editor.state.selection.main;
      return editor.state.sliceDoc(from, to);
    };
    await view.rerender({ text: TEXT.replace('1,', '1234567,') });
    expect(selected()).toBe('true');
    await view.rerender({ text: TEXT.replace('1,', '[\n1\n],').replace('}\n}', '},\n"d": 1\n}') });
    expect(changes).toEqual([]);
    await view.rerender({ text: 'something else' });
    expect(editor.state.doc.toString()).toBe('something else');
  });

  it('undoes both, in order', async () => {
    const { view, editor, changes } = await show();
    expect(screen.getByTestId<HTMLButtonElement>('json-undo').disabled).toBe(true);
    editor.dispatch({ changes: { from: 10, insert: '2' }, userEvent: 'input.type' });
    const typed = editor.state.doc.toString();
    await view.rerender({ text: typed.replace('true', 'false') });
    click('json-undo');
    expect(editor.state.doc.toString()).toBe(typed);
    expect(changes.at(-1)).toBe(typed);
    click('json-undo');
    expect(editor.state.doc.toString()).toBe(TEXT);
    expect(screen.getByTestId<HTMLButtonElement>('json-undo').disabled).toBe(true);
    click('json-redo');
    click('json-redo');
    expect(editor.state.doc.toString()).toContain('"c": false');
    expect(screen.getByTestId<HTMLButtonElement>('json-redo').disabled).toBe(true);
  });

  it('marks problems at their line and lists them by line', async () => {
    const { editor, root } = await show(TEXT, [
      issue(4, 'must be a string'),
      issue(2, 'is too small'),
    ]);
    expect(screen.getByTestId('json-count').textContent?.trim()).toBe('2 problems');
    expect([...root.querySelectorAll('.cm-problem-line')].map((line) => line.textContent)).toEqual([
      '  "a": 1,',
      '    "c": true',
    ]);
    const items = [...screen.getByTestId('json-problems').querySelectorAll('button')];
    expect(items.map((item) => item.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
      'Line 2, column 3 is too small',
      'Line 4, column 3 must be a string',
    ]);
    items[1]?.click();
    flushSync();
    expect(editor.state.selection.main.head).toBe(TEXT.indexOf('"c"') - 2);
    expect(root.activeElement?.className).toContain('cm-content');
    expect(screen.getByTestId('json-here').textContent?.trim()).toBe('Line 4: must be a string');
  });

  it('goes where it was sent before the editor was there', async () => {
    const view = render(JsonView, { props: { text: TEXT, issues: [], onchange: vi.fn() } });
    view.component.jumpTo(4, 5);
    await waitFor(() => {
      const content = screen.getByTestId('json-text').shadowRoot?.querySelector('.cm-content');
      const editor = content && EditorView.findFromDOM(content as HTMLElement);
      expect(editor?.state.selection.main.head).toBe(TEXT.indexOf('"c"'));
    }, PATIENCE);
  });

  it('lets marks move with the text until it is checked again', async () => {
    const { editor, root, view } = await show(TEXT, [issue(4, 'must be a string')], 'later');
    editor.dispatch({ changes: { from: 2, insert: '\n\n' } });
    const marked = () => [...root.querySelectorAll('.cm-problem-line')].map((l) => l.textContent);
    expect(marked()).toEqual(['    "c": true']);
    await view.rerender({ issues: [] });
    expect(marked()).toEqual([]);
    expect(screen.getByTestId('json-count').textContent?.trim()).toBe('No problems');
  });

  it('finds the line of a problem that has none yet, and says which key it is about', async () => {
    await show(TEXT, [issue(null, 'is missing', '/b/d')]);
    expect(screen.getByTestId('json-problems').textContent).toContain('Line 3');
    expect(screen.getByTestId('json-problems').textContent).toContain('b.d: is missing');
  });

  it('bears problems in lines that are no longer there', async () => {
    const { root } = await show('{}', [issue(99, 'is wrong'), issue(0, 'is wrong')]);
    expect(root.querySelectorAll('.cm-problem-line')).toHaveLength(0);
    screen.getByTestId('json-problems').querySelectorAll('button')[1]?.click();
  });

  it('leaves Tab to the window and names itself to screen readers', async () => {
    const { content, root } = await show();
    for (const shiftKey of [false, true]) {
      const event = new KeyboardEvent('keydown', {
        key: 'Tab',
        shiftKey,
        bubbles: true,
        cancelable: true,
      });
      content.dispatchEvent(event);
      expect(event.defaultPrevented).toBe(false);
    }
    expect(content.getAttribute('role')).toBe('textbox');
    expect(content.getAttribute('aria-multiline')).toBe('true');
    expect(content.getAttribute('aria-label')).toBe('The document as JSON');
    const description = root.getElementById(content.getAttribute('aria-describedby') ?? '');
    expect(description?.textContent).toContain('Tab leaves the text');
  });

  it('puts no style element into the page', async () => {
    const { root } = await show();
    expect(root.querySelector('style')).toBeNull();
    expect(root.adoptedStyleSheets.length).toBeGreaterThan(0);
  });

  it('lists no more problems than anybody reads', async () => {
    await show(
      TEXT,
      Array.from({ length: 250 }, () => issue(1, 'is wrong')),
    );
    const list = screen.getByTestId('json-problems');
    expect(list.querySelectorAll('button')).toHaveLength(100);
    expect(list.textContent).toContain('and 150 more');
  });

  it('lets the editor go with itself', async () => {
    const { view, editor } = await show();
    const destroy = vi.spyOn(editor, 'destroy');
    view.unmount();
    expect(destroy).toHaveBeenCalledOnce();
  });
});
