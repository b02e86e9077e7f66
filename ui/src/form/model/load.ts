import { Unfinished } from '../controls/types';
import { isMet } from './compose';
import { missing, missingSlot, newId } from './draft';
import type { Draft, ObjectDraft, Row, Slot } from './draft';
import type { DurationField, Field, ObjectField, UnionField } from './field';
import { isObject, member, sameJson } from './json';
import type { Json, JsonObject } from './json';
import { readNumber, writeNumber } from './numbers';

/**
 * The draft of a value that is there. `before` is the draft it takes the place
 * of: identities stay, and so do the drafts of branches and sections that are
 * not in the document.
 */
export function load(field: Field, value: Json, before?: Draft): Draft {
  if (before && standsFor(before, value)) return before;
  const id = before?.id ?? newId();
  return fitting(field, value, id, before) ?? { id, kind: 'misfit', value };
}

/** Whether the value is text that the draft put into the document because it cannot be read yet. */
function standsFor(before: Draft, value: Json): boolean {
  if (before.kind === 'number')
    return before.text === value && value.trim() !== '' && readNumber(value) === undefined;
  const kept = before.kind === 'leaf' || before.kind === 'misfit' ? before.value : undefined;
  return kept instanceof Unfinished && kept.text === value;
}

/** Whether the field can show the value. Its parts may still have to be shown as JSON. */
export function fits(field: Field, value: Json): boolean {
  return load(field, value).kind !== 'misfit';
}

function fitting(field: Field, value: Json, id: string, before?: Draft): Draft | null {
  const leaf = (fits: boolean): Draft | null =>
    fits ? { id, kind: 'leaf', value, emptyMeant: value === '' } : null;
  switch (field.kind) {
    case 'text':
      return leaf(typeof value === 'string');
    case 'boolean':
      return leaf(typeof value === 'boolean');
    case 'choice':
      return leaf(field.options.some((option) => sameJson(option.value, value)));
    case 'const':
      return leaf(sameJson(field.value, value));
    case 'duration':
      return leaf(isDuration(field, value));
    case 'secretRef':
      return leaf(isObject(value) && typeof member(value, 'key') === 'string');
    case 'json':
      return leaf(true);
    case 'number':
      return number(value, id, before);
    case 'object':
      return isObject(value) ? object(field, value, id, before) : null;
    case 'record':
      return isObject(value) ? record(field.value, value, id, before) : null;
    case 'list':
      return Array.isArray(value) ? list(field.item, value, id, before) : null;
    case 'union':
      return isObject(value) ? union(field, value, id, before) : null;
    case 'nullable': {
      const kept = before?.kind === 'nullable' ? before.inner : undefined;
      if (value === null)
        return { id, kind: 'nullable', isNull: true, inner: kept ?? missing(field.inner) };
      const inner = load(field.inner, value, kept);
      return inner.kind === 'misfit' ? null : { id, kind: 'nullable', isNull: false, inner };
    }
  }
}

function isDuration(field: DurationField, value: Json): boolean {
  if (field.stored === 'string') return typeof value === 'string' && /^\d*$/.test(value);
  return typeof value === 'number' && value >= 0;
}

function number(value: Json, id: string, before?: Draft): Draft | null {
  if (typeof value !== 'number') return null;
  const typed = before?.kind === 'number' && Object.is(readNumber(before.text), value);
  return { id, kind: 'number', text: typed ? before.text : writeNumber(value) };
}

function object(field: ObjectField, value: JsonObject, id: string, before?: Draft): ObjectDraft {
  const kept = before?.kind === 'object' ? before.slots : undefined;
  const slots = new Map<string, Slot>();
  const rest = new Map(Object.entries(value));
  for (const property of field.properties) {
    const { key } = property;
    const given = member(value, key);
    const old = kept?.get(key);
    rest.delete(key);
    const met = isMet(property, (other) => member(value, other));
    if (given === undefined) {
      const kept = !met && old !== undefined && !old.stray ? old : missingSlot(property, old);
      slots.set(key, kept);
    } else {
      const draft = load(property.field, given, old?.draft ?? undefined);
      slots.set(key, { id: old?.id ?? newId(), included: true, stray: !met, draft });
    }
  }
  return { id, kind: 'object', slots, rest, order: Object.keys(value), origin: 'loaded' };
}

function record(field: Field, value: JsonObject, id: string, before?: Draft): Draft {
  const kept = new Map(before?.kind === 'record' ? keyed(before.rows) : []);
  const rows = Object.entries(value).map(([key, inner]): Row => {
    const old = kept.get(key);
    return { key, draft: load(field, inner, old), emptyMeant: key === '' };
  });
  return { id, kind: 'record', rows, whenEmpty: rows.length === 0 ? 'there' : 'absent' };
}

/** Of rows with the same key the first counts. */
function keyed(rows: readonly Row[]): (readonly [string, Draft])[] {
  return rows.map(({ key, draft }) => [key, draft] as const).reverse();
}

function list(field: Field, value: readonly Json[], id: string, before?: Draft): Draft {
  const kept = before?.kind === 'list' ? before.items : [];
  const items = value.map((item, at) => load(field, item, kept[at]));
  return { id, kind: 'list', items, whenEmpty: items.length === 0 ? 'there' : 'absent' };
}

function union(field: UnionField, value: JsonObject, id: string, before?: Draft): Draft | null {
  if (member(value, field.discriminator) === undefined) {
    const drafts = before?.kind === 'union' ? before.drafts : new Map<number, Draft>();
    return { id, kind: 'union', chosen: null, unchosen: value, drafts };
  }
  const chosen = branchOf(field, value);
  const branch = field.branches[chosen];
  if (!branch) return null;
  const kept = before?.kind === 'union' ? before.drafts : new Map<number, Draft>();
  const drafts = new Map(kept).set(chosen, load(branch.field, value, kept.get(chosen)));
  return { id, kind: 'union', chosen, unchosen: null, drafts };
}

/** The branch a value belongs to; -1: none. */
export function branchOf(field: UnionField, value: JsonObject): number {
  const tag = member(value, field.discriminator);
  if (tag === undefined) return -1;
  const named = field.branches.findIndex((branch) => sameJson(branch.tag, tag));
  if (named >= 0 || typeof tag !== 'string') return named;
  return field.branches.findIndex((branch) => branch.tag === undefined);
}
