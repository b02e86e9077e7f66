// Every state that a document's form can be in, as a list that any driver of
// the window can follow. Printed as JSON, one state a line:
//
//   node scripts/form-states.mjs
//
// A state: `name`; `place` (the address's fragment); `steps`, each one of
//   {"click": css}  {"fill": css, "text": …}  {"press": key}  {"await": css}
// and `offered: true` where a step's element need not be there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const contract = JSON.parse(readFileSync(join(root, 'ui/src/generated/contract.json'), 'utf8'));
const documents = join(root, 'tests/data/contract/documents');

const by = (testid) => `[data-testid="${testid}"]`;
const FORM = { await: by('document-check') };
/** The check answers after typing pauses. */
const CHECKED = { await: `${by('document-check')}[data-verdict]` };

const newDocument = (schema) => `#/documents/new/${schema}`;
const empty = [{ click: by('start-empty') }, FORM];
const text = (written) => [
  { click: by('start-paste') },
  { fill: by('paste-field'), text: written },
  { click: by('paste-use') },
  CHECKED,
];
/** Asking to keep it brings up everything that is missing. Messages are not kept: they have no such button. */
const strictly = [{ click: by('save-document'), offered: true }];
const both = { click: by('view-both') };

function constants(schema, found = new Set()) {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [key, inner] of Object.entries(schema)) {
    if (key === 'const' || key === 'enum') [inner].flat().forEach((value) => found.add(value));
    else constants(inner, found);
  }
  return found;
}

/** The same document with something wrong in every value, its kinds apart. */
function spoiled(value, kept) {
  if (Array.isArray(value)) return value.map((item) => spoiled(item, kept));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, spoiled(inner, kept)]),
    );
  if (typeof value === 'string') {
    if (kept.has(value)) return value;
    return value.includes('{{') ? `{{nothing.known}}${'x'.repeat(3_000)}` : ' ';
  }
  return typeof value === 'number' ? -1 : value;
}

function* ofSchemas() {
  for (const [schema, { 'x-berth-starters': starters = [] }] of Object.entries(contract)) {
    const place = newDocument(schema);
    yield { name: `${schema}, to begin`, place, steps: [{ await: by('start-empty') }] };
    yield { name: `${schema}, empty`, place, steps: empty };
    yield { name: `${schema}, empty, kept`, place, steps: [...empty, ...strictly, both] };
    yield { name: `${schema}, of another type`, place, steps: [...text('[true]'), both] };
    for (const i of starters.keys()) {
      const steps = [{ click: by(`starter-${i}`) }, CHECKED];
      yield { name: `${schema}, starter ${i + 1}`, place, steps };
    }
  }
}

/** One document of every kind, scheme and source: as it should be, and with everything wrong in it. */
function* ofDocuments() {
  for (const file of readdirSync(documents).sort()) {
    const [schema] = file.split('.');
    const kept = constants(contract[schema]);
    const written = readFileSync(join(documents, file), 'utf8');
    const wrong = JSON.stringify(spoiled(JSON.parse(written), kept), null, 2);
    const name = file.replace(/\.json$/, '');
    const place = newDocument(schema);
    yield { name: `${name}, filled in`, place, steps: [...text(written), both] };
    yield { name: `${name}, wrong`, place, steps: [...text(wrong), ...strictly, both] };
  }
}

/** What opens and closes while one works: lists, questions, dialogs. */
function* ofUse() {
  const schema = 'environmentManifestSchema';
  const place = newDocument(schema);
  const written = readFileSync(join(documents, `${schema}.bearer.json`), 'utf8');
  const open = text(written);
  const form = [...open, { click: by('view-form') }];
  const secret = by('secret-state');
  const key = '[role="combobox"][aria-describedby*="-state"]';
  const template = 'input[aria-autocomplete="list"]:not([aria-describedby*="-state"])';
  const typing = [
    ...form,
    { fill: key, text: 'ANOTHER' },
    { click: by('secret-enter') },
    { fill: `${secret} input`, text: ' a value' },
  ];
  const set = [...typing, { click: by('secret-save') }, { await: `${secret}[data-set="true"]` }];
  const renamed = [...form, { fill: by('document-name'), text: 'Renamed' }];
  const saved = [...form, { click: by('save-document') }, { await: by('delete') }];
  const states = {
    'the list of variables': [
      ...form,
      { click: by('insert-variable') },
      { await: by('suggestions') },
    ],
    'a variable being written': [
      ...form,
      { fill: template, text: '/{{inp' },
      { await: by('suggestions') },
    ],
    'an unknown variable': [
      ...form,
      { fill: template, text: '/{{inptu.branch}}/{{input.my-name}}/{{input.other}}' },
      { await: by('template-notes') },
    ],
    'the list of secrets': [...set, { click: key }, { await: by('suggestions') }],
    'a wrong name of a secret': [...form, { fill: key, text: 'not a name' }],
    'a secret without a value': [
      ...form,
      { fill: key, text: 'ANOTHER' },
      { await: `${secret}[data-set="false"]` },
    ],
    'a secret being typed': typing,
    'a secret just set': set,
    'a secret being replaced': [
      ...set,
      { click: by('secret-enter') },
      { await: `${secret} input` },
    ],
    'a secret about to be removed': [
      ...set,
      { click: by('secret-remove') },
      { await: by('secret-keep') },
    ],
    'the text alone': [...open, { click: by('view-json') }, { await: by('json-text') }],
    'a text that is no JSON': [...text('{"label": '), both, { await: by('json-problems') }],
    'a paste': [...form, { click: by('paste') }, { await: by('paste-field') }],
    'a deletion': [...saved, { click: by('delete') }, { await: by('confirm') }],
    'edits about to be left': [
      ...renamed,
      { click: by('back-to-documents') },
      { await: by('leave-save') },
    ],
    'edits about to be replaced': [
      ...renamed,
      { click: by('paste') },
      { fill: by('paste-field'), text: '{}' },
      { click: by('paste-use') },
      { await: by('replace') },
    ],
    'a list of documents': [
      ...saved,
      { click: by('back-to-documents') },
      { await: by('document-row') },
    ],
  };
  for (const [name, steps] of Object.entries(states)) yield { name, place, steps };
  yield { name: 'the kinds', place: '#/documents/new', steps: [{ await: by('kind-filter') }] };
}

export const states = [...ofUse(), ...ofSchemas(), ...ofDocuments()];

if (process.argv[1] === new URL(import.meta.url).pathname)
  for (const state of states) console.log(JSON.stringify(state));
