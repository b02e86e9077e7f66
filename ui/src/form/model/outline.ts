import { Unfinished } from '../controls/types';
import { compose, hasMeaning } from './compose';
import { placeOf } from './draft';
import type { Draft, ObjectDraft, Place, RecordDraft, Slot } from './draft';
import type { Field, ObjectField, Property } from './field';
import { pointerTo } from './json';
import { numberProblem, rounded } from './numbers';
import type { NumberProblem } from './numbers';

/** One thing the form shows and the eye can be led to, in the order it is shown. */
export interface Node {
  id: string;
  /** Where its value is in the document; `null` for the name of a record's row. */
  path: readonly (string | number)[] | null;
  /** What it is called, and what it is in. */
  trail: readonly Label[];
  /** The nodes it is in, outermost first. */
  within: readonly string[];
  /** Keys of its value that it shows itself, without a node of their own. */
  covers: readonly string[];
  /** Nothing was entered yet. */
  empty: boolean;
  /** What is wrong or odd with what was typed, before any validator saw it. */
  trouble: Trouble | null;
}

/** A name out of the schema, or the number of a list's item. */
export type Label = string | number;

export type Trouble =
  | { kind: NumberProblem | 'unfinished' | 'keyMissing' | 'keyTwice' }
  /** Not a fault: the number has more digits than can be kept. */
  | { kind: 'rounded'; to: string };

export function isFault(trouble: Trouble): boolean {
  return trouble.kind !== 'rounded';
}

export interface Outline {
  nodes: readonly Node[];
  byId: ReadonlyMap<string, Node>;
  /** By JSON pointer; of rows with the same key the first. */
  byPointer: ReadonlyMap<string, Node>;
}

/** Everything the form shows of a document. */
export function outline(field: Field, draft: Draft): Outline {
  const nodes: Node[] = [];
  walk(field, draft, { path: [], trail: [], within: [], place: 'required' }, nodes);
  let byPointer: ReadonlyMap<string, Node> | undefined;
  return {
    nodes,
    byId: new Map(nodes.map((node) => [node.id, node])),
    // Asked for when a check comes back, not with every key that is pressed.
    get byPointer() {
      return (byPointer ??= pointers(nodes));
    },
  };
}

function pointers(nodes: readonly Node[]): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const node of nodes) {
    if (node.path === null) continue;
    const pointer = pointerTo(node.path);
    if (!found.has(pointer)) found.set(pointer, node);
  }
  return found;
}

interface At {
  path: readonly (string | number)[];
  trail: readonly Label[];
  within: readonly string[];
  place: Place;
}

function walk(field: Field, draft: Draft, at: At, nodes: Node[]): void {
  nodes.push({
    id: draft.id,
    path: at.path,
    trail: at.trail,
    within: at.within,
    covers: covered(field),
    empty: isEmpty(field, draft, at.place),
    trouble: troubleOf(field, draft),
  });
  inside(field, draft, { ...at, within: [...at.within, draft.id] }, nodes);
}

function covered(field: Field): string[] {
  if (field.kind === 'nullable') return covered(field.inner);
  if (field.kind === 'secretRef') return ['key'];
  return field.kind === 'union' ? [field.discriminator] : [];
}

/** The parts of a node that has no node of its own besides the one it is drawn in. */
function inside(field: Field, draft: Draft, at: At, nodes: Node[]): void {
  if (field.kind === 'object' && draft.kind === 'object') object(field, draft, at, nodes);
  else if (field.kind === 'nullable' && draft.kind === 'nullable') {
    if (!draft.isNull) inside(field.inner, draft.inner, at, nodes);
  } else if (field.kind === 'union' && draft.kind === 'union') {
    const branch = draft.chosen === null ? undefined : field.branches[draft.chosen];
    const chosen = draft.chosen === null ? undefined : draft.drafts.get(draft.chosen);
    if (branch && chosen) inside(branch.field, chosen, at, nodes);
  } else if (field.kind === 'list' && draft.kind === 'list') {
    for (const [index, item] of draft.items.entries())
      walk(field.item, item, below(at, index, index + 1, 'item'), nodes);
  } else if (field.kind === 'record' && draft.kind === 'record') {
    const troubles = rowTroubles(draft);
    for (const [index, { key, draft: value }] of draft.rows.entries()) {
      const trouble = troubles[index] ?? null;
      const row = below(at, key, key, 'item');
      const { trail, within } = row;
      if (trouble)
        nodes.push({
          id: keyId(value),
          path: null,
          trail,
          within,
          covers: [],
          empty: key === '',
          trouble,
        });
      walk(field.value, value, row, nodes);
    }
  }
}

