import { untrack } from 'svelte';
import { useForm } from '../context';
import { atFirst, reaching, STEP, within } from './span';
import type { Span } from './span';

/** Which items of a list or record are drawn. Made while its component is. */
export class DrawnItems {
  #span = $state.raw<Span>(atFirst);
  readonly #length: () => number;
  readonly span = $derived.by(() => within(this.#span, this.#length()));

  /** `find` says which item has one of these ids in it; -1: none. */
  constructor(length: () => number, find: (ids: ReadonlySet<string>) => number) {
    this.#length = length;
    const form = useForm();
    // A jump leads to an item once: what is edited or shown later does not lead back to it.
    $effect.pre(() => {
      const aim = form.aim;
      untrack(() => {
        const index = aim.size === 0 ? -1 : find(aim);
        if (index >= 0) this.reach(index);
      });
    });
  }

  /** Draws an item too. */
  reach(index: number): void {
    this.#span = reaching(this.#span, index);
  }

  /** Draws those that come next, and says which is the first of them. */
  after(): number {
    const first = this.span.to;
    this.reach(first);
    return first;
  }

  /** Draws those that come before, and says which is the first of them. */
  before(): number {
    this.reach(this.span.from - 1);
    return this.span.from;
  }

  get countBefore(): number {
    return Math.min(STEP, this.span.from);
  }

  get countAfter(): number {
    return Math.min(STEP, this.#length() - this.span.to);
  }
}
