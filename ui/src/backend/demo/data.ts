import type {
  Activity,
  Detection,
  EngineStatus,
  Environment,
  EnvironmentDetail,
  GitRef,
  HandlerRef,
  Operation,
  Part,
  PlanView,
  Problem,
  Service,
  Step,
  StepKind,
  StepState,
} from '../../generated/types';
import { problem } from '../problem';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const commits = {
  main: '4f2a91c7d0b3e65a8f19c2d4b7e0a3f6c9d2e5b8',
  checkout: 'b81e0d75a2c4f6e8091b3d5f7a9c1e3f5b7d9a0c',
  pull: '77ac3e0b1d2f4a6c8e0a2c4e6f8b0d2f4a6c8e0b',
  rounding: '09be7aa3c5d7e9f1b3d5f7a9c1e3f5b7d9a0c2e4',
};

export function step(
  key: string,
  kind: StepKind,
  state: StepState,
  more: { detail?: string; took?: number; at?: number; progress?: Step['progress'] } = {},
): Step {
  const at = more.at ?? null;
  return {
    key,
    kind,
    state,
    detail: more.detail ?? null,
    progress: more.progress ?? null,
    startedAt: at,
    finishedAt: at !== null && more.took !== undefined ? at + more.took : null,
  };
}

export function operation(id: string, more: Partial<Operation>): Operation {
  return {
    id,
    kind: 'up',
    state: 'done',
    startedAt: 0,
    finishedAt: null,
    steps: [],
    problem: null,
    ...more,
  };
}

export function part(service: string, environment: string, more: Partial<Part> = {}): Part {
  return {
    service,
    name: `${environment}-${service}-1`,
    image: `${environment}-${service}`,
    state: 'running',
    health: 'healthy',
    cause: null,
    oneShot: false,
    exitCode: null,
    ...more,
  };
}

export const shopApi: Service = {
  id: 's-shop',
  name: 'shop-api',
  source: { type: 'folder', path: '/home/me/work/shop-api', git: true },
  provisioning: { type: 'docker-compose' },
  createdAt: 0,
};
export const billing: Service = {
  id: 's-billing',
  name: 'billing',
  source: { type: 'folder', path: '/home/me/work/billing', git: true },
  provisioning: { type: 'docker-compose', composePath: 'deploy/compose.yaml' },
  createdAt: 0,
};
export const storefront: Service = {
  id: 's-storefront',
  name: 'storefront',
  source: { type: 'gitUrl', url: 'https://github.com/acme/storefront.git', subdirectory: '' },
  provisioning: {
    type: 'custom',
    manifestId: 'kargo-preview',
    manifestPath: 'deploy/preview.json',
  },
  createdAt: 0,
};
export const search: Service = {
  id: 's-search',
  name: 'search',
  source: { type: 'folder', path: '/home/me/work/search', git: true },
  provisioning: {
    type: 'kubernetes',
    manifestSource: { type: 'colocated', path: 'deploy/preview' },
    localDevOnly: true,
  },
  createdAt: 0,
};
export const docs: Service = {
  id: 's-docs',
  name: 'docs',
  source: { type: 'folder', path: '/home/me/work/docs', git: true },
  provisioning: { type: 'infraless' },
  createdAt: 0,
};

/** The handler that a fresh store has. */
export const localDocker: HandlerRef = {
  scope: { type: 'workspace' },
  key: { provisionType: 'docker-compose', manifestId: null },
  label: 'Local Docker',
  engine: 'local-docker',
  acceptsManifestId: null,
};

export function environment(id: string, more: Partial<Environment>): Environment {
  return {
    id,
    name: id,
    serviceId: shopApi.id,
    serviceName: shopApi.name,
    provisionType: 'docker-compose',
    selector: { type: 'ref', name: 'main' },
    revision: { label: 'main', commit: commits.main, dirty: false, behind: 0 },
    status: 'ready',
    engine: 'local-docker',
    engineLabel: 'Local Docker',
    madeWith: localDocker,
    addresses: [],
    createdAt: 0,
    readyAt: null,
    expiresAt: null,
    tornDownAt: null,
    operation: null,
    problem: null,
    parts: [],
    ...more,
  };
}

