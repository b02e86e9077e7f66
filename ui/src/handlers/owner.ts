import type { HandlerRef, User } from '../generated/types';
import { en } from '../strings/en';

/** Whose a handler is, as it is said to one of the users. */
export function ownerWords({ scope }: HandlerRef, users: readonly User[]): string {
  if (scope.type === 'workspace') return en.handlers.scope.workspace;
  const user = users.find(({ id }) => id === scope.userId);
  return user?.current === false
    ? en.handlers.overrideOf(user.name)
    : user
      ? en.handlers.scope.user
      : en.handlers.overrideOf(scope.userId);
}
