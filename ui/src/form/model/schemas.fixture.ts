import type { JsonSchema } from '../../backend/contract';

/** Schemas in the dialect, written by hand, with one of everything that a form draws. */

const secretRef = {
  type: 'object',
  title: 'Secret',
  description: 'The key a secret is kept under.',
  'x-berth-secret-ref': true,
  properties: {
    key: { type: 'string', pattern: '^[A-Za-z0-9_.-]+$', minLength: 1, maxLength: 64 },
  },
  required: ['key'],
};

const template = {
  syntax: '{{…}}',
  variables: [
    { name: 'input.branch', description: 'The branch.', sample: 'feature/login' },
    { name: 'provision.externalId', description: 'The id it was given.', sample: 'pr-42' },
  ],
  open: ['input.'],
};

export const auth = {
  title: 'Authentication',
  description: 'How requests say who sends them.',
  discriminator: { propertyName: 'type' },
  oneOf: [
    {
      type: 'object',
      title: 'None',
      description: 'Requests are sent as they are.',
      properties: { type: { const: 'none' } },
      required: ['type'],
    },
    {
      type: 'object',
      title: 'API key',
      description: 'A secret in a header of its own.',
      properties: {
        type: { const: 'api_key' },
        headerName: { type: 'string', title: 'Header', minLength: 1, examples: ['X-Api-Key'] },
        secretRef: { $ref: '#/$defs/secretRef', title: 'API key' },
        valuePrefix: { type: 'string', title: 'Prefix', description: 'Put before the secret.' },
      },
      required: ['type', 'headerName', 'secretRef'],
    },
    {
      type: 'object',
      title: 'Bearer token',
      description: 'A secret in the Authorization header.',
      properties: { type: { const: 'bearer' }, secretRef: { $ref: '#/$defs/secretRef' } },
      required: ['type', 'secretRef'],
    },
    {
      type: 'object',
      title: 'Headers',
      description: 'Any number of headers, each with a secret.',
      properties: {
        type: { const: 'custom_headers' },
        headers: {
          type: 'array',
          title: 'Headers',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string', title: 'Name', minLength: 1 },
              secretRef: { $ref: '#/$defs/secretRef' },
            },
            required: ['name', 'secretRef'],
          },
        },
      },
      required: ['type', 'headers'],
    },
  ],
};

const request = {
  type: 'object',
  title: 'Request',
  properties: {
    method: {
      type: 'string',
      title: 'Method',
      enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    },
    pathTemplate: {
      type: 'string',
      title: 'Path',
      description: 'What follows the base URL.',
      maxLength: 2000,
      'x-berth-template': template,
    },
    headers: {
      type: 'array',
      title: 'Headers',
      items: {
        type: 'object',
        title: 'Header',
        properties: {
          name: { type: 'string', title: 'Name', minLength: 1 },
          value: { type: 'string', title: 'Value' },
        },
        required: ['name', 'value'],
      },
    },
    bodyTemplate: {
      type: 'string',
      title: 'Body',
      contentMediaType: 'application/json',
      'x-berth-template': template,
    },
    timeoutMs: {
      type: 'number',
      title: 'Time limit',
      minimum: 1,
      maximum: 60000,
      'x-berth-unit': 'ms',
    },
  },
  required: ['method', 'pathTemplate'],
};

const response = {
  type: 'object',
  title: 'Answer',
  description: 'Where in the answer things are.',
  properties: {
    urlPath: { type: 'string', title: 'Address', examples: ['data.url'] },
    statusMap: {
      type: 'array',
      title: 'States',
      items: {
        type: 'object',
        properties: {
          from: { type: 'string', title: 'Their word' },
          to: { type: 'string', title: 'State', enum: ['provisioning', 'ready', 'failed'] },
        },
        required: ['from', 'to'],
      },
    },
    access: {
      type: 'object',
      title: 'Access',
      description: 'Credentials that the answer holds.',
      properties: {
        scheme: { type: 'string', title: 'Scheme', enum: ['none', 'bearer', 'basic'] },
        tokenPath: { type: 'string', title: 'Token' },
      },
      required: ['scheme'],
    },
  },
};

