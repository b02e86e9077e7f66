import type { Backend } from '../backend/backend';
import type { JsonSchema } from '../backend/contract';
import type {
  ContractSchema,
  DocumentCheck,
  Issue,
  Problem,
  StoredDocument,
} from '../generated/types';
import { asProblem, problem } from '../backend/problem';
import { en } from '../strings/en';
import { createFormModel } from '../form/model/form.svelte';
import type { FormModel } from '../form/model/form.svelte';
import { own, sameJson } from '../form/model/json';
import type { Json } from '../form/model/json';
import { placeOfIssue } from '../form/model/outline';
import { nameOf } from './name';
import { ownSecrets, secretValues } from './secretvalues';
import { bytesOf, isTooLarge, MOST_BYTES } from './size';

/** What a document starts from: an example or nothing, text from elsewhere, or what is stored. */
export type From =
  | { starter: Json | undefined }
  | { text: string; stored: null }
  | { text: string; stored: StoredDocument };

/** Where a document is checked, and where it is kept. */
export type Keeper = Pick<Backend, 'checkDocument' | 'saveDocument'>;

/** What has to be known of a document's kind. */
export type EditedKind = Pick<ContractSchema, 'name' | 'title' | 'storable'>;

/** How long typing rests before it is checked. */
const PAUSE = 150;

/** Indented, unless that alone would make it too large. */
function written(value: Json): string {
  const text = JSON.stringify(value, null, 2);
  return isTooLarge(text) ? JSON.stringify(value) : text;
}

/** The stored text, which is indented however large that makes it. */
function fitting(text: string): string {
  return isTooLarge(text) ? JSON.stringify(JSON.parse(text)) : text;
}

/** Why a text is not taken; `null`: it is. */
export function refusalOf(text: string): Problem | null {
  return isTooLarge(text)
    ? problem('invalid_input', en.documents.tooLarge(bytesOf(text), MOST_BYTES))
    : null;
}

/**
 * One document being written, in a form and as text at once. The text is the
 * document: the form rewrites it, and is loaded from it whenever it can be
 * read. Text that cannot be read stays as it was typed while the form keeps
 * the last version that could.
 */
export class Editing {
  readonly id: string;
  readonly kind: EditedKind;
  readonly schema: JsonSchema;
  readonly form: FormModel;

  /** As typed; empty: the document's own name is used. */
  name = $state('');
  text = $state.raw('');
  /** What the text says, or last said while it could be read. */
  value = $state.raw<Json>(null);
  readable = $state(true);
  /** The newest answer; `null` until the first. */
  check = $state.raw<DocumentCheck | null>(null);
  /** Why no answer came. */
  checkProblem = $state.raw<Problem | null>(null);
  /** Every problem is shown, also of fields that nobody has filled in yet. */
  strict = $state(false);
  saving = $state(false);
  /** What stands there now is not checked yet. */
  pending = $state(true);
  /** `null`: never saved. */
  stored = $state.raw<StoredDocument | null>(null);

