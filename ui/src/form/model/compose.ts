import { Unfinished } from '../controls/types';
import { placeOf } from './draft';
import type { Draft, LeafDraft, ObjectDraft, Place, RecordDraft } from './draft';
import type { Field, ObjectField, Property } from './field';
import { filledFrom, objectOf, ordered, sameJson } from './json';
import type { Json, JsonObject } from './json';
import { readNumber } from './numbers';

/**
 * The document's value of a part, with only the chosen branches; `undefined`:
 * the document has no such key. What cannot be read yet stands in it as the text
 * that was typed, so that the validator refuses it rather than miss it.
 */
export function compose(field: Field, draft: Draft, place: Place): Json | undefined {
  const found = value(field, draft, place);
  return found === undefined && place === 'item' ? substitute(field) : found;
}

/** What stands for an item without a value: it keeps its number, and the validator says what is missing. */
function substitute(field: Field): Json {
  if (field.kind === 'text') return '';
  return field.kind === 'union' || field.kind === 'object' ? {} : null;
}

function value(field: Field, draft: Draft, place: Place): Json | undefined {
  switch (draft.kind) {
    case 'leaf':
      return leafValue(draft);
    case 'misfit':
      return draft.value instanceof Unfinished ? draft.value.text : draft.value;
    case 'number':
      return draft.text.trim() === '' ? undefined : (readNumber(draft.text) ?? draft.text);
    case 'object':
      return field.kind === 'object' ? object(field, draft) : undefined;
    case 'record':
      if (draft.rows.length === 0 && draft.whenEmpty === 'absent' && place !== 'item')
        return undefined;
      return field.kind === 'record' ? record(field.value, draft) : undefined;
    case 'list':
      if (draft.items.length === 0 && draft.whenEmpty === 'absent' && place !== 'item')
        return undefined;
      return field.kind === 'list'
        ? draft.items.map((item) => compose(field.item, item, 'item') ?? null)
        : undefined;
    case 'union': {
      if (field.kind !== 'union') return undefined;
      if (draft.chosen === null) return draft.unchosen ?? undefined;
      const branch = field.branches[draft.chosen];
      const chosen = draft.drafts.get(draft.chosen);
      return branch && chosen ? compose(branch.field, chosen, 'item') : undefined;
    }
    case 'nullable':
      if (draft.isNull) return null;
      return field.kind === 'nullable' ? compose(field.inner, draft.inner, place) : undefined;
  }
}

function leafValue({ value }: LeafDraft): Json | undefined {
  return value instanceof Unfinished ? value.text : value;
}

function object(field: ObjectField, draft: ObjectDraft): JsonObject {
  const found = new Map(draft.rest);
  for (const property of field.properties) {
    const { key, field: inner, implicit } = property;
    const slot = draft.slots.get(key);
    if (!slot?.included || !slot.draft || !hasMeaning(field, draft, property)) continue;
    const value = compose(inner, slot.draft, placeOf(property));
    if (value !== undefined && !(implicit && isEmptyWay(slot.draft, value))) found.set(key, value);
  }
  const composed = ordered(objectOf(found), [...draft.order, ...field.keyOrder]);
  const made = draft.origin === 'new' || (draft.origin === 'missing' && found.size > 0);
  if (!made || field.fill === null) return composed;
  return ordered(filledFrom(field.fill, composed), field.keyOrder);
}

/** Whether a property counts: its siblings are such that it means something, or the document had it all the same. */
export function hasMeaning(field: ObjectField, draft: ObjectDraft, property: Property): boolean {
  if (property.when.length === 0 || draft.slots.get(property.key)?.stray) return true;
  return isMet(property, (key) => {
    const other = field.properties.find((one) => one.key === key);
    const slot = draft.slots.get(key);
    return other && slot?.draft ? compose(other.field, slot.draft, placeOf(other)) : undefined;
  });
}

export function isMet({ when }: Property, sibling: (key: string) => Json | undefined): boolean {
  return when.every(({ key, values }) => values.some((value) => sameJson(value, sibling(key))));
}

/** Whether an object that only leads to shown parts is there for nothing. */
function isEmptyWay(draft: Draft, value: Json): boolean {
  return (
    draft.kind === 'object' && draft.origin !== 'loaded' && Object.keys(value ?? {}).length === 0
  );
}

/** Of rows with the same key the first counts; rows without a key do not. The form names both. */
function record(field: Field, { rows }: RecordDraft): JsonObject {
  const found = new Map<string, Json>();
  for (const { key, draft, emptyMeant } of rows) {
    if ((key === '' && !emptyMeant) || found.has(key)) continue;
    found.set(key, compose(field, draft, 'item') ?? null);
  }
  return objectOf(found);
}
