import type { Unfinished } from '../controls/types';
import type { Field, Property } from './field';
import { isSection } from './field';
import type { Json, JsonObject } from './json';

/**
 * What stands in the form for a part of a document. Drafts are never changed
 * in place; an edit makes a new one with the same `id`.
 */
export type Draft =
  | LeafDraft
  | NumberDraft
  | ObjectDraft
  | RecordDraft
  | ListDraft
  | UnionDraft
  | NullableDraft
  | MisfitDraft;

export interface LeafDraft {
  id: string;
  kind: 'leaf';
  /** `undefined`: the document has no such key. */
  value: Json | Unfinished | undefined;
  /** Whether the document had `""` here: then an emptied field is `""` again, not absent. */
  emptyMeant: boolean;
}

export interface NumberDraft {
  id: string;
  kind: 'number';
  /** As typed; what it reads as is worked out when the document is composed. */
  text: string;
}

/** What a property holds; sections that are not there may keep what was entered before. */
export interface Slot {
  id: string;
  included: boolean;
  /** The document has it although its siblings are such that it means nothing: kept, and shown. */
  stray: boolean;
  draft: Draft | null;
}

export interface ObjectDraft {
  id: string;
  kind: 'object';
  slots: ReadonlyMap<string, Slot>;
  /** What the document has here that the form does not show. */
  rest: ReadonlyMap<string, Json>;
  /** The keys as the document had them. */
  order: readonly string[];
  /**
   * `new`: made in this form, so it gets the schema's `fill`. `loaded`: given back
   * as it came. `missing`: not in the loaded document; made once it has something in it.
   */
  origin: 'new' | 'loaded' | 'missing';
}

export interface Row {
  key: string;
  draft: Draft;
  /** Whether the document had the key `""`. */
  emptyMeant: boolean;
}

export interface RecordDraft {
  id: string;
  kind: 'record';
  rows: readonly Row[];
  whenEmpty: WhenEmpty;
}

/** Whether a list or record without entries is `[]`, `{}` in the document, or no key at all. */
export type WhenEmpty = 'there' | 'absent';

export interface ListDraft {
  id: string;
  kind: 'list';
  items: readonly Draft[];
  whenEmpty: WhenEmpty;
}

export interface UnionDraft {
  id: string;
  kind: 'union';
  /** The chosen branch. Never guessed from what is entered. */
  chosen: number | null;
  /** The object the document has here, while it does not say of which kind it is. */
  unchosen: JsonObject | null;
  /** By branch, what was entered in it. */
  drafts: ReadonlyMap<number, Draft>;
}

export interface NullableDraft {
  id: string;
  kind: 'nullable';
  isNull: boolean;
  inner: Draft;
}

/** A value of the loaded document that its field cannot show: kept, and edited as JSON. */
export interface MisfitDraft {
  id: string;
  kind: 'misfit';
  value: Json | Unfinished;
}

/**
 * What a part is in its surroundings. An `item` (of a list, a record, or a
 * section that was added) always has a value.
 */
export type Place = 'required' | 'optional' | 'item';

export function placeOf({ field, required, implicit }: Property): Place {
  if (required) return 'required';
  return isSection(field) && !implicit ? 'item' : 'optional';
}

let made = 0;

/** Unique in the page, so that it can name elements. */
export function newId(): string {
  made += 1;
  return `f${made}`;
}

/** The draft of a key that the loaded document lacks: composed, it is absent again. */
export function missing(field: Field): Draft {
  switch (field.kind) {
    case 'object':
      return {
        id: newId(),
        kind: 'object',
        slots: new Map(field.properties.map((property) => [property.key, missingSlot(property)])),
        rest: new Map(),
        order: [],
        origin: 'missing',
      };
    case 'list':
      return { id: newId(), kind: 'list', items: [], whenEmpty: 'absent' };
    case 'record':
      return { id: newId(), kind: 'record', rows: [], whenEmpty: 'absent' };
    case 'union':
      return { id: newId(), kind: 'union', chosen: null, unchosen: null, drafts: new Map() };
    case 'nullable':
      return { id: newId(), kind: 'nullable', isNull: false, inner: missing(field.inner) };
    case 'number':
      return { id: newId(), kind: 'number', text: '' };
    default:
      return leaf(undefined);
  }
}

export function missingSlot(
  { field, implicit }: { field: Field; implicit: boolean },
  before?: Slot,
): Slot {
  const id = before?.id ?? newId();
  const kept = before?.draft ?? null;
  if (isSection(field) && !implicit) return { id, included: false, stray: false, draft: kept };
  const draft = missing(field);
  return { id, included: true, stray: false, draft: { ...draft, id: kept?.id ?? draft.id } };
}

export function leaf(value: Json | undefined): LeafDraft {
  return { id: newId(), kind: 'leaf', value, emptyMeant: false };
}

export function whenEmpty(place: Place): WhenEmpty {
  return place === 'optional' ? 'absent' : 'there';
}
