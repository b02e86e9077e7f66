import { render, screen } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import DurationInput from './DurationInput.svelte';
import JsonPart from './JsonPart.svelte';
import LongText from './LongText.svelte';
import PemInput from './PemInput.svelte';
import SecretValueInput from './SecretValueInput.svelte';
import TemplateInput from './TemplateInput.svelte';
import { Unfinished } from './types';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Shown = {
  readonly values: unknown[];
  field: HTMLInputElement;
  set: (value: unknown) => Promise<void>;
};

/** A control whose owner takes every change over at once. */
function show(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  control: Component<any>,
  value: unknown,
  schema: object = {},
  more: Record<string, unknown> = {},
): Shown {
  const values: unknown[] = [];
  const onchange = (next: unknown) => {
    values.push(next);
    void view.rerender({ value: next });
  };
  const view = render(control, {
    props: { id: 'it', value, onchange, invalid: false, schema, ...more },
  });
  return {
    values,
    get field() {
      const found = document.getElementById('it');
      if (!found) throw new Error('no field');
      return found as HTMLInputElement;
    },
    set: (next) => view.rerender({ value: next }),
  };
}

async function type(field: HTMLInputElement, text: string): Promise<void> {
  field.focus();
  field.value = text;
  field.setSelectionRange(text.length, text.length);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await tick();
  flushSync();
}

async function press(
  field: HTMLElement,
  key: string,
  more: KeyboardEventInit = {},
): Promise<boolean> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  field.dispatchEvent(event);
  await tick();
  flushSync();
  return event.defaultPrevented;
}

const text = (testid: string) =>
  screen.queryByTestId(testid)?.textContent?.replace(/\s+/g, ' ').trim();

describe('a duration', () => {
  const ms = { type: 'number', 'x-berth-unit': 'ms' };
  const digits = { type: 'string', 'x-berth-unit': 'min' };

  it('is shown as people write it, and says what is stored', () => {
    const { field } = show(DurationInput, 5_400_000, ms);
    expect(field.value).toBe('1 h 30 min');
    expect(text('duration-meaning')).toBe('= 1 hour 30 minutes · stored as 5400000 ms');
  });

  it.each([
    [{ ...ms, examples: [30_000] }, '30 s'],
    [{ ...digits, examples: ['120'] }, '2 h'],
    [{ ...digits, examples: ['never'] }, 'never'],
    [ms, '2 h, 90 min, 1 h 30 min'],
  ])('shows an example while it is empty: %#', (schema, example) => {
    expect(show(DurationInput, undefined, schema).field.placeholder).toBe(example);
  });

  it('stays as it is typed while it is understood', async () => {
    const it_ = show(DurationInput, undefined, ms);
    await type(it_.field, '120 min');
    expect(it_.values).toEqual([7_200_000]);
    expect(it_.field.value).toBe('120 min');
    expect(text('duration-meaning')).toBe('= 2 hours · stored as 7200000 ms');
    await it_.set(60_000);
    expect(it_.field.value).toBe('1 min');
  });

  it('keeps what it does not understand, and says what to do', async () => {
    const it_ = show(DurationInput, 60_000, ms);
    await type(it_.field, '90');
    expect(it_.values).toEqual([new Unfinished('90')]);
    expect(it_.field.value).toBe('90');
    expect(it_.field.getAttribute('aria-invalid')).toBe('true');
    expect(text('duration-meaning')).toBe('90 of what? Add a unit: 90 s, 90 min or 90 h.');
    await type(it_.field, '');
    expect(it_.values.at(-1)).toBeUndefined();
    expect(text('duration-meaning')).toBe('');
  });

  it('comes back as it was typed when its control does', () => {
    const { field } = show(DurationInput, new Unfinished('2 hou'), ms);
    expect(field.value).toBe('2 hou');
    expect(text('duration-meaning')).toContain('“hou” is not a unit here.');
  });

  it('is stored as digits where a string is asked for', async () => {
    const it_ = show(DurationInput, '120', digits);
    expect(it_.field.value).toBe('2 h');
    await type(it_.field, '90 min');
    expect(it_.values).toEqual(['90']);
    expect(text('duration-meaning')).toContain('stored as "90", in minutes');
    await type(it_.field, '30 s');
    expect(it_.values.at(-1)).toEqual(new Unfinished('30 s'));
    expect(text('duration-meaning')).toBe('This is stored in whole minutes.');
  });

  it.each([
    ['-5', digits],
    ['soon', digits],
    [-5, ms],
    [{ a: 1 }, ms],
  ])('that was stored as %j is shown as it stands', (value, schema) => {
    const { field, values } = show(DurationInput, value, schema);
    expect(field.value).toBe(typeof value === 'string' ? value : JSON.stringify(value));
    expect(text('duration-meaning')).toContain('is not a duration');
    expect(values).toEqual([]);
  });
});

