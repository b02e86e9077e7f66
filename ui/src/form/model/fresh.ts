import { compose } from './compose';
import { leaf, newId, whenEmpty } from './draft';
import type {
  Draft,
  ListDraft,
  NullableDraft,
  ObjectDraft,
  Place,
  Slot,
  UnionDraft,
} from './draft';
import type { Field, ListField, NullableField, ObjectField, UnionField } from './field';
import { isSection } from './field';
import { filledFrom, isObject } from './json';
import type { Json, JsonObject } from './json';
import { load } from './load';

/** The draft of a part that is entered from nothing. */
export function fresh(field: Field, place: Place): Draft {
  if (place !== 'optional' && field.initial !== undefined && field.kind !== 'const') {
    const given = load(field, field.initial);
    if (given.kind !== 'misfit') return given;
  }
  switch (field.kind) {
    case 'text':
      return leaf(place !== 'optional' && field.emptyAllowed ? '' : undefined);
    case 'const':
      return leaf(field.value);
    case 'boolean':
      return leaf(place === 'optional' ? undefined : false);
    case 'choice': {
      const [only] = field.options;
      const sure = place !== 'optional' && field.options.length === 1;
      return leaf(sure ? only?.value : undefined);
    }
    case 'duration':
    case 'secretRef':
    case 'json':
      return leaf(undefined);
    case 'number':
      return { id: newId(), kind: 'number', text: '' };
    case 'object':
      return freshObject(field);
    case 'record':
      return { id: newId(), kind: 'record', rows: [], whenEmpty: whenEmpty(place) };
    case 'list':
      return freshList(field, place);
    case 'union':
      return freshUnion(field);
    case 'nullable':
      return freshNullable(field, place);
  }
}

function freshObject(field: ObjectField): ObjectDraft {
  const slots = new Map<string, Slot>();
  for (const { key, field: inner, required, implicit, start } of field.properties) {
    const there = required || implicit || !isSection(inner) || start !== undefined;
    const draft = there ? started(inner, start, required ? 'required' : 'optional') : null;
    slots.set(key, { id: newId(), included: there, stray: false, draft });
  }
  return { id: newId(), kind: 'object', slots, rest: new Map(), order: [], origin: 'new' };
}

/** The same, with a part of its value given. */
export function started(field: Field, start: Json | undefined, place: Place): Draft {
  const made = fresh(field, place);
  if (start === undefined) return made;
  const value = compose(field, made, place);
  const whole =
    isObject(value) && isObject(start)
      ? filledFrom(value as JsonObject, start as JsonObject)
      : start;
  const given = load(field, whole, made);
  return given.kind === 'misfit' ? made : given;
}

function freshList(field: ListField, place: Place): ListDraft {
  const count = place === 'optional' ? 0 : field.atFirst;
  const items = Array.from({ length: count }, () => fresh(field.item, 'item'));
  return { id: newId(), kind: 'list', items, whenEmpty: whenEmpty(place) };
}

function freshUnion(field: UnionField): UnionDraft {
  const only = field.branches.length === 1 ? field.branches[0] : undefined;
  const drafts = new Map(only ? [[0, fresh(only.field, 'item')]] : []);
  return { id: newId(), kind: 'union', chosen: only ? 0 : null, unchosen: null, drafts };
}

function freshNullable(field: NullableField, place: Place): NullableDraft {
  const inner = fresh(field.inner, place);
  return { id: newId(), kind: 'nullable', isNull: place === 'required', inner };
}
