import type {
  Change,
  ContractSchema,
  Problem,
  SecretKey,
  StoredDocument,
} from '../../generated/types';
import type { Backend } from '../backend';
import type { JsonSchema } from '../contract';
import { problem } from '../problem';
import { demoCheck } from './check';
import contract from '../../generated/contract.json';

type DocumentCalls = Pick<
  Backend,
  | 'contractSchemas'
  | 'contractSchema'
  | 'checkDocument'
  | 'previewTemplate'
  | 'documents'
  | 'document'
  | 'saveDocument'
  | 'deleteDocument'
  | 'pickDocumentFile'
  | 'exportDocument'
  | 'noteUnsaved'
  | 'documentSecrets'
  | 'setDocumentSecret'
  | 'removeDocumentSecret'
>;

const schemas: Readonly<Record<string, JsonSchema>> = contract;

/** What the contract puts its schemas under; the rest are messages. */
const groups: Record<string, RegExp> = {
  Handlers: /^(infraHandler|environmentBackend|compose|customEnvironmentBackendKind)/,
  'HTTP APIs': /^environment(Manifest|Auth|Request|Response|SecretRef)/,
  Kubernetes: /^kubernetes(?!Runner)/,
  Services: /^(serviceProvisioning|customManifest|upsert|manifestId)/,
  Runners: /^(runnerPool(Manifest|Response)|kubernetesRunner|runnerBackend|customRunner)/,
};

const kinds: ContractSchema[] = Object.entries(schemas).map(([name, schema]) => ({
  name,
  title: String(schema['title'] ?? name),
  description: String(schema['description'] ?? ''),
  group: Object.keys(groups).find((group) => groups[group]?.test(name)) ?? 'Messages',
  storable: !JSON.stringify(schema).includes('"writeOnly":true'),
}));

const HOUR = 3_600_000;

const manifest = {
  providerId: 'acme-previews',
  label: 'Acme previews',
  baseUrl: 'https://previews.acme.dev/api',
  auth: { type: 'bearer', secretRef: { key: 'PREVIEWS_TOKEN' } },
  provision: {
    method: 'POST',
    pathTemplate: '/environments',
    headers: [{ name: 'x-team', value: 'checkout' }],
    bodyTemplate: '{"branch": "{{input.branch}}", "pull": "{{input.pullNumber}}"}',
  },
  response: {
    urlPath: 'environment.url',
    externalIdPath: 'environment.id',
    statusPath: 'environment.state',
    statusMap: [
      { from: 'running', to: 'ready' },
      { from: 'error', to: 'failed' },
    ],
  },
  defaultTtlMs: 2 * HOUR,
};

/** A starter of a schema. */
function starter(name: string, at = 0): unknown {
  const starters = schemas[name]?.['x-berth-starters'] as { document: unknown }[] | undefined;
  return starters?.[at]?.document;
}

function samples(now: number): StoredDocument[] {
  const sample = (id: string, schema: string, name: string, ago: number, value: unknown) => ({
    id,
    schema,
    name,
    createdAt: now - ago - 50 * HOUR,
    updatedAt: now - ago,
    text: JSON.stringify(value, null, 2),
  });
  return [
    sample('d-acme', 'environmentManifestSchema', 'Acme previews', HOUR / 3, manifest),
    sample('d-docker', 'infraHandlerConfigSchema', 'Docker on my laptop', 3 * HOUR, {
      ...(starter('infraHandlerConfigSchema') as object),
    }),
    sample('d-shop', 'serviceProvisioningSchema', 'shop-api', 26 * HOUR, {
      type: 'docker-compose',
      composePath: 'deploy/compose.yaml',
    }),
    sample(
      'd-k8s',
      'kubernetesEnvironmentConfigSchema',
      'Staging cluster',
      75 * HOUR,
      starter('kubernetesEnvironmentConfigSchema'),
    ),
    sample(
      'd-pool',
      'runnerPoolManifestSchema',
      'Build farm',
      190 * HOUR,
      starter('runnerPoolManifestSchema'),
    ),
  ];
}

