import type { Backend } from '../backend/backend';
import { asProblem } from '../backend/problem';
import type {
  CustomManifestType,
  FoundEngine,
  HandlerKey,
  HandlerRow,
  Problem,
  User,
} from '../generated/types';
import { sameKey } from './key';

/** One thing that is asked for and kept: what came, or why nothing did. */
class Asked<T> {
  value = $state.raw<T | null>(null);
  problem = $state.raw<Problem | null>(null);
  #asked = 0;

  constructor(readonly ask: () => Promise<T>) {}

  /** Asks again; what is known stays shown meanwhile. */
  load = async (): Promise<void> => {
    const asked = ++this.#asked;
    try {
      const value = await this.ask();
      if (asked !== this.#asked) return;
      this.value = value;
      this.problem = null;
    } catch (reason) {
      if (asked === this.#asked) this.problem = asProblem(reason);
    }
  };
}

/** Who handles what in this workspace, whose overrides are shown, and what there is to choose from. */
export class HandlerBook {
  readonly handlers: Asked<{ rows: HandlerRow[]; user: User }>;
  readonly users: Asked<User[]>;
  readonly types: Asked<CustomManifestType[]>;
  readonly engines: Asked<FoundEngine[]>;

  constructor(backend: Backend) {
    this.handlers = new Asked(() => backend.handlers());
    this.users = new Asked(() => backend.users());
    this.types = new Asked(() => backend.manifestTypes());
    this.engines = new Asked(() => backend.foundEngines());
  }

  row(key: HandlerKey): HandlerRow | undefined {
    return this.handlers.value?.rows.find((row) => sameKey(row.key, key));
  }

  get currentUser(): User | null {
    return this.users.value?.find(({ current }) => current) ?? this.handlers.value?.user ?? null;
  }
}