export function address(environment: string, hostPort: number, service = 'web', target = 8080) {
  return {
    service,
    target,
    hostPort,
    url: `http://${environment}.localhost:${hostPort}`,
    primary: service === 'web',
  };
}

export const pullDenied: Problem = {
  ...problem('image_pull', 'registry.acme.dev/billing:09be7aa cannot be pulled'),
  detail: 'The registry answered: authentication required.',
  hint: 'Sign in with “docker login registry.acme.dev”, then retry. Berth uses the same credentials as docker.',
  causes: [
    'pull access denied for registry.acme.dev/billing',
    'unauthorized: authentication required',
  ],
  lines: [],
  retryable: true,
};

export const exited: Problem = {
  ...problem('container_exited', 'worker ended with exit code 1'),
  detail: 'It was to keep running; others wait for it.',
  hint: 'Its last lines are below. Retry starts it again; volumes are kept.',
  places: [
    {
      file: '/home/me/work/billing/deploy/compose.yaml',
      line: 24,
      column: 7,
      key: 'services.worker.environment.QUEUE_URL',
      message: 'QUEUE_URL is not set and has no default.',
      hint: 'Set it in .env, or write ${QUEUE_URL:-redis://queue}.',
    },
  ],
  lines: [
    '> billing-worker@2.4.1 start',
    '> node dist/worker.js',
    'Error: QUEUE_URL is empty',
    '    at connect (/app/dist/queue.js:14:11)',
    '    at main (/app/dist/worker.js:8:3)',
  ],
  retryable: true,
};

export const noEngine: Problem = {
  ...problem('engine_missing', 'No Docker engine was found'),
  detail: 'Nothing answers at unix:///var/run/docker.sock, the platform default.',
  hint: 'Start Docker Desktop, Colima or the Docker service (on Debian: apt install docker.io), then look again.',
};

export const engine: EngineStatus = {
  address: 'unix:///var/run/docker.sock',
  rule: 'context default',
  info: {
    version: '28.5.2',
    apiVersion: '1.51',
    id: 'a1b2',
    platform: 'linux/amd64',
    product: 'Docker Engine',
  },
  problem: null,
};

export const plan: PlanView = {
  changes: [
    { action: 'keep', kind: 'image', name: 'postgres:17', service: 'db', reason: null },
    {
      action: 'create',
      kind: 'network',
      name: 'shop-api-feature-checkout_default',
      service: null,
      reason: null,
    },
    {
      action: 'create',
      kind: 'volume',
      name: 'shop-api-feature-checkout_pgdata',
      service: null,
      reason: null,
    },
    {
      action: 'create',
      kind: 'container',
      name: 'shop-api-feature-checkout-db-1',
      service: 'db',
      reason: null,
    },
    {
      action: 'change',
      kind: 'container',
      name: 'shop-api-feature-checkout-web-1',
      service: 'web',
      reason: 'its configuration changed',
    },
  ],
  rewrites: [
    { kind: 'port', subject: 'web', from: '8080', to: '127.0.0.1:41891' },
    { kind: 'containerName', subject: 'db', from: 'shop-db', to: 'shop-api-feature-checkout-db-1' },
    {
      kind: 'volumeName',
      subject: 'pgdata',
      from: 'shop-pgdata',
      to: 'shop-api-feature-checkout_pgdata',
    },
  ],
  kept: [
    {
      service: 'web',
      what: '/home/me/work/shop-api/src',
      note: 'The container uses your files directly: a change is seen at once.',
    },
  ],
  carried: ['.env', 'config/local.json'],
  warnings: ['db publishes no healthcheck port; its health comes from pg_isready alone.'],
};

