import { describe, expect, it } from 'vitest';
import type { StepKind, StepState } from '../generated/types';
import types from '../generated/types.ts?raw';
import { controls } from './controls';
import { en } from './en';
import { stepInSentence, stepTypes, stepWords } from './steps';

/** The members of a union of strings, as generated from Rust. */
function union(name: string): string[] {
  const body = new RegExp(`export type ${name} =([^;]*);`).exec(types)?.[1] ?? '';
  return [...body.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? '').sort();
}

const tables: [string, Record<string, unknown>][] = [
  ['Code', en.problem.code],
  ['EnvironmentStatus', en.status],
  ['ActivityVerb', en.activity.done],
  ['Outcome', en.activity.done.up],
  ['Actor', en.activity.actor],
  ['PartState', en.parts.state],
  ['PartHealth', en.parts.health],
  ['OperationKind', en.timeline.kind],
  ['OperationState', en.timeline.state],
  ['StepState', en.timeline.stepState],
  ['Action', en.plan.action],
  ['ResourceKind', en.plan.resource],
  ['RewriteKind', en.plan.rewrite],
  ['ProvisionType', en.provisionType],
  ['GitRefKind', en.start.refKind],
  ['LookedAtVerdict', en.handlers.why.verdict],
  ['Origin', en.handlers.compare.origin],
  ['ManifestTypeSource', en.handlers.types.from],
  ['ImportAction', en.handlers.importing.action],
  ['SecretStoreKind', en.secretStore.about],
  ['SecretStoreState', en.secretStore.state],
];

describe('the catalogue', () => {
  it.each(tables)('has words for every %s', (name, table) => {
    expect(union(name)).not.toEqual([]);
    expect(Object.keys(table).sort()).toEqual(union(name));
  });

  it('has words for every kind of step', () => {
    const body = /export type StepKind =([\s\S]*?);\n\n/.exec(types)?.[1] ?? '';
    const known = [...body.matchAll(/"type": "(\w+)"/g)].map((match) => match[1] ?? '');
    expect(known.length).toBeGreaterThan(10);
    expect([...stepTypes].sort()).toEqual(known.sort());
  });

  it('holds no empty string', () => {
    const empty: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value === 'string' && value.trim() === '') empty.push(path);
      else if (typeof value === 'object' && value !== null) {
        for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`);
      }
    };
    walk(en, 'en');
    walk(controls, 'controls');
    expect(empty).toEqual([]);
  });
});

describe('steps', () => {
  const pull: StepKind = { type: 'pull', image: 'postgres:17' };
  const healthy: StepKind = { type: 'waitHealthy', service: 'db' };

  it.each<[StepKind, StepState, string]>([
    [pull, 'waiting', 'Pull postgres:17'],
    [pull, 'running', 'Pulling postgres:17'],
    [pull, 'done', 'Pulled postgres:17'],
    [pull, 'failed', 'Could not pull postgres:17'],
    [pull, 'skipped', 'Pull postgres:17'],
    [healthy, 'running', 'Waiting for db to be healthy'],
    [healthy, 'done', 'db is healthy'],
    [{ type: 'reach', url: 'http://a.localhost:4' }, 'done', 'a.localhost:4 answers'],
    [{ type: 'verify' }, 'done', 'Everything is gone'],
  ])('%o %s reads %s', (kind, state, words) => {
    expect(stepWords(kind, state)).toBe(words);
  });

  it('fit inside a sentence, names keeping their case', () => {
    expect(stepInSentence(healthy, 'running')).toBe('waiting for db to be healthy');
    const named: StepKind = { type: 'waitHealthy', service: 'Db' };
    expect(stepInSentence(named, 'done')).toBe('Db is healthy');
  });

  it('names a step it does not know rather than fail', () => {
    const future = { type: 'somethingNew' } as unknown as StepKind;
    expect(stepWords(future, 'running')).toBe('somethingNew');
  });
});
