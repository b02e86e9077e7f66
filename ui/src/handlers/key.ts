import type { Engine, HandlerKey, ProvisionType, ServiceProvisioning } from '../generated/types';
import { own } from '../form/model/json';

/** What a handler serves: whether two are the same. */
export function sameKey(a: HandlerKey, b: HandlerKey): boolean {
  return a.provisionType === b.provisionType && a.manifestId === b.manifestId;
}

/** Something to tell rows apart by. */
export function keyText({ provisionType, manifestId }: HandlerKey): string {
  return manifestId === null ? provisionType : `${provisionType}/${manifestId}`;
}

/** The row that a service belongs to. */
export function keyOfProvisioning({ type, manifestId }: ServiceProvisioning): HandlerKey {
  return { provisionType: type, manifestId: type === 'custom' ? (manifestId ?? null) : null };
}

const serves: Record<Exclude<Engine, 'none'>, ProvisionType> = {
  'local-docker': 'docker-compose',
  'local-k3s': 'kubernetes',
  'remote-kubernetes': 'kubernetes',
  'remote-custom': 'custom',
};

/** What a handler's document says it serves; `null` while it does not say. */
export function keyOfDocument(document: unknown): HandlerKey | null {
  const engine = own(document, 'engine');
  if (typeof engine !== 'string' || !Object.hasOwn(serves, engine)) return null;
  const provisionType = serves[engine as keyof typeof serves];
  const accepted = own(document, 'acceptsManifestId');
  const manifestId =
    provisionType === 'custom' && typeof accepted === 'string' && accepted !== '' ? accepted : null;
  return { provisionType, manifestId };
}
