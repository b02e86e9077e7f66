import type {
  Choice,
  HandlerConfig,
  HandlerRef,
  HandlerRow,
  SecretKey,
  User,
} from '../generated/types';
import type { Tone } from '../state/describe';
import { en } from '../strings/en';
import { HOUR, MINUTE, pair } from '../strings/format';
import { ownerWords } from './owner';

const words = en.handlers;

export function scopeWords({ scope }: HandlerRef): string {
  return words.scope[scope.type];
}

/** How long a handler lets environments live, in words; `null`: it does not say. */
export function lifetimeOf(config: HandlerConfig): string | null {
  const ms = lifetimeMs(config);
  if (ms === null || !(ms >= 0)) return null;
  if (ms === 0) return words.setting.never;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`;
  return pair(Math.floor(ms / HOUR), 'h', Math.floor((ms % HOUR) / MINUTE), 'min');
}

function lifetimeMs(config: HandlerConfig): number | null {
  if ('kubernetes' in config) return config.kubernetes.defaultTtlMs ?? null;
  const minutes = config.manifest.providerConfig?.['ttlMinutes'];
  if (config.engine === 'local-docker' && typeof minutes === 'string' && minutes.trim() !== '')
    return Number(minutes) * MINUTE;
  return config.manifest.defaultTtlMs ?? null;
}

/** What of a handler's settings is worth a glance: `service web, port 8080, 2 h`. */
export function settingsOf(config: HandlerConfig): string {
  if (config.engine !== 'local-docker') return '';
  const { service, port } = config.manifest.providerConfig ?? {};
  return [
    typeof service === 'string' && service !== '' ? words.setting.service(service) : '',
    typeof port === 'string' && port !== '' ? words.setting.port(port) : '',
    lifetimeOf(config) ?? '',
  ]
    .filter(Boolean)
    .join(', ');
}

export interface SecretsSummary {
  missing: string[];
  /** The one that was set last, and how many there are. */
  set: { count: number; key: string; at: number } | null;
}

export function secretsSummary(secrets: readonly SecretKey[]): SecretsSummary {
  const missing = secrets.filter(({ setAt }) => setAt === null).map(({ key }) => key);
  const set = secrets
    .flatMap(({ key, setAt }) => (setAt === null ? [] : [{ key, at: setAt }]))
    .toSorted((a, b) => b.at - a.at);
  const [last] = set;
  return { missing, set: last ? { ...last, count: set.length } : null };
}

export interface Effect {
  title: string;
  reason: string;
  tone: Tone;
}

/** What is in effect for a row, and the reason in words. */
export function effectOf(row: HandlerRow): Effect {
  const { choice } = row.inEffect;
  switch (choice.type) {
    case 'handled': {
      const { handler } = choice;
      const off = handler.scope.type === 'workspace' && row.own !== null && !row.own.enabled;
      const through =
        handler.acceptsManifestId !== null && handler.key.manifestId !== row.key.manifestId
          ? words.effect.accepts(handler.acceptsManifestId)
          : null;
      const reason =
        handler.scope.type === 'user'
          ? words.effect.own
          : off
            ? words.effect.overrideOff
            : words.effect.workspace;
      return {
        title: handler.label,
        reason: through === null ? reason : `${reason} · ${through}`,
        tone: 'ok',
      };
    }
    case 'nothing_to_run':
      return { title: words.effect.nothingToRun, reason: words.effect.infraless, tone: 'idle' };
    case 'no_handler':
      return {
        title: words.effect.nothing,
        reason: words.effect.cannotStart(row.services.length),
        tone: 'bad',
      };
    case 'ambiguous':
      return {
        title: words.effect.ambiguous,
        reason: words.effect.ambiguousOf(choice.candidates.map(({ label }) => label)),
        tone: 'bad',
      };
    case 'local_dev_only':
      return {
        title: words.effect.away(choice.handler.label),
        reason: words.effect.awayWhy,
        tone: 'bad',
      };
  }
}

/** What starting comes to, as a sentence. */
export function outcomeOf(choice: Choice): { tone: Tone; text: string } {
  const { outcome } = words.why;
  switch (choice.type) {
    case 'handled':
      return {
        tone: 'ok',
        text: outcome.handled(
          `${choice.handler.label} (${scopeWords(choice.handler)})`,
          en.engineKind[choice.handler.engine],
        ),
      };
    case 'local_dev_only':
      return { tone: 'bad', text: outcome.local_dev_only(choice.handler.label) };
    case 'nothing_to_run':
      return { tone: 'idle', text: outcome.nothing_to_run };
    case 'no_handler':
      return { tone: 'bad', text: outcome.no_handler };
    case 'ambiguous':
      return { tone: 'bad', text: outcome.ambiguous };
  }
}

/** A handler's name, with whose it is where that alone tells it from another one. */
export function toldApart(handler: HandlerRef, from: HandlerRef, users: readonly User[]): string {
  return handler.label === from.label
    ? `${handler.label} (${ownerWords(handler, users)})`
    : handler.label;
}

/** Live environments that use another handler, by the handler they use. */
export function usersOfOthers(
  row: HandlerRow,
  users: readonly User[],
): { label: string; environments: string[]; ids: string[] }[] {
  const groups = new Map<string, { label: string; environments: string[]; ids: string[] }>();
  for (const { environmentId, environmentName, madeWith } of row.madeWithAnother) {
    const label =
      madeWith === null
        ? words.effect.stillBefore
        : row.inEffect.choice.type === 'handled'
          ? toldApart(madeWith, row.inEffect.choice.handler, users)
          : madeWith.label;
    const known = groups.get(label);
    if (known) {
      known.environments.push(environmentName);
      known.ids.push(environmentId);
    } else groups.set(label, { label, environments: [environmentName], ids: [environmentId] });
  }
  return [...groups.values()];
}
