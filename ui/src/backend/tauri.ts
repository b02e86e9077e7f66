import { Channel, invoke } from '@tauri-apps/api/core';
import type { InvokeArgs } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import type { CheckUpdate, Event, LogBatch } from '../generated/types';
import type { Backend, Stop } from './backend';
import { asProblem } from './problem';

async function call<T>(command: string, args?: InvokeArgs): Promise<T> {
  try {
    return await invoke<T>(command, args);
  } catch (reason) {
    throw asProblem(reason);
  }
}

/**
 * Opens a stream whose id arrives later than the wish to stop it may.
 * `close` is called exactly once for every stream that was opened.
 */
function stream<T>(
  open: (channel: Channel<T>) => Promise<number>,
  close: (id: number) => Promise<void>,
  onMessage: (message: T) => void,
  onRefused: (reason: unknown) => void,
): Stop {
  let stopped = false;
  let id: number | undefined;
  const channel = new Channel<T>();
  channel.onmessage = (message) => {
    if (!stopped) onMessage(message);
  };
  // The other side may be gone by the time it is told to stop.
  const end = (open: number) => void close(open).catch(() => undefined);
  open(channel).then(
    (opened) => {
      if (stopped) end(opened);
      else id = opened;
    },
    (reason: unknown) => {
      if (!stopped) onRefused(reason);
    },
  );
  return () => {
    if (stopped) return;
    stopped = true;
    if (id !== undefined) end(id);
  };
}

/** The shell that this page runs in. */
export const tauriBackend: Backend = {
  snapshot: () => call('snapshot'),
  environmentDetail: (id) => call('environment_detail', { id }),
  engineStatus: () => call('engine_status'),
  dataFolder: () => call('data_folder'),
  activity: (before, limit) => call('activity', { before, limit }),

  detect: (path) => call('detect', { path }),
  addService: (location, composePath, name) =>
    call('add_service', { location, composePath: composePath ?? null, name: name ?? null }),
  addExample: () => call('add_example'),
  removeService: (id) => call('remove_service', { id }),
  gitRefs: (serviceId) => call('git_refs', { serviceId }),

  up: (request) => call('up', { request }),
  retry: (environmentId) => call('retry', { environmentId }),
  cancel: (environmentId) => call('cancel', { environmentId }),
  tearDown: (environmentId) => call('tear_down', { environmentId }),
  extend: (environmentId, lifetime) => call('extend', { environmentId, lifetime }),

  contractSchemas: () => call('contract_schemas'),
  contractSchema: (name) => call('contract_schema', { name }),
  checkDocument: (schema, text) => call('check_document', { schema, text }),
  previewTemplate: (template, values) => call('preview_template', { template, values }),
  documents: () => call('documents'),
  document: (id) => call('document', { id }),
  saveDocument: (document) => call('save_document', { document }),
  deleteDocument: (id) => call('delete_document', { id }),
  pickDocumentFile: () => call('pick_document_file'),
  exportDocument: (text, suggestedName) => call('export_document', { text, suggestedName }),
  noteUnsaved: (name) => call('note_unsaved', { name }),
  documentSecrets: (documentId) => call('document_secrets', { documentId }),
  setDocumentSecret: (documentId, key, value) =>
    call('set_document_secret', { documentId, key, value }),
  removeDocumentSecret: (documentId, key) => call('remove_document_secret', { documentId, key }),

  handlers: (search) => call('handlers', { search }),
  explain: (serviceId) => call('explain', { serviceId }),
  saveHandler: (draft, secretsOf, removeSecrets) =>
    call('save_handler', { draft, secretsOf, removeSecrets }),
  removeHandler: (scope, key) => call('remove_handler', { scope, key }),
  copyToOverride: (key) => call('copy_to_override', { key }),
  switchOverride: (key, enabled) => call('switch_override', { key, enabled }),
  compareOverride: (key) => call('compare_override', { key }),
  foundEngines: () => call('found_engines'),
  makeHandlerOf: (address) => call('make_handler_of', { address }),
  testHandler: (draft, secretsOf, removeSecrets, onUpdate) =>
    stream<CheckUpdate>(
      (channel) => call('test_handler', { draft, secretsOf, removeSecrets, channel }),
      (id) => call('cancel_test', { id }),
      onUpdate,
      (reason) => onUpdate({ type: 'refused', problem: asProblem(reason) }),
    ),

  users: () => call('users'),
  addUser: (name) => call('add_user', { name }),
  removeUser: (id) => call('remove_user', { id }),
  useUser: (id) => call('use_user', { id }),
  manifestTypes: () => call('manifest_types'),
  setManifestType: (id, body) => call('set_manifest_type', { id, body }),
  removeManifestType: (id) => call('remove_manifest_type', { id }),
  setProvisioning: (serviceId, provisioning) =>
    call('set_provisioning', { serviceId, provisioning }),
  exportWorkspace: () => call('export_workspace'),
  pickWorkspaceFile: () => call('pick_workspace_file'),
  importWorkspace: (text, secrets) => call('import_workspace', { text, secrets }),

  secretStore: () => call('secret_store'),
  useSecretStore: (kind, passphrase) => call('use_secret_store', { kind, passphrase }),
  unlockVault: (passphrase) => call('unlock_vault', { passphrase }),
  settings: () => call('settings'),
  setActivityDays: (days) => call('set_activity_days', { days }),

  pickFolder: () => call('pick_folder'),
  openUrl: (url) => call('open_url', { url }),
  copyText: (text) => call('copy_text', { text }),

  follow: (from, onEvents, onEnd) =>
    stream<Event[]>(
      (channel) => call('follow', { from, channel }),
      (id) => call('unfollow', { id }),
      onEvents,
      (reason) => onEnd(asProblem(reason)),
    ),
  followLogs: (environmentId, services, onBatch) =>
    stream<LogBatch>(
      (channel) => call('follow_logs', { environmentId, services, channel }),
      (id) => call('unfollow_logs', { id }),
      onBatch,
      (reason) => onBatch({ lines: [], skipped: 0, end: { problem: asProblem(reason) } }),
    ),
  onDrop: (listener) => {
    let stopped = false;
    const listening = getCurrentWebview().onDragDropEvent(({ payload }) => {
      if (stopped) return;
      if (payload.type === 'drop') listener.drop(payload.paths);
      else if (payload.type === 'leave') listener.leave();
      else listener.over();
    });
    listening.then(
      (unlisten) => {
        if (stopped) unlisten();
        else stop = unlisten;
      },
      // Without the permission to listen the other two ways to add a folder remain.
      () => undefined,
    );
    let stop: Stop = () => undefined;
    return () => {
      if (stopped) return;
      stopped = true;
      stop();
    };
  },
};
