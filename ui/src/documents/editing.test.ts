import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../backend/backend';
import type { ContractSchema, DocumentCheck, StoredDocument } from '../generated/types';
import { demoBackend } from '../backend/demo/demo';
import { problem } from '../backend/problem';
import { setProperty } from '../form/model/edit';
import type { ObjectDraft } from '../form/model/draft';
import { Editing, refusalOf } from './editing.svelte';
import type { From } from './editing.svelte';
import { isTooLarge, MOST_BYTES } from './size';

const schema = {
  title: 'Sample',
  type: 'object',
  properties: {
    label: { title: 'Label', type: 'string', minLength: 1 },
    count: { title: 'Count', type: 'number', minimum: 2 },
  },
  required: ['label'],
};
const kind: ContractSchema = {
  name: 'sampleSchema',
  title: 'Sample',
  description: '',
  group: 'Samples',
  storable: true,
};

const valid: DocumentCheck = { verdict: 'valid', output: '{}', issues: [], omitted: 0 };
const issue = (pointer: string, message: string) => ({
  path: pointer.split('/').slice(1),
  pointer,
  kind: 'x',
  message,
  requirement: null,
  line: 1,
  column: 1,
});
const invalid = (...pointers: string[]): DocumentCheck => ({
  verdict: 'invalid',
  output: null,
  issues: pointers.map((pointer) => issue(pointer, `wrong ${pointer}`)),
  omitted: 0,
});
const stored = (text: string): StoredDocument => ({
  id: 'd',
  schema: kind.name,
  name: 'Mine',
  createdAt: 1,
  updatedAt: 2,
  text,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(from: From, calls: Partial<Backend> = {}): Editing {
  const backend: Backend = {
    ...demoBackend('full'),
    checkDocument: vi.fn(() => Promise.resolve(valid)),
    saveDocument: vi.fn(({ id = 'd', ...rest }) =>
      Promise.resolve({ createdAt: 1, updatedAt: 3, ...rest, id: id ?? 'd' }),
    ),
    ...calls,
  };
  return new Editing(backend, { id: 'd', kind, schema, from });
}

/** What typing a label into the form does. */
function typeLabel(editing: Editing, text: string): void {
  const draft = editing.form.draft as ObjectDraft;
  const label = draft.slots.get('label')?.draft;
  if (label?.kind !== 'leaf') throw new Error('no label');
  editing.form.change(setProperty(draft, 'label', { ...label, value: text }));
  editing.formChanged();
}

const soon = () => vi.advanceTimersByTimeAsync(200);

describe('form and text', () => {
  it('follow each other', async () => {
    const editing = open({ starter: { label: 'a' } });
    await soon();
    typeLabel(editing, 'b');
    expect(JSON.parse(editing.text)).toEqual({ label: 'b' });
    editing.textChanged('{"label": "c", "count": 3}');
    expect(editing.text).toBe('{"label": "c", "count": 3}');
    expect(editing.form.document()).toEqual({ label: 'c', count: 3 });
  });

  it('leave the text as it was typed until the form is edited', async () => {
    const text = '{"count":3,  "extra": [1],\n"label":"a"}';
    const editing = open({ text, stored: stored(text) });
    await soon();
    editing.formChanged();
    expect(editing.text).toBe(text);
    expect(editing.dirty).toBe(false);
    editing.textChanged('{"count":4, "label":"a"}');
    editing.formChanged();
    expect(editing.text).toBe('{"count":4, "label":"a"}');
    typeLabel(editing, 'b');
    expect(JSON.parse(editing.text)).toEqual({ label: 'b', count: 4 });
  });

  it('keep what the form does not know', () => {
    const editing = open({ text: '{"label":"a","extra":{"b":[1]}}', stored: null });
    typeLabel(editing, 'z');
    expect(JSON.parse(editing.text)).toEqual({ label: 'z', extra: { b: [1] } });
  });

  it('part while the text cannot be read, and meet again', async () => {
    const checkDocument = vi.fn<Backend['checkDocument']>((_, text) =>
      Promise.resolve(
        text.endsWith('}') ? valid : { ...invalid(''), verdict: 'unreadable' as const },
      ),
    );
    const editing = open({ starter: { label: 'a' } }, { checkDocument });
    await soon();
    editing.textChanged('{"label": "b"');
    await soon();
    expect(editing.readable).toBe(false);
    expect(editing.text).toBe('{"label": "b"');
    expect(editing.form.document()).toEqual({ label: 'a' });
    expect(editing.check?.verdict).toBe('unreadable');
    expect(editing.mistakes).toHaveLength(1);
    editing.textChanged('{"label": "b"}');
    expect(editing.readable).toBe(true);
    expect(editing.form.document()).toEqual({ label: 'b' });
    editing.textChanged('{');
    editing.revertText();
    expect(JSON.parse(editing.text)).toEqual({ label: 'b' });
  });

  it('take a key that objects have by nature for what it is', () => {
    const editing = open({ starter: undefined });
    editing.textChanged('{"label":"a","__proto__":{"x":1},"constructor":2}');
    typeLabel(editing, 'b');
    expect(editing.text).toContain('"__proto__"');
    expect(editing.text).toContain('"constructor": 2');
  });
});

describe('checking', () => {
  it('waits for typing to rest, and asks once', async () => {
    const checkDocument = vi.fn<Backend['checkDocument']>(() => Promise.resolve(valid));
    const editing = open({ starter: undefined }, { checkDocument });
    await soon();
    checkDocument.mockClear();
    for (const label of ['s', 'sh', 'sho', 'shop']) {
      typeLabel(editing, label);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(checkDocument).not.toHaveBeenCalled();
    await soon();
    expect(checkDocument).toHaveBeenCalledTimes(1);
    expect(checkDocument.mock.calls[0]?.[1]).toContain('shop');
  });

  it('drops answers about what no longer stands there', async () => {
    const answers: ((check: DocumentCheck) => void)[] = [];
    const checkDocument = () => new Promise<DocumentCheck>((resolve) => answers.push(resolve));
    const editing = open({ starter: { label: 'a', count: 1 } }, { checkDocument });
    typeLabel(editing, 'b');
    await soon();
    typeLabel(editing, 'c');
    await soon();
    expect(answers).toHaveLength(3);
    answers[2]?.(invalid('/count'));
    await soon();
    expect(editing.check?.verdict).toBe('invalid');
    answers[0]?.(valid);
    answers[1]?.(valid);
    await soon();
    expect(editing.check?.verdict).toBe('invalid');
  });

  it('drops an answer that comes while typing goes on', async () => {
    let answer: (check: DocumentCheck) => void = () => undefined;
    const checkDocument = () => new Promise<DocumentCheck>((resolve) => (answer = resolve));
    const editing = open({ starter: { label: 'a' } }, { checkDocument });
    typeLabel(editing, 'b');
    answer(invalid('/label'));
    await vi.advanceTimersByTimeAsync(10);
    expect(editing.check).toBeNull();
  });

  it('says nothing of what was just typed for what stood there before', async () => {
    const checkDocument = vi.fn<Backend['checkDocument']>(() =>
      Promise.resolve(invalid('/label', '/count')),
    );
    const editing = open({ text: '{"label": "", "count": 1}', stored: null }, { checkDocument });
    await soon();
    expect(editing.issues.map(({ pointer }) => pointer)).toEqual(['/label', '/count']);
    typeLabel(editing, 'b');
    expect(editing.issues.map(({ pointer }) => pointer)).toEqual(['/count']);
    await soon();
    expect(editing.issues.map(({ pointer }) => pointer)).toEqual(['/label', '/count']);
  });

  it('says when it could not be done, and recovers', async () => {
    const checkDocument = vi
      .fn<Backend['checkDocument']>()
      .mockRejectedValueOnce(problem('internal', 'No answer'))
      .mockResolvedValue(valid);
    const editing = open({ starter: undefined }, { checkDocument });
    await soon();
    expect(editing.checkProblem?.title).toBe('No answer');
    typeLabel(editing, 'b');
    await soon();
    expect(editing.checkProblem).toBeNull();
    expect(editing.check?.verdict).toBe('valid');
  });
});

describe('saving', () => {
  it('stores what is valid, under the name it gives itself', async () => {
    const saveDocument = vi.fn<Backend['saveDocument']>(({ name }) =>
      Promise.resolve({ ...stored('{\n  "label": "Shop"\n}'), name }),
    );
    const editing = open({ starter: undefined }, { saveDocument });
    typeLabel(editing, ' Shop ');
    expect(await editing.save()).toBe(true);
    expect(saveDocument.mock.calls[0]?.[0]).toMatchObject({ id: 'd', name: 'Shop' });
    // The text is what is stored, and so is the form.
    expect(editing.text).toBe('{\n  "label": "Shop"\n}');
    expect(editing.form.document()).toEqual({ label: 'Shop' });
    expect(editing.dirty).toBe(false);
    expect(editing.name).toBe('Shop');
  });

  it('shows everything that is wrong instead, checked at that moment', async () => {
    const checkDocument = vi
      .fn<Backend['checkDocument']>()
      .mockResolvedValue(invalid('/label', '/count'));
    const saveDocument = vi.fn<Backend['saveDocument']>();
    const editing = open({ starter: undefined }, { checkDocument, saveDocument });
    await soon();
    expect(editing.mistakes).toEqual([]);
    expect(editing.waiting).toBe(2);
    expect(await editing.save()).toBe(false);
    expect(editing.mistakes.map(({ pointer }) => pointer)).toEqual(['/label', '/count']);
    expect(saveDocument).not.toHaveBeenCalled();
  });

  it('keeps what is typed meanwhile as a change', async () => {
    let done: (document: StoredDocument) => void = () => undefined;
    const saveDocument = () => new Promise<StoredDocument>((resolve) => (done = resolve));
    const editing = open({ starter: { label: 'a' } }, { saveDocument });
    const saving = editing.save();
    await soon();
    typeLabel(editing, 'b');
    done(stored('{\n  "label": "a"\n}'));
    expect(await saving).toBe(true);
    expect(JSON.parse(editing.text)).toEqual({ label: 'b' });
    expect(editing.dirty).toBe(true);
  });

  it('fails with the reason, and can be tried again', async () => {
    const saveDocument = vi
      .fn<Backend['saveDocument']>()
      .mockRejectedValueOnce(problem('store', 'Disk full'))
      .mockResolvedValue(stored('{}'));
    const editing = open({ starter: { label: 'a' } }, { saveDocument });
    await expect(editing.save()).rejects.toMatchObject({ title: 'Disk full' });
    expect(editing.saving).toBe(false);
    expect(editing.stored).toBeNull();
    expect(await editing.save()).toBe(true);
  });
});

describe('text from elsewhere', () => {
  it('takes the place of everything, and is checked in full', async () => {
    const checkDocument = vi.fn<Backend['checkDocument']>(() => Promise.resolve(invalid('/label')));
    const editing = open({ starter: { label: 'a' } }, { checkDocument });
    await soon();
    editing.replace('{"count":5}');
    await soon();
    expect(editing.text).toBe('{\n  "count": 5\n}');
    expect(editing.form.document()).toMatchObject({ count: 5 });
    expect(editing.mistakes).toHaveLength(1);
    expect(editing.dirty).toBe(true);
  });

  it('that cannot be read stays as it is', () => {
    const editing = open({ starter: { label: 'a' } });
    editing.replace('label: a');
    expect(editing.text).toBe('label: a');
    expect(editing.readable).toBe(false);
    const fresh = open({ text: 'label: a', stored: null });
    expect(fresh.readable).toBe(false);
    expect(fresh.dirty).toBe(true);
  });
});

describe('a text that is too large', () => {
  const large = JSON.stringify({ label: 'x'.repeat(MOST_BYTES) });

  it('is not read, and says how large it may be', async () => {
    const checkDocument = vi.fn<Backend['checkDocument']>(() => Promise.resolve(valid));
    const editing = open({ starter: { label: 'a' } }, { checkDocument });
    await soon();
    checkDocument.mockClear();
    editing.textChanged(large);
    await soon();
    expect(editing.readable).toBe(false);
    expect(editing.mistakes[0]?.message).toContain('at most 1048576 are edited here');
    expect(await editing.save()).toBe(false);
    expect(checkDocument).not.toHaveBeenCalled();
  });

  it('is one by its bytes', () => {
    expect(isTooLarge('x'.repeat(MOST_BYTES))).toBe(false);
    expect(isTooLarge('x'.repeat(MOST_BYTES + 1))).toBe(true);
    expect(isTooLarge('é'.repeat(MOST_BYTES / 2))).toBe(false);
    expect(isTooLarge('é'.repeat(MOST_BYTES / 2 + 1))).toBe(true);
    expect(refusalOf(large)?.title).toContain('bytes');
    expect(refusalOf('{}')).toBeNull();
  });

  it('is not one for being indented', () => {
    const compact = JSON.stringify({ label: 'a', extra: Array<number>(200_000).fill(1) });
    expect(isTooLarge(compact)).toBe(false);
    const editing = open({ starter: { label: 'a' } });
    editing.replace(compact);
    expect(editing.readable).toBe(true);
    expect(editing.text).toBe(compact);
    typeLabel(editing, 'b');
    expect(isTooLarge(editing.text)).toBe(false);
    const kept = open({
      text: JSON.stringify(JSON.parse(compact), null, 2),
      stored: stored(compact),
    });
    expect(kept.readable).toBe(true);
    expect(kept.dirty).toBe(false);
  });
});

it('a check counts as pending until what stands there is answered', async () => {
  const editing = open({ starter: { label: 'a' } });
  expect(editing.pending).toBe(true);
  await soon();
  expect(editing.pending).toBe(false);
  typeLabel(editing, 'b');
  expect(editing.pending).toBe(true);
  await soon();
  expect(editing.pending).toBe(false);
});
