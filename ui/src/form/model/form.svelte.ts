import type { JsonSchema } from '../../backend/contract';
import { compose } from './compose';
import { fresh } from './fresh';
import type { Draft } from './draft';
import type { Field } from './field';
import { completed } from './fill';
import { sameJson } from './json';
import type { Json } from './json';
import { load } from './load';
import { isFault, outline } from './outline';
import { readSchema } from './read';

/** A document in the making: what is entered, and what was looked at. */
export class FormModel {
  readonly field: Field;
  #draft = $state.raw<Draft>() as Draft;
  #touched = $state.raw<ReadonlySet<string>>(new Set());
  readonly outline = $derived.by(() => outline(this.field, this.#draft));
  /** Something typed cannot be read yet. Such a document must not be stored, whatever a validator says. */
  readonly unfinished = $derived(
    this.outline.nodes.some(({ trouble }) => trouble !== null && isFault(trouble)),
  );

  constructor(schema: JsonSchema, document?: Json) {
    this.field = readSchema(schema);
    this.#draft =
      document === undefined ? fresh(this.field, 'required') : load(this.field, document);
  }

  get draft(): Draft {
    return this.#draft;
  }

  change(draft: Draft): void {
    this.#draft = draft;
  }

  /** The document as entered: of every choice only the chosen branch. */
  document(): Json {
    return compose(this.field, this.#draft, 'item') ?? null;
  }

  /** Takes over a document. Drafts of branches and sections that are not in it are kept. */
  load(document: Json): void {
    this.#draft = load(this.field, document, this.#draft);
  }

  /** Starts from a starter's document: like `load`, and what the form fills in by itself is added. */
  start(document: Json): void {
    this.load(completed(this.field, document));
  }

  /** Whether the document lacks something that the form fills in by itself in a new one. */
  get fillable(): boolean {
    const document = this.document();
    return !sameJson(completed(this.field, document), document);
  }

  /** From now on what the part lacks is said at it. */
  touch(id: string): void {
    if (!this.#touched.has(id)) this.#touched = new Set(this.#touched).add(id);
  }

  touched(id: string): boolean {
    return this.#touched.has(id);
  }
}

/** A form for documents of a schema: empty, or with a document in it. */
export function createFormModel(schema: JsonSchema, document?: Json): FormModel {
  return new FormModel(schema, document);
}