const label = {
  type: 'string',
  title: 'Name',
  description: 'What it is called in lists.',
  minLength: 1,
  maxLength: 120,
  examples: ['Acme previews'],
};

const manifestProperties = {
  providerId: {
    type: 'string',
    title: 'Identifier',
    pattern: '^[a-z0-9-]+$',
    minLength: 1,
    maxLength: 64,
  },
  label,
  baseUrl: { type: 'string', title: 'Base URL', minLength: 1, maxLength: 2000 },
  auth: { $ref: '#/$defs/auth' },
  provision: { $ref: '#/$defs/request', title: 'Provision', description: 'Makes an environment.' },
  status: { $ref: '#/$defs/request', title: 'Status', description: 'Asks how one is doing.' },
  response: { $ref: '#/$defs/response' },
  defaultTtlMs: {
    type: 'number',
    title: 'Lifetime',
    description: 'How long an environment is kept.',
    minimum: 60000,
    'x-berth-unit': 'ms',
  },
  providerConfig: { type: 'object', title: 'Other settings', additionalProperties: true },
};

const manifestRequired = ['providerId', 'label', 'baseUrl', 'auth', 'provision', 'response'];

const manifest = {
  type: 'object',
  title: 'Manifest',
  description: 'An HTTP management API.',
  properties: manifestProperties,
  required: manifestRequired,
};

const $defs = { secretRef, auth, request, response, manifest };

export const environmentManifest: JsonSchema = { ...manifest, $defs };

export const authScheme: JsonSchema = { ...auth, $defs };

const kubernetesProperties = {
  label,
  apiServerUrl: { type: 'string', title: 'API server', minLength: 1, maxLength: 2000 },
  caCertPem: {
    type: 'string',
    title: 'Certificate authority',
    contentMediaType: 'application/x-pem-file',
  },
  insecureSkipTlsVerify: { type: 'boolean', title: 'Do not check the certificate' },
  manifestSource: {
    title: 'Manifests',
    discriminator: { propertyName: 'type' },
    oneOf: [
      {
        type: 'object',
        title: 'In the service’s repository',
        description: 'The files are beside the code.',
        properties: {
          type: { const: 'colocated' },
          path: { type: 'string', title: 'Path', minLength: 1 },
        },
        required: ['type', 'path'],
      },
      {
        type: 'object',
        title: 'In another repository',
        description: 'The files are kept apart.',
        properties: {
          type: { const: 'separate' },
          repo: { type: 'string', title: 'Repository', pattern: '^[^/\\s]+/[^/\\s]+$' },
          ref: { type: 'string', title: 'Ref', minLength: 1 },
          path: { type: 'string', title: 'Path', minLength: 1 },
        },
        required: ['type', 'repo', 'path'],
      },
    ],
  },
  url: {
    title: 'Address',
    oneOf: [
      {
        type: 'object',
        title: 'From a template',
        description: 'The host is known beforehand.',
        properties: {
          source: { const: 'ingressTemplate' },
          hostTemplate: { type: 'string', title: 'Host', minLength: 1 },
          scheme: { type: 'string', title: 'Scheme', enum: ['http', 'https'], default: 'https' },
        },
        required: ['source', 'hostTemplate'],
      },
      {
        type: 'object',
        title: 'From a service',
        description: 'The service says it once it has one.',
        properties: {
          source: { const: 'serviceStatus' },
          serviceName: { type: 'string', title: 'Service', minLength: 1 },
          port: { type: 'integer', title: 'Port', minimum: 1, maximum: 65535 },
        },
        required: ['source', 'serviceName'],
      },
    ],
  },
  labels: { type: 'object', title: 'Labels', additionalProperties: { type: 'string' } },
};

export const kubernetesEnvironment: JsonSchema = {
  type: 'object',
  title: 'Kubernetes environment',
  properties: kubernetesProperties,
  required: ['label', 'apiServerUrl', 'manifestSource', 'url'],
};