/** Documents in memory. Scenario `broken-documents`: they cannot be read. */
export function demoDocuments(
  scenario: string,
  answers: <T>(make: () => T) => Promise<T>,
  tell: (change: Change) => void,
): {
  calls: DocumentCalls;
  /** The names of the secrets that were typed in under an id. */
  typedSecrets: (id: string) => SecretKey[];
} {
  const bare = ['first', 'no-engine', 'empty'].includes(scenario);
  let documents = bare ? [] : samples(Date.now());
  const secrets = new Map<string, SecretKey[]>([
    ['d-acme', [{ key: 'PREVIEWS_TOKEN', setAt: Date.now() - 72 * HOUR }]],
  ]);
  const missing = (what: string): Problem => problem('not_found', `There is no ${what} of that id`);
  const schemaOf = (name: string): JsonSchema => {
    const schema = schemas[name];
    if (!schema) throw problem('not_found', `The contract has no ${name}`);
    return schema;
  };
  const unreachable = (): void => {
    if (scenario !== 'broken-documents') return;
    throw {
      ...problem('store', 'The documents could not be read'),
      detail: 'berth.sqlite: the disk image is malformed (page 41).',
      hint: 'Put back a copy from the backups folder beside it, then try again.',
      retryable: true,
    };
  };
  const keysOf = (id: string) => secrets.get(id) ?? [];
  const setKeys = (id: string, keys: SecretKey[]) => {
    secrets.set(
      id,
      keys.toSorted((a, b) => a.key.localeCompare(b.key, 'en')),
    );
    return keysOf(id);
  };

  const calls: DocumentCalls = {
    contractSchemas: () =>
      scenario === 'loading' ? new Promise(() => undefined) : answers(() => kinds),
    contractSchema: (name) => answers(() => schemaOf(name)),
    checkDocument: (choice, text) =>
      answers(() =>
        demoCheck(
          'contract' in choice ? schemaOf(choice.contract) : (choice.inline as JsonSchema),
          text,
        ),
      ),
    previewTemplate: (template, values) =>
      answers(() =>
        template.replace(/\{\{\s*([A-Za-z0-9_.]+)\s*\}\}/g, (_, name: string) =>
          Object.hasOwn(values, name) ? (values[name] ?? '') : '',
        ),
      ),
    documents: () =>
      answers(() => {
        unreachable();
        return documents.map(({ id, schema, name, createdAt, updatedAt }) => ({
          id,
          schema,
          name,
          createdAt,
          updatedAt,
        }));
      }),
    document: (id) =>
      answers(() => {
        const found = documents.find((document) => document.id === id);
        if (!found) throw missing('document');
        return found;
      }),
    saveDocument: ({ id, schema, name, text }) =>
      answers(() => {
        const { output } = demoCheck(schemaOf(schema), text);
        if (output === null) {
          throw problem('invalid_document', 'The document is not complete');
        }
        const known = documents.find((document) => document.id === id);
        const stored: StoredDocument = {
          id: id ?? crypto.randomUUID(),
          schema,
          name,
          createdAt: known?.createdAt ?? Date.now(),
          updatedAt: Date.now(),
          text: output,
        };
        documents = [...documents.filter((document) => document !== known), stored];
        tell({ type: 'document', id: stored.id });
        return stored;
      }),
    deleteDocument: (id) =>
      answers(() => {
        documents = documents.filter((document) => document.id !== id);
        secrets.delete(id);
        tell({ type: 'document', id });
      }),
    pickDocumentFile: () =>
      answers(() => {
        if (scenario === 'unreadable-file') {
          return { name: 'manifest.json', text: '{\n  "label": "Acme previews",\n  "baseUrl" \n}' };
        }
        return {
          name: 'acme.json',
          text: JSON.stringify({ ...manifest, label: 'Acme staging' }),
        };
      }),
    exportDocument: (_, suggestedName) => answers(() => `/home/me/Documents/${suggestedName}`),
    noteUnsaved: () => answers(() => undefined),
    documentSecrets: (id) => answers(() => keysOf(id)),
    setDocumentSecret: (id, key) =>
      answers(() =>
        setKeys(id, [
          ...keysOf(id).filter((known) => known.key !== key),
          { key, setAt: Date.now() },
        ]),
      ),
    removeDocumentSecret: (id, key) =>
      answers(() =>
        setKeys(
          id,
          keysOf(id).filter((known) => known.key !== key),
        ),
      ),
  };
  return { calls, typedSecrets: keysOf };
}
