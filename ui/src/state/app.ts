import { getContext, setContext } from 'svelte';
import type { Adding } from './adding.svelte';
import type { DocumentLibrary } from '../documents/library.svelte';
import type { HandlerBook } from '../handlers/book.svelte';
import type { BerthState } from './berth.svelte';
import type { Dialogs } from './dialogs.svelte';

/** What every component of the window may use. */
export interface App {
  berth: BerthState;
  adding: Adding;
  dialogs: Dialogs;
  library: DocumentLibrary;
  book: HandlerBook;
}

const KEY = Symbol('app');

export function provideApp(app: App): App {
  return setContext(KEY, app);
}

export function useApp(): App {
  return getContext<App>(KEY);
}
