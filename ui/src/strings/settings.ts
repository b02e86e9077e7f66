import type { SecretStoreKind, SecretStoreState } from '../generated/types';
import { count } from './format';

/** The strings of the settings. */
export const settings = {
  title: 'Settings',
  dataFolder: 'Data folder',
  dataFolderHint: 'Records, private copies of repositories and settings are here.',
  activityTitle: 'Activity',
  activityDays: 'Days it is kept',
  activityHint: 'Older lines are removed. 1 to 3650 days.',
  activityWrong: 'Type a whole number from 1 to 3650.',
  activitySave: 'Keep',
  activitySaved: (days: number) => `The activity is kept for ${count(days, 'day')}`,
};

/** The strings about where secrets are kept. */
export const secretStore = {
  title: 'Secrets',
  looking: 'Asking the keychain',
  again: 'Look again',
  about: {
    keychain: 'Values of secrets are in the keychain of the operating system, and nowhere else.',
    vault: 'Values of secrets are in an encrypted file of the data folder, and nowhere else.',
  } satisfies Record<SecretStoreKind, string>,
  state: {
    ready: 'ready',
    no_service: 'does not answer: there is none',
    locked: 'locked',
    dismissed: 'its question was dismissed',
    silent: 'did not answer in time',
    not_persistent: 'forgets what it is given',
    broken: 'answered something unexpected',
  } satisfies Record<SecretStoreState, string>,
  unlockTitle: 'Unlock the encrypted file',
  unlockHint: 'It stays unlocked until Berth ends.',
  passphrase: 'Passphrase',
  repeat: 'Passphrase again',
  unlock: 'Unlock',
  unlocked: 'The encrypted file is unlocked',
  useVault: 'Keep secrets in an encrypted file',
  useKeychain: 'Keep secrets in the keychain',
  useKeychainBody:
    'The secrets in the encrypted file are moved into the keychain of the operating system.',
  vaultTitle: 'Keep secrets in an encrypted file?',
  vaultBody:
    'For machines without a keychain. The file is in the data folder, encrypted with a passphrase that you type whenever Berth starts and needs a secret.',
  vaultLoss:
    'Nobody can open it without the passphrase, Berth included: if you lose it, every secret has to be typed in again.',
  vaultMoves: 'Secrets that are kept elsewhere now are moved into it.',
  vaultKnown: 'If the file is there already, type the passphrase that it was made with.',
  tooShort: 'A passphrase has at least 8 characters.',
  different: 'The two are not the same.',
  submitVault: 'Use the encrypted file',
  busy: 'Moving the secrets',
  used: {
    keychain: 'Secrets are kept in the keychain from now on',
    vault: 'Secrets are kept in the encrypted file from now on',
  } satisfies Record<SecretStoreKind, string>,
};
