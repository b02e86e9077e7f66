import type {
  CustomManifestType,
  FoundEngine,
  Handler,
  HandlerConfig,
  HandlerKey,
  HandlerScope,
  ProvisionType,
  SecretKey,
  User,
} from '../../generated/types';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const key = (
  provisionType: ProvisionType,
  manifestId: string | null = null,
): HandlerKey => ({
  provisionType,
  manifestId,
});

export function compose(label: string, providerConfig: Record<string, string>): HandlerConfig {
  return {
    engine: 'local-docker',
    manifest: {
      providerId: 'compose',
      label,
      baseUrl: 'http://localhost',
      auth: { type: 'none' },
      provision: { method: 'POST', pathTemplate: '' },
      response: {},
      providerConfig,
    },
  };
}

function cluster(
  engine: 'local-k3s' | 'remote-kubernetes',
  label: string,
  apiServerUrl: string,
  hostTemplate: string,
): HandlerConfig {
  return {
    engine,
    kubernetes: {
      label,
      apiServerUrl,
      namespaceTemplate: 'preview-{{repoName}}-{{pullNumber}}',
      url: { source: 'ingressTemplate', hostTemplate, scheme: 'https' },
      defaultTtlMs: 2 * HOUR,
    },
  };
}

function previewsAt(baseUrl: string): HandlerConfig {
  return {
    engine: 'remote-custom',
    manifest: {
      providerId: 'acme-previews',
      label: 'Acme previews API',
      baseUrl,
      auth: { type: 'bearer', secretRef: { key: 'kargo_token' } },
      provision: {
        method: 'POST',
        pathTemplate: '/environments',
        bodyTemplate: '{"branch": "{{input.branch}}"}',
      },
      response: { urlPath: 'environment.url', externalIdPath: 'environment.id' },
      defaultTtlMs: 2 * HOUR,
    },
    acceptsManifestId: 'kargo-preview',
  };
}
const previews = previewsAt('https://previews.acme.dev/api');

export function labelOf(config: HandlerConfig): string {
  return 'manifest' in config ? config.manifest.label : config.kubernetes.label;
}

export function addressOf(config: HandlerConfig): string | null {
  if ('kubernetes' in config) return config.kubernetes.apiServerUrl;
  if (config.engine === 'remote-custom') return config.manifest.baseUrl;
  const endpoint = config.manifest.providerConfig?.['endpoint'];
  return typeof endpoint === 'string' ? endpoint : null;
}

export function handlerOf(
  scope: HandlerScope,
  handlerKey: HandlerKey,
  config: HandlerConfig,
  secrets: SecretKey[],
  at: { createdAt: number; updatedAt: number },
): Handler {
  return {
    scope,
    key: handlerKey,
    label: labelOf(config),
    engine: config.engine,
    acceptsManifestId: config.engine === 'remote-custom' ? config.acceptsManifestId : null,
    backendKind:
      config.engine === 'local-docker'
        ? 'compose'
        : config.engine === 'remote-custom'
          ? 'manifest'
          : 'kubernetes',
    address: addressOf(config),
    config,
    secrets,
    ...at,
  };
}

export const workspace: HandlerScope = { type: 'workspace' };
export const ofUser = (userId: string): HandlerScope => ({ type: 'user', userId });

export function sampleHandlers(now: number): Handler[] {
  const at = { createdAt: now - 40 * DAY, updatedAt: now - 3 * DAY };
  return [
    handlerOf(
      workspace,
      key('docker-compose'),
      compose('Local Docker', { service: 'web', port: '8080', ttlMinutes: '120' }),
      [],
      at,
    ),
    handlerOf(
      workspace,
      key('kubernetes'),
      cluster(
        'remote-kubernetes',
        'staging cluster',
        'https://k8s.acme.dev:6443',
        '{{branch}}.preview.acme.dev',
      ),
      [],
      at,
    ),
    handlerOf(
      workspace,
      key('custom', 'kargo-preview'),
      previews,
      [{ key: 'kargo_token', setAt: now - 3 * DAY - HOUR }],
      at,
    ),
  ];
}

export interface DemoOverride {
  handler: Handler;
  enabled: boolean;
  copiedFrom: HandlerConfig | null;
}

export function sampleOverrides(now: number): DemoOverride[] {
  const at = { createdAt: now - 9 * DAY, updatedAt: now - DAY };
  return [
    {
      handler: handlerOf(
        ofUser('me'),
        key('docker-compose'),
        compose('Colima, bigger VM', {
          service: 'web',
          port: '8000',
          ttlMinutes: '120',
          endpoint: 'unix:///home/me/.colima/big/docker.sock',
        }),
        [],
        at,
      ),
      enabled: true,
      copiedFrom: compose('Local Docker', { service: 'web', port: '8000', ttlMinutes: '120' }),
    },
    {
      handler: handlerOf(
        ofUser('me'),
        key('kubernetes'),
        cluster('local-k3s', 'k3d-dev', 'https://127.0.0.1:6443', '{{namespace}}.localhost'),
        [],
        at,
      ),
      enabled: true,
      copiedFrom: null,
    },
    {
      handler: handlerOf(
        ofUser('me'),
        key('custom', 'kargo-preview'),
        previewsAt('http://127.0.0.1:9090/api'),
        [{ key: 'kargo_token', setAt: now - 9 * DAY }],
        at,
      ),
      enabled: false,
      copiedFrom: previews,
    },
  ];
}

export const users: Omit<User, 'current' | 'overrides'>[] = [
  { id: 'me', name: 'me', system: true },
  { id: 'pair', name: 'Pair', system: false },
];

export const registeredTypes: CustomManifestType[] = [
  {
    manifestId: 'kargo-preview',
    label: 'Kargo preview',
    source: 'registered',
    acceptsInputHint: 'A JSON file with “image” and “values”.',
    description: 'Preview stages of a Kargo project.',
  },
];

export const workspaceTypes: CustomManifestType[] = [
  {
    manifestId: 'sandbox-vm',
    label: 'Sandbox VM',
    source: 'workspace',
    description: 'A virtual machine from the platform team.',
  },
];

export const engines: FoundEngine[] = [
  {
    product: 'Docker Desktop',
    address: 'unix:///home/me/.docker/desktop/docker.sock',
    rule: 'context desktop-linux',
    hasHandler: false,
  },
  {
    product: 'Docker Engine',
    address: 'unix:///var/run/docker.sock',
    rule: null,
    hasHandler: true,
  },
];
