import type { Backend } from '../backend/backend';
import type { JsonSchema } from '../backend/contract';
import type {
  ContractSchema,
  DocumentCheck,
  Issue,
  Problem,
  StoredDocument,
} from '../generated/types';
import { asProblem } from '../backend/problem';
import { createFormModel } from './modelStub';
import { nameOf } from './name';
import { FilledIn } from './outstanding';

/** What of a form's model editing needs. */
export interface Form {
  document(): unknown;
  load(value: unknown): void;
}

/** How long typing rests before it is checked. */
const PAUSE = 150;

const written = (value: unknown): string => JSON.stringify(value, null, 2);

/**
 * One document being written, in a form and as text at once. The text is the
 * document: the form rewrites it, and is loaded from it whenever it can be
 * read. Text that cannot be read stays as it was typed while the form keeps
 * the last version that could.
 */
export class Editing {
  readonly id: string;
  readonly kind: ContractSchema;
  readonly schema: JsonSchema;
  readonly form: Form;

  /** As typed; empty: the document's own name is used. */
  name = $state('');
  text = $state.raw('');
  /** What the text says, or last said while it could be read. */
  value = $state.raw<unknown>(undefined);
  readable = $state(true);
  /** The newest answer; `null` until the first. */
  check = $state.raw<DocumentCheck | null>(null);
  /** Why no answer came. */
  checkProblem = $state.raw<Problem | null>(null);
  /** Every problem is shown, also of fields that nobody has filled in yet. */
  strict = $state(false);
  saving = $state(false);
  /** `null`: never saved. */
  stored = $state.raw<StoredDocument | null>(null);

  /** What a change is measured against. */
  #start = $state.raw({ name: '', text: '' });
  #filledIn = new FilledIn();
  #backend: Backend;
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly dirty = $derived(this.text !== this.#start.text || this.name !== this.#start.name);
  /** What the document calls itself. */
  readonly suggestedName = $derived.by(() => nameOf(this.value, this.kind.title));
  readonly #split = $derived.by(() => {
    const issues = this.check?.issues ?? [];
    return this.strict || this.check?.verdict === 'unreadable'
      ? { mistakes: issues, blank: [] }
      : this.#filledIn.split(issues, this.value);
  });
  /** What is wrong, and shown at its field and line. */
  readonly issues: Issue[] = $derived(this.#split.mistakes);
  /** How many fields wait to be filled in. */
  readonly blank = $derived(this.#split.blank.length);

  constructor(
    backend: Backend,
    made: {
      id: string;
      kind: ContractSchema;
      schema: JsonSchema;
      /** What to start from: a stored document, a value, or text from elsewhere. */
      from: { stored: StoredDocument } | { value: unknown } | { text: string };
    },
  ) {
    this.#backend = backend;
    this.id = made.id;
    this.kind = made.kind;
    this.schema = made.schema;
    const { from } = made;
    if ('value' in from) {
      this.form = createFormModel(made.schema, from.value);
      this.value = this.form.document();
      this.text = written(this.value);
      this.#start = { name: '', text: this.text };
    } else {
      const text = 'stored' in from ? from.stored.text : from.text;
      const parsed = parse(text);
      this.form = createFormModel(made.schema, parsed?.value);
      this.value = parsed?.value;
      this.text = text;
      this.readable = parsed !== null;
      this.strict = true;
      if ('stored' in from) {
        this.stored = from.stored;
        this.name = from.stored.name;
        this.#start = { name: from.stored.name, text };
      }
    }
    this.#filledIn.note(this.value);
    void this.#ask();
  }

  /** The form was edited: the text follows. */
  formChanged(): void {
    const value = this.form.document();
    const text = written(value);
    if (this.readable && text === written(this.value)) return;
    this.value = value;
    this.text = text;
    this.readable = true;
    this.#filledIn.note(value);
    this.#askSoon();
  }

  /** The text was edited: the form follows, if it can be read. */
  textChanged(text: string): void {
    if (text === this.text) return;
    this.text = text;
    const parsed = parse(text);
    this.readable = parsed !== null;
    if (parsed) {
      this.value = parsed.value;
      this.form.load(parsed.value);
      this.#filledIn.note(parsed.value);
    }
    this.#askSoon();
  }

  /** Text from elsewhere takes the place of all that is here. */
  replace(text: string): void {
    const parsed = parse(text);
    this.strict = true;
    this.textChanged(parsed ? written(parsed.value) : text);
  }

  /** Gives up text that cannot be read for the version the form shows. */
  revertText(): void {
    if (this.readable) return;
    this.text = written(this.value);
    this.readable = true;
    this.#askSoon();
  }

  /**
   * Stores the document and tells whether it is; if not, everything that is
   * wrong is shown. Rejects with a `Problem` when it could not be tried.
   */
  async save(): Promise<boolean> {
    if (this.saving) return false;
    this.saving = true;
    const { text, name } = this;
    try {
      const check = await this.#backend.checkDocument({ contract: this.kind.name }, text);
      if (text === this.text) this.#answered(check);
      if (check.verdict !== 'valid') {
        this.strict = true;
        return false;
      }
      const stored = await this.#backend.saveDocument({
        id: this.id,
        schema: this.kind.name,
        name: name.trim() || this.suggestedName,
        text,
      });
      this.stored = stored;
      this.#start = { name: stored.name, text: stored.text };
      // What was typed while it was being stored stays, as a change of its own.
      if (this.name === name) this.name = stored.name;
      if (this.text === text) this.#settle(stored.text);
      return true;
    } finally {
      this.saving = false;
    }
  }

  /** The document is deleted: nothing of it is worth a question any more. */
  forget(): void {
    this.stored = null;
    this.#start = { name: this.name, text: this.text };
  }

  /** Nothing is asked or answered from here on. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
  }

  /** The stored form of what is shown: trimmed, and without unknown keys. */
  #settle(text: string): void {
    if (text === this.text) return;
    this.text = text;
    const parsed = parse(text);
    if (parsed === null) return;
    this.value = parsed.value;
    this.form.load(parsed.value);
    void this.#ask();
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    // An answer on its way is about what no longer stands there.
    this.#asked += 1;
    this.#timer = setTimeout(() => void this.#ask(), PAUSE);
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    try {
      const check = await this.#backend.checkDocument({ contract: this.kind.name }, this.text);
      if (asked === this.#asked) this.#answered(check);
    } catch (reason) {
      if (asked === this.#asked) this.checkProblem = asProblem(reason);
    }
  }

  /** About the text as it stands; older answers still on their way are dropped. */
  #answered(check: DocumentCheck): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.check = check;
    this.checkProblem = null;
  }
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}
