import type { Backend } from '../backend/backend';
import type { SecretPort } from '../form/controls/types';
import type { SecretKey } from '../generated/types';

/**
 * The secrets of a handler that is being written: those it has, those typed in
 * since, and those to be removed. Nothing of it happens before the handler is
 * saved; values typed in wait in Berth's memory, under an id of their own.
 */
export class HandlerSecrets implements SecretPort {
  readonly #backend: Backend;
  /** What the stored handler has. */
  #stored = $state.raw<readonly SecretKey[]>([]);
  #typed = $state.raw<readonly SecretKey[]>([]);
  #removed = $state.raw<readonly string[]>([]);
  #typedUnder = crypto.randomUUID();

  readonly keys: readonly SecretKey[] = $derived.by(() => {
    const kept = this.#stored.filter(({ key }) => !this.#typed.some((one) => one.key === key));
    return [
      ...kept.map(({ key, setAt }) => ({
        key,
        setAt: this.#removed.includes(key) ? null : setAt,
      })),
      ...this.#typed,
    ].toSorted((a, b) => a.key.localeCompare(b.key, 'en'));
  });

  constructor(backend: Backend, stored: readonly SecretKey[]) {
    this.#backend = backend;
    this.#stored = stored;
  }

  get changed(): boolean {
    return this.#typed.length > 0 || this.#removed.length > 0;
  }
  get toSet(): number {
    return this.#typed.length;
  }
  /** Those that saving removes. */
  get toRemove(): string[] {
    return [...this.#removed];
  }
  /** Where the values typed in are; `null`: there are none. */
  get typedUnder(): string | null {
    return this.#typed.length > 0 ? this.#typedUnder : null;
  }

  isSet(key: string): boolean {
    return this.keys.some((known) => known.key === key && known.setAt !== null);
  }

  set = async (key: string, value: string): Promise<void> => {
    this.#typed = await this.#backend.setDocumentSecret(this.#typedUnder, key, value);
    this.#removed = this.#removed.filter((one) => one !== key);
  };

  remove = async (key: string): Promise<void> => {
    if (this.#typed.some((one) => one.key === key))
      this.#typed = await this.#backend.removeDocumentSecret(this.#typedUnder, key);
    const stored = this.#stored.some((one) => one.key === key && one.setAt !== null);
    if (stored && !this.#removed.includes(key)) this.#removed = [...this.#removed, key];
  };

  /** The handler was saved with all of it, and Berth no longer holds what was typed in. */
  saved(stored: readonly SecretKey[]): void {
    this.#stored = stored;
    this.#typed = [];
    this.#removed = [];
    this.#typedUnder = crypto.randomUUID();
  }

  /** The handler is given up: nothing will ever ask for the values typed in. */
  async forget(): Promise<void> {
    const typed = this.#typed;
    this.#typed = [];
    this.#removed = [];
    await Promise.all(
      typed.map(({ key }) => this.#backend.removeDocumentSecret(this.#typedUnder, key)),
    );
  }
}
