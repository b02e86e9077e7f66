import type {
  Activity,
  ContractSchema,
  Detection,
  DocumentCheck,
  DocumentDraft,
  DocumentFile,
  DocumentSummary,
  EngineStatus,
  Environment,
  EnvironmentDetail,
  Event,
  GitRef,
  Lifetime,
  LogBatch,
  Problem,
  SchemaChoice,
  SecretKey,
  Service,
  Snapshot,
  StoredDocument,
  UpRequest,
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

/** Everything the window can ask of Berth. Every rejection is a `Problem`. */
export interface Backend {
  snapshot(): Promise<Snapshot>;
  environmentDetail(id: string): Promise<EnvironmentDetail>;
  engineStatus(): Promise<EngineStatus>;
  dataFolder(): Promise<string>;
  activity(before: number | null, limit: number): Promise<Activity[]>;

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
