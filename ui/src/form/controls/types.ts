/**
 * What the leaf controls of a form share. A control shows one value and says
 * what becomes of it; label, help text and the validator's messages are drawn
 * around it by its field.
 */
export interface ControlProps<Value> {
  /** The id of the element that has the focus when one jumps to the field; its label names it. */
  id: string;
  /** `undefined`: the document has no such key. */
  value: Value | undefined;
  onchange: (value: Value | undefined) => void;
  disabled?: boolean;
  /** The validator has something to say about the value. */
  invalid: boolean;
  /** Ids of the texts that explain the control or complain about it. */
  describedby?: string;
  /** The part's own schema, `$ref` resolved. Read with `keywords.ts`, which trusts none of it. */
  schema: object;
}

/**
 * A number counted in the unit of `x-berth-unit`, or a string of its digits
 * where the schema says string. Text that is no duration is handed on as it
 * was typed: the validator then refuses the document, and nothing is lost when
 * the control goes away and comes back.
 */
export type DurationValue = number | string;

/**
 * Text of a JSON part that is not JSON yet. It stands in the draft where the
 * value will stand. A document that holds one must not be saved: where the
 * schema allows anything, the validator cannot know that the text is unfinished.
 * Pass it on by reference; a structured clone forgets what it is.
 */
export class UnreadableJson {
  constructor(readonly text: string) {}

  toJSON(): string {
    return this.text;
  }
}

/** A name of a secret that the document's owner keeps a value for; `null`: no value is set. */
export interface SecretKey {
  key: string;
  setAt: number | null;
}

/** Where secrets typed into a form go. A value passes through `set` and through nothing else. */
export interface SecretPort {
  readonly keys: readonly SecretKey[];
  /** Rejects with a `Problem`; resolved, `keys` names it with its `setAt`. */
  set: (key: string, value: string) => Promise<void>;
  /** Forgets the value. Rejects with a `Problem`. */
  remove: (key: string) => Promise<void>;
}

/** What a document has where a secret is used: the key, never the value. */
export interface SecretRef {
  key: string;
}

/** `x-berth-template` of a string. */
export interface TemplateInfo {
  variables: readonly TemplateVariable[];
  /** Beginnings of names that may be given when the environment is started. */
  open: readonly string[];
}

export interface TemplateVariable {
  name: string;
  description: string;
  sample: string;
}

/** A template with its placeholders filled in. Rejects with a `Problem`. */
export type Preview = (template: string, values: Record<string, string>) => Promise<string>;
