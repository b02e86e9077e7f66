import type {
  Change,
  Environment,
  Handler,
  HandlerConfig,
  HandlerDraft,
  HandlerKey,
  HandlerRow,
  Override,
  SecretKey,
  Service,
  User,
} from '../../generated/types';
import type { Backend } from '../backend';
import { isLive } from '../../state/describe';
import { problem } from '../problem';
import { playChecks } from './checks';
import {
  compose,
  engines,
  handlerOf,
  key,
  ofUser,
  registeredTypes,
  sampleHandlers,
  sampleOverrides,
  users as sampleUsers,
  workspace,
  workspaceTypes,
} from './handlerdata';
import type { DemoOverride } from './handlerdata';
import { compared, explain, sameKey } from './resolve';
import { sameJson } from '../../form/model/json';

type HandlerCalls = Pick<
  Backend,
  | 'handlers'
  | 'explain'
  | 'saveHandler'
  | 'removeHandler'
  | 'copyToOverride'
  | 'switchOverride'
  | 'compareOverride'
  | 'foundEngines'
  | 'makeHandlerOf'
  | 'testHandler'
  | 'users'
  | 'addUser'
  | 'removeUser'
  | 'useUser'
  | 'manifestTypes'
  | 'setManifestType'
  | 'removeManifestType'
>;

/** What the rest of the made-up Berth lends. */
export interface Surroundings {
  scenario: string;
  answers: <T>(make: () => T) => Promise<T>;
  tell: (change: Change) => void;
  services: () => Service[];
  environments: () => Environment[];
  /** The names of the secrets that were typed in under an id. */
  typed: (id: string) => SecretKey[];
}

function keyOf(config: HandlerConfig): HandlerKey {
  if (config.engine === 'local-docker') return key('docker-compose');
  return config.engine === 'remote-custom'
    ? key('custom', config.acceptsManifestId)
    : key('kubernetes');
}

const haystack = ({
  key: { provisionType, manifestId },
  workspace: base,
  own,
  services,
}: HandlerRow) =>
  [provisionType, manifestId, base?.label, own?.label, ...services].join(' ').toLowerCase();

/**
 * Handlers in memory. Scenario `broken-handlers`: they cannot be read;
 * `no-handlers`: there are none; `no-override`: the user has none.
 */
