import type { Backend } from '../backend/backend';
import type { HandlerKey } from '../generated/types';
import { handlerHref, href, route } from '../state/route.svelte';
import { attempt, toasts } from '../state/toasts.svelte';
import { en } from '../strings/en';
import type { HandlerBook } from './book.svelte';
import { usersOfOthers } from './describe';

const words = en.handlers.override;

/** Switches an override, and says which running environments that does not change. */
export async function switchOverride(
  backend: Backend,
  book: HandlerBook,
  key: HandlerKey,
  enabled: boolean,
): Promise<void> {
  const switched = await attempt(() => backend.switchOverride(key, enabled));
  if (!switched) return;
  await book.reload();
  const row = book.row(key);
  if (!row?.own) return;
  const still = usersOfOthers(row, book.users.value ?? []).map(({ environments, label }) =>
    words.stillUses(environments, label),
  );
  const done = enabled ? words.on(row.own.label) : words.off(row.own.label);
  toasts.say([done, ...still].join('. '));
}

/** Makes the workspace's handler the user's own, and opens it to be changed. */
export async function copyToOverride(
  backend: Backend,
  book: HandlerBook,
  key: HandlerKey,
): Promise<void> {
  await attempt(async () => {
    const { label } = await backend.copyToOverride(key);
    await book.reload();
    toasts.say(words.copied(label));
    route.follow(handlerHref({ own: true, key }));
  });
}

/** From now on this user's overrides are in effect. An override of another user is not written meanwhile. */
export function useUser(backend: Backend, book: HandlerBook, id: string): void {
  const use = () =>
    void attempt(async () => {
      const user = await backend.useUser(id);
      const { used, usedLater } = en.handlers.users;
      toasts.say(user.current ? used(user.name) : usedLater(user.name));
      await Promise.all([book.users.load(), book.reload()]);
    });
  if (route.handler?.own) route.follow(href('handlers'), use);
  else use();
}
