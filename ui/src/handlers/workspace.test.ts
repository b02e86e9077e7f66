import { screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../backend/backend';
import { demoBackend } from '../backend/demo/demo';
import { problem } from '../backend/problem';
import { route } from '../state/route.svelte';
import { toasts } from '../state/toasts.svelte';
import { choose, click, open, said, settled, type, write } from '../window.fixture';

beforeEach(() => {
  vi.useFakeTimers();
  route.slide('handlers');
});
afterEach(() => {
  for (const { id } of toasts.list) toasts.dismiss(id);
  vi.useRealTimers();
});

describe('the users of this laptop', () => {
  it('are switched, and with them the overrides in effect', async () => {
    await open();
    expect(screen.getByTestId('user-menu').textContent).toContain('me');
    await choose('user-menu', 'user-pair');
    expect(screen.getByTestId('user-menu').textContent).toContain('Pair');
    expect(screen.queryAllByTestId('override')).toHaveLength(0);
    expect(said()).toContain('You work as Pair now');
  });

  it('can be added and removed', async () => {
    const backend = await open();
    await choose('user-menu', 'add-user');
    await type('user-name', 'Robin');
    await click('add-user-submit');
    expect(screen.getByTestId('user-menu').textContent).toContain('Robin');
    await choose('user-menu', 'remove-user-robin');
    expect(screen.getByRole('alertdialog').textContent).toContain('Remove Robin?');
    await click('confirm');
    expect(screen.getByTestId('user-menu').textContent).toContain('me');
    expect((await settled(backend.users())).map(({ id }) => id)).toEqual(['me', 'pair']);
  });

  it('say why one cannot be added', async () => {
    await open();
    await choose('user-menu', 'add-user');
    await type('user-name', 'Pair');
    await click('add-user-submit');
    expect(within(screen.getByTestId('add-user-dialog')).getByRole('alert').textContent).toContain(
      'There is a user Pair already',
    );
  });
});

describe('the catalogue', () => {
  const type_ = (id: string) =>
    screen.getAllByTestId('manifest-type').find(({ dataset }) => dataset['id'] === id);

  it('shows where each type comes from', async () => {
    await open();
    expect(type_('kargo-preview')?.textContent).toContain('comes with a backend');
    expect(type_('sandbox-vm')?.textContent).toContain('of this workspace');
    expect(within(type_('kargo-preview') as HTMLElement).queryByTestId('remove-type')).toBeNull();
  });

  it('takes a new type, and not without a proper id', async () => {
    await open();
    await click('add-type');
    await type('type-id', 'Bare Metal');
    await type('type-label', 'Bare metal');
    await click('save-type');
    expect(screen.getByTestId('type-dialog').textContent).toContain('lower-case letters');
    await type('type-id', 'sandbox-vm');
    expect(screen.getByTestId('type-dialog').textContent).toContain('in the catalogue already');
    await type('type-id', 'bare-metal');
    await click('save-type');
    expect(type_('bare-metal')?.textContent).toContain('Bare metal');
  });

  it('changes and removes one', async () => {
    await open();
    await click('edit-type', type_('sandbox-vm'));
    await type('type-label', 'Sandbox');
    await click('save-type');
    expect(type_('sandbox-vm')?.textContent).toContain('Sandbox');
    await click('remove-type', type_('sandbox-vm'));
    await click('confirm');
    expect(type_('sandbox-vm')).toBeUndefined();
  });
});

describe('a workspace file', () => {
  it('is written, and what it cannot say is named', async () => {
    await open();
    await click('export-workspace');
    const dialog = screen.getByTestId('exported-dialog');
    expect(dialog.textContent).toContain('/home/me/work/berth.json');
    expect(dialog.textContent).toContain('billing');
    expect(dialog.textContent).toContain('none of their values');
  });

  it('is not written when the dialog is closed', async () => {
    await open('full', { exportWorkspace: () => Promise.resolve(null) });
    await click('export-workspace');
    expect(screen.queryByTestId('exported-dialog')).toBeNull();
    expect(said()).toBe('');
  });

  it('is shown as a difference first, asks for secrets, and is imported with them', async () => {
    const demo = demoBackend('full');
    const importWorkspace = vi.fn<Backend['importWorkspace']>(demo.importWorkspace);
    const setDocumentSecret = vi.fn<Backend['setDocumentSecret']>(demo.setDocumentSecret);
    const removeDocumentSecret = vi.fn<Backend['removeDocumentSecret']>(demo.removeDocumentSecret);
    await open('full', { importWorkspace, setDocumentSecret, removeDocumentSecret });
    await click('import-workspace');
    const dialog = screen.getByTestId('import-dialog');
    expect(screen.getAllByTestId('import-change').map(({ dataset }) => dataset['action'])).toEqual([
      'keep',
      'change',
      'add',
      'add',
    ]);
    expect(dialog.textContent).toContain('/manifest/providerConfig/port');
    expect(dialog.textContent).toContain('sketches');
    const submit = screen.getByTestId<HTMLButtonElement>('import-submit');
    expect(submit.disabled).toBe(true);
    expect(dialog.textContent).toContain('2 secrets still have no value');
    for (const value of ['one', 'two']) {
      await write(dialog.querySelector<HTMLInputElement>('input[type="password"]'), value);
      await click('secret-save', dialog);
    }
    expect(submit.disabled).toBe(false);
    await click('import-submit');
    const [under] = setDocumentSecret.mock.lastCall ?? [];
    expect(importWorkspace.mock.lastCall?.[1]).toEqual([
      { key: { provisionType: 'custom', manifestId: 'sandbox-vm' }, secretsOf: under },
    ]);
    expect(screen.queryByTestId('import-dialog')).toBeNull();
    expect(removeDocumentSecret).not.toHaveBeenCalled();
  });

  it('that is not imported takes the values typed in for it along', async () => {
    const demo = demoBackend('full');
    const removeDocumentSecret = vi.fn<Backend['removeDocumentSecret']>(demo.removeDocumentSecret);
    await open('full', { ...demo, removeDocumentSecret });
    await click('import-workspace');
    const dialog = screen.getByTestId('import-dialog');
    await write(dialog.querySelector<HTMLInputElement>('input[type="password"]'), 'one');
    await click('secret-save', dialog);
    within(dialog).getByText('Cancel').click();
    await settled(Promise.resolve());
    expect(removeDocumentSecret.mock.lastCall?.[1]).toBe('VM_TOKEN');
  });

  it('that cannot be imported says why, and stays', async () => {
    await open('full', {
      importWorkspace: () =>
        Promise.reject(problem('secret_store_locked', 'The keychain is locked')),
      pickWorkspaceFile: () =>
        demoBackend('full')
          .pickWorkspaceFile()
          .then(
            (picked) => picked && { ...picked, preview: { ...picked.preview, missingSecrets: [] } },
          ),
    });
    await click('import-workspace');
    await click('import-submit');
    expect(within(screen.getByTestId('import-dialog')).getByRole('alert').textContent).toContain(
      'The keychain is locked',
    );
  });
});