function upSteps(name: string, from: number): Step[] {
  const at = from;
  return [
    step('read', { type: 'read' }, 'done', {
      at,
      took: 40,
      detail: 'compose.yaml at b81e0d7: 4 services, profile dev',
    }),
    step('plan', { type: 'plan' }, 'done', { at, took: 11, detail: '9 changes' }),
    step('pull-db', { type: 'pull', image: 'postgres:17' }, 'done', {
      at,
      took: 4,
      detail: 'already here',
    }),
    step('build-web', { type: 'build', service: 'web' }, 'done', {
      at,
      took: 6_200,
      detail: 'Dockerfile, target dev',
    }),
    step('start-db', { type: 'start', container: `${name}-db-1`, service: 'db' }, 'done', {
      at: at + 7_000,
      took: 310,
    }),
    step('healthy-db', { type: 'waitHealthy', service: 'db' }, 'running', {
      at: at + 9_900,
      detail: 'probe 3 of 10: pg_isready said “no response”',
    }),
    step('pull-mail', { type: 'pull', image: 'registry.acme.dev/mail:3' }, 'running', {
      at: at + 9_000,
      progress: { current: 18_400_000, total: 41_000_000 },
    }),
    step('start-web', { type: 'start', container: `${name}-web-1`, service: 'web' }, 'waiting'),
    step('reach', { type: 'reach', url: `http://${name}.localhost:41891` }, 'waiting'),
  ];
}

/** Everything at once: running, coming up, ending soon, failed, gone. */
export function environments(now: number): Environment[] {
  const parts = (name: string) => [
    part('web', name),
    part('db', name, { image: 'postgres:17' }),
    part('mail', name, { image: 'registry.acme.dev/mail:3' }),
    part('seed', name, { state: 'exited', health: 'none', oneShot: true, exitCode: 0 }),
  ];
  return [
    environment('shop-api-main', {
      addresses: [address('shop-api-main', 41873), address('shop-api-main', 41874, 'mail', 8025)],
      createdAt: now - 18 * MINUTE,
      readyAt: now - 17 * MINUTE,
      expiresAt: now + 102 * MINUTE - 2 * SECOND,
      operation: operation('o-main', {
        startedAt: now - 18 * MINUTE,
        finishedAt: now - 17 * MINUTE,
        steps: upSteps('shop-api-main', now - 18 * MINUTE).map((one) => ({
          ...one,
          state: 'done',
          detail: one.kind.type === 'waitHealthy' ? null : one.detail,
          progress: null,
          startedAt: one.startedAt ?? now - 18 * MINUTE,
          finishedAt: one.finishedAt ?? (one.startedAt ?? now - 18 * MINUTE) + 2_400,
        })),
      }),
      parts: parts('shop-api-main'),
    }),
    environment('shop-api-feature-checkout', {
      selector: { type: 'ref', name: 'feature/checkout' },
      revision: { label: 'feature/checkout', commit: commits.checkout, dirty: false, behind: 0 },
      status: 'provisioning',
      createdAt: now - 14 * SECOND,
      expiresAt: now + 2 * HOUR,
      operation: operation('o-checkout', {
        state: 'running',
        startedAt: now - 14 * SECOND,
        steps: upSteps('shop-api-feature-checkout', now - 14 * SECOND),
      }),
      parts: [
        part('db', 'shop-api-feature-checkout', {
          image: 'postgres:17',
          health: 'starting',
          cause: 'pg_isready: no response',
        }),
      ],
    }),
    environment('shop-api-pr-42', {
      selector: { type: 'pullRequest', number: 42 },
      revision: { label: 'pull 42', commit: commits.pull, dirty: false, behind: 2 },
      addresses: [address('shop-api-pr-42', 41880)],
      createdAt: now - 114 * MINUTE,
      readyAt: now - 113 * MINUTE,
      expiresAt: now + 6 * MINUTE - 2 * SECOND,
      operation: operation('o-pull', {
        startedAt: now - 114 * MINUTE,
        finishedAt: now - 113 * MINUTE,
        steps: [step('read', { type: 'read' }, 'done', { at: now - 114 * MINUTE, took: 40 })],
      }),
      parts: [
        part('web', 'shop-api-pr-42'),
        part('db', 'shop-api-pr-42', { image: 'postgres:17' }),
      ],
    }),
    environment('billing-fix-rounding', {
      serviceId: billing.id,
      serviceName: billing.name,
      selector: { type: 'ref', name: 'fix/rounding' },
      revision: { label: 'fix/rounding', commit: commits.rounding, dirty: false, behind: 0 },
      status: 'failed',
      createdAt: now - 4 * MINUTE,
      expiresAt: now + 116 * MINUTE,
      problem: exited,
      operation: operation('o-rounding', {
        state: 'failed',
        startedAt: now - 4 * MINUTE,
        finishedAt: now - 3 * MINUTE - SECOND,
        problem: exited,
        steps: [
          step('read', { type: 'read' }, 'done', { at: now - 4 * MINUTE, took: 38 }),
          step('plan', { type: 'plan' }, 'done', { at: now - 4 * MINUTE, took: 9 }),
          step('start-queue', { type: 'start', container: 'x-queue-1', service: 'queue' }, 'done', {
            at: now - 4 * MINUTE,
            took: 420,
          }),
          step(
            'start-worker',
            { type: 'start', container: 'x-worker-1', service: 'worker' },
            'failed',
            { at: now - 4 * MINUTE, took: 1_900, detail: 'exit code 1' },
          ),
          step('healthy-api', { type: 'waitHealthy', service: 'api' }, 'skipped'),
          step(
            'reach',
            { type: 'reach', url: 'http://billing-fix-rounding.localhost:41902' },
            'skipped',
          ),
        ],
      }),
      parts: [
        part('queue', 'billing-fix-rounding', { image: 'redis:7', health: 'none' }),
        part('worker', 'billing-fix-rounding', {
          state: 'exited',
          health: 'none',
          exitCode: 1,
          cause: 'Error: QUEUE_URL is empty',
        }),
      ],
    }),
    environment('billing-main', {
      serviceId: billing.id,
      serviceName: billing.name,
      selector: { type: 'workingTree' },
      revision: { label: 'main', commit: commits.main, dirty: true, behind: null },
      addresses: [address('billing-main', 41910, 'api', 3000)],
      createdAt: now - 26 * HOUR,
      readyAt: now - 26 * HOUR,
      operation: operation('o-billing', {
        startedAt: now - 26 * HOUR,
        finishedAt: now - 26 * HOUR + 9_000,
      }),
      parts: [
        part('api', 'billing-main', {
          health: 'unhealthy',
          cause: 'last probe: curl: (22) The requested URL returned error: 503',
        }),
        part('queue', 'billing-main', { image: 'redis:7', health: 'none' }),
      ],
    }),
    environment('shop-api-spike', {
      selector: { type: 'ref', name: 'spike/search-by-a-rather-long-branch-name' },
      revision: {
        label: 'spike/search-by-a-rather-long-branch-name',
        commit: commits.rounding,
        dirty: false,
        behind: null,
      },
      status: 'torn_down',
      createdAt: now - 5 * HOUR,
      readyAt: now - 5 * HOUR,
      tornDownAt: now - 3 * HOUR,
      operation: operation('o-spike', {
        kind: 'down',
        startedAt: now - 3 * HOUR,
        finishedAt: now - 3 * HOUR + 3_100,
        steps: [
          step('remove-web', { type: 'remove', container: 'shop-api-spike-web-1' }, 'done', {
            at: now - 3 * HOUR,
            took: 2_100,
          }),
          step('remove-net', { type: 'removeNetwork', name: 'shop-api-spike_default' }, 'done', {
            at: now - 3 * HOUR,
            took: 200,
          }),
          step('verify', { type: 'verify' }, 'done', { at: now - 3 * HOUR, took: 60 }),
        ],
      }),
    }),
  ];
}

