import type { Environment } from '../generated/types';

/** Which dialog is open, and about what. One at a time. */
export class Dialogs {
  palette = $state(false);
  /** The service to start, `''` when none is chosen yet; `null`: closed. */
  start = $state<string | null>(null);
  tearDown = $state.raw<Environment | null>(null);
}
