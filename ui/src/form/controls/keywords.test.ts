import { describe, expect, it } from 'vitest';
import {
  isMultiline,
  isString,
  placeholder,
  shownText,
  templateInfo,
  title,
  unit,
} from './keywords';

describe('the keywords of a schema that is not to be trusted', () => {
  it('are read where they are of the promised shape', () => {
    const schema = {
      title: 'Path',
      type: ['string', 'null'],
      examples: [42, 'x'],
      'x-berth-unit': 'min',
      'x-berth-multiline': true,
      'x-berth-template': {
        variables: [{ name: 'input.branch', description: 'The branch', sample: 'main' }],
        open: ['input.'],
      },
    };
    expect(title(schema)).toBe('Path');
    expect(isString(schema)).toBe(true);
    expect(placeholder(schema)).toBe('42');
    expect(unit(schema)).toBe('min');
    expect(isMultiline(schema)).toBe(true);
    expect(templateInfo(schema)).toEqual({
      variables: [{ name: 'input.branch', description: 'The branch', sample: 'main' }],
      open: ['input.'],
    });
    expect(isMultiline({ contentMediaType: 'application/json' })).toBe(true);
  });

  it.each([
    {},
    [],
    { title: 1, type: 3, examples: {}, 'x-berth-unit': 'constructor', 'x-berth-template': 'x' },
    { title: null, examples: [{}], 'x-berth-template': [1] },
    { 'x-berth-template': { variables: 'input', open: { 0: 'input.' } } },
    { 'x-berth-template': { variables: [null, 1, { name: 2 }, []], open: [1, null] } },
    Object.create({ title: 'inherited', type: 'string' }) as object,
  ])('count as not there otherwise: %#', (schema) => {
    expect(title(schema)).toBe('');
    expect(isString(schema)).toBe(false);
    expect(placeholder(schema)).toBeUndefined();
    expect(unit(schema)).toBe('ms');
    expect(isMultiline(schema)).toBe(false);
    expect(templateInfo(schema)).toEqual({ variables: [], open: [] });
  });

  it('keep the rest of a variable that lacks something', () => {
    expect(templateInfo({ 'x-berth-template': { variables: [{ name: 'a', sample: 1 }] } })).toEqual(
      {
        variables: [{ name: 'a', description: '', sample: '' }],
        open: [],
      },
    );
  });
});

describe('a value as text', () => {
  it.each([
    [undefined, ''],
    ['', ''],
    ['a', 'a'],
    [5, '5'],
    [null, 'null'],
    [{ a: [1] }, '{"a":[1]}'],
  ])('%j', (value, shown) => {
    expect(shownText(value)).toBe(shown);
  });
});