describe('a template', () => {
  const schema = {
    type: 'string',
    'x-berth-template': {
      syntax: '{{…}}',
      variables: [
        { name: 'input.branch', description: 'The branch', sample: 'feature/login' },
        { name: 'input.pullNumber', description: 'The pull request', sample: '42' },
      ],
      open: [],
    },
  };
  const preview = vi.fn((template: string, values: Record<string, string>) =>
    Promise.resolve(template.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => values[name] ?? '')),
  );
  beforeEach(() => {
    preview.mockClear();
  });

  const options = () => screen.queryAllByRole('option').map((option) => option.textContent?.trim());

  it('offers its variables inside braces, and puts the chosen one in', async () => {
    const it_ = show(TemplateInput, '', schema, { preview });
    expect(it_.field.getAttribute('role')).toBe('combobox');
    await type(it_.field, '/a/{{');
    expect(options()).toHaveLength(2);
    expect(it_.field.getAttribute('aria-expanded')).toBe('true');
    expect(it_.field.getAttribute('aria-activedescendant')).toBe('it-list-0');
    expect(document.getElementById('it-list-0')?.textContent).toContain('feature/login');
    await press(it_.field, 'ArrowDown');
    expect(it_.field.getAttribute('aria-activedescendant')).toBe('it-list-1');
    expect(await press(it_.field, 'Enter')).toBe(true);
    expect(it_.field.value).toBe('/a/{{input.pullNumber}}');
    expect(it_.values.at(-1)).toBe('/a/{{input.pullNumber}}');
    expect(options()).toHaveLength(0);
    expect(it_.field.getAttribute('aria-expanded')).toBe('false');
  });

  it('narrows them by what is typed, and Tab takes one', async () => {
    const it_ = show(TemplateInput, '', schema, { preview });
    await type(it_.field, '{{pull');
    expect(options()).toHaveLength(1);
    expect(await press(it_.field, 'Tab')).toBe(true);
    expect(it_.field.value).toBe('{{input.pullNumber}}');
    // With no list open, Tab goes on to the next field.
    expect(await press(it_.field, 'Tab')).toBe(false);
  });

  it('closes the list, and only the list, with Escape', async () => {
    const heard = vi.fn();
    document.addEventListener('keydown', heard);
    const it_ = show(TemplateInput, '', schema, { preview });
    await type(it_.field, '{{');
    await press(it_.field, 'Escape');
    expect(options()).toHaveLength(0);
    expect(it_.field.value).toBe('{{');
    expect(heard).not.toHaveBeenCalled();
    await press(it_.field, 'Escape');
    expect(heard).toHaveBeenCalledTimes(1);
    document.removeEventListener('keydown', heard);
  });

  it('puts a variable in for those who do not know the braces', async () => {
    const it_ = show(TemplateInput, 'ab', schema, { preview });
    it_.field.focus();
    it_.field.setSelectionRange(1, 1);
    screen.getByTestId('insert-variable').click();
    await tick();
    expect(options()).toHaveLength(2);
    screen.getAllByRole('option')[0]?.click();
    await tick();
    expect(it_.field.value).toBe('a{{input.branch}}b');
    expect(options()).toHaveLength(0);
  });

  it('names what it does not know and mends it at a click', async () => {
    const it_ = show(TemplateInput, '/{{input.brnch}}', schema, { preview });
    expect(text('template-notes')).toContain(
      '{{input.brnch}} is not known and stays empty. Did you mean input.branch?',
    );
    screen.getByTestId('template-fix').click();
    await tick();
    expect(it_.values).toEqual(['/{{input.branch}}']);
    expect(screen.queryByTestId('template-notes')).toBeNull();
  });

  it('says nothing of a placeholder that is being written', async () => {
    const it_ = show(TemplateInput, '', schema, { preview });
    await type(it_.field, '/{{inp');
    expect(screen.queryByTestId('template-notes')).toBeNull();
    it_.field.blur();
    await tick();
    expect(text('template-notes')).toContain('“}}” is missing');
  });

  it('previews when typing pauses, with the samples', async () => {
    const it_ = show(TemplateInput, '', schema, { preview });
    await type(it_.field, '/{{input.branch}}');
    await type(it_.field, '/x/{{input.branch}}');
    await vi.advanceTimersByTimeAsync(250);
    expect(preview).toHaveBeenCalledTimes(1);
    expect(text('template-preview')).toBe('With sample values /x/feature/login');
    await type(it_.field, 'plain');
    expect(screen.queryByTestId('template-preview')).toBeNull();
  });

  it('drops answers that come too late', async () => {
    const answers: ((rendered: string) => void)[] = [];
    const slow = () => new Promise<string>((resolve) => answers.push(resolve));
    const it_ = show(TemplateInput, '{{input.branch}}1', schema, { preview: slow });
    await vi.advanceTimersByTimeAsync(250);
    await type(it_.field, '{{input.branch}}2');
    await vi.advanceTimersByTimeAsync(250);
    answers[1]?.('second');
    await vi.advanceTimersByTimeAsync(0);
    answers[0]?.('first');
    await vi.advanceTimersByTimeAsync(0);
    expect(text('template-preview')).toContain('second');
  });

  it('says why there is no preview', async () => {
    const failing = () => Promise.reject(new Error('gone'));
    show(TemplateInput, '{{input.branch}}', schema, { preview: failing });
    await vi.advanceTimersByTimeAsync(250);
    expect(text('template-preview')).toContain('No preview');
  });

  it('is a text of several lines for JSON, and says when it would be none', async () => {
    const json = { ...schema, contentMediaType: 'application/json' };
    const { field } = show(TemplateInput, '{\n"a": {{input.branch}}\n}', json, { preview });
    expect(field.tagName).toBe('TEXTAREA');
    await vi.advanceTimersByTimeAsync(250);
    expect(text('template-preview')).toContain('this is not JSON (line 2, column 6)');
  });
});

