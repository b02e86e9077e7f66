import { describe, expect, it } from 'vitest';
import { closest, namesUsed, placeholderAt, remarks, renamed, samples } from './templates';
import type { TemplateInfo } from './types';

const info: TemplateInfo = {
  variables: [
    { name: 'input.branch', description: 'The branch', sample: 'feature/login' },
    { name: 'input.pullNumber', description: 'The pull request', sample: '42' },
    { name: 'provision.externalId', description: 'The id', sample: 'env-7' },
  ],
  open: ['input.'],
};
const closed: TemplateInfo = { ...info, open: [] };

describe('placeholders', () => {
  it('are found as the contract reads them', () => {
    expect(
      namesUsed('/{{input.branch}}/{{ input.pullNumber }}/{{\tx\n}}/{{input.branch}}'),
    ).toEqual(['input.branch', 'input.pullNumber', 'x']);
    expect(namesUsed('{{a-b}} {{ä}} {{}} {{a b}} {x} {{a}')).toEqual([]);
    expect(namesUsed('{{{input.branch}}}')).toEqual(['input.branch']);
  });

  it('are renamed wherever they stand, and nothing else is', () => {
    expect(renamed('{{a}}-{{ a }}-{{ab}}-a', 'a', 'b.c')).toBe('{{b.c}}-{{b.c}}-{{ab}}-a');
    expect(renamed('{{a}}', 'a', '$&')).toBe('{{$&}}');
  });

  it('give their samples to the preview', () => {
    expect(samples(info)).toEqual({
      'input.branch': 'feature/login',
      'input.pullNumber': '42',
      'provision.externalId': 'env-7',
    });
  });
});

describe('what is remarked', () => {
  it.each<[string, TemplateInfo, unknown[]]>([
    ['/{{input.branch}}', info, []],
    ['plain', info, []],
    ['{{input.brnch}}', closed, [{ kind: 'unknown', name: 'input.brnch', meant: 'input.branch' }]],
    ['{{input.brnch}}', info, [{ kind: 'open', name: 'input.brnch', meant: 'input.branch' }]],
    ['{{input.size}}', info, [{ kind: 'open', name: 'input.size', meant: null }]],
    ['{{input.}}', info, [{ kind: 'unknown', name: 'input.', meant: null }]],
    ['{{branch}}', info, [{ kind: 'unknown', name: 'branch', meant: 'input.branch' }]],
    ['{{zzz}} {{zzz}}', info, [{ kind: 'unknown', name: 'zzz', meant: null }]],
    ['{{input.my-name}}', info, [{ kind: 'verbatim', text: '{{input.my-name}}' }]],
    ['{{}}', info, [{ kind: 'verbatim', text: '{{}}' }]],
    ['/x/{{input.br', info, [{ kind: 'unclosed', text: '{{input.br' }]],
    ['{"a":{"b":{"c":1}}}', info, []],
    ['{"a":{"b":"{{input.branch}}"}}', info, []],
  ])('%s', (template, given, expected) => {
    expect(remarks(template, given)).toEqual(expected);
  });

  it('is quick about hostile text', () => {
    expect(remarks('{{'.repeat(20_000), info).length).toBeGreaterThan(0);
    expect(remarks(`{{${'a'.repeat(50_000)}}}`, info)).toHaveLength(1);
  });
});

describe('the placeholder at the caret', () => {
  const at = (marked: string) => {
    const caret = marked.indexOf('|');
    return placeholderAt(marked.replace('|', ''), caret);
  };

  it.each([
    ['/a/{{|', { start: 3, end: 5, query: '' }],
    ['/a/{{inp|', { start: 3, end: 8, query: 'inp' }],
    ['{{ inp|ut.branch }}/x', { start: 0, end: 18, query: 'inp' }],
    ['{{in|}}', { start: 0, end: 6, query: 'in' }],
    ['{{in| and {{x}}', { start: 0, end: 4, query: 'in' }],
    ['{{{in|', { start: 1, end: 5, query: 'in' }],
  ])('%s', (marked, expected) => {
    expect(at(marked)).toEqual(expected);
  });

  it.each(['|{{x}}', '{|{x}}', '{{x}|}', '{{x}}|', '{{x y|', 'a|', '{{my-|'])(
    '%s is none',
    (marked) => {
      expect(at(marked)).toBeNull();
    },
  );
});

describe('the name that was meant', () => {
  it.each([
    ['input.branhc', 'input.branch'],
    ['Input.Branch', 'input.branch'],
    ['externalId', 'provision.externalId'],
    ['provision.extrnalid', 'provision.externalId'],
    ['something', null],
  ])('%s', (typed, meant) => {
    expect(
      closest(
        typed,
        info.variables.map(({ name }) => name),
      ),
    ).toBe(meant);
  });
});
