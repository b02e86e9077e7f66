import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  Change,
  Environment,
  EnvironmentDetail,
  Event,
  Problem,
  Step,
} from '../generated/types';
import type { Backend } from '../backend/backend';
import { demoBackend } from '../backend/demo/demo';
import { environment, operation, step } from '../backend/demo/data';
import { problem } from '../backend/problem';
import { BerthState } from './berth.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const frame = () => vi.advanceTimersByTimeAsync(20);

const waiting = step('pull', { type: 'pull', image: 'a' }, 'waiting');
const running: Step = { ...waiting, state: 'running' };
const done: Step = { ...waiting, state: 'done' };

function coming(id: string): Environment {
  return environment(id, {
    status: 'provisioning',
    operation: operation('op', { state: 'running', steps: [waiting] }),
  });
}

/** A backend of which this test holds the answers. */
async function started(environments: Environment[]) {
  let hear: (events: Event[]) => void = () => undefined;
  const asked: string[] = [];
  const answers: ((detail: EnvironmentDetail | Problem) => void)[] = [];
  const backend: Backend = {
    ...demoBackend('empty'),
    snapshot: () =>
      Promise.resolve({
        sequence: 7,
        workspace: { id: 'w', name: 'w' },
        services: [],
        environments,
      }),
    environmentDetail: (id) => {
      asked.push(id);
      return new Promise((resolve, reject) => {
        answers.push((answer) => {
          if ('code' in answer) reject(answer as unknown as Error);
          else resolve(answer);
        });
      });
    },
    follow: (from, onEvents) => {
      expect(from).toBe(7);
      hear = onEvents;
      return () => undefined;
    },
  };
  const berth = new BerthState(backend);
  await berth.start();
  let sequence = 7;
  const tell = (...changes: Change[]) =>
    hear(changes.map((change) => ({ sequence: ++sequence, at: 0, change })));
  const stepIs = (step: Step, operation = 'op'): Change => ({
    type: 'step',
    environment: 'a',
    operation,
    step,
  });
  return { berth, tell, stepIs, asked, answers };
}

const detail = (environment: Environment): EnvironmentDetail => ({
  environment,
  operations: environment.operation ? [environment.operation] : [],
  plan: null,
});

const stateOf = (berth: BerthState) => berth.environment('a')?.operation?.steps[0]?.state;

describe('what the window knows', () => {
  it('patches a step in place without asking', async () => {
    const { berth, tell, stepIs, asked } = await started([coming('a')]);
    tell(stepIs(running));
    expect(stateOf(berth)).toBe('running');
    await frame();
    expect(asked).toEqual([]);
  });

  it('leaves the other environments as the same objects', async () => {
    const { berth, tell, stepIs } = await started([coming('a'), coming('b')]);
    const other = berth.environment('b');
    tell(stepIs(running));
    expect(berth.environment('b')).toBe(other);
  });

  it('asks once for an environment that many events of a frame named', async () => {
    const { tell, asked } = await started([coming('a'), coming('b')]);
    tell(...Array<Change>(5).fill({ type: 'environment', id: 'a' }));
    tell({ type: 'environment', id: 'b' }, { type: 'environment', id: 'a' });
    expect(asked).toEqual([]);
    await frame();
    expect(asked).toEqual(['a', 'b']);
  });

  it('asks again when it was named while the answer was on its way', async () => {
    const { tell, asked, answers } = await started([coming('a')]);
    tell({ type: 'environment', id: 'a' });
    await frame();
    tell({ type: 'environment', id: 'a' });
    await frame();
    expect(asked).toEqual(['a']);
    answers[0]?.(detail(coming('a')));
    await frame();
    expect(asked).toEqual(['a', 'a']);
  });

  it('keeps a step that is newer than the answer it crossed', async () => {
    const { berth, tell, stepIs, answers } = await started([coming('a')]);
    tell({ type: 'environment', id: 'a' });
    await frame();
    tell(stepIs(done));
    answers[0]?.(detail(coming('a')));
    await frame();
    expect(stateOf(berth)).toBe('done');
  });

  it('asks for an environment whose step belongs to an operation it does not know', async () => {
    const { berth, tell, stepIs, asked, answers } = await started([coming('a')]);
    tell(stepIs(running, 'newer'));
    await frame();
    expect(asked).toEqual(['a']);
    const newer = { ...coming('a'), operation: operation('newer', { steps: [running] }) };
    answers[0]?.(detail(newer));
    await frame();
    expect(berth.environment('a')?.operation?.id).toBe('newer');
  });

  it('forgets an environment that is not there any more', async () => {
    const { berth, tell, answers } = await started([coming('a')]);
    tell({ type: 'environment', id: 'a' });
    await frame();
    answers[0]?.(problem('not_found', 'gone'));
    await frame();
    expect(berth.environments).toEqual([]);
  });

  it('says aloud that an environment became ready, and where it is', async () => {
    const { berth } = await started([coming('a')]);
    berth.take(
      environment('a', {
        status: 'ready',
        addresses: [
          { service: 'web', target: 80, hostPort: 4, url: 'http://a.localhost:4', primary: true },
        ],
      }),
    );
    expect(berth.said).toBe('shop-api main is ready at http://a.localhost:4');
  });

  it('shows that cancelling was asked for until the operation ends', async () => {
    const { berth } = await started([coming('a')]);
    berth.backend.cancel = () => Promise.resolve();
    await berth.cancel('a');
    expect(berth.cancelling.has('a')).toBe(true);
    berth.take({ ...coming('a'), operation: operation('op', { state: 'cancelled' }) });
    expect(berth.cancelling.has('a')).toBe(false);
  });

  it('says why nothing can be shown when the snapshot is refused', async () => {
    const backend = demoBackend('broken');
    const berth = new BerthState(backend);
    const starting = berth.start();
    await frame();
    await starting;
    expect(berth.phase).toBe('failed');
    expect(berth.problem?.code).toBe('store_newer');
  });
});
