import type { JsonSchema } from '../../backend/contract';
import contract from '../../generated/contract.json';

export const contractSchemas = contract as unknown as Record<string, JsonSchema>;

/** A schema of the contract by its name. */
export function contractSchema(name: string): JsonSchema {
  const found = contractSchemas[name];
  if (!found) throw new Error(`the contract has no ${name}`);
  return found;
}

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

const auth = {
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

const $defs = { secretRef, auth };

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
    hint: { type: 'string', title: 'Hint', 'x-berth-when': { colour: ['green'] } },
    anything: { title: 'Anything' },
    odd: { title: 'Odd', if: {}, then: {}, allOf: [{ type: 'object' }] },
    self: { $ref: '#' },
  },
  required: ['text', 'whole', 'version', 'nothing', 'labels'],
  $defs,
};

/** What the properties of forms are tried on. */
export const allSchemas: Record<string, JsonSchema> = {
  everything,
  environmentManifest: contractSchema('environmentManifestSchema'),
  infraHandlerConfig: contractSchema('infraHandlerConfigSchema'),
  kubernetesEnvironmentConfig: contractSchema('kubernetesEnvironmentConfigSchema'),
  serviceProvisioning: contractSchema('serviceProvisioningSchema'),
  runnerPoolManifest: contractSchema('runnerPoolManifestSchema'),
  kubernetesRunnerConfig: contractSchema('kubernetesRunnerConfigSchema'),
  environmentHandle: contractSchema('environmentHandleSchema'),
  registerProvider: contractSchema('registerEnvironmentProviderSchema'),
};
