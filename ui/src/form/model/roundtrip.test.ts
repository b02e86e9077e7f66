import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { json, near, schema } from './arbitrary.fixture';
import { compose } from './compose';
import { fresh } from './fresh';
import { sameJson } from './json';
import type { Json } from './json';
import { load } from './load';
import { outline } from './outline';
import { readSchema } from './read';
import { allSchemas } from './schemas.fixture';

const written = (value: Json) => JSON.stringify(value);

describe('a document that is loaded and not edited', () => {
  it.each(Object.entries(allSchemas))('of %s is given back as it came', (_, given) => {
    const field = readSchema(given);
    fc.assert(
      fc.property(fc.oneof(near(field), json), (document) => {
        const back = compose(field, load(field, document), 'item');
        expect(sameJson(back, document)).toBe(true);
        expect(written(back ?? null)).toBe(written(document));
      }),
      { numRuns: 300 },
    );
  });

  it('of any schema is given back as it came', () => {
    fc.assert(
      fc.property(
        schema.chain((given) => fc.tuple(fc.constant(given), near(readSchema(given)))),
        ([given, document]) => {
          const field = readSchema(given);
          const draft = load(field, document);
          expect(written(compose(field, draft, 'item') ?? null)).toBe(written(document));
          outline(field, draft);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(Object.entries(allSchemas))('of %s replaces what was entered before', (_, given) => {
    const field = readSchema(given);
    fc.assert(
      fc.property(near(field), near(field), (first, second) => {
        const draft = load(field, second, load(field, first, fresh(field, 'required')));
        expect(written(compose(field, draft, 'item') ?? null)).toBe(written(second));
      }),
      { numRuns: 150 },
    );
  });
});

describe('an empty form', () => {
  it('of any schema composes a document that can be loaded again', () => {
    fc.assert(
      fc.property(schema, (given) => {
        const field = readSchema(given);
        const document = compose(field, fresh(field, 'required'), 'item') ?? null;
        expect(written(compose(field, load(field, document), 'item') ?? null)).toBe(
          written(document),
        );
      }),
      { numRuns: 500 },
    );
  });

  it.each(Object.keys(allSchemas))('of %s has a name and an id for all it shows', (name) => {
    const field = readSchema(allSchemas[name] ?? {});
    const { nodes, byId } = outline(field, fresh(field, 'required'));
    expect(byId.size).toBe(nodes.length);
  });
});
