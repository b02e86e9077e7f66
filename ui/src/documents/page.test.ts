import { render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../backend/backend';
import { demoBackend } from '../backend/demo/demo';
import { problem } from '../backend/problem';
import App from '../App.svelte';
import { documentHref, NEW, route } from '../state/route.svelte';
import { toasts } from '../state/toasts.svelte';

// The page is loaded when it is first gone to; here that must not depend on real time.
beforeAll(() => import('../pages/DocumentsPage.svelte'));
beforeEach(() => {
  vi.useFakeTimers();
  route.slide('documents');
});
afterEach(() => {
  for (const { id } of toasts.list) toasts.dismiss(id);
  vi.useRealTimers();
});

const pass = (ms = 300) => vi.advanceTimersByTimeAsync(ms);

/** An answer of the backend's, which takes its time. */
async function settled<T>(answer: Promise<T>): Promise<T> {
  await pass();
  return answer;
}

const copyText = vi.fn<Backend['copyText']>();

async function open(scenario = 'full', more: Partial<Backend> = {}): Promise<Backend> {
  copyText.mockReset().mockResolvedValue();
  const backend: Backend = { ...demoBackend(scenario), copyText, ...more };
  render(App, { backend });
  await pass();
  await pass();
  return backend;
}

async function go(fragment: string): Promise<void> {
  route.follow(fragment);
  await pass();
}

async function click(testid: string, inside: HTMLElement = document.body): Promise<void> {
  const [first] = within(inside).getAllByTestId(testid);
  if (!first) throw new Error(`no ${testid}`);
  first.focus();
  first.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
  first.click();
  await pass();
}

async function type(testid: string, text: string): Promise<void> {
  const field = screen.getByTestId<HTMLInputElement>(testid);
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await pass();
}

/** The text of the open document. */
async function written(): Promise<string> {
  await click('copy');
  return copyText.mock.lastCall?.[0] ?? '';
}

async function paste(text: string): Promise<void> {
  await click('paste');
  await type('paste-field', text);
  await click('paste-use');
}

const named = (name: string) =>
  screen.getAllByTestId('document-row').find((row) => row.textContent.includes(name));

describe('the list of documents', () => {
  it('shows the newest first, and what fits the filter', async () => {
    await open();
    const rows = screen.getAllByTestId('document-row').map((row) => row.textContent);
    expect(rows[0]).toContain('Acme previews');
    expect(rows[0]).toContain('20 min ago');
    await type('document-filter', 'provisioning shop');
    expect(screen.getAllByTestId('document-row')).toHaveLength(1);
    await type('document-filter', 'nothing of the kind');
    expect(screen.queryAllByTestId('document-row')).toHaveLength(0);
    expect(document.body.textContent).toContain('No document or kind is called');
  });

  it('says what to do when it is empty', async () => {
    await open('empty');
    expect(screen.getByTestId('documents-empty').textContent).toContain('No document yet');
  });

  it('says why it could not be read, and tries again', async () => {
    const documents = vi
      .fn<Backend['documents']>()
      .mockRejectedValueOnce(problem('store', 'The documents could not be read'))
      .mockResolvedValue([]);
    await open('full', { documents });
    expect(screen.getByTestId('problem-title').textContent).toContain('could not be read');
    await click('documents-again');
    expect(screen.getByTestId('documents-empty')).toBeTruthy();
  });

  it('deletes after asking, and says what goes along', async () => {
    const backend = await open();
    const row = named('Acme previews');
    if (!row) throw new Error('no row');
    await click('delete-document', row);
    expect(screen.getByRole('alertdialog').textContent).toContain('PREVIEWS_TOKEN');
    await click('confirm');
    expect(named('Acme previews')).toBeUndefined();
    expect((await settled(backend.documents())).map(({ id }) => id)).not.toContain('d-acme');
  });
});

describe('a new document', () => {
  it('starts from an example and is stored', async () => {
    const backend = await open();
    await click('new-document');
    await click('kind-environmentManifestSchema');
    await go(documentHref(NEW, 'environmentManifestSchema'));
    await click('starter-0');
    expect(route.document).not.toBe(NEW);
    await type('document-name', 'Staging');
    await click('save-document');
    expect(screen.getByTestId('document-state').textContent).toContain('Saved');
    const stored = (await settled(backend.documents())).find(({ name }) => name === 'Staging');
    expect(stored?.schema).toBe('environmentManifestSchema');
  });

  it('is not stored with problems: they are shown, and have the focus', async () => {
    const saveDocument = vi.fn<Backend['saveDocument']>();
    await open('full', { saveDocument });
    await go(documentHref(NEW, 'environmentManifestSchema'));
    await click('start-empty');
    expect(screen.queryByTestId('issue-summary')).toBeNull();
    const pane = screen.getByTestId('form-pane');
    pane.scrollTop = 400;
    await click('save-document');
    expect(saveDocument).not.toHaveBeenCalled();
    expect(pane.scrollTop).toBe(0);
    const summary = screen.getByTestId('issue-summary');
    expect(within(summary).getAllByRole('button').length).toBeGreaterThan(2);
    expect(summary.contains(document.activeElement)).toBe(true);
  });

  it('of a file that is no JSON keeps its text', async () => {
    await open('unreadable-file');
    await go(documentHref(NEW, 'environmentManifestSchema'));
    await click('start-file');
    expect(await written()).toContain('"baseUrl" \n}');
    expect(screen.getByTestId('document-check').textContent).toContain('Not readable');
    expect(screen.getByTestId('revert-text')).toBeTruthy();
  });

  it('says why a file could not be read', async () => {
    await open('full', {
      pickDocumentFile: () =>
        Promise.reject(problem('path_missing', 'notes.json is not there any more')),
    });
    await go(documentHref(NEW, 'environmentManifestSchema'));
    await click('start-file');
    expect(screen.getByTestId('toast').textContent).toContain('notes.json');
    expect(route.document).toBe(NEW);
  });

  it('of a closed file dialog is none', async () => {
    await open('full', { pickDocumentFile: () => Promise.resolve(null) });
    await go(documentHref(NEW, 'environmentManifestSchema'));
    await click('start-file');
    expect(route.document).toBe(NEW);
  });
});

describe('an open document', () => {
  const edit = () => type('document-name', 'Changed');

  it('is not left with changes unasked', async () => {
    await open();
    await go(documentHref('d-acme'));
    await edit();
    await click('nav-services');
    expect(route.document).toBe('d-acme');
    expect(screen.getByRole('alertdialog').textContent).toContain('Changed');
    await click('leave-discard');
    expect(route.page).toBe('services');
  });

  it('that was never stored takes its secrets along', async () => {
    const removeDocumentSecret = vi.fn<Backend['removeDocumentSecret']>(() => Promise.resolve([]));
    const setDocumentSecret = vi.fn<Backend['setDocumentSecret']>((_id, key) =>
      Promise.resolve([{ key, setAt: Date.now() }]),
    );
    await open('full', {
      removeDocumentSecret,
      setDocumentSecret,
    });
    await go(documentHref(NEW, 'environmentManifestSchema'));
    await click('start-empty');
    const id = route.document;
    await paste('{"auth":{"type":"bearer","secretRef":{"key":"TOKEN"}},"label":"x"}');
    await click('secret-enter');
    const value = document.querySelector<HTMLInputElement>('input[type="password"]');
    if (!value) throw new Error('no field for the value');
    value.value = 's3cret';
    value.dispatchEvent(new Event('input', { bubbles: true }));
    await pass();
    await click('secret-save');
    expect(setDocumentSecret).toHaveBeenCalledExactlyOnceWith(id, 'TOKEN', 's3cret');
    await click('nav-services');
    await click('leave-discard');
    expect(removeDocumentSecret).toHaveBeenCalledExactlyOnceWith(id, 'TOKEN');
  });

  it('can be saved on the way out', async () => {
    const backend = await open();
    await go(documentHref('d-acme'));
    await edit();
    await click('back-to-documents');
    await click('leave-save');
    expect(route.document).toBeNull();
    expect((await settled(backend.documents())).map(({ name }) => name)).toContain('Changed');
  });

  it('is not left by going back either', async () => {
    await open();
    await go(documentHref('d-acme'));
    await edit();
    history.replaceState(null, '', '#/settings');
    window.dispatchEvent(new HashChangeEvent('hashchange'));
    await pass();
    expect(location.hash).toBe(documentHref('d-acme'));
    expect(screen.getByRole('alertdialog')).toBeTruthy();
  });

  it('is told of to the shell while closing the window would lose changes', async () => {
    const noteUnsaved = vi.fn<Backend['noteUnsaved']>().mockResolvedValue();
    await open('full', { noteUnsaved });
    await go(documentHref('d-acme'));
    expect(noteUnsaved.mock.lastCall).toEqual([null]);
    await edit();
    expect(noteUnsaved.mock.lastCall).toEqual(['Changed']);
    const said = noteUnsaved.mock.calls.length;
    await type('document-name', 'Changed ');
    expect(noteUnsaved).toHaveBeenCalledTimes(said);
    await click('save-document');
    expect(noteUnsaved.mock.lastCall).toEqual([null]);
    await type('document-name', 'Changed again');
    expect(noteUnsaved.mock.lastCall).toEqual(['Changed again']);
    await click('nav-services');
    await click('leave-discard');
    expect(noteUnsaved.mock.lastCall).toEqual([null]);
  });

  it('is left at once without changes', async () => {
    await open();
    await go(documentHref('d-acme'));
    await click('nav-services');
    await pass();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('takes what is pasted, after asking when there are changes', async () => {
    await open();
    await go(documentHref('d-shop'));
    await edit();
    await paste('{"type": "infraless"}');
    expect(screen.getByRole('alertdialog')).toBeTruthy();
    await click('replace');
    expect(JSON.parse(await written())).toEqual({ type: 'infraless' });
  });

  it('does not take what is too large, and stays as it was', async () => {
    await open();
    await go(documentHref('d-shop'));
    const before = await written();
    await paste(JSON.stringify({ label: 'x'.repeat(1024 * 1024) }));
    const said = screen.getAllByTestId('toast').map((toast) => toast.textContent);
    expect(said.join()).toContain('at most 1048576 are edited here');
    expect(await written()).toBe(before);
    expect(screen.getByLabelText('Document name')).toBe(screen.getByTestId('document-name'));
  });

  it('has no verdict while a newer one is on its way', async () => {
    await open();
    await go(documentHref('d-acme'));
    expect(screen.getByTestId('document-check').textContent).toContain('No problems');
    await click('view-json');
    expect(screen.getByTestId('json-count').textContent).toContain('No problems');
    await click('paste');
    const field = screen.getByTestId<HTMLInputElement>('paste-field');
    field.value = '{}';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await pass();
    screen.getByTestId('paste-use').click();
    await pass(20);
    expect(screen.getByTestId('document-check').textContent).toContain('Checking');
    expect(screen.getByTestId('json-count').textContent).not.toContain('No problems');
    await pass();
    expect(screen.getByTestId('document-check').textContent).toContain('problem');
  });

  it('survives an import that fails', async () => {
    await open('full', {
      pickDocumentFile: () => Promise.reject(problem('invalid_input', 'The file is too large')),
    });
    await go(documentHref('d-shop'));
    await click('import');
    expect(screen.getByTestId('toast').textContent).toContain('too large');
    expect(await written()).toContain('docker-compose');
  });

  it('that is gone says so', async () => {
    await open();
    await go(documentHref('d-none'));
    expect(screen.getByTestId('problem-title').textContent).toContain('no document');
  });
});

describe('a document with secret values', () => {
  const text = JSON.stringify({ secrets: { API_TOKEN: 's3cret' } });

  async function register(): Promise<void> {
    await open();
    await go(documentHref(NEW, 'registerRunnerPoolSchema'));
    await click('start-empty');
    await click('view-both');
  }

  it('does not show them unasked', async () => {
    await register();
    expect(screen.queryByTestId('secret-text')).toBeNull();
    await paste(text);
    expect(screen.getByTestId('secret-text').textContent).toContain('in clear text');
    expect(screen.queryByTestId('json-text')).toBeNull();
    expect(document.body.textContent).not.toContain('s3cret');
    await click('show-secret-text');
    expect(screen.getByTestId('json-text')).toBeTruthy();
    expect(screen.queryByTestId('secret-text')).toBeNull();
  });

  it('hands them out only after asking', async () => {
    await register();
    await paste(text);
    await click('copy');
    expect(copyText).not.toHaveBeenCalled();
    expect(screen.getByRole('alertdialog').textContent).toContain('in clear text');
    await click('hand-out');
    expect(JSON.parse(copyText.mock.lastCall?.[0] ?? '')).toEqual(JSON.parse(text));
    await click('export');
    expect(screen.getByRole('alertdialog').textContent).toContain('Export');
  });

  it('takes them in their own field only', async () => {
    await open();
    await go(documentHref(NEW, 'registerEnvironmentProviderSchema'));
    await click('starter-0');
    expect(screen.getByTestId('secret-state').textContent).toContain('No value for API_TOKEN yet');
    expect(screen.queryByTestId('secret-enter')).toBeNull();
  });

  it('that cannot be read may hold some', async () => {
    await register();
    await paste('{"secrets": {"API_TOKEN": "s3cret"');
    expect(screen.getByTestId('secret-text').textContent).toContain('may hold');
    await click('copy');
    expect(screen.getByRole('alertdialog').textContent).toContain('may hold');
  });
});
