import type {
  Activity,
  ActivityPlace,
  CheckUpdate,
  ComparedField,
  ContractSchema,
  CustomManifestType,
  Detection,
  DocumentCheck,
  DocumentDraft,
  DocumentFile,
  DocumentSummary,
  EngineStatus,
  Environment,
  EnvironmentDetail,
  Event,
  Explanation,
  FoundEngine,
  GitRef,
  Handler,
  HandlerDraft,
  HandlerKey,
  HandlerScope,
  Handlers,
  ImportPreview,
  Lifetime,
  LogBatch,
  Override,
  Problem,
  SchemaChoice,
  SecretKey,
  SecretStoreKind,
  SecretStoreStatus,
  Service,
  ServiceProvisioning,
  Settings,
  Snapshot,
  StoredDocument,
  UpRequest,
  UpsertCustomManifestType,
  User,
} from '../generated/types';
import type { JsonSchema } from './contract';

/** Ends a subscription. Nothing is delivered after it returns; calling it twice is harmless. */
export type Stop = () => void;

/** Where a drag over the window is. */
export interface DropListener {
  over(): void;
  leave(): void;
  drop(paths: string[]): void;
}

/** Where the secret values of one handler were typed in: under the id that `setDocumentSecret` was given. */
export interface SecretsOf {
  key: HandlerKey;
  secretsOf: string;
}

/** A workspace file that was written. */
export interface ExportedWorkspace {
  path: string;
  /** What could not be said in it, in words. */
  warnings: string[];
}

/** A workspace file that was picked, and what importing it would do. */
export interface PickedWorkspace {
  file: DocumentFile;
  preview: ImportPreview;
}

/** Everything the window can ask of Berth. Every rejection is a `Problem`. */
export interface Backend {
  snapshot(): Promise<Snapshot>;
  environmentDetail(id: string): Promise<EnvironmentDetail>;
  engineStatus(): Promise<EngineStatus>;
  dataFolder(): Promise<string>;
  activity(before: ActivityPlace | null, limit: number): Promise<Activity[]>;

  detect(path: string): Promise<Detection>;
  addService(location: string, composePath?: string, name?: string): Promise<Service>;
  addExample(): Promise<Service>;
  removeService(id: string): Promise<void>;
  gitRefs(serviceId: string): Promise<GitRef[]>;

  /** Returns the environment's id once it is recorded; the work goes on. */
  up(request: UpRequest): Promise<string>;
  retry(environmentId: string): Promise<void>;
  cancel(environmentId: string): Promise<void>;
  tearDown(environmentId: string): Promise<void>;
  extend(environmentId: string, lifetime: Lifetime): Promise<Environment>;

  contractSchemas(): Promise<ContractSchema[]>;
  contractSchema(name: string): Promise<JsonSchema>;
  /** What is wrong with a text, by the validator that also guards what is stored. */
  checkDocument(schema: SchemaChoice, text: string): Promise<DocumentCheck>;
  previewTemplate(template: string, values: Record<string, string>): Promise<string>;
  documents(): Promise<DocumentSummary[]>;
  document(id: string): Promise<StoredDocument>;
  /** Stores valid documents only, and answers with what is stored. */
  saveDocument(document: DocumentDraft): Promise<StoredDocument>;
  deleteDocument(id: string): Promise<void>;
  /** The file the user picked, read as text; `null` when the dialog was closed. */
  pickDocumentFile(): Promise<DocumentFile | null>;
  /** Where the text was written to; `null` when the dialog was closed. */
  exportDocument(text: string, suggestedName: string): Promise<string | null>;
  /** What closing the window would lose: the document of this name; `null`: nothing. */
  noteUnsaved(name: string | null): Promise<void>;
  documentSecrets(documentId: string): Promise<SecretKey[]>;
  setDocumentSecret(documentId: string, key: string, value: string): Promise<SecretKey[]>;
  removeDocumentSecret(documentId: string, key: string): Promise<SecretKey[]>;

  /** The rows whose kind, handlers or services have the words of `search`; empty: all. */
  handlers(search: string): Promise<Handlers>;
  /** What starting a service would come to, and why. */
  explain(serviceId: string): Promise<Explanation>;
  /**
   * Stores a handler or an override. New secret values are those typed in under the id
   * `secretsOf`; those named to be removed go; the others stay.
   */
  saveHandler(
    draft: HandlerDraft,
    secretsOf: string | null,
    removeSecrets: string[],
  ): Promise<Handler>;
  /** Of an override: it is gone, and the workspace's is in effect again. */
  removeHandler(scope: HandlerScope, key: HandlerKey): Promise<void>;
  copyToOverride(key: HandlerKey): Promise<Override>;
  /** Switched off it is kept. */
  switchOverride(key: HandlerKey, enabled: boolean): Promise<Override>;
  compareOverride(key: HandlerKey): Promise<ComparedField[]>;
  foundEngines(): Promise<FoundEngine[]>;
  makeHandlerOf(address: string): Promise<Handler>;
  /** Tries a handler without storing anything. */
  testHandler(
    draft: HandlerDraft,
    secretsOf: string | null,
    removeSecrets: string[],
    onUpdate: (update: CheckUpdate) => void,
  ): Stop;

  users(): Promise<User[]>;
  addUser(name: string): Promise<User>;
  removeUser(id: string): Promise<void>;
  /** From now on this user's overrides are in effect. */
  useUser(id: string): Promise<User>;
  manifestTypes(): Promise<CustomManifestType[]>;
  setManifestType(id: string, body: UpsertCustomManifestType): Promise<CustomManifestType>;
  removeManifestType(id: string): Promise<void>;
  setProvisioning(serviceId: string, provisioning: ServiceProvisioning): Promise<Service>;
  /** `null` when the dialog was closed. */
  exportWorkspace(): Promise<ExportedWorkspace | null>;
  /** `null` when the dialog was closed. */
  pickWorkspaceFile(): Promise<PickedWorkspace | null>;
  importWorkspace(text: string, secrets: SecretsOf[]): Promise<ImportPreview>;

  secretStore(): Promise<SecretStoreStatus>;
  useSecretStore(kind: SecretStoreKind, passphrase: string | null): Promise<SecretStoreStatus>;
  unlockVault(passphrase: string): Promise<SecretStoreStatus>;
  settings(): Promise<Settings>;
  setActivityDays(days: number): Promise<Settings>;

  /** The folder the user picked; `null` when the dialog was closed. */
  pickFolder(): Promise<string | null>;
  openUrl(url: string): Promise<void>;
  copyText(text: string): Promise<void>;

  /** Events after number `from`, in batches. */
  follow(
    from: number,
    onEvents: (events: Event[]) => void,
    onEnd: (problem: Problem) => void,
  ): Stop;
  /** Merged log lines of an environment; no services named: all of them. */
  followLogs(environmentId: string, services: string[], onBatch: (batch: LogBatch) => void): Stop;
  /** Files dragged over the window. */
  onDrop(listener: DropListener): Stop;
}
