import type {
  Change,
  EngineStatus,
  Environment,
  EnvironmentDetail,
  Event,
  Problem,
  Service,
  Workspace,
} from '../generated/types';
import type { Backend, Stop } from '../backend/backend';
import { asProblem } from '../backend/problem';
import { announcement, sentenceName } from './describe';
import { detailWithStep, environmentWithStep, withEnvironment } from './patch';
import { en } from '../strings/en';
import { timeLeft } from '../strings/timeleft';

type StepChange = Extract<Change, { type: 'step' }>;

/**
 * What the window knows of Berth: a snapshot, kept up to date by the events
 * after it. A step is patched in place; anything else asks for that
 * environment again, once per frame however many events named it.
 */
export class BerthState {
  phase = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  /** Set when events stopped coming. */
  lost = $state.raw<Problem | null>(null);
  workspace = $state.raw<Workspace | null>(null);
  services = $state.raw<Service[]>([]);
  environments = $state.raw<Environment[]>([]);
  /** Of the environment that is open. */
  detail = $state.raw<EnvironmentDetail | null>(null);
  detailProblem = $state.raw<Problem | null>(null);
  engine = $state.raw<EngineStatus | null>(null);
  /** Environments whose operation was asked to stop. */
  cancelling = $state.raw<ReadonlySet<string>>(new Set());
  /** Grows with everything that is noted in the activity. */
  activityMark = $state(0);
  /** Grows with every document that is saved or deleted, here or elsewhere. */
  documentsMark = $state(0);
  /** Grows with every handler, override, user or manifest type that changes, here or elsewhere. */
  handlersMark = $state(0);
  /** For screen readers. */
  said = $state('');

  readonly backend: Backend;
  #open: string | null = null;
  #stop: Stop = () => undefined;
  #dirty = new Set<string>();
  #servicesDirty = false;
  #flushing = false;
  /** Steps that changed while an environment was being asked for: its answer may be older. */
  #inFlight = new Map<string, StepChange[]>();

  constructor(backend: Backend) {
    this.backend = backend;
  }

  async start(): Promise<void> {
    this.#stop();
    this.phase = this.phase === 'ready' ? 'ready' : 'loading';
    this.lost = null;
    void this.lookForEngine();
    try {
      const snapshot = await this.backend.snapshot();
      this.workspace = snapshot.workspace;
      this.services = snapshot.services;
      this.environments = snapshot.environments;
      this.phase = 'ready';
      this.#stop = this.backend.follow(
        snapshot.sequence,
        (events) => this.receive(events),
        (problem) => (this.lost = problem),
      );
    } catch (reason) {
      this.problem = asProblem(reason);
      this.phase = 'failed';
    }
  }

  stop(): void {
    this.#stop();
  }

  async lookForEngine(): Promise<void> {
    this.engine = null;
    try {
      this.engine = await this.backend.engineStatus();
    } catch (reason) {
      this.engine = { address: null, rule: null, info: null, problem: asProblem(reason) };
    }
  }

  environment(id: string): Environment | undefined {
    return this.environments.find((environment) => environment.id === id);
  }

  /** Loads what the detail pane shows, and keeps it up to date; `null` closes it. */
  open(id: string | null): void {
    if (this.#open === id) return;
    this.#open = id;
    this.detail = null;
    this.detailProblem = null;
    if (id !== null) this.#touch(id);
  }

  receive(events: Event[]): void {
    for (const { change } of events) this.#apply(change);
  }

  /** Takes an answer that already holds the environment as it now is. */
  take(environment: Environment): void {
    const before = this.environment(environment.id);
    this.environments = withEnvironment(this.environments, environment);
    if (this.detail?.environment.id === environment.id) {
      this.detail = { ...this.detail, environment };
    }
    if (environment.operation?.state !== 'running') this.#forgetCancelling(environment.id);
    const words = announcement(before, environment);
    if (words !== null) this.said = words;
  }

  async cancel(id: string): Promise<void> {
    this.cancelling = new Set([...this.cancelling, id]);
    try {
      await this.backend.cancel(id);
    } catch (reason) {
      this.#forgetCancelling(id);
      throw reason;
    }
  }

  #forgetCancelling(id: string): void {
    if (!this.cancelling.has(id)) return;
    this.cancelling = new Set([...this.cancelling].filter((other) => other !== id));
  }

  #apply(change: Change): void {
    switch (change.type) {
      case 'step':
        this.#patch(change);
        break;
      case 'environment':
        this.#touch(change.id);
        break;
      case 'service':
        this.#servicesDirty = true;
        this.#schedule();
        break;
      case 'activity':
        this.activityMark += 1;
        break;
      case 'document':
        this.documentsMark += 1;
        break;
      case 'handlers':
        this.handlersMark += 1;
        break;
      case 'expiresSoon': {
        const environment = this.environment(change.environment);
        if (environment) {
          const left = timeLeft(change.expiresAt - Date.now()).text;
          this.said = en.announce.endsSoon(sentenceName(environment), left);
        }
        this.#touch(change.environment);
        break;
      }
    }
  }

  #patch(change: StepChange): void {
    this.#inFlight.get(change.environment)?.push(change);
    const known = this.environment(change.environment);
    if (known?.operation?.id !== change.operation) {
      this.#touch(change.environment);
      return;
    }
    this.environments = withEnvironment(this.environments, environmentWithStep(known, change));
    if (this.detail) this.detail = detailWithStep(this.detail, change);
  }

  #touch(id: string): void {
    this.#dirty.add(id);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    const flush = () => {
      this.#flushing = false;
      void this.#flush();
    };
    // No frames are drawn while the window is hidden.
    if (document.hidden) setTimeout(flush, 0);
    else requestAnimationFrame(flush);
  }

  async #flush(): Promise<void> {
    const ids = [...this.#dirty].filter((id) => !this.#inFlight.has(id));
    for (const id of ids) this.#dirty.delete(id);
    const services = this.#servicesDirty;
    this.#servicesDirty = false;
    await Promise.all([
      ...ids.map((id) => this.#fetch(id)),
      services ? this.#fetchServices() : null,
    ]);
  }

  async #fetch(id: string): Promise<void> {
    const steps: StepChange[] = [];
    this.#inFlight.set(id, steps);
    try {
      let detail = await this.backend.environmentDetail(id);
      for (const step of steps) detail = detailWithStep(detail, step);
      this.take(detail.environment);
      if (this.#open === id) {
        this.detail = detail;
        this.detailProblem = null;
      }
    } catch (reason) {
      const problem = asProblem(reason);
      if (problem.code === 'not_found') {
        this.environments = this.environments.filter((environment) => environment.id !== id);
      }
      if (this.#open === id) this.detailProblem = problem;
    } finally {
      this.#inFlight.delete(id);
      if (this.#dirty.has(id)) this.#schedule();
    }
  }

  async #fetchServices(): Promise<void> {
    try {
      const { workspace, services } = await this.backend.snapshot();
      this.workspace = workspace;
      this.services = services;
    } catch (reason) {
      this.lost = asProblem(reason);
    }
  }
}
