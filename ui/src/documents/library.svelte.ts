import type { Backend } from '../backend/backend';
import type { JsonSchema } from '../backend/contract';
import type { ContractSchema, DocumentSummary, Problem } from '../generated/types';
import { asProblem } from '../backend/problem';

/** The stored documents and the kinds there are. */
export class DocumentLibrary {
  documents = $state.raw<DocumentSummary[] | null>(null);
  kinds = $state.raw<ContractSchema[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  readonly #backend: Backend;
  #asked = 0;
  #schemas = new Map<string, JsonSchema>();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Asks again; what is known stays shown meanwhile. */
  async load(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const [kinds, documents] = await Promise.all([
        this.kinds ?? this.#backend.contractSchemas(),
        this.#backend.documents(),
      ]);
      if (asked !== this.#asked) return;
      this.kinds = kinds;
      this.documents = documents;
      this.problem = null;
    } catch (reason) {
      if (asked === this.#asked) this.problem = asProblem(reason);
    }
  }

  kind(name: string): ContractSchema | undefined {
    return this.kinds?.find((kind) => kind.name === name);
  }

  /** What documents of this kind are; it does not change while Berth runs. */
  async schema(name: string): Promise<JsonSchema> {
    const known = this.#schemas.get(name);
    if (known) return known;
    const schema = await this.#backend.contractSchema(name);
    this.#schemas.set(name, schema);
    return schema;
  }

  take({ id, schema, name, createdAt, updatedAt }: DocumentSummary): void {
    const others = (this.documents ?? []).filter((document) => document.id !== id);
    this.documents = [...others, { id, schema, name, createdAt, updatedAt }];
  }

  forget(id: string): void {
    this.documents = this.documents?.filter((document) => document.id !== id) ?? null;
  }
}