describe('a long text', () => {
  it('keeps its lines and grows with them, within reason', async () => {
    const it_ = show(LongText, 'a\nb');
    const rows = () => Number(it_.field.getAttribute('rows'));
    expect([it_.field.value, rows()]).toEqual(['a\nb', 3]);
    await type(it_.field, 'x\n'.repeat(40));
    expect(it_.values).toEqual(['x\n'.repeat(40)]);
    expect(rows()).toBe(14);
  });
});

describe('a PEM block', () => {
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  const key = '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n';

  it('says what it holds', async () => {
    const it_ = show(PemInput, certificate);
    expect(text('pem-holds')).toBe('1 certificate');
    await it_.set('hello');
    expect(text('pem-holds')).toContain('not a PEM block');
    expect(it_.field.getAttribute('aria-invalid')).toBe('true');
  });

  it('never takes a private key over', async () => {
    const it_ = show(PemInput, '');
    await type(it_.field, certificate + key);
    expect(it_.values).toEqual([certificate]);
    expect(it_.field.value).toBe(certificate);
    expect(text('pem-holds')).toContain('1 certificate A private key was in it and was left out');
  });

  it('is read from a file', async () => {
    const it_ = show(PemInput, undefined);
    const input = screen.getByTestId<HTMLInputElement>('pem-file');
    const load = async (content: string) => {
      Object.defineProperty(input, 'files', {
        value: [new File([content], 'ca.pem')],
        configurable: true,
      });
      input.dispatchEvent(new Event('change', { bubbles: true }));
      await vi.advanceTimersByTimeAsync(0);
    };
    await load(certificate + certificate);
    expect(it_.values).toEqual([certificate + certificate]);
    expect(text('pem-holds')).toBe('2 certificates');
    await load('x'.repeat(1_000_001));
    expect(it_.values).toHaveLength(1);
    expect(text('pem-holds')).toContain('larger than 1 MB');
  });
});

describe('a JSON part', () => {
  it('stays as typed, value or not', async () => {
    const it_ = show(JsonPart, { a: 1 });
    expect(it_.field.value).toBe('{\n  "a": 1\n}');
    await type(it_.field, '{ "a":1,\n}');
    expect(it_.values.at(-1)).toEqual(new Unfinished('{ "a":1,\n}'));
    expect(text('json-state')).toBe(
      'Not JSON yet: line 2, column 1: a name in double quotes is missing',
    );
    await type(it_.field, '{ "a":2 }');
    expect(it_.values.at(-1)).toEqual({ a: 2 });
    expect(it_.field.value).toBe('{ "a":2 }');
    await type(it_.field, ' ');
    expect(it_.values.at(-1)).toBeUndefined();
    await it_.set([true]);
    expect(it_.field.value).toBe('[\n  true\n]');
  });

  it('comes back as it was typed when its control does', () => {
    const { field } = show(JsonPart, new Unfinished('{'));
    expect(field.value).toBe('{');
    expect(field.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('a value that is never shown', () => {
  it('is typed into a password field and stands nowhere else', async () => {
    const it_ = show(SecretValueInput, undefined);
    expect([it_.field.type, it_.field.autocomplete, it_.field.getAttribute('spellcheck')]).toEqual([
      'password',
      'off',
      'false',
    ]);
    await type(it_.field, 'hunter2');
    expect(it_.values).toEqual(['hunter2']);
    expect(it_.field.type).toBe('password');
    expect(document.body.innerHTML).not.toContain('hunter2');
  });

  it('that came with the document can only be replaced', async () => {
    const it_ = show(SecretValueInput, 'hunter2');
    expect(document.body.innerHTML).not.toContain('hunter2');
    expect(document.querySelector('input')).toBeNull();
    screen.getByTestId('secret-replace').click();
    await tick();
    expect(it_.values).toEqual([undefined]);
    expect(it_.field.value).toBe('');
  });

  it('keeps its lines when several are pasted', async () => {
    const it_ = show(SecretValueInput, undefined);
    const paste = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(paste, { clipboardData: { getData: () => 'a\r\nb\r\n' } });
    it_.field.dispatchEvent(paste);
    await tick();
    expect(it_.values).toEqual(['a\nb\n']);
    expect(document.body.textContent).toContain('2 lines pasted');
  });
});
