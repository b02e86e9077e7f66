import type {
  Environment,
  EnvironmentStatus,
  Operation,
  Part,
  Service,
  Step,
} from '../generated/types';
import { en } from '../strings/en';
import { ENDS_SOON } from '../strings/timeleft';
import { stepInSentence } from '../strings/steps';

/** What a glyph or a colour says. */
export type Tone = 'ok' | 'run' | 'warn' | 'bad' | 'idle';

/** Whether something works on it right now. */
export function isBusy(environment: Environment): boolean {
  return environment.operation?.state === 'running';
}

/** Whether it holds anything on the engine, or may. */
export function isLive(environment: Environment): boolean {
  return environment.status !== 'torn_down';
}

/** What the user calls this copy: branch, `pull 42`, `folder`. */
export function copyLabel(environment: Environment): string {
  const { selector, revision } = environment;
  if (selector.type === 'pullRequest') return revision.label ?? `pull ${selector.number}`;
  if (selector.type === 'ref') return revision.label ?? selector.name;
  return revision.label ?? en.environments.folder;
}

export function shortCommit(environment: Environment): string | null {
  return environment.revision.commit?.slice(0, 7) ?? null;
}

/** `shop-api main`: how it is named in sentences. */
export function sentenceName(environment: Environment): string {
  return `${environment.serviceName} ${copyLabel(environment)}`;
}

/** Whether a browser can show it; a port that speaks something else is only copied. */
export function isForBrowser(url: string): boolean {
  return /^https?:/.test(url);
}

/** The address without its scheme, as it is shown. */
export function shownUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

export function primaryUrl(environment: Environment): string | null {
  const primary = environment.addresses.find(({ primary }) => primary) ?? environment.addresses[0];
  return primary?.url ?? null;
}

/** Where a running operation is: which step of how many, in words. */
export interface Progress {
  at: number;
  of: number;
  what: string;
}

export function progress(operation: Operation): Progress | null {
  const { steps } = operation;
  if (steps.length === 0) return null;
  const running = steps.findIndex(({ state }) => state === 'running');
  const at = running >= 0 ? running : steps.findIndex(({ state }) => state === 'waiting');
  const step = steps[at];
  if (!step) return { at: steps.length, of: steps.length, what: en.environments.preparing };
  return {
    at: at + 1,
    of: steps.length,
    what: stepInSentence(step.kind, running >= 0 ? 'running' : 'waiting'),
  };
}

export function progressWords(operation: Operation): string {
  const where = progress(operation);
  return where
    ? en.environments.progress(where.at, where.of, where.what)
    : en.environments.preparing;
}

/** A part in words and colour. */
export function partState(part: Part): { tone: Tone; words: string } {
  switch (part.state) {
    case 'running':
      if (part.health === 'unhealthy') return { tone: 'bad', words: en.parts.health.unhealthy };
      if (part.health === 'starting') return { tone: 'run', words: en.parts.health.starting };
      return { tone: 'ok', words: en.parts.health[part.health] };
    case 'exited':
      if (part.oneShot && part.exitCode === 0) return { tone: 'ok', words: en.parts.finished };
      return {
        tone: 'bad',
        words: part.exitCode === null ? en.parts.state.exited : en.parts.exitCode(part.exitCode),
      };
    case 'restarting':
    case 'paused':
      return { tone: 'warn', words: en.parts.state[part.state] };
    case 'created':
      return { tone: 'idle', words: en.parts.state.created };
  }
}

/** All parts in one phrase; `null` when there are none. */
export function partsSummary(parts: Part[]): { tone: Tone; words: string } | null {
  if (parts.length === 0) return null;
  const named = (tone: Tone) =>
    parts.filter((part) => partState(part).tone === tone).map(({ service }) => service);
  const unwell = [...named('bad'), ...named('warn')];
  if (unwell.length > 0) return { tone: 'warn', words: en.parts.unwell(unwell) };
  const starting = [...named('run'), ...named('idle')];
  if (starting.length > 0) return { tone: 'run', words: en.parts.starting(starting) };
  const checked = parts.every((part) => part.health === 'healthy' || part.oneShot);
  return {
    tone: 'ok',
    words: checked ? en.parts.healthy(parts.length) : en.parts.running(parts.length),
  };
}

