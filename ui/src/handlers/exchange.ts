import type { Backend } from '../backend/backend';
import type { Dialogs } from '../state/dialogs.svelte';
import { attempt, toasts } from '../state/toasts.svelte';
import { en } from '../strings/en';

/** Writes the workspace to a file that the user names, and says what is not in it. */
export async function exportWorkspace(backend: Backend, dialogs: Dialogs): Promise<void> {
  await attempt(async () => {
    const exported = await backend.exportWorkspace();
    if (exported === null) return;
    if (exported.warnings.length > 0) dialogs.exported = exported;
    else toasts.say(en.handlers.exported.path(exported.path));
  });
}

/** Lets the user pick a workspace file; what it would change is shown before anything does. */
export async function pickWorkspace(backend: Backend, dialogs: Dialogs): Promise<void> {
  await attempt(async () => {
    dialogs.importing = await backend.pickWorkspaceFile();
  });
}
