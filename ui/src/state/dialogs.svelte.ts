import type { ExportedWorkspace, PickedWorkspace } from '../backend/backend';
import type { Environment, HandlerKey, Service } from '../generated/types';

/** Which dialog is open, and about what. One at a time. */
export class Dialogs {
  palette = $state(false);
  /** The service to start, `''` when none is chosen yet; `null`: closed. */
  start = $state<string | null>(null);
  tearDown = $state.raw<Environment | null>(null);
  /** What asks why it is handled the way it is: a service, or every service of a kind. */
  why = $state.raw<{ service: Service } | { key: HandlerKey } | null>(null);
  /** The override to compare with the workspace's handler. */
  compare = $state.raw<HandlerKey | null>(null);
  /** The add-a-user question. */
  addUser = $state(false);
  /** The workspace file that is about to be imported. */
  importing = $state.raw<PickedWorkspace | null>(null);
  /** The workspace file that was written, when there is something to say about it. */
  exported = $state.raw<ExportedWorkspace | null>(null);
}
