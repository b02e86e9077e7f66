import {
  defaultKeymap,
  history,
  historyKeymap,
  isolateHistory,
  redo,
  redoDepth,
  undo,
  undoDepth,
} from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Range } from '@codemirror/state';
import { Annotation, EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state';
import type { DecorationSet } from '@codemirror/view';
import {
  Decoration,
  EditorView,
  gutter,
  GutterMarker,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { difference } from './difference';
import type { Position } from './positions';

/**
 * The editor of the JSON view. It lives in a shadow root: there its styles are
 * constructed sheets, which a strict policy allows; in the page they would be
 * `<style>` elements, which it does not.
 */

/** What a line is marked with. */
export interface Mark {
  line: number;
  messages: readonly string[];
}

export interface EditorStatus {
  canUndo: boolean;
  canRedo: boolean;
  /** Where the caret is, from 1. */
  line: number;
}

/** Written by the form, not by the user. */
const elsewhere = Annotation.define<boolean>();

const setMarks = StateEffect.define<readonly Mark[]>();

class ProblemMarker extends GutterMarker {
  constructor(readonly message: string) {
    super();
  }
  override eq(other: ProblemMarker): boolean {
    return other.message === this.message;
  }
  override toDOM(): HTMLElement {
    const mark = document.createElement('div');
    mark.className = 'cm-problem-mark';
    mark.title = this.message;
    return mark;
  }
}

const badLine = Decoration.line({ class: 'cm-problem-line' });

/** Marks move with the text until the validator has looked at it again. */
const marked = StateField.define<{ lines: DecorationSet; gutter: RangeSet<GutterMarker> }>({
  create: () => ({ lines: Decoration.none, gutter: RangeSet.empty }),
  update(now, { changes, effects, state }) {
    let { lines, gutter } = now;
    if (!changes.empty) [lines, gutter] = [lines.map(changes), gutter.map(changes)];
    for (const effect of effects) {
      if (!effect.is(setMarks)) continue;
      const decorations: Range<Decoration>[] = [];
      const markers: Range<GutterMarker>[] = [];
      for (const { line, messages } of effect.value) {
        if (line < 1 || line > state.doc.lines) continue;
        const { from } = state.doc.line(line);
        decorations.push(badLine.range(from));
        markers.push(new ProblemMarker(messages.join('\n')).range(from));
      }
      lines = Decoration.set(decorations, true);
      gutter = RangeSet.of(markers, true);
    }
    return { lines, gutter };
  },
  provide: (field) => EditorView.decorations.from(field, ({ lines }) => lines),
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--json-name)' },
  { tag: tags.string, color: 'var(--json-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--json-value)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-2)' },
]);

const look = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    fontSize: '12px',
  },
  // Over everything in it; an outline would lie under the line numbers.
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused::after': {
    content: "''",
    position: 'absolute',
    inset: '0',
    zIndex: '300',
    border: '2px solid var(--focus)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '19px' },
  '.cm-content': {
    caretColor: 'var(--text)',
    padding: '6px 0',
    fontFeatureSettings: "'calt' 0",
    '-webkit-user-select': 'text',
    userSelect: 'text',
    cursor: 'text',
  },
  '.cm-line': { padding: '0 10px' },
  '.cm-gutters': {
    color: 'var(--text-3)',
    backgroundColor: 'var(--sunken)',
    border: '0',
    borderRight: '1px solid var(--line)',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 2px', minWidth: '3ch' },
  '.cm-activeLineGutter': { color: 'var(--text)', backgroundColor: 'transparent' },
  '.cm-problem-gutter': { width: '18px' },
  '.cm-problem-mark': {
    width: '8px',
    height: '8px',
    margin: '5px 5px',
    borderRadius: '4px',
    backgroundColor: 'var(--bad)',
  },
  '.cm-problem-line': { backgroundColor: 'var(--bad-soft)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--line-strong)',
  },
  '&.cm-focused .cm-nonmatchingBracket': {
    backgroundColor: 'transparent',
    color: 'var(--bad)',
  },
});

export class Editor {
  readonly #view: EditorView;
  /** What the form wrote while letters were being composed. */
  #waiting: string | null = null;

  constructor(
    host: HTMLElement,
    {
      text,
      label,
      description,
      onchange,
      onstate,
    }: {
      text: string;
      label: string;
      description: string;
      onchange: (text: string) => void;
      onstate: (state: EditorStatus) => void;
    },
  ) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const help = document.createElement('p');
    help.id = 'help';
    help.hidden = true;
    help.textContent = description;
    const box = document.createElement('div');
    box.style.height = '100%';
    root.replaceChildren(help, box);
    this.#view = new EditorView({
      parent: box,
      root,
      state: EditorState.create({
        doc: text,
        extensions: [
          gutter({
            class: 'cm-problem-gutter',
            markers: ({ state }) => state.field(marked).gutter,
            domEventHandlers: {
              click: (view, { from }) => {
                view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
                view.focus();
                return true;
              },
            },
          }),
          lineNumbers(),
          highlightActiveLineGutter(),
          marked,
          history(),
          json(),
          indentUnit.of('  '),
          bracketMatching(),
          syntaxHighlighting(colours),
          // Tab is bound to nothing: it leaves the text, as everywhere else in the window.
          keymap.of([...historyKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({
            'aria-label': label,
            'aria-describedby': help.id,
            tabindex: '0',
            spellcheck: 'false',
            autocorrect: 'off',
            autocapitalize: 'off',
          }),
          look,
          EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
            if (docChanged && !transactions.some((by) => by.annotation(elsewhere)))
              onchange(state.doc.toString());
            if (docChanged || selectionSet) onstate(stateOf(state));
          }),
          EditorView.domEventHandlers({
            compositionend: () => {
              // The editor takes the composed letters over first.
              setTimeout(() => {
                if (this.#waiting !== null) this.replace(this.#waiting);
              });
            },
          }),
        ],
      }),
    });
    onstate(stateOf(this.#view.state));
  }

  /** Takes over what the form wrote. Caret, selection and what is in view stay. */
  replace(text: string): void {
    const found = difference(this.#view.state.doc.toString(), text);
    this.#waiting = found !== null && this.#view.composing ? text : null;
    if (found === null || this.#waiting !== null) return;
    const { at, removed, inserted } = found;
    const changes = this.#view.state.changes({ from: at, to: at + removed, insert: inserted });
    // The same lines stay in view, also when others come or go above them.
    const inView = this.#view.scrollSnapshot().map(changes);
    this.#view.dispatch({
      changes,
      effects: inView ?? [],
      annotations: [elsewhere.of(true), isolateHistory.of('full')],
    });
  }

  mark(marks: readonly Mark[]): void {
    this.#view.dispatch({ effects: setMarks.of(marks) });
  }

  jumpTo({ line, column }: Position): void {
    const { doc } = this.#view.state;
    const { from, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const anchor = from + [...text].slice(0, Math.max(0, column - 1)).join('').length;
    this.#view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
    });
    this.#view.focus();
  }

  undo(): void {
    undo(this.#view);
    this.#view.focus();
  }

  redo(): void {
    redo(this.#view);
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }
}

function stateOf(state: EditorState): EditorStatus {
  return {
    canUndo: undoDepth(state) > 0,
    canRedo: redoDepth(state) > 0,
    line: state.doc.lineAt(state.selection.main.head).number,
  };
}