export const infraHandler: JsonSchema = {
  title: 'Handler',
  discriminator: { propertyName: 'engine' },
  oneOf: [
    {
      type: 'object',
      title: 'Docker on this machine',
      description: 'Compose projects on the local engine.',
      properties: {
        engine: { const: 'local-docker' },
        manifest: { $ref: '#/$defs/manifest' },
      },
      required: ['engine', 'manifest'],
      'x-berth-form': {
        show: [
          { at: '/manifest/label' },
          {
            at: '/manifest/providerConfig',
            schema: {
              type: 'object',
              title: 'Compose',
              properties: {
                service: { type: 'string', title: 'Service', minLength: 1 },
                port: { type: 'integer', title: 'Port', minimum: 1, maximum: 65535 },
                scheme: {
                  type: 'string',
                  title: 'Scheme',
                  enum: ['http', 'https'],
                  default: 'http',
                },
                envTemplate: {
                  type: 'object',
                  title: 'Environment',
                  additionalProperties: { type: 'string', 'x-berth-template': template },
                },
                ttlMinutes: { type: 'string', title: 'Lifetime', 'x-berth-unit': 'min' },
              },
              required: ['service', 'port'],
            },
          },
        ],
        fill: {
          manifest: {
            providerId: 'compose',
            label: 'Docker Compose',
            baseUrl: 'http://localhost',
            auth: { type: 'none' },
            provision: { method: 'POST', pathTemplate: '/' },
            response: {},
            providerConfig: {},
          },
        },
      },
    },
    {
      type: 'object',
      title: 'Kubernetes',
      description: 'A cluster that can be reached.',
      properties: {
        engine: { const: 'remote-kubernetes' },
        kubernetes: {
          type: 'object',
          title: 'Cluster',
          properties: kubernetesProperties,
          required: ['label', 'apiServerUrl', 'url'],
        },
      },
      required: ['engine', 'kubernetes'],
    },
  ],
  $defs,
};

/** A backend whose kind is typed where it is none of the known ones. */
export const backendConfig: JsonSchema = {
  title: 'Backend',
  discriminator: { propertyName: 'kind' },
  oneOf: [
    {
      type: 'object',
      title: 'Manifest',
      properties: { kind: { const: 'manifest' }, manifest: { $ref: '#/$defs/manifest' } },
      required: ['kind', 'manifest'],
    },
    {
      type: 'object',
      title: 'Custom',
      properties: {
        kind: { type: 'string', title: 'Kind', pattern: '^[a-z0-9][a-z0-9-]*$' },
        manifest: { $ref: '#/$defs/manifest' },
      },
      required: ['kind', 'manifest'],
    },
  ],
  $defs,
};

/** One small field of every kind. */
export const everything: JsonSchema = {
  type: 'object',
  title: 'Everything',
  properties: {
    text: { type: 'string', title: 'Text', minLength: 1 },
    note: { type: 'string', title: 'Note', 'x-berth-multiline': true },
    whole: { type: 'integer', title: 'Whole', minimum: 1 },
    ratio: { type: 'number', title: 'Ratio' },
    on: { type: 'boolean', title: 'On' },
    colour: { type: 'string', title: 'Colour', enum: ['red', 'green'] },
    level: {
      title: 'Level',
      oneOf: [
        { const: 1, title: 'Low' },
        { const: 2, title: 'High' },
      ],
    },
    version: { const: 2 },
    wait: { type: 'number', title: 'Wait', 'x-berth-unit': 's' },
    ttl: { type: 'string', title: 'TTL', 'x-berth-unit': 'min' },
    nothing: { type: ['string', 'null'], title: 'Nothing' },
    password: { type: 'string', title: 'Password', writeOnly: true },
    secret: { $ref: '#/$defs/secretRef' },
    extra: { type: 'object', title: 'Extra', properties: { a: { type: 'string' } } },
    names: { type: 'array', title: 'Names', items: { type: 'string' } },
    labels: { type: 'object', title: 'Labels', additionalProperties: { type: 'string' } },
    auth: { $ref: '#/$defs/auth' },
    anything: { title: 'Anything' },
    odd: { title: 'Odd', if: {}, then: {}, allOf: [{ type: 'object' }] },
    self: { $ref: '#' },
  },
  required: ['text', 'whole', 'version', 'nothing', 'labels'],
  $defs,
};

export const allSchemas: Record<string, JsonSchema> = {
  environmentManifest,
  authScheme,
  kubernetesEnvironment,
  infraHandler,
  backendConfig,
  everything,
};
