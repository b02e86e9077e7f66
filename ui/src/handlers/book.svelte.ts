import type { Backend } from '../backend/backend';
import { asProblem } from '../backend/problem';
import type {
  CustomManifestType,
  FoundEngine,
  HandlerKey,
  HandlerRow,
  Handlers,
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
  /** The first of them, which are all unless there are very many. */
  readonly handlers: Asked<Handlers>;
  /** Those that `search` finds. */
  readonly found: Asked<Handlers>;
  search = $state('');
  readonly users: Asked<User[]>;
  readonly types: Asked<CustomManifestType[]>;
  readonly engines: Asked<FoundEngine[]>;

  readonly #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.handlers = new Asked(() => backend.handlers(''));
    this.found = new Asked(() => backend.handlers(this.search));
    this.users = new Asked(() => backend.users());
    this.types = new Asked(() => backend.manifestTypes());
    this.engines = new Asked(() => backend.foundEngines());
  }

  /** What is shown: what the search finds, if one is made. */
  get shown(): Asked<Handlers> {
    return this.search.trim() === '' ? this.handlers : this.found;
  }

  /** Asks again for all that is shown of handlers. */
  reload = async (): Promise<void> => {
    await Promise.all([this.handlers.load(), this.search.trim() === '' ? null : this.found.load()]);
  };

  row(key: HandlerKey): HandlerRow | undefined {
    return rowOf(this.shown.value, key) ?? rowOf(this.handlers.value, key);
  }

  /** The same, asked for where it is not among the known ones. */
  async find(key: HandlerKey): Promise<HandlerRow | undefined> {
    const known = this.row(key);
    if (known || !this.handlers.value?.more) return known;
    return rowOf(await this.#backend.handlers(key.manifestId ?? key.provisionType), key);
  }

  get currentUser(): User | null {
    return this.users.value?.find(({ current }) => current) ?? this.handlers.value?.user ?? null;
  }
}

function rowOf(handlers: Handlers | null, key: HandlerKey): HandlerRow | undefined {
  return handlers?.rows.find((row) => sameKey(row.key, key));
}
