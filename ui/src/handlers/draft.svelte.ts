import type { Backend } from '../backend/backend';
import type { JsonSchema } from '../backend/contract';
import { Editing } from '../documents/editing.svelte';
import type { From } from '../documents/editing.svelte';
import { secretRefs } from '../documents/secretvalues';
import type { SecretUse } from '../documents/secretvalues';
import { own } from '../form/model/json';
import type {
  Handler,
  HandlerDraft,
  HandlerKey,
  HandlerScope,
  StoredDocument,
} from '../generated/types';
import { keyOfDocument } from './key';
import { HandlerSecrets } from './secrets.svelte';

/** What the contract calls a handler's document. */
export const HANDLER_SCHEMA = 'infraHandlerConfigSchema';

function stored(handler: Handler): StoredDocument {
  return {
    id: '',
    schema: HANDLER_SCHEMA,
    name: handler.label,
    text: JSON.stringify(handler.config, null, 2),
    createdAt: handler.createdAt,
    updatedAt: handler.updatedAt,
  };
}

/** A handler being written: its document, its secrets, and what it is to serve. */
export class DraftHandler {
  readonly scope: HandlerScope;
  readonly editing: Editing;
  readonly secrets: HandlerSecrets;
  /** As it was last saved; `null`: never. */
  handler = $state.raw<Handler | null>(null);
  readonly #key: HandlerKey | null;

  readonly dirty = $derived.by(() => this.editing.dirty || this.secrets.changed);
  /** Where the document names secrets. */
  readonly #uses: SecretUse[] = $derived.by(() =>
    secretRefs(this.editing.schema, this.editing.value),
  );
  /** Named in the document, and without a value; each once. */
  readonly missing: SecretUse[] = $derived.by(() =>
    this.#uses.filter(
      ({ key }, at) =>
        !this.secrets.isSet(key) && this.#uses.findIndex((one) => one.key === key) === at,
    ),
  );
  /** Kept for the handler, and named nowhere in it. */
  readonly unused: string[] = $derived.by(() =>
    this.secrets.keys
      .filter(({ key, setAt }) => setAt !== null && !this.#uses.some((one) => one.key === key))
      .map(({ key }) => key),
  );
  /** What it serves, as far as that can be said. */
  readonly key: HandlerKey | null = $derived.by(
    () => this.handler?.key ?? this.#key ?? keyOfDocument(this.editing.value),
  );

  constructor(
    backend: Backend,
    made: {
      scope: HandlerScope;
      key: HandlerKey | null;
      schema: JsonSchema;
      from: Handler | Extract<From, { starter: unknown }>;
    },
  ) {
    const { from, schema } = made;
    const handler = 'starter' in from ? null : from;
    this.scope = made.scope;
    this.#key = made.key;
    this.handler = handler;
    this.secrets = new HandlerSecrets(backend, handler?.secrets ?? []);
    const text = handler && stored(handler);
    this.editing = new Editing(
      {
        checkDocument: (choice, written) => backend.checkDocument(choice, written),
        saveDocument: async ({ text: written }) => {
          const saved = await backend.saveHandler(
            this.draft(written),
            this.secrets.typedUnder,
            this.secrets.toRemove,
          );
          this.handler = saved;
          this.secrets.saved(saved.secrets);
          return stored(saved);
        },
      },
      {
        id: '',
        kind: { name: HANDLER_SCHEMA, title: String(schema['title'] ?? ''), storable: true },
        schema,
        from: 'starter' in from ? from : { text: text?.text ?? '', stored: text },
      },
    );
  }

  /** What would be saved, or is tested. */
  draft(text = this.editing.text): HandlerDraft {
    const same = this.handler !== null && own(this.editing.value, 'engine') === this.handler.engine;
    return {
      scope: this.scope,
      key: this.handler?.key ?? this.#key,
      // Another engine is built by another implementation.
      backendKind: same ? (this.handler?.backendKind ?? null) : null,
      text,
    };
  }
}
