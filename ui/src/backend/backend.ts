import type {
  Activity,
  Detection,
  EngineStatus,
  Environment,
  EnvironmentDetail,
  Event,
  GitRef,
  Lifetime,
  LogBatch,
  Problem,
  Service,
  Snapshot,
  UpRequest,
} from '../generated/types';

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