export function detailOf(environment: Environment): EnvironmentDetail {
  const earlier = operation(`${environment.id}-first`, {
    state: 'cancelled',
    startedAt: environment.createdAt - HOUR,
    finishedAt: environment.createdAt - HOUR + 12_400,
    steps: [
      step('read', { type: 'read' }, 'done', { at: environment.createdAt - HOUR, took: 51 }),
      step('back', { type: 'takeBack' }, 'done', { at: environment.createdAt - HOUR, took: 900 }),
    ],
  });
  return {
    environment,
    operations: environment.operation
      ? [environment.operation, ...(environment.id === 'shop-api-main' ? [earlier] : [])]
      : [],
    plan,
  };
}

export function refs(now: number): GitRef[] {
  const day = 24 * HOUR;
  return [
    {
      name: 'feature/checkout',
      kind: 'branch',
      commit: commits.checkout,
      committedAt: now - HOUR,
      current: true,
    },
    {
      name: 'main',
      kind: 'branch',
      commit: commits.main,
      committedAt: now - 5 * HOUR,
      current: false,
    },
    {
      name: 'origin/fix/rounding',
      kind: 'remote',
      commit: commits.rounding,
      committedAt: now - day,
      current: false,
    },
    {
      name: 'v2.4.1',
      kind: 'tag',
      commit: commits.pull,
      committedAt: now - 9 * day,
      current: false,
    },
    ...Array.from({ length: 30 }, (_, i): GitRef => ({
      name: `feature/older-work-${i + 1}`,
      kind: 'branch',
      commit: commits.pull,
      committedAt: now - (10 + i) * day,
      current: false,
    })),
  ];
}

