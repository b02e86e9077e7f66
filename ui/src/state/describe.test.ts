import { describe, expect, it } from 'vitest';
import {
  billing,
  environment,
  environments,
  operation,
  part,
  shopApi,
  step,
} from '../backend/demo/data';
import {
  endsSoon,
  groups,
  isLive,
  partState,
  partsSummary,
  progressWords,
  statusOf,
} from './describe';

const now = 1_000_000_000;

describe('an environment in words', () => {
  it('counts the step that runs', () => {
    const steps = [
      step('a', { type: 'read' }, 'done'),
      step('b', { type: 'plan' }, 'done'),
      step('c', { type: 'waitHealthy', service: 'db' }, 'running'),
      step('d', { type: 'pull', image: 'x' }, 'running'),
      step('e', { type: 'verify' }, 'waiting'),
    ];
    expect(progressWords(operation('o', { steps }))).toBe('3 of 5 · waiting for db to be healthy');
    expect(progressWords(operation('o', { steps: steps.slice(0, 1) }))).toBe(
      '1 of 1 · getting ready',
    );
    expect(progressWords(operation('o', {}))).toBe('getting ready');
  });

  it('tells a start from an update', () => {
    const starting = environment('a', { status: 'provisioning' });
    expect(statusOf(starting, now).words).toBe('Starting');
    expect(statusOf({ ...starting, readyAt: 5 }, now).words).toBe('Updating');
  });

  it('warns of the end ten minutes before', () => {
    const ready = environment('a', { expiresAt: now + 600_001 });
    expect(endsSoon(ready, now)).toBe(false);
    expect(endsSoon(ready, now + 1)).toBe(true);
    expect(statusOf(ready, now + 1)).toEqual({ tone: 'warn', words: 'Ready, ends soon' });
    expect(endsSoon(environment('a', { expiresAt: null }), now)).toBe(false);
  });

  it('does not call an environment fine whose part is not', () => {
    const parts = [part('web', 'a'), part('db', 'a', { health: 'unhealthy' })];
    expect(statusOf(environment('a', { parts }), now).tone).toBe('warn');
    expect(partsSummary(parts)?.words).toBe('db is not well');
  });

  it('calls a finished one-shot well and an ended server not', () => {
    const ended = part('seed', 'a', { state: 'exited', health: 'none', exitCode: 0 });
    expect(partState({ ...ended, oneShot: true }).tone).toBe('ok');
    expect(partState(ended)).toEqual({ tone: 'bad', words: 'Ended with exit code 0' });
    expect(partState({ ...ended, oneShot: true, exitCode: 2 }).tone).toBe('bad');
  });
});

describe('what is gone', () => {
  it('tells what was cancelled from what was torn down', () => {
    const gone = environment('a', { status: 'torn_down', tornDownAt: now });
    expect(statusOf(gone, now).words).toBe('Torn down');
    const cancelled = { ...gone, operation: operation('o', { state: 'cancelled' }) };
    expect(statusOf(cancelled, now)).toEqual({ tone: 'idle', words: 'Cancelled' });
  });
});

describe('groups', () => {
  const all = environments(now);

  it('come by service, newest environment first, without what is gone', () => {
    const shown = groups([shopApi, billing], all, isLive);
    expect(shown.map(({ name }) => name)).toEqual(['billing', 'shop-api']);
    expect(shown[1]?.environments.map(({ name }) => name)).toEqual([
      'shop-api-feature-checkout',
      'shop-api-main',
      'shop-api-pr-42',
    ]);
  });

  it('keep services without environments, and environments without a service', () => {
    expect(groups([shopApi], [], isLive)).toHaveLength(1);
    const orphan = groups([], all, () => true).find(({ name }) => name === 'billing');
    expect(orphan?.service).toBeNull();
    expect(orphan?.environments).toHaveLength(2);
  });
});
