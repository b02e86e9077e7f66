import type {
  ChangedValue,
  Choice,
  ComparedField,
  Explanation,
  Handler,
  HandlerConfig,
  HandlerKey,
  HandlerRef,
  LookedAt,
  LookedAtVerdict,
  ServiceProvisioning,
} from '../../generated/types';
import { isObject, own, sameJson } from '../../form/model/json';

/** A row that may serve. */
export interface Row {
  handler: Handler;
  enabled: boolean;
}

export const sameKey = (a: HandlerKey, b: HandlerKey) =>
  a.provisionType === b.provisionType && a.manifestId === b.manifestId;

export function refOf({ scope, key, label, engine, acceptsManifestId }: HandlerRef): HandlerRef {
  return { scope, key, label, engine, acceptsManifestId };
}

function verdictOf(provisioning: ServiceProvisioning, { handler, enabled }: Row): LookedAtVerdict {
  if (handler.key.provisionType !== provisioning.type) return 'other_type';
  const id = provisioning.type === 'custom' ? provisioning.manifestId : undefined;
  if (id !== undefined && handler.key.manifestId !== id && handler.acceptsManifestId !== id)
    return 'other_manifest_type';
  return enabled ? 'candidate' : 'switched_off';
}

/** Berth's own rule, where there is no Berth: the first list with a candidate decides. */
export function explain(
  provisioning: ServiceProvisioning,
  overrides: readonly Row[],
  workspace: readonly Row[],
): Explanation {
  if (provisioning.type === 'infraless')
    return { provisioning, choice: { type: 'nothing_to_run' }, lookedAt: [] };
  const look = (rows: readonly Row[]): LookedAt[] =>
    rows.map((row) => ({ handler: refOf(row.handler), verdict: verdictOf(provisioning, row) }));
  const first = look(overrides);
  const second = look(workspace);
  const candidates = (list: LookedAt[]) =>
    list.filter(({ verdict }) => verdict === 'candidate').map(({ handler }) => handler);
  const mine = candidates(first);
  const chosen = mine.length > 0 ? mine : candidates(second);
  const [only] = chosen;
  const away =
    provisioning.localDevOnly === true &&
    (only?.engine === 'remote-kubernetes' || only?.engine === 'remote-custom');
  const choice: Choice =
    only === undefined
      ? { type: 'no_handler' }
      : chosen.length > 1
        ? { type: 'ambiguous', candidates: chosen }
        : { type: away ? 'local_dev_only' : 'handled', handler: only };
  const settle = (list: LookedAt[], overridden: boolean) =>
    list.map(({ handler, verdict }): LookedAt => {
      if (verdict !== 'candidate') return { handler, verdict };
      if (overridden) return { handler, verdict: 'overridden' };
      if (choice.type === 'ambiguous') return { handler, verdict };
      return { handler, verdict: away ? 'not_local' : 'chosen' };
    });
  return {
    provisioning,
    choice,
    lookedAt: [...settle(first, false), ...settle(second, mine.length > 0)],
  };
}

/** The values of a document by pointer; what is empty counts as a value. */
export function leaves(value: unknown, at = ''): Map<string, unknown> {
  const inner = isObject(value) ? Object.entries(value) : [];
  if (inner.length === 0) return new Map([[at, value]]);
  return new Map(inner.flatMap(([key, one]) => [...leaves(one, `${at}/${key}`)]));
}

export function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => own(value, key), document);
}

export function differences(before: unknown, after: unknown): ChangedValue[] {
  const pointers = new Set([...leaves(before).keys(), ...leaves(after).keys()]);
  return [...pointers]
    .map((pointer) => ({
      pointer,
      before: valueAt(before, pointer),
      after: valueAt(after, pointer),
    }))
    .filter(({ before, after }) => !sameJson(before, after));
}

const TITLES: Record<string, string> = {
  '/engine': 'Engine',
  '/manifest/label': 'Label',
  '/manifest/baseUrl': 'Base URL',
  '/manifest/providerConfig/endpoint': 'Docker engine',
  '/manifest/providerConfig/service': 'Service',
  '/manifest/providerConfig/port': 'Port',
  '/manifest/providerConfig/ttlMinutes': 'Lifetime',
  '/kubernetes/label': 'Label',
  '/kubernetes/apiServerUrl': 'API server',
  '/kubernetes/namespaceTemplate': 'Namespace',
};

/** Field by field, with where each value of the override comes from. */
export function compared(
  workspace: HandlerConfig,
  override: HandlerConfig,
  copiedFrom: HandlerConfig | null,
): ComparedField[] {
  const pointers = new Set([...leaves(workspace).keys(), ...leaves(override).keys()]);
  return [...pointers].map((pointer) => {
    const [theirs, mine] = [valueAt(workspace, pointer), valueAt(override, pointer)];
    const copied = copiedFrom !== null && sameJson(valueAt(copiedFrom, pointer), mine);
    return {
      pointer,
      title: TITLES[pointer] ?? pointer.split('/').slice(2).join(' · '),
      workspace: theirs ?? null,
      own: mine ?? null,
      origin: sameJson(theirs, mine) ? 'workspace' : copied ? 'copied' : 'own',
    };
  });
}