export function detection(path: string): Detection {
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? 'folder';
  const found: Detection = {
    path,
    name,
    git: true,
    branch: 'main',
    existingServiceId: null,
    candidates: [
      {
        provisioning: { type: 'docker-compose', composePath: 'compose.yaml' },
        file: 'compose.yaml',
        services: ['web', 'db', 'mail'],
        volumes: ['pgdata'],
        ports: ['8080', '8025'],
        problem: null,
        startable: true,
      },
      {
        provisioning: { type: 'docker-compose', composePath: 'compose.e2e.yaml' },
        file: 'compose.e2e.yaml',
        services: ['web', 'db', 'browser'],
        volumes: [],
        ports: [],
        problem: {
          ...problem(
            'project_unsupported',
            'compose.e2e.yaml uses something Berth cannot honour yet',
          ),
          places: [
            {
              file: `${path}/compose.e2e.yaml`,
              line: 12,
              column: 5,
              key: 'services.browser.gpus',
              message: 'GPUs are not supported yet.',
              hint: 'Remove the key, or start this service without Berth.',
            },
          ],
        },
        startable: true,
      },
      {
        provisioning: { type: 'kubernetes' },
        file: 'deploy/k8s',
        services: [],
        volumes: [],
        ports: [],
        problem: null,
        startable: false,
      },
    ],
  };
  if (name === 'empty') return { ...found, candidates: [], git: false, branch: null };
  if (name === 'shop-api') return { ...found, existingServiceId: shopApi.id };
  return found;
}

export function activity(now: number): Activity[] {
  const line = (id: number, at: number, more: Partial<Activity>): Activity => ({
    id,
    at,
    verb: 'up',
    outcome: 'success',
    environmentId: null,
    environmentName: null,
    serviceName: null,
    engineLabel: 'Local Docker',
    actor: 'window',
    durationMs: null,
    detail: null,
    ...more,
  });
  const recent = [
    line(212, now - 3 * MINUTE, {
      environmentId: 'billing-fix-rounding',
      environmentName: 'billing-fix-rounding',
      outcome: 'failure',
      durationMs: 2_300,
      detail: exited.title,
    }),
    line(211, now - 17 * MINUTE, {
      environmentId: 'shop-api-main',
      environmentName: 'shop-api-main',
      durationMs: 14_200,
    }),
    line(210, now - 30 * MINUTE, {
      verb: 'extended',
      environmentId: 'shop-api-pr-42',
      environmentName: 'shop-api-pr-42',
      actor: 'command_line',
      detail: 'by 1 h',
    }),
    line(209, now - 3 * HOUR, {
      verb: 'expired',
      environmentId: 'shop-api-spike',
      environmentName: 'shop-api-spike',
      actor: 'berth',
      durationMs: 3_100,
    }),
    line(208, now - 25 * HOUR, {
      verb: 'taken_back',
      environmentName: 'shop-api-main',
      actor: 'berth',
      durationMs: 1_200,
    }),
    line(207, now - 26 * HOUR, {
      environmentName: 'shop-api-main',
      outcome: 'cancelled',
      durationMs: 12_400,
    }),
    line(206, now - 27 * HOUR, {
      verb: 'service_added',
      serviceName: 'shop-api',
      engineLabel: null,
    }),
  ];
  const older = Array.from({ length: 120 }, (_, i) =>
    line(200 - i, now - (50 + i * 5) * HOUR, {
      verb: i % 2 === 0 ? 'down' : 'up',
      environmentName: `shop-api-pr-${40 - Math.floor(i / 4)}`,
      durationMs: 2_000 + i * 37,
    }),
  );
  return [...recent, ...older];
}
