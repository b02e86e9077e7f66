import type {
  Change,
  Environment,
  Event,
  Problem,
  Service,
  Step,
  UpRequest,
} from '../../generated/types';
import type { Backend } from '../backend';
import { problem } from '../problem';
import {
  activity,
  address,
  billing,
  detailOf,
  detection,
  docs,
  engine,
  environment,
  environments,
  noEngine,
  operation,
  part,
  refs,
  search,
  shopApi,
  step,
  storefront,
} from './data';
import { demoDocuments } from './documents';
import { demoHandlers } from './handlers';
import type { Surroundings } from './handlers';
import { demoLogs } from './logs';
import { demoSettings } from './settings';

/**
 * Berth without Berth: made-up services and environments for designing, for
 * pictures and for tests. Scenarios: `full`, `first`, `no-engine`, `empty`,
 * `loading`, `broken`, `live`, `logs-empty`, `logs-failed`, `logs-many`,
 * `broken-documents`, `unreadable-file`, `broken-handlers`, `no-handlers`,
 * `no-override`, `no-keychain`, `locked-keychain`, `locked-vault`.
 */
export function demoBackend(scenario: string): Backend {
  const now = Date.now();
  const bare = ['first', 'no-engine', 'loading', 'broken'].includes(scenario);
  const state = {
    services:
      bare || scenario === 'no-handlers'
        ? ([] as Service[])
        : [shopApi, billing, storefront, search, docs],
    environments:
      bare || ['empty', 'no-handlers'].includes(scenario)
        ? ([] as Environment[])
        : environments(now),
  };
  let sequence = 1;
  let hear: ((events: Event[]) => void) | undefined;
  const running = new Map<string, ReturnType<typeof setTimeout>>();

  const missing = (what: string): Problem => problem('not_found', `No ${what} of that name`);
  const tell = (change: Change) => hear?.([{ sequence: ++sequence, at: Date.now(), change }]);
  const find = (id: string): Environment => {
    const found = state.environments.find((one) => one.id === id);
    if (!found) throw missing('environment');
    return found;
  };
  const put = (changed: Environment): Environment => {
    const others = state.environments.filter(({ id }) => id !== changed.id);
    state.environments = [...others, changed];
    tell({ type: 'environment', id: changed.id });
    return changed;
  };

  /** Does one step after the other, then what comes after them. */
  function perform(id: string, kind: 'up' | 'down', steps: Step[], after: () => void): void {
    const op = operation(`${id}-${String(++sequence)}`, {
      kind,
      state: 'running',
      startedAt: Date.now(),
      steps,
    });
    put({
      ...find(id),
      status: kind === 'up' ? 'provisioning' : 'tearing_down',
      problem: null,
      operation: op,
    });
    let at = 0;
    const show = (changed: Partial<Step>) => {
      const current = op.steps[at];
      if (!current) return;
      const next = { ...current, ...changed };
      op.steps = op.steps.with(at, next);
      state.environments = state.environments.map((one) =>
        one.id === id ? { ...one, operation: { ...op } } : one,
      );
      tell({ type: 'step', environment: id, operation: op.id, step: next });
    };
    const next = () => {
      if (at >= op.steps.length) {
        running.delete(id);
        put({ ...find(id), operation: { ...op, state: 'done', finishedAt: Date.now() } });
        after();
        return;
      }
      show({ state: 'running', startedAt: Date.now() });
      const done = () => {
        show({ state: 'done', finishedAt: Date.now(), progress: null });
        at += 1;
        next();
      };
      running.set(id, setTimeout(done, 450));
    };
    running.set(id, setTimeout(next, 200));
  }

  function comeUp(id: string): void {
    const { name } = find(id);
    const hostPort = 41_900 + (state.environments.length % 90);
    perform(
      id,
      'up',
      [
        step('read', { type: 'read' }, 'waiting'),
        step('plan', { type: 'plan' }, 'waiting'),
        step('pull-db', { type: 'pull', image: 'postgres:17' }, 'waiting'),
        step('start-db', { type: 'start', container: `${name}-db-1`, service: 'db' }, 'waiting'),
        step('healthy-db', { type: 'waitHealthy', service: 'db' }, 'waiting'),
        step('start-web', { type: 'start', container: `${name}-web-1`, service: 'web' }, 'waiting'),
        step('reach', { type: 'reach', url: `http://${name}.localhost:${hostPort}` }, 'waiting'),
      ],
      () =>
        put({
          ...find(id),
          status: 'ready',
          readyAt: Date.now(),
          addresses: [address(name, hostPort)],
          parts: [part('web', name), part('db', name, { image: 'postgres:17' })],
        }),
    );
  }

  function up(request: UpRequest): string {
    const service = state.services.find(({ id }) => id === request.serviceId);
    if (!service) throw missing('service');
    const { selector } = request;
    const label =
      selector.type === 'ref'
        ? selector.name
        : selector.type === 'pullRequest'
          ? `pull ${selector.number}`
          : 'main';
    const id = `${service.name}-${label.replace(/[^a-z0-9]+/gi, '-')}`;
    const known = state.environments.find((one) => one.id === id);
    const lifetime = request.lifetime.type === 'for' ? request.lifetime.milliseconds : 7_200_000;
    put({
      ...(known ?? environment(id, { serviceId: service.id, serviceName: service.name, selector })),
      revision: { label, commit: '4f2a91c7d0b3e65a', dirty: false, behind: 0 },
      createdAt: known?.createdAt ?? Date.now(),
      expiresAt: request.lifetime.type === 'never' ? null : Date.now() + lifetime,
      tornDownAt: null,
    });
    comeUp(id);
    return id;
  }

  const answers = <T>(make: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      setTimeout(() => {
        try {
          resolve(make());
        } catch (reason) {
          reject(reason);
        }
      }, 0);
    });
  const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

  const documents = demoDocuments(scenario, answers, tell);
  const surroundings: Surroundings = {
    scenario,
    answers,
    tell,
    services: () => state.services,
    environments: () => state.environments,
    typed: documents.typedSecrets,
  };
  const provision = (id: string, provisioning: Service['provisioning']): Service => {
    const service = state.services.find((one) => one.id === id);
    if (!service) throw missing('service');
    const changed = { ...service, provisioning };
    state.services = state.services.map((one) => (one === service ? changed : one));
    return changed;
  };

  return {
    snapshot: () => {
      if (scenario === 'loading') return never();
      return answers(() => {
        if (scenario === 'broken') {
          throw {
            ...problem('store_newer', 'This data folder was written by a newer Berth'),
            detail: 'It is at version 7; this Berth knows up to version 3.',
            hint: 'Update Berth, or start it with another BERTH_DATA_DIR.',
          };
        }
        return { sequence, workspace: { id: 'w', name: 'acme' }, ...state };
      });
    },
    environmentDetail: (id) => answers(() => detailOf(find(id))),
    engineStatus: () => {
      if (scenario === 'loading') return never();
      return answers(() =>
        scenario === 'no-engine' ? { ...engine, info: null, problem: noEngine } : engine,
      );
    },
    dataFolder: () => answers(() => '/home/me/.local/share/berth'),
    activity: (before, limit) =>
      answers(() =>
        bare || scenario === 'empty'
          ? []
          : activity(now)
              .filter(
                ({ at, id }) =>
                  before === null || at < before.at || (at === before.at && id < before.id),
              )
              .slice(0, limit),
      ),

    detect: (path) =>
      answers(() => {
        if (path.includes('missing')) {
          throw problem('path_missing', `${path} is not there`, 'Check the spelling of the path.');
        }
        return detection(path);
      }),
    addService: (location, composePath, name) =>
      answers(() => {
        const service: Service = {
          id: `s-${String(++sequence)}`,
          name: name ?? 'service',
          source: location.includes('://')
            ? { type: 'gitUrl', url: location, subdirectory: '' }
            : { type: 'folder', path: location, git: true },
          provisioning: { type: 'docker-compose', composePath },
          createdAt: Date.now(),
        };
        state.services = [...state.services, service];
        tell({ type: 'service', id: service.id });
        return service;
      }),
    addExample: () =>
      answers(() => {
        const service: Service = { ...shopApi, id: 's-hello', name: 'hello' };
        state.services = [...state.services, service];
        tell({ type: 'service', id: service.id });
        return service;
      }),
    removeService: (id) =>
      answers(() => {
        state.services = state.services.filter((service) => service.id !== id);
        tell({ type: 'service', id });
      }),
    gitRefs: () => answers(() => refs(now)),

    up: (request) => answers(() => up(request)),
    retry: (id) => answers(() => comeUp(id)),
    cancel: (id) =>
      answers(() => {
        clearTimeout(running.get(id));
        const found = find(id);
        put({
          ...found,
          status: 'torn_down',
          tornDownAt: Date.now(),
          operation: found.operation && { ...found.operation, state: 'cancelled' },
        });
      }),
    tearDown: (id) =>
      answers(() => {
        const { name } = find(id);
        perform(
          id,
          'down',
          [
            step('remove-web', { type: 'remove', container: `${name}-web-1` }, 'waiting'),
            step('remove-volume', { type: 'removeVolume', name: `${name}_pgdata` }, 'waiting'),
            step('verify', { type: 'verify' }, 'waiting'),
          ],
          () => put({ ...find(id), status: 'torn_down', tornDownAt: Date.now(), parts: [] }),
        );
      }),
    extend: (id, lifetime) =>
      answers(() => {
        const found = find(id);
        const from = Math.max(Date.now(), found.expiresAt ?? 0);
        const more = lifetime.type === 'for' ? lifetime.milliseconds : 7_200_000;
        return put({ ...found, expiresAt: lifetime.type === 'never' ? null : from + more });
      }),

    ...documents.calls,
    ...demoHandlers(surroundings),
    ...demoSettings(surroundings, provision),

    pickFolder: () => answers(() => '/home/me/work/inventory'),
    openUrl: () => answers(() => undefined),
    copyText: () => answers(() => undefined),

    follow: (_from, onEvents) => {
      hear = onEvents;
      return () => (hear = undefined);
    },
    followLogs: (id, _services, onBatch) => demoLogs(scenario, id, onBatch),
    onDrop: () => () => undefined,
  };
}
