import { Unfinished } from '../controls/types';
import { compose } from './compose';
import { whenEmpty } from './draft';
import { fresh, started } from './fresh';
import type {
  Draft,
  LeafDraft,
  ListDraft,
  MisfitDraft,
  NullableDraft,
  ObjectDraft,
  Place,
  RecordDraft,
  Row,
  Slot,
  UnionDraft,
} from './draft';
import type { Field, ListField, NullableField, Property, RecordField, UnionField } from './field';
import { isObject, objectOf, own } from './json';
import type { Json, JsonObject } from './json';
import { load } from './load';

/** What an emptied text is in the document: `""` where that was or can be meant, else no key. */
export function setLeaf(
  field: Field,
  draft: LeafDraft,
  value: Json | Unfinished | undefined,
  place: Place,
): LeafDraft {
  if (field.kind === 'secretRef') return { ...draft, value: secretRef(draft, value) };
  if (value !== '' && value !== undefined) return { ...draft, value };
  if (draft.emptyMeant) return { ...draft, value: '' };
  const empty = field.kind === 'text' && field.emptyAllowed && place !== 'optional';
  return { ...draft, value: empty ? '' : undefined };
}

/** A reference without a key is none. What else the document had in it is kept. */
function secretRef(draft: LeafDraft, value: Json | Unfinished | undefined): JsonObject | undefined {
  const key = own(value, 'key');
  if (typeof key !== 'string' || key === '') return undefined;
  const before = isObject(draft.value) ? Object.entries(draft.value as JsonObject) : [];
  return objectOf([...before, ['key', key]]);
}

function withSlot(draft: ObjectDraft, key: string, slot: Slot): ObjectDraft {
  return { ...draft, slots: new Map(draft.slots).set(key, slot) };
}

/** Changes the object that holds the last key of a path. */
export function changeAt(
  draft: ObjectDraft,
  [key = '', ...rest]: readonly string[],
  change: (owner: ObjectDraft) => ObjectDraft,
): ObjectDraft {
  const inner = draft.slots.get(key)?.draft;
  if (rest.length === 0 || inner?.kind !== 'object') return change(draft);
  return setProperty(draft, key, changeAt(inner, rest, change));
}

export function setProperty(draft: ObjectDraft, key: string, inner: Draft): ObjectDraft {
  const slot = draft.slots.get(key);
  return slot ? withSlot(draft, key, { ...slot, included: true, draft: inner }) : draft;
}

/** Adds an optional section: with what was in it before it was removed, or from nothing. */
export function addSection(draft: ObjectDraft, { key, field }: Property): ObjectDraft {
  const slot = draft.slots.get(key);
  if (!slot) return draft;
  return withSlot(draft, key, {
    ...slot,
    included: true,
    draft: slot.draft ?? fresh(field, 'item'),
  });
}

export function removeSection(draft: ObjectDraft, key: string): ObjectDraft {
  const slot = draft.slots.get(key);
  return slot ? withSlot(draft, key, { ...slot, included: false }) : draft;
}

export function chooseBranch(field: UnionField, draft: UnionDraft, chosen: number): UnionDraft {
  const branch = field.branches[chosen];
  if (!branch) return draft;
  const entered =
    draft.unchosen && Object.keys(draft.unchosen).length > 0
      ? started(branch.field, draft.unchosen, 'item')
      : (draft.drafts.get(chosen) ?? fresh(branch.field, 'item'));
  const drafts = new Map(draft.drafts).set(chosen, entered);
  return { ...draft, chosen, unchosen: null, drafts };
}

export function setBranch(draft: UnionDraft, inner: Draft): UnionDraft {
  if (draft.chosen === null) return draft;
  return { ...draft, drafts: new Map(draft.drafts).set(draft.chosen, inner) };
}

export function setNull(
  field: NullableField,
  draft: NullableDraft,
  isNull: boolean,
): NullableDraft {
  const untouched = compose(field.inner, draft.inner, 'optional') === undefined;
  const inner = !isNull && untouched ? fresh(field.inner, 'item') : draft.inner;
  return { ...draft, isNull, inner };
}

function edited<Kind extends ListDraft | RecordDraft>(draft: Kind, place: Place): Kind {
  return place === 'optional' ? draft : { ...draft, whenEmpty: whenEmpty(place) };
}

export function addItem(field: ListField, draft: ListDraft, place: Place): ListDraft {
  return edited({ ...draft, items: [...draft.items, fresh(field.item, 'item')] }, place);
}

export function setItem(draft: ListDraft, item: Draft): ListDraft {
  return { ...draft, items: draft.items.map((other) => (other.id === item.id ? item : other)) };
}

export function removeItem(draft: ListDraft, id: string, place: Place): ListDraft {
  return edited({ ...draft, items: draft.items.filter((item) => item.id !== id) }, place);
}

export function moveItem(draft: ListDraft, id: string, by: -1 | 1): ListDraft {
  const from = draft.items.findIndex((item) => item.id === id);
  const moved = draft.items[from];
  const passed = draft.items[from + by];
  if (!moved || !passed) return draft;
  return { ...draft, items: draft.items.with(from, passed).with(from + by, moved) };
}

export function addRow(field: RecordField, draft: RecordDraft, place: Place): RecordDraft {
  const row: Row = { key: '', draft: fresh(field.value, 'item'), emptyMeant: false };
  return edited({ ...draft, rows: [...draft.rows, row] }, place);
}

export function setRow(draft: RecordDraft, id: string, change: Partial<Row>): RecordDraft {
  const rows = draft.rows.map((row) => (row.draft.id === id ? { ...row, ...change } : row));
  return { ...draft, rows };
}

export function removeRow(draft: RecordDraft, id: string, place: Place): RecordDraft {
  return edited({ ...draft, rows: draft.rows.filter((row) => row.draft.id !== id) }, place);
}

export function setMisfit(draft: MisfitDraft, value: Json | Unfinished): MisfitDraft {
  return { ...draft, value };
}

/** The fields in place of the JSON editor: with its value where that fits, else from nothing. */
export function toFields(field: Field, draft: MisfitDraft, place: Place): Draft {
  const read = draft.value instanceof Unfinished ? draft : load(field, draft.value, draft);
  return { ...(read.kind === 'misfit' ? fresh(field, place) : read), id: draft.id };
}
