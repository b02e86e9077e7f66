import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Unfinished } from '../controls/types';
import { near } from './arbitrary.fixture';
import { compose } from './compose';
import { fresh } from './fresh';
import type { Draft } from './draft';
import {
  addItem,
  addRow,
  addSection,
  chooseBranch,
  moveItem,
  removeItem,
  removeRow,
  removeSection,
  setBranch,
  setItem,
  setLeaf,
  setNull,
  setProperty,
  setRow,
  toFields,
} from './edit';
import type { Field } from './field';
import { completed } from './fill';
import type { Json } from './json';
import { load } from './load';
import { findings, placeIssues } from './messages';
import { isFault, outline } from './outline';
import { readSchema } from './read';
import { allSchemas, contractSchema, contractSchemas, everything } from './schemas.fixture';

/** A number from 0 up to `below`; what a random edit decides by. */
type Dice = (below: number) => number;

const WORDS = ['', 'a', 'web', 'acme', 'a b', '__proto__', 'x/y', '{{input.branch}}', '8080'];
const word = (dice: Dice) => WORDS[dice(WORDS.length)] ?? '';

/** One edit somewhere in the draft, as the form's fields make them. */
function edited(field: Field, draft: Draft, dice: Dice): Draft {
  switch (draft.kind) {
    case 'misfit':
      return dice(2) === 0 ? toFields(field, draft, 'item') : draft;
    case 'number':
      return { ...draft, text: ['', '1', '80', '1e3', '0.10', 'x', '99999999999'][dice(7)] ?? '' };
    case 'leaf':
      return setLeaf(field, draft, leafValue(field, dice), 'required');
    case 'nullable': {
      if (field.kind !== 'nullable') return draft;
      if (dice(2) === 0) return setNull(field, draft, !draft.isNull);
      return { ...draft, inner: edited(field.inner, draft.inner, dice) };
    }
    case 'list': {
      if (field.kind !== 'list') return draft;
      const item = draft.items[dice(Math.max(draft.items.length, 1))];
      if (!item || dice(4) === 0) return addItem(field, draft, 'required');
      if (dice(4) === 0) return removeItem(draft, item.id, 'required');
      if (dice(4) === 0) return moveItem(draft, item.id, dice(2) === 0 ? -1 : 1);
      return setItem(draft, edited(field.item, item, dice));
    }
    case 'record': {
      if (field.kind !== 'record') return draft;
      const row = draft.rows[dice(Math.max(draft.rows.length, 1))];
      if (!row || dice(4) === 0) return addRow(field, draft, 'required');
      if (dice(4) === 0) return removeRow(draft, row.draft.id, 'required');
      if (dice(3) === 0) return setRow(draft, row.draft.id, { key: word(dice) });
      return setRow(draft, row.draft.id, { draft: edited(field.value, row.draft, dice) });
    }
    case 'object': {
      if (field.kind !== 'object') return draft;
      const property = field.properties[dice(Math.max(field.properties.length, 1))];
      const slot = property && draft.slots.get(property.key);
      if (!property || !slot) return draft;
      if (!slot.included || !slot.draft) return addSection(draft, property);
      if (property.field.kind === 'const') return draft;
      const section = property.field.kind === 'object' || property.field.kind === 'union';
      if (section && !property.required && !property.implicit && dice(5) === 0)
        return removeSection(draft, property.key);
      return setProperty(draft, property.key, edited(property.field, slot.draft, dice));
    }
    case 'union': {
      if (field.kind !== 'union') return draft;
      const chosen = draft.chosen === null ? undefined : draft.drafts.get(draft.chosen);
      const branch = draft.chosen === null ? undefined : field.branches[draft.chosen];
      if (!chosen || !branch || dice(6) === 0)
        return chooseBranch(field, draft, dice(field.branches.length));
      return setBranch(draft, edited(branch.field, chosen, dice));
    }
  }
}

