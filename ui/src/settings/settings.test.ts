import { screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../backend/backend';
import { demoBackend } from '../backend/demo/demo';
import { route } from '../state/route.svelte';
import { toasts } from '../state/toasts.svelte';
import { click, open, said, type } from '../window.fixture';

beforeEach(() => {
  vi.useFakeTimers();
  route.slide('settings');
});
afterEach(() => {
  for (const { id } of toasts.list) toasts.dismiss(id);
  vi.useRealTimers();
});

const state = () => screen.getByTestId('secret-store-state').dataset;

describe('where secrets are kept', () => {
  it('is said, with what to do when it is not ready', async () => {
    await open('no-keychain');
    expect(state()).toMatchObject({ kind: 'keychain', state: 'no_service' });
    expect(
      within(screen.getByTestId('secret-store')).getByTestId('problem-hint').textContent,
    ).toContain('gnome-keyring');
  });

  it('is the encrypted file only by choice, with a passphrase typed twice', async () => {
    const useSecretStore = vi.fn<Backend['useSecretStore']>(demoBackend('full').useSecretStore);
    await open('full', { useSecretStore });
    expect(state()).toMatchObject({ kind: 'keychain', state: 'ready' });
    await click('use-vault');
    const dialog = screen.getByTestId('vault-dialog');
    expect(dialog.textContent).toContain('if you lose it');
    await type('new-passphrase', 'short');
    await click('use-vault-submit');
    await type('new-passphrase', 'long enough');
    await type('repeat-passphrase', 'long enouhg');
    await click('use-vault-submit');
    expect(dialog.textContent).toContain('The two are not the same.');
    expect(useSecretStore).not.toHaveBeenCalled();
    await type('repeat-passphrase', 'long enough');
    await click('use-vault-submit');
    expect(useSecretStore).toHaveBeenCalledExactlyOnceWith('vault', 'long enough');
    expect(state()).toMatchObject({ kind: 'vault', state: 'ready' });
    await click('use-keychain');
    await click('confirm');
    expect(state()).toMatchObject({ kind: 'keychain' });
  });

  it('is unlocked with the passphrase, and says when that is wrong', async () => {
    await open('locked-vault');
    await type('vault-passphrase', 'wrong');
    await click('unlock-submit');
    expect(within(screen.getByTestId('unlock-vault')).getByRole('alert').textContent).toContain(
      'not the passphrase',
    );
    await type('vault-passphrase', 'right');
    await click('unlock-submit');
    expect(state()).toMatchObject({ kind: 'vault', state: 'ready' });
    expect(screen.queryByTestId('unlock-vault')).toBeNull();
  });
});

describe('the activity', () => {
  it('is kept for as many days as are asked for', async () => {
    const setActivityDays = vi.fn<Backend['setActivityDays']>(demoBackend('full').setActivityDays);
    await open('full', { setActivityDays });
    await type('activity-days', '0');
    await click('save-activity-days');
    expect(setActivityDays).not.toHaveBeenCalled();
    expect(document.body.textContent).toContain('from 1 to 3650');
    await type('activity-days', '30');
    await click('save-activity-days');
    expect(setActivityDays).toHaveBeenCalledExactlyOnceWith(30);
    expect(said()).toContain('30 days');
  });
});