function below(at: At, step: string | number, label: Label, place: Place): At {
  return {
    path: [...at.path, step],
    trail: label === '' ? at.trail : [...at.trail, label],
    within: at.within,
    place,
  };
}

function object(field: ObjectField, draft: ObjectDraft, at: At, nodes: Node[]): void {
  for (const entry of entries(field, draft)) {
    const { property, slot, path } = entry;
    const place = { ...at, path: [...at.path, ...path.slice(0, -1)] };
    const inner = below(place, property.key, labelOf(property), placeOf(property));
    if (slot.included && slot.draft) walk(property.field, slot.draft, inner, nodes);
    else
      nodes.push({
        id: slot.id,
        path: inner.path,
        trail: inner.trail,
        within: at.within,
        covers: covered(property.field),
        empty: true,
        trouble: null,
      });
  }
}

export function labelOf({ key, field }: Property): string {
  return field.title || key;
}

/** One property as it is shown in an object's section. */
export interface Entry {
  property: Property;
  slot: Slot;
  /** From the object; longer than one step where only part of it is shown. */
  path: readonly string[];
}

/** What an object's section shows, in order. */
export function entries(field: ObjectField, draft: ObjectDraft): Entry[] {
  if (field.shown === null)
    return field.properties.flatMap((property) => entry(field, property, draft, [property.key]));
  const found = new Map<string, Entry>();
  for (const path of field.shown) {
    for (const one of shownAt(field, draft, path, [])) {
      const pointer = pointerTo(one.path);
      if (!found.has(pointer)) found.set(pointer, one);
    }
  }
  return [...found.values()];
}

/** A constant is shown only where the document has not got it right. */
function entry(
  field: ObjectField,
  property: Property,
  draft: ObjectDraft,
  path: readonly string[],
): Entry[] {
  const slot = draft.slots.get(property.key);
  if (!slot || !hasMeaning(field, draft, property)) return [];
  const right = slot.draft?.kind === 'leaf' && slot.draft.value !== undefined;
  return property.field.kind === 'const' && right ? [] : [{ property, slot, path }];
}

/** Where the way to a shown part is blocked by what does not fit, that is shown instead. */
function shownAt(
  field: ObjectField,
  draft: ObjectDraft,
  [key = '', ...rest]: readonly string[],
  above: readonly string[],
): Entry[] {
  const property = field.properties.find((one) => one.key === key);
  if (!property) return [];
  const path = [...above, key];
  const slot = draft.slots.get(key);
  const { field: inner } = property;
  if (rest.length > 0 && inner.kind === 'object' && slot?.draft?.kind === 'object')
    return shownAt(inner, slot.draft, rest, path);
  return entry(field, property, draft, path);
}

export function isEmpty(field: Field, draft: Draft, place: Place): boolean {
  if (draft.kind === 'object') return false;
  if (draft.kind === 'list') return draft.items.length === 0;
  if (draft.kind === 'record') return draft.rows.length === 0;
  if (draft.kind === 'union') return draft.chosen === null;
  const value = compose(field, draft, place === 'item' ? 'required' : place);
  return value === undefined || value === '';
}

function troubleOf(field: Field, draft: Draft): Trouble | null {
  if (draft.kind === 'nullable')
    return field.kind === 'nullable' && !draft.isNull ? troubleOf(field.inner, draft.inner) : null;
  if ((draft.kind === 'leaf' || draft.kind === 'misfit') && draft.value instanceof Unfinished)
    return { kind: 'unfinished' };
  if (draft.kind !== 'number' || draft.text.trim() === '') return null;
  const kind = numberProblem(draft.text, field.kind === 'number' && field.integer);
  if (kind) return { kind };
  const to = rounded(draft.text);
  return to === null ? null : { kind: 'rounded', to };
}

/** What the name of a row is known by; its value has the row's own id. */
export function keyId({ id }: Draft): string {
  return `${id}-key`;
}

/** By row, what is wrong with its key. */
function rowTroubles({ rows }: RecordDraft): (Trouble | null)[] {
  const seen = new Set<string>();
  return rows.map(({ key, emptyMeant }) => {
    if (key === '' && !emptyMeant) return { kind: 'keyMissing' };
    if (seen.has(key)) return { kind: 'keyTwice' };
    seen.add(key);
    return null;
  });
}

/** Where an issue is shown: at its part, or at the nearest one around it that the form shows. */
export function placeOfIssue(
  { byPointer }: Outline,
  path: readonly (string | number)[],
): Node | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = byPointer.get(pointerTo(path.slice(0, length)));
    if (node) return node;
  }
  return undefined;
}
