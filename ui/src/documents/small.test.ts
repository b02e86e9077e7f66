import { describe, expect, it } from 'vitest';
import { grouped, startersOf } from './kinds';
import { fileName, nameOf } from './name';

describe('a document’s name', () => {
  it.each([
    [{ label: ' Acme ' }, 'Acme'],
    [{ engine: 'local-docker', manifest: { label: 'Docker' } }, 'Docker'],
    [{ config: { kind: 'kubernetes', kubernetes: { label: 'k3d' } } }, 'k3d'],
    [{ label: '' }, 'Sample'],
    [{ manifest: null }, 'Sample'],
    ['text', 'Sample'],
    [null, 'Sample'],
  ])('%j', (value, name) => {
    expect(nameOf(value, 'Sample')).toBe(name);
  });

  it('becomes a file’s', () => {
    expect(fileName('Acme  Prévïews / 2')).toBe('acme-previews-2.json');
    expect(fileName('../../etc')).toBe('etc.json');
    expect(fileName('文書')).toBe('document.json');
  });
});

describe('kinds', () => {
  it('stand under their groups in order', () => {
    const kind = (name: string, group: string) => ({
      name,
      title: name,
      description: '',
      group,
      storable: true,
    });
    const groups = grouped([kind('a', 'G'), kind('b', 'H'), kind('c', 'G')]);
    expect(groups.map(({ title, kinds }) => [title, kinds.map(({ name }) => name)])).toEqual([
      ['G', ['a', 'c']],
      ['H', ['b']],
    ]);
  });

  it('have the starters their schema names', () => {
    const starters = [
      { title: 'A', description: 'x', document: { a: 1 } },
      { title: 'B', document: null },
      { title: 'no document' },
      'nonsense',
    ];
    expect(startersOf({ 'x-berth-starters': starters })).toEqual([
      { title: 'A', description: 'x', document: { a: 1 } },
      { title: 'B', description: '', document: null },
    ]);
    expect(startersOf({})).toEqual([]);
  });
});
