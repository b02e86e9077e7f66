/**
 * A list that opens under a field which keeps the focus: arrow keys move,
 * Enter takes an entry, Escape closes the list and nothing else.
 */
export class Suggestions<T> {
  #asked = $state(false);
  #wanted = $state(0);
  readonly #entries: () => readonly T[];
  readonly #take: (entry: T) => void;

  constructor(entries: () => readonly T[], take: (entry: T) => void) {
    this.#entries = entries;
    this.#take = take;
  }

  /** There is something to choose from, and it is shown. */
  get open(): boolean {
    return this.#asked && this.#entries().length > 0;
  }

  get active(): number {
    return Math.min(this.#wanted, this.#entries().length - 1);
  }

  show(): void {
    this.#asked = true;
    this.#wanted = 0;
  }

  close(): void {
    this.#asked = false;
  }

  moveTo(index: number): void {
    this.#wanted = index;
  }

  take(entry: T): void {
    this.close();
    this.#take(entry);
  }

  /** Whether the key was for the list. */
  key(event: KeyboardEvent, takenBy: readonly string[]): boolean {
    if (!this.open || event.isComposing) return false;
    const last = this.#entries().length - 1;
    const { active } = this;
    if (event.key === 'ArrowDown') this.moveTo(active === last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') this.moveTo(active === 0 ? last : active - 1);
    else if (event.key === 'Escape') this.close();
    else if (takenBy.includes(event.key) && !event.shiftKey) {
      const entry = this.#entries()[active];
      if (entry !== undefined) this.take(entry);
    } else return false;
    event.preventDefault();
    // An Escape that closed the list must not close the dialog around it.
    event.stopPropagation();
    return true;
  }
}
