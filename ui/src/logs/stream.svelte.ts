import type { LogEnd } from '../generated/types';
import type { Backend, Stop } from '../backend/backend';
import { LogBuffer } from './buffer';
import type { Entry } from './buffer';

/** What is shown of a log at one moment. */
interface Shown {
  entries: readonly Entry[];
  services: string[];
  dropped: number;
}

const NOTHING: Shown = { entries: [], services: [], dropped: 0 };

/** The merged log of one environment, shown anew at most once per frame. */
export class LogStream {
  shown = $state.raw<Shown>(NOTHING);
  end = $state.raw<LogEnd | null>(null);
  #buffer = new LogBuffer();
  #backend: Backend;
  #environmentId: string;
  #stop: Stop = () => undefined;
  #queued = false;

  constructor(backend: Backend, environmentId: string) {
    this.#backend = backend;
    this.#environmentId = environmentId;
  }

  /** From the beginning; what was shown before goes. */
  start(): void {
    this.#stop();
    this.#buffer.clear();
    this.shown = NOTHING;
    this.end = null;
    this.#stop = this.#backend.followLogs(this.#environmentId, [], (batch) => {
      this.#buffer.append(batch);
      if (batch.end) this.end = batch.end;
      this.#queue();
    });
  }

  stop(): void {
    this.#stop();
  }

  #queue(): void {
    if (this.#queued) return;
    this.#queued = true;
    const show = () => {
      this.#queued = false;
      const { entries, services, dropped } = this.#buffer;
      this.shown = { entries, services, dropped };
    };
    // No frames are drawn while the window is hidden.
    if (document.hidden) setTimeout(show, 0);
    else requestAnimationFrame(show);
  }
}