  /** What the document said when it was checked. */
  #checked = $state.raw<Json>(null);
  /** What a change is measured against. */
  #start = $state.raw({ name: '', text: '' });
  /** What the form composed when the two were last brought together. */
  #composed: string;
  #keeper: Keeper;
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly dirty = $derived(this.text !== this.#start.text || this.name !== this.#start.name);
  /** What the document calls itself. */
  readonly suggestedName = $derived.by(() => nameOf(this.value, this.kind.title));
  /**
   * What the newest answer says of values that still stand: what was just typed
   * is not called wrong for what stood there before.
   */
  readonly issues: Issue[] = $derived.by(() => {
    const issues = this.check?.issues ?? [];
    const checked = this.#checked;
    if (this.check?.verdict === 'unreadable' || checked === this.value) return issues;
    return issues.filter(({ path }) => sameJson(at(checked, path), at(this.value, path)));
  });
  /** The same, but for fields that nobody was at yet: those are not held against anyone. */
  readonly mistakes: Issue[] = $derived.by(() => {
    if (this.strict || this.check?.verdict === 'unreadable') return this.issues;
    return this.issues.filter(({ path }) => {
      const node = placeOfIssue(this.form.outline, path);
      return !node?.empty || this.form.touched(node.id);
    });
  });
  /** How many fields wait to be filled in. */
  readonly waiting = $derived(this.issues.length - this.mistakes.length);
  /** Whether the text shows secret values: it does, or cannot be read and so may. */
  readonly secretText: 'none' | 'some' | 'perhaps' = $derived.by(() => {
    if (this.kind.storable) return 'none';
    if (!this.readable) return this.text.trim() === '' ? 'none' : 'perhaps';
    return secretValues(this.schema, this.value).length > 0 ? 'some' : 'none';
  });
  /** The names of the secrets whose values stand in the document; `null`: they are kept outside of it. */
  readonly ownSecrets = $derived.by(() => ownSecrets(this.schema, this.value));

  constructor(
    keeper: Keeper,
    made: { id: string; kind: EditedKind; schema: JsonSchema; from: From },
  ) {
    this.#keeper = keeper;
    this.id = made.id;
    this.kind = made.kind;
    this.schema = made.schema;
    const from =
      'text' in made.from && made.from.stored
        ? { ...made.from, text: fitting(made.from.text) }
        : made.from;
    const parsed = 'text' in from ? parse(from.text) : null;
    this.form = createFormModel(made.schema, parsed?.value);
    if ('starter' in from && from.starter !== undefined) this.form.start(from.starter);
    this.#composed = written(this.form.document());
    this.text = 'text' in from ? from.text : this.#composed;
    this.value = parsed ? parsed.value : this.form.document();
    if ('text' in from) {
      this.readable = parsed !== null;
      this.strict = true;
      this.stored = from.stored;
      this.name = from.stored?.name ?? '';
    }
    // Text from elsewhere is worth keeping before anything in it is changed.
    const unkept = made.kind.storable && 'text' in from && from.stored === null;
    this.#start = { name: this.name, text: unkept ? '' : this.text };
    void this.#ask();
  }

  /** The form was edited: the text follows. */
  formChanged(): void {
    const value = this.form.document();
    const text = written(value);
    if (text === this.#composed) return;
    this.#composed = text;
    this.value = value;
    this.text = text;
    this.readable = true;
    this.#askSoon();
  }

  /** The text was edited: the form follows, if it can be read. */
  textChanged(text: string): void {
    if (text === this.text) return;
    this.text = text;
    const parsed = parse(text);
    this.readable = parsed !== null;
    if (parsed) {
      this.#load(parsed.value);
    }
    this.#askSoon();
  }

  /** Text from elsewhere takes the place of all that is here. */
  replace(text: string): void {
    const parsed = parse(text);
    this.strict = true;
    const indented = parsed && JSON.stringify(parsed.value, null, 2);
    this.textChanged(indented !== null && !isTooLarge(indented) ? indented : text);
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
      const { value } = this;
      const check = await this.#checkOf(text);
      if (text === this.text) this.#answered(check, value);
      if (check.verdict !== 'valid' || this.form.unfinished) {
        this.strict = true;
        return false;
      }
      const stored = await this.#keeper.saveDocument({
        id: this.id,
        schema: this.kind.name,
        name: name.trim() || this.suggestedName,
        text,
      });
      this.stored = stored;
      const kept = fitting(stored.text);
      this.#start = { name: stored.name, text: kept };
      // What was typed while it was being stored stays, as a change of its own.
      if (this.name === name) this.name = stored.name;
      if (this.text === text) this.#settle(kept);
      return true;
    } finally {
      this.saving = false;
    }
  }

  /** The document as it stands is safe elsewhere, or not wanted any more: leaving it asks nothing. */
  letGo(): void {
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
    this.#load(parsed.value);
    void this.#ask();
  }

  #load(value: Json): void {
    this.value = value;
    this.form.load(value);
    // The form may write the same document in another order: that is no edit.
    this.#composed = written(this.form.document());
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    // An answer on its way is about what no longer stands there.
    this.#asked += 1;
    this.pending = true;
    this.#timer = setTimeout(() => void this.#ask(), PAUSE);
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    const { text, value } = this;
    this.pending = true;
    try {
      const check = await this.#checkOf(text);
      if (asked === this.#asked) this.#answered(check, value);
    } catch (reason) {
      if (asked !== this.#asked) return;
      this.pending = false;
      this.checkProblem = asProblem(reason);
    }
  }

  async #checkOf(text: string): Promise<DocumentCheck> {
    const refusal = refusalOf(text);
    return refusal
      ? unreadable(refusal.title)
      : this.#keeper.checkDocument({ contract: this.kind.name }, text);
  }

  /** About the text as it stands; older answers still on their way are dropped. */
  #answered(check: DocumentCheck, checked: Json): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.pending = false;
    this.check = check;
    this.#checked = checked;
    this.checkProblem = null;
  }
}

function at(value: Json, path: Issue['path']): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) =>
      Array.isArray(inner) ? inner[Number(key)] : (own(inner, String(key)) as Json | undefined),
    value,
  );
}

function unreadable(message: string): DocumentCheck {
  const issue = { path: [], pointer: '', kind: 'json', message };
  return {
    verdict: 'unreadable',
    output: null,
    issues: [{ ...issue, requirement: null, line: null, column: null }],
    omitted: 0,
  };
}

/** What a text says; `null` when it cannot be read, or is too large to be. */
function parse(text: string): { value: Json } | null {
  if (isTooLarge(text)) return null;
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return null;
  }
}
