import type { Backend, Stop } from '../backend/backend';
import type { CheckUpdate, CheckVerdict, ConnectionCheck, Problem } from '../generated/types';
import type { DraftHandler } from './draft.svelte';
import { en } from '../strings/en';

const words = en.handlers.test;

/** How a test stands: not run, under way, over, given up, or refused before it began. */
export type TestState = 'idle' | 'running' | 'passed' | 'failed' | 'cancelled' | 'refused';

/** One run of a handler's connection test at a time. */
export class ConnectionTesting {
  state = $state<TestState>('idle');
  checks = $state.raw<readonly ConnectionCheck[]>([]);
  problem = $state.raw<Problem | null>(null);
  /** How long the whole of it took; `null` until it is over. */
  tookMs = $state<number | null>(null);
  /** The text that was tried. */
  text = $state.raw<string | null>(null);
  /** For screen readers: what came last. */
  said = $state('');

  readonly #backend: Backend;
  #stop: Stop = () => undefined;
  #startedAt = 0;

  readonly summary = $derived.by(() => {
    const having = (state: CheckVerdict['state']) =>
      this.checks.filter(({ verdict }) => verdict.state === state).length;
    switch (this.state) {
      case 'passed': {
        const warnings = having('warned');
        return warnings > 0 ? words.warned(warnings) : words.passed;
      }
      case 'failed':
        // Of an engine that cannot be tested yet, nothing is known.
        return having('failed') > 0 ? words.failed(having('failed')) : words.untested;
      case 'running': {
        const over = this.checks.filter(
          ({ verdict: { state } }) => state !== 'waiting' && state !== 'running',
        ).length;
        return this.checks.length === 0 ? words.preparing : words.running(over, this.checks.length);
      }
      case 'cancelled':
        return words.cancelled;
      default:
        return '';
    }
  });

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  start(tested: DraftHandler): void {
    this.#stop();
    this.state = 'running';
    this.checks = [];
    this.problem = null;
    this.tookMs = null;
    this.#startedAt = Date.now();
    const draft = tested.draft();
    this.text = draft.text;
    this.said = words.preparing;
    const { typedUnder, toRemove } = tested.secrets;
    this.#stop = () => undefined;
    const stop = this.#backend.testHandler(draft, typedUnder, toRemove, (update) =>
      this.#take(update),
    );
    // It may be over before there was anything to stop.
    if (this.state === 'running') this.#stop = stop;
    else stop();
  }

  /** Ends a test that is under way. What was found out stays. */
  cancel(): void {
    if (this.state !== 'running') return;
    this.#over('cancelled');
    this.said = words.cancelled;
  }

  /** As if nothing had been tested. */
  clear(): void {
    this.#stop();
    this.state = 'idle';
    this.checks = [];
    this.problem = null;
    this.text = null;
    this.said = '';
  }

  titleOf(key: string): string {
    return this.checks.find((check) => check.key === key)?.title ?? key;
  }

  #over(state: TestState): void {
    this.#stop();
    this.#stop = () => undefined;
    this.state = state;
    this.tookMs = Date.now() - this.#startedAt;
  }

  #take(update: CheckUpdate): void {
    switch (update.type) {
      case 'expected':
        this.checks = update.checks;
        break;
      case 'changed': {
        const { check } = update;
        this.checks = this.checks.map((known) => (known.key === check.key ? check : known));
        if (check.verdict.state !== 'running')
          this.said = words.said(check.title, words.verdict[check.verdict.state], check.detail);
        break;
      }
      case 'refused':
        this.#over('refused');
        this.problem = update.problem;
        break;
      case 'finished':
        this.#over(update.passed ? 'passed' : 'failed');
        this.said = this.summary;
        break;
    }
  }
}