/** An environment's state in words and colour. */
export function statusOf(
  environment: Environment,
  now: number,
  cancelling = false,
): { tone: Tone; words: string } {
  const { status } = environment;
  if (cancelling && isBusy(environment)) return { tone: 'run', words: en.statusCancelling };
  switch (status) {
    case 'provisioning':
      return {
        tone: 'run',
        words: environment.readyAt === null ? en.status.provisioning : en.statusUpdating,
      };
    case 'ready':
      if (partsSummary(environment.parts)?.tone === 'warn') {
        return { tone: 'warn', words: en.statusUnwell };
      }
      return endsSoon(environment, now)
        ? { tone: 'warn', words: en.statusEndsSoon }
        : { tone: 'ok', words: en.status.ready };
    case 'failed':
      return { tone: 'bad', words: en.status.failed };
    case 'expired':
      return { tone: 'warn', words: en.status.expired };
    case 'tearing_down':
      return { tone: 'run', words: en.status.tearing_down };
    case 'torn_down':
      return {
        tone: 'idle',
        words:
          environment.operation?.state === 'cancelled' ? en.statusCancelled : en.status.torn_down,
      };
  }
}

/** Whether its end is near enough to be offered more time. */
export function endsSoon(environment: Environment, now: number): boolean {
  return (
    (environment.status === 'ready' || environment.status === 'failed') &&
    environment.expiresAt !== null &&
    environment.expiresAt - now <= ENDS_SOON
  );
}

/** The environments of one service, in the order they are shown. */
export interface Group {
  key: string;
  name: string;
  service: Service | null;
  environments: Environment[];
}

/** By service, services by name; those of a removed service come under its last name. */
export function groups(
  services: Service[],
  environments: Environment[],
  wanted: (environment: Environment) => boolean,
): Group[] {
  const byKey = new Map<string, Group>();
  for (const service of services) {
    byKey.set(service.id, { key: service.id, name: service.name, service, environments: [] });
  }
  const newestFirst = environments.toSorted((a, b) => b.createdAt - a.createdAt);
  for (const environment of newestFirst) {
    if (!wanted(environment)) continue;
    let group = byKey.get(environment.serviceId);
    if (!group) {
      group = {
        key: environment.serviceId,
        name: environment.serviceName,
        service: null,
        environments: [],
      };
      byKey.set(group.key, group);
    }
    group.environments.push(environment);
  }
  return [...byKey.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** How many are running, in progress, failed. */
export function tally(environments: Environment[]): {
  running: number;
  busy: number;
  failed: number;
} {
  const of = (...statuses: EnvironmentStatus[]) =>
    environments.filter(({ status }) => statuses.includes(status)).length;
  return {
    running: of('ready'),
    busy: of('provisioning', 'tearing_down', 'expired'),
    failed: of('failed'),
  };
}

/** What a screen reader is told when an environment changed; `null`: nothing worth saying. */
export function announcement(before: Environment | undefined, after: Environment): string | null {
  if (before?.status === after.status) return null;
  const name = sentenceName(after);
  switch (after.status) {
    case 'ready':
      return en.announce.ready(name, primaryUrl(after));
    case 'failed':
      return en.announce.failed(name, after.problem?.title ?? en.status.failed);
    case 'torn_down':
      return en.announce.gone(name);
    default:
      return en.announce.other(name, en.status[after.status]);
  }
}

/** How long a step took, in milliseconds; `null` while it runs or when it never began. */
export function stepDuration(step: Step): number | null {
  return step.startedAt !== null && step.finishedAt !== null
    ? Math.max(0, step.finishedAt - step.startedAt)
    : null;
}
