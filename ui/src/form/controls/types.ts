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
 * Text that is no value yet: half a JSON part, "2 hou" for a duration. It stands
 * in the draft where the value will stand, so that nothing typed is lost when its
 * control goes away and comes back. A document that holds one must not be saved;
 * the validator alone cannot know (where a string is asked for, the text is one).
 * Pass it on by reference: a structured clone forgets what it is.
 */
export class Unfinished {
  constructor(readonly text: string) {}

  /** In the document's text it reads as it was typed. */
  toJSON(): string {
    return this.text;
  }
}

/** A number counted in the unit of `x-berth-unit`, or its digits where the schema says string. */
export type DurationValue = number | string | Unfinished;

/** A name of a secret that the document's owner keeps a value for; `null`: no value is set. */
export interface SecretKey {
  key: string;
  setAt: number | null;
}

/** Where secrets typed into a form go. A value passes through `set` and through nothing else. */
export interface SecretPort {
  readonly keys: readonly SecretKey[];
  /**
   * Rejects with a `Problem`; resolved, `keys` names it with its `setAt`. Absent: the values
   * stand in a field of the document itself, and only names are picked.
   */
  set?: (key: string, value: string) => Promise<void>;
  /** Forgets the value. Rejects with a `Problem`. */
  remove?: (key: string) => Promise<void>;
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