export function demoHandlers({
  scenario,
  answers,
  tell,
  services,
  environments,
  typed,
}: Surroundings): HandlerCalls {
  const now = Date.now();
  const bare = ['first', 'no-engine', 'empty'].includes(scenario);
  let handlers = scenario === 'no-handlers' ? [] : sampleHandlers(now).slice(0, bare ? 1 : 3);
  let overrides =
    bare || ['no-handlers', 'no-override'].includes(scenario) ? [] : sampleOverrides(now);
  let users = bare ? sampleUsers.slice(0, 1) : sampleUsers;
  let types = bare || scenario === 'no-handlers' ? [] : workspaceTypes;
  let current = 'me';

  const told = () => tell({ type: 'handlers' });
  const missing = (what: string) => problem('not_found', `There is no ${what} of that name`);
  const isMine = ({ handler }: DemoOverride) => sameJson(handler.scope, ofUser(current));
  const mine = () => overrides.filter(isMine);
  const overrideOf = (wanted: HandlerKey): DemoOverride => {
    const found = mine().find(({ handler }) => sameKey(handler.key, wanted));
    if (!found) throw missing('override');
    return found;
  };
  const handlerFor = (wanted: HandlerKey) => handlers.find((one) => sameKey(one.key, wanted));
  const explained = (provisioning: Service['provisioning']) =>
    explain(
      provisioning,
      mine(),
      handlers.map((handler) => ({ handler, enabled: true })),
    );
  const shownUser = (user: (typeof users)[number]): User => ({
    ...user,
    current: user.id === current,
    overrides: overrides.filter(({ handler }) => sameJson(handler.scope, ofUser(user.id))).length,
  });
  const shown = ({ handler, enabled }: DemoOverride): Override => {
    const base = handlerFor(handler.key);
    return {
      ...handler,
      enabled,
      differences: base
        ? compared(base.config, handler.config, null).filter(({ origin }) => origin === 'own')
            .length
        : null,
    };
  };

  function rows(): HandlerRow[] {
    const keys = [
      ...handlers.map((handler) => handler.key),
      ...mine().map(({ handler }) => handler.key),
      ...services()
        .filter(({ provisioning }) => provisioning.type !== 'infraless')
        .map(({ provisioning: { type, manifestId } }) =>
          key(type, type === 'custom' ? (manifestId ?? null) : null),
        ),
      ...types.map(({ manifestId }) => key('custom', manifestId)),
    ];
    const once = keys.filter((one, at) => keys.findIndex((other) => sameKey(one, other)) === at);
    const name = (one: HandlerKey) => `${one.provisionType} ${one.manifestId ?? ''}`;
    return once
      .toSorted((a, b) => name(a).localeCompare(name(b), 'en'))
      .map((one) => {
        const served = services().filter(
          ({ provisioning }) =>
            provisioning.type === one.provisionType &&
            (one.manifestId === null || provisioning.manifestId === one.manifestId),
        );
        const inEffect = explained({
          type: one.provisionType,
          ...(one.manifestId !== null && { manifestId: one.manifestId }),
        });
        const override = mine().find(({ handler }) => sameKey(handler.key, one));
        const { choice } = inEffect;
        return {
          key: one,
          services: served.map((service) => service.name),
          workspace: handlerFor(one) ?? null,
          own: override ? shown(override) : null,
          inEffect,
          madeWithAnother:
            choice.type === 'handled'
              ? environments()
                  .filter(
                    (environment) =>
                      isLive(environment) &&
                      served.some(({ id }) => id === environment.serviceId) &&
                      !sameJson(environment.madeWith, choice.handler),
                  )
                  .map(({ id, name: environmentName, madeWith }) => ({
                    environmentId: id,
                    environmentName,
                    madeWith,
                  }))
              : [],
        };
      });
  }

  function unreachable(): void {
    if (scenario !== 'broken-handlers') return;
    throw {
      ...problem('store', 'The handlers could not be read'),
      detail: 'berth.sqlite: the disk image is malformed (page 52).',
      hint: 'Put back a copy from the backups folder beside it, then try again.',
      retryable: true,
    };
  }

  function save(draft: HandlerDraft, secretsOf: string | null, remove: string[]): Handler {
    const config = JSON.parse(draft.text) as HandlerConfig;
    const wanted = draft.key ?? keyOf(config);
    const old =
      draft.scope.type === 'workspace'
        ? handlerFor(wanted)
        : mine().find(({ handler }) => sameKey(handler.key, wanted))?.handler;
    const fresh = secretsOf === null ? [] : typed(secretsOf);
    const kept = (old?.secrets ?? []).filter(
      (secret) => !remove.includes(secret.key) && !fresh.some((one) => one.key === secret.key),
    );
    const saved = handlerOf(draft.scope, wanted, config, [...kept, ...fresh], {
      createdAt: old?.createdAt ?? Date.now(),
      updatedAt: Date.now(),
    });
    if (draft.scope.type === 'workspace') {
      handlers = [...handlers.filter((one) => !sameKey(one.key, wanted)), saved];
    } else {
      const before = overrides.find((one) => isMine(one) && one.handler === old);
      overrides = [
        ...overrides.filter((one) => one !== before),
        {
          handler: saved,
          enabled: before?.enabled ?? true,
          copiedFrom: before?.copiedFrom ?? null,
        },
      ];
    }
    told();
    return saved;
  }

  return {
    handlers: (search) =>
      scenario === 'loading'
        ? new Promise(() => undefined)
        : answers(() => {
            unreachable();
            const user = users.find(({ id }) => id === current);
            if (!user) throw missing('user');
            const all = rows();
            const found = all.filter((row) => haystack(row).includes(search.trim().toLowerCase()));
            return { rows: found, more: false, user: shownUser(user) };
          }),
    explain: (serviceId) =>
      answers(() => {
        unreachable();
        const service = services().find(({ id }) => id === serviceId);
        if (!service) throw missing('service');
        return explained(service.provisioning);
      }),
    saveHandler: (draft, secretsOf, remove) => answers(() => save(draft, secretsOf, remove)),
    removeHandler: (scope, wanted) =>
      answers(() => {
        if (scope.type === 'workspace')
          handlers = handlers.filter((one) => !sameKey(one.key, wanted));
        else overrides = overrides.filter((one) => one !== overrideOf(wanted));
        told();
      }),
    copyToOverride: (wanted) =>
      answers(() => {
        const base = handlerFor(wanted);
        if (!base) throw missing('handler');
        const made: DemoOverride = {
          handler: { ...base, scope: ofUser(current), createdAt: Date.now() },
          enabled: true,
          copiedFrom: base.config,
        };
        overrides = [...overrides, made];
        told();
        return shown(made);
      }),
    switchOverride: (wanted, enabled) =>
      answers(() => {
        const found = overrideOf(wanted);
        const switched = { ...found, enabled };
        overrides = overrides.map((one) => (one === found ? switched : one));
        told();
        return shown(switched);
      }),
    compareOverride: (wanted) =>
      answers(() => {
        const found = overrideOf(wanted);
        const base = handlerFor(wanted);
        if (!base) throw missing('handler');
        return compared(base.config, found.handler.config, found.copiedFrom);
      }),
    foundEngines: () =>
      answers(() => {
        unreachable();
        return scenario === 'no-engine' ? [] : engines;
      }),
    makeHandlerOf: (address) =>
      answers(() => {
        const found = engines.find((one) => one.address === address);
        if (!found) throw missing('engine');
        return save(
          {
            scope: workspace,
            key: key('docker-compose'),
            backendKind: null,
            text: JSON.stringify(compose(found.product, { endpoint: address })),
          },
          null,
          [],
        );
      }),
    testHandler: (draft, _secretsOf, _remove, onUpdate) =>
      playChecks(JSON.parse(draft.text) as HandlerConfig, onUpdate),

    users: () => answers(() => users.map(shownUser)),
    addUser: (name) =>
      answers(() => {
        const id = name
          .trim()
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-');
        if (users.some((user) => user.id === id))
          throw problem('name_taken', `There is a user ${name} already`, 'Choose another name.');
        const user = { id, name: name.trim(), system: false };
        users = [...users, user];
        told();
        return shownUser(user);
      }),
    removeUser: (id) =>
      answers(() => {
        users = users.filter((user) => user.id !== id);
        overrides = overrides.filter(({ handler }) => !sameJson(handler.scope, ofUser(id)));
        if (current === id) current = 'me';
        told();
      }),
    useUser: (id) =>
      answers(() => {
        const user = users.find((one) => one.id === id);
        if (!user) throw missing('user');
        current = id;
        told();
        return shownUser(user);
      }),
    manifestTypes: () =>
      answers(() => {
        unreachable();
        const others = (bare ? [] : registeredTypes).filter(
          ({ manifestId }) => !types.some((type) => type.manifestId === manifestId),
        );
        return [...others, ...types].toSorted((a, b) =>
          a.manifestId.localeCompare(b.manifestId, 'en'),
        );
      }),
    setManifestType: (id, body) =>
      answers(() => {
        const type = { ...body, manifestId: id, source: 'workspace' as const };
        types = [...types.filter(({ manifestId }) => manifestId !== id), type];
        told();
        return type;
      }),
    removeManifestType: (id) =>
      answers(() => {
        types = types.filter(({ manifestId }) => manifestId !== id);
        told();
      }),
  };
}
