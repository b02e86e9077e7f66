/** The documents of the contract, as the window asks for them. */

/** One kind of document. */
export interface ContractSchema {
  /** The contract's own name: `environmentManifestSchema`. */
  name: string;
  title: string;
  description: string;
  /** What the list of kinds puts it under. */
  group: string;
}

/** A JSON Schema object in the dialect that forms are drawn from. */
export type JsonSchema = Record<string, unknown>;

/** What a document is checked against: a kind of the contract, or a plugin's own schema. */
export type SchemaChoice = { contract: string } | { inline: JsonSchema };

/** One thing that is wrong with a document. */
export interface Issue {
  path: (string | number)[];
  /** The path as a JSON pointer; `''` is the whole document. */
  pointer: string;
  kind: string;
  message: string;
  /** The rule's number or name. */
  requirement: string | number | null;
  /** Where in the checked text, counted from 1. */
  line: number | null;
  column: number | null;
}

export interface DocumentCheck {
  verdict: 'valid' | 'invalid' | 'unreadable';
  /** The document as it would be stored; `null` unless valid. */
  output: string | null;
  issues: Issue[];
  /** How many more issues there are than listed. */
  omitted: number;
}

export interface DocumentSummary {
  id: string;
  schema: string;
  name: string;
  createdAt: number;
  updatedAt: number;
}

export interface StoredDocument extends DocumentSummary {
  text: string;
}

/** What is asked to be stored; with a known id it replaces what is there. */
export interface DocumentToSave {
  id?: string;
  schema: string;
  name: string;
  text: string;
}

/** A file that was picked, with what is in it. */
export interface PickedFile {
  name: string;
  text: string;
}
