import type { JsonSchema } from '../../backend/contract';
import type { Json, JsonObject } from './json';

/** What a part of a schema is drawn as. Built once from a schema and never changed. */
export type Field =
  | TextField
  | NumberField
  | DurationField
  | BooleanField
  | ChoiceField
  | ConstField
  | SecretRefField
  | ObjectField
  | RecordField
  | ListField
  | UnionField
  | NullableField
  | JsonField;

interface Part {
  /** The label; empty where the schema has none. */
  title: string;
  description: string;
  /** The part's schema, `$ref` resolved. */
  schema: JsonSchema;
  /** `default`: what a new required field starts with. */
  initial: Json | undefined;
}

export interface TextField extends Part {
  kind: 'text';
  style: 'line' | 'long' | 'pem' | 'template' | 'secret';
  /** Whether `""` can be a right value. */
  emptyAllowed: boolean;
}

export interface NumberField extends Part {
  kind: 'number';
  integer: boolean;
}

/** A number with a unit, or its digits as a string. */
export interface DurationField extends Part {
  kind: 'duration';
  stored: 'number' | 'string';
}

export interface BooleanField extends Part {
  kind: 'boolean';
}

export interface Option {
  value: Json;
  title: string;
  description: string;
}

export interface ChoiceField extends Part {
  kind: 'choice';
  options: readonly Option[];
}

/** A value that is always the same: filled in, and not shown while it is right. */
export interface ConstField extends Part {
  kind: 'const';
  value: Json;
}

export interface SecretRefField extends Part {
  kind: 'secretRef';
}

export interface Property {
  key: string;
  field: Field;
  required: boolean;
  /**
   * An object that `x-berth-form` shows or passes on the way to what it shows:
   * it is not added or removed, but there when something in it is.
   */
  implicit: boolean;
  /** What it starts with in a new document, from the `fill` around it. */
  start: Json | undefined;
  /** What its siblings must be for it to have a meaning. */
  when: readonly Condition[];
}

/** One entry of `x-berth-when`. */
export interface Condition {
  key: string;
  values: readonly Json[];
}

export interface ObjectField extends Part {
  kind: 'object';
  properties: readonly Property[];
  /** The paths of `x-berth-form`, in their order; `null`: every property. */
  shown: readonly (readonly string[])[] | null;
  /** What a new object has besides what is shown. */
  fill: JsonObject | null;
  /** Every key the schema names, in its order, shown or not. */
  keyOrder: readonly string[];
}

export interface RecordField extends Part {
  kind: 'record';
  value: Field;
}

export interface ListField extends Part {
  kind: 'list';
  item: Field;
  /** How many items a new required list starts with. */
  atFirst: number;
}

export interface Branch {
  title: string;
  description: string;
  /** The discriminator's value; `undefined` in the one branch where it is typed. */
  tag: Json | undefined;
  field: ObjectField | JsonField;
}

export interface UnionField extends Part {
  kind: 'union';
  discriminator: string;
  branches: readonly Branch[];
}

export interface NullableField extends Part {
  kind: 'nullable';
  inner: Field;
}

/** Anything, and everything the form has no fields for. */
export interface JsonField extends Part {
  kind: 'json';
}

/** Whether the part has fields of its own, so that as an optional one it is added and removed. */
export function isSection(field: Field): boolean {
  if (field.kind === 'nullable') return isSection(field.inner);
  return field.kind === 'object' || field.kind === 'union';
}
