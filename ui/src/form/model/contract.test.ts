import { describe, expect, it } from 'vitest';
import lines from '../../../../tests/data/contract/cases.jsonl?raw';
import { compose } from './compose';
import type { Field } from './field';
import { fresh } from './fresh';
import type { Json } from './json';
import { load } from './load';
import { outline } from './outline';
import { readSchema } from './read';
import { contractSchemas } from './schemas.fixture';

const schemas = Object.entries(contractSchemas);

/** Where a schema is drawn as JSON, by the names of the properties on the way. */
function jsonParts(field: Field, path = ''): string[] {
  switch (field.kind) {
    case 'json':
      return [path];
    case 'object':
      return field.properties.flatMap(({ key, field: inner }) =>
        jsonParts(inner, `${path}/${key}`),
      );
    case 'union':
      return field.branches.flatMap(({ field: inner }) => jsonParts(inner, path));
    case 'list':
      return jsonParts(field.item, `${path}/-`);
    case 'record':
      return jsonParts(field.value, `${path}/*`);
    case 'nullable':
      return jsonParts(field.inner, path);
    default:
      return [];
  }
}

type Case = { id: string; schema: string; valid: boolean; output?: Json; input: Json };

const cases = lines
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

/** What the contract leaves to whoever reads it. */
const ANYTHING = /\/(providerConfig|manifestTemplate|savedManifest|tolerations\/-)$/;

describe('the contract', () => {
  it.each(schemas)('%s has fields for all but what may be anything', (_, schema) => {
    const parts = jsonParts(readSchema(schema));
    expect(parts.filter((path) => !ANYTHING.test(path))).toEqual([]);
  });

  it.each(schemas)('%s gives back every document of its cases', (name, schema) => {
    const field = readSchema(schema);
    for (const { id, schema: of, input, output } of cases) {
      if (of !== name) continue;
      for (const document of [input, ...(output === undefined ? [] : [output])]) {
        const draft = load(field, document);
        expect(JSON.stringify(compose(field, draft, 'item')), id).toBe(JSON.stringify(document));
        outline(field, draft);
      }
    }
  });

  it.each(schemas)(
    '%s shows a valid document without an editor for what does not fit',
    (name, schema) => {
      const field = readSchema(schema);
      for (const { id, schema: of, valid, output } of cases) {
        if (of !== name || !valid || output === undefined) continue;
        expect(JSON.stringify(load(field, output)), id).not.toContain('"misfit"');
      }
    },
  );

  it.each(schemas)('%s starts from something', (_, schema) => {
    const field = readSchema(schema);
    const document = compose(field, fresh(field, 'required'), 'item');
    expect(document).toBeDefined();
  });
});