function leafValue(field: Field, dice: Dice) {
  switch (field.kind) {
    case 'boolean':
      return dice(2) === 0;
    case 'choice':
      return field.options[dice(field.options.length)]?.value;
    case 'duration': {
      const stored = field.stored === 'number' ? 90_000 : '90';
      return [undefined, stored, new Unfinished('2 hou')][dice(3)];
    }
    case 'secretRef':
      return [undefined, { key: 'token' }, { key: '' }][dice(3)];
    case 'json':
      return [undefined, { a: [1] }, new Unfinished('{')][dice(3)];
    default:
      return word(dice);
  }
}

const dice = fc.infiniteStream(fc.nat()).map(
  (stream): Dice =>
    (below) =>
      Number(stream.next().value) % below,
);

describe('a choice that is switched ten times between any edits', () => {
  const unions = Object.entries(contractSchemas).filter(
    ([, schema]) => readSchema(schema).kind === 'union',
  );

  it('is tried on every one of the contract', () => {
    expect(unions.map(([name]) => name)).toEqual([
      'infraHandlerConfigSchema',
      'environmentBackendConfigSchema',
      'environmentAuthSchemeSchema',
      'kubernetesManifestSourceSchema',
      'kubernetesUrlSourceSchema',
      'runnerBackendConfigSchema',
    ]);
  });

  it.each(unions)(
    '%s ends in a document of the chosen branch, or names what is wrong',
    (name, schema) => {
      const field = readSchema(schema);
      if (field.kind !== 'union') throw new Error(`${name} is no choice`);
      const validator = new Validator(schema, '2020-12', false);
      fc.assert(
        fc.property(dice, fc.option(near(field)), (roll, document) => {
          let draft: Draft = document === null ? fresh(field, 'required') : load(field, document);
          if (draft.kind === 'misfit') draft = { ...fresh(field, 'required'), id: draft.id };
          for (let turn = 0; turn < 10; turn += 1) {
            for (let edits = roll(6); edits > 0; edits -= 1) draft = edited(field, draft, roll);
            if (draft.kind === 'union')
              draft = chooseBranch(field, draft, roll(field.branches.length));
          }
          const composed = compose(field, draft, 'item') ?? null;
          const { valid, errors } = validator.validate(composed);
          if (draft.kind !== 'union' || draft.chosen === null) throw new Error('nothing chosen');
          const branch = field.branches[draft.chosen];
          if (branch?.tag !== undefined)
            expect((composed as Record<string, unknown>)[field.discriminator]).toEqual(branch.tag);
          if (valid) return;
          // Whatever is wrong has a part of the form that says so.
          const shape = outline(field, draft);
          const issues = errors.map(({ instanceLocation, error }) => ({
            path: instanceLocation
              .split('/')
              .slice(1)
              .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
            message: error,
          }));
          const { shown } = findings(shape, placeIssues(issues, shape), () => true);
          expect(shown.length).toBeGreaterThan(0);
          for (const { id } of shown) expect(shape.byId.has(id)).toBe(true);
        }),
        { numRuns: 100 },
      );
    },
  );

  it('loses nothing of any branch', () => {
    const field = readSchema(contractSchema('environmentAuthSchemeSchema'));
    if (field.kind !== 'union') throw new Error('no choice');
    fc.assert(
      fc.property(dice, (roll) => {
        let draft = fresh(field, 'required');
        if (draft.kind !== 'union') throw new Error('no choice');
        const left = new Map<number, string>();
        for (let turn = 0; turn < 10; turn += 1) {
          const chosen = roll(field.branches.length);
          draft = chooseBranch(field, draft, chosen);
          const now = () => JSON.stringify(compose(field, draft, 'item'));
          if (left.has(chosen)) expect(now()).toBe(left.get(chosen));
          for (let edits = roll(5); edits > 0; edits -= 1) {
            const inner: Draft | undefined = draft.drafts.get(chosen);
            const branch = field.branches[chosen];
            if (inner && branch) draft = setBranch(draft, edited(branch.field, inner, roll));
          }
          left.set(chosen, now());
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('any edits', () => {
  it.each(Object.entries(allSchemas))('of %s compose what can be loaded again', (_, schema) => {
    const field = readSchema(schema);
    fc.assert(
      fc.property(dice, (roll) => {
        let draft = fresh(field, 'required');
        for (let edits = 0; edits < 25; edits += 1) draft = edited(field, draft, roll);
        const document = compose(field, draft, 'item') ?? null;
        const again = compose(field, load(field, document), 'item') ?? null;
        expect(JSON.stringify(again)).toBe(JSON.stringify(document));
        const { nodes, byId } = outline(field, draft);
        expect(byId.size).toBe(nodes.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe('texts', () => {
  const field = readSchema({
    type: 'object',
    properties: {
      optional: { type: 'string' },
      may: { type: 'string' },
      must: { type: 'string', minLength: 1 },
    },
    required: ['may', 'must'],
  });
  if (field.kind !== 'object') throw new Error('no object');

  function retyped(document: Parameters<typeof load>[1], key: string, texts: string[]) {
    if (field.kind !== 'object') throw new Error('no object');
    let draft = load(field, document);
    const property = field.properties.find((one) => one.key === key);
    for (const text of texts) {
      if (draft.kind !== 'object' || !property) throw new Error('no such text');
      const inner = draft.slots.get(key)?.draft;
      if (inner?.kind !== 'leaf') throw new Error('no such text');
      const place = property.required ? 'required' : 'optional';
      draft = setProperty(draft, key, setLeaf(property.field, inner, text, place));
    }
    return compose(field, draft, 'item');
  }

  it('that were absent are absent again when emptied, and "" stays ""', () => {
    expect(retyped({}, 'optional', ['a', ''])).toEqual({});
    expect(retyped({ optional: '' }, 'optional', ['a', ''])).toEqual({ optional: '' });
    expect(retyped({ optional: 'b' }, 'optional', [''])).toEqual({});
  });

  it('that are required are "" where that can be right', () => {
    expect(compose(field, fresh(field, 'required'), 'item')).toEqual({ may: '' });
    expect(retyped({}, 'may', ['a', ''])).toEqual({ may: '' });
    expect(retyped({}, 'must', ['a', ''])).toEqual({});
  });
});

describe('a form that shows only part of a document', () => {
  const field = readSchema(contractSchema('infraHandlerConfigSchema'));

  it('fills in the rest of a starter, and leaves a loaded document alone', () => {
    const starter = {
      engine: 'local-docker',
      manifest: { label: 'Mine', providerConfig: { service: 'web' } },
    };
    expect(completed(field, starter)).toMatchObject({
      manifest: { providerId: 'compose', label: 'Mine', providerConfig: { service: 'web' } },
    });
    expect(compose(field, load(field, starter), 'item')).toEqual(starter);
  });

  it('finds the parts it shows wherever the loaded document has them', () => {
    const { nodes } = outline(field, load(field, { engine: 'local-docker', manifest: 5 }));
    expect(nodes.map(({ path }) => path)).toContainEqual(['manifest']);
    const whole = outline(
      field,
      load(field, { engine: 'local-docker', manifest: { providerConfig: {} } }),
    );
    const shown = whole.nodes.map(({ path }) => path?.join('.'));
    expect(shown).toContain('manifest.providerConfig.service');
    expect(shown).not.toContain('manifest');
    expect(shown).not.toContain('manifest.baseUrl');
  });
});

describe('what has a meaning only beside some value', () => {
  const field = readSchema(contractSchema('serviceProvisioningSchema'));
  const shown = (draft: Draft) => outline(field, draft).nodes.map(({ path }) => path?.join('.'));

  function chosen(draft: Draft, type: string): Draft {
    const slot = draft.kind === 'object' ? draft.slots.get('type')?.draft : undefined;
    if (draft.kind !== 'object' || slot?.kind !== 'leaf') throw new Error('no type');
    return setProperty(draft, 'type', { ...slot, value: type });
  }

  it('is shown and in the document beside that value', () => {
    let draft = chosen(fresh(field, 'required'), 'docker-compose');
    expect(shown(draft)).toContain('composePath');
    expect(shown(draft)).not.toContain('manifestSource');
    const path = draft.kind === 'object' ? draft.slots.get('composePath')?.draft : undefined;
    if (draft.kind !== 'object' || path?.kind !== 'leaf') throw new Error('no path');
    draft = setProperty(draft, 'composePath', { ...path, value: 'compose.yml' });
    draft = chosen(draft, 'infraless');
    expect(compose(field, draft, 'item')).toEqual({ type: 'infraless' });
    draft = load(field, { type: 'infraless' }, draft);
    expect(compose(field, chosen(draft, 'docker-compose'), 'item')).toEqual({
      type: 'docker-compose',
      composePath: 'compose.yml',
    });
  });

  it('is kept and shown where a loaded document has it all the same', () => {
    const draft = load(field, { type: 'infraless', composePath: 'a' });
    expect(shown(draft)).toContain('composePath');
    expect(compose(field, draft, 'item')).toEqual({ type: 'infraless', composePath: 'a' });
  });
});

describe('a branch whose kind is typed', () => {
  it('is the one that no other kind is', () => {
    const field = readSchema(contractSchema('environmentBackendConfigSchema'));
    const draft = load(field, { kind: 'kargo', manifest: {} });
    expect(draft).toMatchObject({ kind: 'union', chosen: 2 });
    expect(load(field, { kind: 'manifest' })).toMatchObject({ chosen: 0 });
    expect(load(field, { kind: 5 }).kind).toBe('misfit');
  });
});

describe('what cannot be read', () => {
  it('is told, wherever it is', () => {
    const field = readSchema(everything);
    const faults = (document: Parameters<typeof load>[1]) =>
      outline(field, load(field, document)).nodes.filter(
        ({ trouble }) => trouble !== null && isFault(trouble),
      ).length;
    expect(faults({ whole: 1.5 })).toBe(1);
    expect(faults({ labels: { '': 'x' }, ratio: 1e300 })).toBe(0);
  });
});

describe('a choice in a document that does not say which', () => {
  const field = readSchema(contractSchema('environmentAuthSchemeSchema'));
  const loaded = (document: Json) => {
    const draft = load(field, document);
    if (field.kind !== 'union' || draft.kind !== 'union') throw new Error('no choice');
    return { field, draft };
  };

  it('is still to be made, and what the document has is kept', () => {
    for (const document of [{}, { headerName: 'X-Key', more: 1 }] as Json[]) {
      const { draft } = loaded(document);
      expect(draft.chosen).toBeNull();
      expect(compose(field, draft, 'required')).toEqual(document);
    }
    const { draft, field: union } = loaded({ headerName: 'X-Key', more: 1 });
    expect(compose(union, chooseBranch(union, draft, 1), 'required')).toEqual({
      type: 'api_key',
      headerName: 'X-Key',
      more: 1,
    });
  });
});

describe('what is half typed', () => {
  const field = readSchema(everything);
  const wait = (draft: Draft) =>
    draft.kind === 'object' ? draft.slots.get('wait')?.draft : undefined;

  it('stays with its control when the document is edited elsewhere', () => {
    let draft = load(field, { ratio: 1, anything: 0, wait: 5 });
    const typed = { wait: '2 hou', anything: '{', ratio: '1.x' };
    for (const [key, text] of Object.entries(typed)) {
      const inner = draft.kind === 'object' ? draft.slots.get(key)?.draft : undefined;
      if (draft.kind !== 'object' || !inner) throw new Error(key);
      const unread =
        inner.kind === 'number' ? { ...inner, text } : { ...inner, value: new Unfinished(text) };
      draft = setProperty(draft, key, unread as Draft);
    }
    const again = load(field, { ...(compose(field, draft, 'item') as object), text: 'new' }, draft);
    expect(compose(field, again, 'item')).toEqual({ ...typed, text: 'new' });
    expect(wait(again)).toBe(wait(draft));
    const troubles = outline(field, again).nodes.flatMap(({ trouble }) => trouble?.kind ?? []);
    expect(troubles.sort()).toEqual(['notANumber', 'unfinished', 'unfinished']);
    expect(wait(load(field, { wait: 'other' }, again))?.kind).toBe('misfit');
    expect(wait(load(field, { wait: 7 }, again))).toMatchObject({ kind: 'leaf', value: 7 });
  });
});
