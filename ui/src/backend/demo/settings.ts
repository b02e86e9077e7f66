import type { SecretStoreStatus, Service } from '../../generated/types';
import type { Backend } from '../backend';
import { problem } from '../problem';
import type { Surroundings } from './handlers';
import { compose, key } from './handlerdata';

type SettingsCalls = Pick<
  Backend,
  | 'setProvisioning'
  | 'exportWorkspace'
  | 'pickWorkspaceFile'
  | 'importWorkspace'
  | 'secretStore'
  | 'useSecretStore'
  | 'unlockVault'
  | 'settings'
  | 'setActivityDays'
>;

const ready: SecretStoreStatus = {
  kind: 'keychain',
  state: 'ready',
  product: 'Secret Service',
  problem: null,
};
const vault: SecretStoreStatus = { ...ready, kind: 'vault', product: 'encrypted file' };

/** Scenarios `no-keychain`, `locked-keychain` and `locked-vault`: secrets cannot be kept as things are. */
function storeOf(scenario: string): SecretStoreStatus {
  switch (scenario) {
    case 'no-keychain':
      return {
        ...ready,
        state: 'no_service',
        problem: {
          ...problem('secret_store_missing', 'No keychain answers on this machine'),
          detail: 'The session bus has no org.freedesktop.secrets.',
          hint: 'Start a keyring (on Debian: apt install gnome-keyring), or keep secrets in an encrypted file below.',
        },
      };
    case 'locked-keychain':
      return {
        ...ready,
        state: 'locked',
        problem: problem(
          'secret_store_locked',
          'The keychain is locked',
          'Unlock it in “Passwords and Keys”, then look again.',
        ),
      };
    case 'locked-vault':
      return {
        ...vault,
        state: 'locked',
        problem: problem(
          'secret_store_locked',
          'The encrypted file is locked',
          'Type its passphrase to unlock it until Berth ends.',
        ),
      };
    default:
      return ready;
  }
}

const preview = {
  changes: [
    {
      what: { type: 'manifestType' as const, manifestId: 'kargo-preview' },
      action: 'keep' as const,
      values: [],
    },
    {
      what: {
        type: 'handler' as const,
        key: key('docker-compose'),
        label: 'Local Docker',
      },
      action: 'change' as const,
      values: [
        { pointer: '/manifest/providerConfig/port', before: '8080', after: '3000' },
        { pointer: '/manifest/providerConfig/ttlMinutes', before: '120', after: '240' },
        { pointer: '/manifest/providerConfig/scheme', before: null, after: 'https' },
      ],
    },
    {
      what: {
        type: 'handler' as const,
        key: key('custom', 'sandbox-vm'),
        label: 'Platform VMs',
      },
      action: 'add' as const,
      values: [],
    },
    { what: { type: 'service' as const, name: 'inventory' }, action: 'add' as const, values: [] },
  ],
  missingSecrets: [
    { key: key('custom', 'sandbox-vm'), label: 'Platform VMs', keys: ['VM_TOKEN', 'VM_CA'] },
  ],
  warnings: ['The service “sketches” is a folder of another machine and was left out.'],
};

export function demoSettings(
  { scenario, answers, tell }: Surroundings,
  put: (serviceId: string, provisioning: Service['provisioning']) => Service,
): SettingsCalls {
  let store = storeOf(scenario);
  let activityDays = 14;
  const locked = (passphrase: string) => {
    if (passphrase === 'wrong')
      throw problem('invalid_input', 'This is not the passphrase', 'Try again, or start anew.');
  };
  return {
    setProvisioning: (serviceId, provisioning) =>
      answers(() => {
        const service = put(serviceId, provisioning);
        tell({ type: 'service', id: serviceId });
        tell({ type: 'handlers' });
        return service;
      }),
    exportWorkspace: () =>
      answers(() => ({
        path: '/home/me/work/berth.json',
        warnings: [
          'The service “billing” is a folder outside of this file’s folder: its path is absolute.',
        ],
      })),
    pickWorkspaceFile: () =>
      answers(() => {
        if (scenario === 'unreadable-file')
          throw problem('invalid_document', 'team.json is not a workspace file');
        return {
          file: {
            name: 'team.json',
            text: JSON.stringify({ handlers: [compose('Local Docker', { port: '3000' })] }),
          },
          preview,
        };
      }),
    importWorkspace: () =>
      answers(() => {
        tell({ type: 'handlers' });
        return preview;
      }),

    secretStore: () => answers(() => store),
    useSecretStore: (kind) => answers(() => (store = kind === 'vault' ? vault : storeOf(scenario))),
    unlockVault: (passphrase) =>
      answers(() => {
        locked(passphrase);
        return (store = vault);
      }),
    settings: () => answers(() => ({ activityDays })),
    setActivityDays: (days) => answers(() => ({ activityDays: (activityDays = days) })),
  };
}
