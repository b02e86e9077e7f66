import type { Problem } from '../generated/types';
import { asProblem } from '../backend/problem';

/** A passing word about something that was asked for. */
export interface Toast {
  id: number;
  title: string;
  /** Set for failures: they stay until dismissed. */
  problem: Problem | null;
}

const SHOWN = 5_000;

class Toasts {
  list = $state.raw<Toast[]>([]);
  #next = 1;

  say(title: string): void {
    const id = this.#add(title, null);
    setTimeout(() => this.dismiss(id), SHOWN);
  }

  fail(reason: unknown): void {
    const problem = asProblem(reason);
    // The same failure twice is one message.
    this.list = this.list.filter((toast) => toast.problem?.title !== problem.title);
    this.#add(problem.title, problem);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  #add(title: string, problem: Problem | null): number {
    const id = this.#next++;
    this.list = [...this.list.slice(-3), { id, title, problem }];
    return id;
  }
}

export const toasts = new Toasts();

/** Runs something that was asked for; a failure becomes a message. Tells whether it worked. */
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (reason) {
    toasts.fail(reason);
    return false;
  }
}
