import type {
  CheckVerdict,
  HandlerKey,
  HandlerScope,
  LookedAtVerdict,
  ManifestTypeSource,
  Origin,
} from '../generated/types';
import { count, list } from './format';

/** The strings of the page that handlers are kept on, and of what asks about them elsewhere. */
export const handlers = {
  title: 'Handlers',
  subtitle: 'How each kind of service is brought up',
  add: 'Add handler',
  import: 'Import',
  export: 'Export',
  columns: {
    key: 'Provision type',
    workspace: 'Workspace handler',
    own: 'Your override',
    effect: 'In effect',
    actions: 'Actions',
  },
  search: 'Filter by kind or handler',
  noMatch: (query: string) => `No kind or handler is called “${query}”.`,
  more: 'There are more than are shown here. Filter to find the others.',
  loading: 'Reading the handlers',
  emptyTitle: 'No handler yet',
  empty:
    'A handler says which engine brings up services of one kind, and how to reach it. Make one of what was found on this machine, or add one yourself.',

  key: ({ provisionType, manifestId }: HandlerKey) =>
    manifestId === null ? provisionType : `${provisionType} · ${manifestId}`,
  services: (n: number) => (n === 0 ? 'no service yet' : count(n, 'service')),
  scope: {
    workspace: 'workspace handler',
    user: 'your override',
  } satisfies Record<HandlerScope['type'], string>,
  overrideOf: (user: string) => `override of ${user}`,
  none: 'none',
  addHere: 'Add',
  addFor: (key: string) => `Add a workspace handler for ${key}`,
  edit: (label: string) => `Edit ${label}`,
  remove: 'Remove the workspace handler',
  actionsOf: (key: string) => `Actions for ${key}`,

  setting: {
    service: (name: string) => `service ${name}`,
    port: (port: string) => `port ${port}`,
    never: 'never ends',
    dockersOwn: 'the engine that docker uses',
  },
  secret: {
    set: (key: string, when: string) => `key ${key} set ${when}`,
    several: (n: number, when: string) => `${count(n, 'key')}, last set ${when}`,
    missing: (keys: readonly string[]) =>
      keys.length === 1 ? `key ${list(keys)} has no value` : `keys ${list(keys)} have no value`,
  },

  override: {
    make: 'Override for me',
    makeFor: (key: string) => `Override for me: ${key}`,
    copy: 'Copy the workspace’s',
    copyHint: 'Then change what differs on your machine.',
    scratch: 'From scratch',
    scratchHint: 'Another engine, or nothing in common.',
    switch: (label: string) => `Use your override ${label}`,
    keptOff: 'kept, off',
    differs: (n: number) =>
      n === 0 ? 'same as the workspace’s' : `differs in ${count(n, 'field')}`,
    compare: 'Compare with the workspace’s',
    compareOf: (label: string) => `Compare ${label} with the workspace’s`,
    edit: 'Edit your override',
    reset: 'Reset to the workspace’s',
    copied: (label: string) => `${label} is yours to change now`,
    on: (label: string) => `${label} is in effect from the next start on`,
    off: (label: string) => `Your override ${label} is kept, and off`,
    stillUses: (names: readonly string[], label: string) =>
      `${list(names)} still ${names.length === 1 ? 'uses' : 'use'} ${label}: the change takes effect at ${names.length === 1 ? 'its' : 'their'} next start.`,
    resetTitle: (label: string) => `Reset ${label}?`,
    resetBody: (workspace: string | null) =>
      workspace === null
        ? 'Your override goes, with the secret values typed in for it. Nothing else handles these services.'
        : `Your override goes, with the secret values typed in for it. “${workspace}” of the workspace is in effect from the next start on.`,
    resetSecrets: (keys: readonly string[]) => `Secrets that go: ${list(keys)}`,
    resetLive: 'Environments made with it keep what they need until they are torn down.',
    resetConfirm: 'Reset',
    wasReset: (label: string) => `${label} is gone`,
  },

  removing: {
    title: (label: string) => `Remove ${label}?`,
    body: (key: string) =>
      `The workspace has no handler for ${key} then. Overrides of it stay as they are.`,
    live: 'Environments made with it keep what they need until they are torn down.',
    confirm: 'Remove',
    done: (label: string) => `${label} is removed`,
  },

  effect: {
    own: 'your override is on',
    workspace: 'workspace handler',
    overrideOff: 'workspace handler · your override is off',
    accepts: (id: string) => `it accepts ${id}`,
    nothing: 'Nothing handles this',
    cannotStart: (n: number) =>
      n === 0
        ? 'a service of this type cannot start'
        : n === 1
          ? 'its service cannot start'
          : `its ${count(n, 'service')} cannot start`,
    ambiguous: 'Several handlers fit',
    ambiguousOf: (names: readonly string[]) => `${list(names)}: keep one of them`,
    away: (label: string) => `${label} is not on this machine`,
    awayWhy: 'services marked local development only cannot start',
    nothingToRun: 'Nothing is started',
    infraless: 'these services need no environment',
    still: (n: number, label: string) =>
      `${count(n, 'running environment')} still ${n === 1 ? 'uses' : 'use'} ${label}`,
    stillBefore: 'what it was started with',
    andMore: (n: number) => `and ${count(n, 'more', 'more')}`,
    why: 'Why',
    whyOf: (key: string) => `Why this handler for ${key}`,
  },

  found: {
    title: 'Found on this machine',
    subtitle: 'one click makes a handler',
    list: 'Engines found on this machine',
    loading: 'Looking for engines',
    none: 'No Docker engine was found. Start one, then look again.',
    again: 'Look again',
    rule: (rule: string) => `found through ${rule}`,
    unused: 'not the one that docker uses',
    make: 'Make handler',
    makeOf: (product: string) => `Make handler of ${product}`,
    has: 'has a handler',
    made: (label: string) => `${label} handles docker-compose from now on`,
    replaceTitle: (label: string) => `Let the workspace use ${label}?`,
    replaceBody: (old: string) =>
      `“${old}” serves docker-compose for everyone in the workspace. It takes this engine’s name and address; its other settings stay. To use the engine for yourself only, override the handler instead.`,
    replace: 'Use it',
  },

  editor: {
    back: 'Back to the handlers',
    opening: 'Opening the handler',
    newTitle: 'New handler',
    newOwn: 'New override',
    startFrom: 'What the handler runs on',
    startFor: (key: string) => `What serves ${key}`,
    scopeLabel: 'For whom',
    scope: { workspace: 'Everyone in the workspace', own: 'Only me' },
    blank: 'Start empty',
    blankHint: 'Choose the engine in the form.',
    sub: (key: string, scope: string) => `${key} · ${scope}`,
    view: { label: 'Show', form: 'Form', json: 'JSON' },
    save: 'Save',
    saving: 'Saving',
    saved: (label: string) => `${label} is saved`,
    test: 'Test',
    testing: 'Testing',
    secretsLater: (set: number, removed: number) =>
      [
        set > 0 ? `${count(set, 'secret')} to be set` : '',
        removed > 0 ? `${count(removed, 'secret')} to be removed` : '',
      ]
        .filter(Boolean)
        .join(', '),
    missingTitle: (keys: readonly string[]) =>
      keys.length === 1
        ? `The secret ${list(keys)} has no value yet`
        : `The secrets ${list(keys)} have no values yet`,
    missingBody: 'A handler is saved with every secret that it names.',
    missingShow: 'Go to it',
    missingShowOf: (key: string) => `Go to ${key}`,
    unusedTitle: 'Secrets that nothing in the handler names',
    unusedRemove: (key: string) => `Remove the value of ${key}`,
    unusedShort: (key: string) => `Remove ${key}`,
    unusedKeep: 'They are kept until you remove them.',
    changedElsewhere: 'This handler was changed elsewhere since you opened it.',
    reload: 'Show it as it is now',
    reloadDirty: 'Discard my changes and show it as it is now',
    replaceTitle: (label: string) => `Replace ${label}?`,
    replaceBody: (key: string, scope: string) =>
      `There is a ${scope} for ${key} already. This one takes its place; environments made with the old one keep what they need.`,
    replace: 'Replace it',
  },

  why: {
    title: (name: string) => `What happens when ${name} is started`,
    titleOf: (key: string) => `What serves ${key}`,
    loading: 'Asking which handler serves it',
    lookedAt: 'What was looked at, in this order',
    nothingLookedAt: 'No handler was looked at.',
    rule: 'Your overrides that are on come first, then the workspace’s handlers. The first list in which one fits decides.',
    outcome: {
      handled: (label: string, engine: string) => `It is brought up by ${label}, on ${engine}.`,
      nothing_to_run: 'Nothing is started: the service is infraless.',
      no_handler: 'It cannot start: nothing handles it.',
      ambiguous: 'It cannot start: more than one handler fits, and Berth does not guess.',
      local_dev_only: (label: string) =>
        `It cannot start: it is for local development only, and ${label} runs on another machine.`,
    },
    verdict: {
      chosen: 'Serves it',
      candidate: 'Fits, and so does another: neither is used',
      other_type: 'For another provision type',
      other_manifest_type: 'For another manifest type',
      switched_off: 'Fits, but is switched off',
      overridden: 'Fits, but your override stands in front of it',
      not_local: 'Fits, but is not on this machine',
    } satisfies Record<LookedAtVerdict, string>,
    serves: (key: string) => `serves ${key}`,
    accepts: (id: string) => `accepts ${id}`,
    next: {
      add: 'Add a handler',
      switchOn: 'Switch your override on',
      open: 'Open the handlers',
      override: 'Override it for me',
      provisioning: 'Change the service',
    },
    this: 'Why this handler',
    thisFor: (service: string) => `Why ${service} is handled this way`,
  },

  start: {
    label: 'Handled by',
    uses: (label: string, scope: string) => `${label} · ${scope}`,
    looking: 'Asking which handler serves it',
    nothingShort: 'nothing is started',
    nothing: 'Nothing is started: this service is infraless and needs no environment.',
    noHandler: (key: string) => `Nothing handles ${key} here.`,
    ambiguous: (names: readonly string[]) => `${list(names)} would all serve it.`,
    away: (label: string) =>
      `It is for local development only, and ${label} runs on another machine.`,
  },

  madeWith: {
    label: 'Made with',
    before: 'Made before Berth had handlers',
    other: (label: string) => `${label} is in effect now; it is used at the next start.`,
  },

  compare: {
    title: (own: string) => `${own} beside the workspace’s handler`,
    loading: 'Comparing',
    columns: {
      field: 'Field',
      workspace: 'Workspace',
      own: 'Yours',
      origin: 'Where yours is from',
    },
    origin: {
      workspace: 'as the workspace’s',
      copied: 'copied; the workspace’s has changed since',
      own: 'yours',
    } satisfies Record<Origin, string>,
    table: 'Field by field',
    absent: 'not set',
    onlyDifferent: 'Only what differs',
    same: 'Nothing differs.',
    noWorkspace: 'The workspace has no handler for this to be compared with.',
    edit: 'Edit your override',
  },

  test: {
    title: 'Connection test',
    label: 'Connection test',
    idle: 'Tries what stands in the form, saved or not. Nothing is stored.',
    run: 'Test',
    again: 'Test again',
    cancel: 'Cancel the test',
    close: 'Close the test',
    preparing: 'Getting ready',
    cancelled: 'Cancelled',
    passed: 'Everything works',
    warned: (n: number) => `Works, with ${count(n, 'warning')}`,
    failed: (n: number) => `${count(n, 'check')} failed`,
    nothingTried: 'Nothing could be tested',
    untested: 'Not tested',
    running: (at: number, of: number) => `${at} of ${of}`,
    stale: 'The handler was changed after this test.',
    verdict: {
      waiting: 'waiting',
      running: 'running',
      passed: 'passed',
      warned: 'warning',
      failed: 'failed',
      skipped: 'skipped',
    } satisfies Record<CheckVerdict['state'], string>,
    notTried: 'not tried: the test was cancelled',
    skippedBecause: (title: string) => `skipped: needs “${title}” first`,
    facts: (title: string) => `What was found: ${title}`,
    hint: 'What to do',
    copyCommand: (title: string) => `Copy the command for “${title}”`,
    copy: 'Copy as text',
    copied: 'The result is on the clipboard',
    said: (title: string, verdict: string, detail: string | null) =>
      detail === null ? `${title}: ${verdict}` : `${title}: ${verdict}. ${detail}`,
    textTitle: (label: string, summary: string) => `Connection test of ${label}: ${summary}`,
    textHint: (hint: string) => `To do: ${hint}`,
  },

  types: {
    title: 'Custom manifest types',
    subtitle: 'what custom services and handlers meet through',
    list: 'Custom manifest types',
    columns: {
      id: 'Manifest type',
      source: 'Comes from',
      hint: 'What it takes',
      actions: 'Actions',
    },
    from: {
      registered: 'comes with a backend',
      workspace: 'of this workspace',
    } satisfies Record<ManifestTypeSource, string>,
    empty: 'No custom manifest type yet.',
    add: 'Add type',
    edit: 'Change',
    editOf: (label: string) => `Change ${label}`,
    replaceOf: (label: string) => `Describe ${label} for this workspace`,
    remove: (label: string) => `Remove ${label}`,
    addTitle: 'Add a manifest type',
    editTitle: (id: string) => `Manifest type ${id}`,
    id: 'Manifest id',
    idHint: 'Lower-case letters, digits and “-”. Services and handlers name it.',
    idWrong:
      'A manifest id has 1 to 64 lower-case letters, digits or “-”, and begins with a letter or digit.',
    idTaken: (id: string) => `${id} is in the catalogue already.`,
    labelField: 'Label',
    labelWrong: 'A label has 1 to 120 characters.',
    hintField: 'What it takes',
    hintHint: 'What a service’s manifest of this type should hold.',
    description: 'Description',
    save: 'Save',
    saved: (label: string) => `${label} is in the catalogue`,
    removeTitle: (label: string) => `Remove ${label}?`,
    removeBody: 'The type leaves the catalogue. Services and handlers that name it keep its name.',
    removed: (label: string) => `${label} is removed`,
  },

  users: {
    as: 'as',
    label: 'Users of this laptop',
    menu: (name: string) => `You work as ${name}. Choose a user`,
    overrides: (n: number) => (n === 0 ? 'no override' : count(n, 'override')),
    add: 'Add a user',
    addTitle: 'Add a user',
    addBody:
      'Somebody who works on this laptop, with overrides of their own. You work as them at once.',
    addSubmit: 'Add and use',
    name: 'Name',
    usedLater: (name: string) =>
      `Berth was started for another user (BERTH_USER); without that it works as ${name}`,
    used: (name: string) => `You work as ${name} now`,
    remove: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove ${name}?`,
    removeBody: (overrides: number) =>
      overrides === 0
        ? 'The user has no overrides. Environments stay as they are.'
        : `${count(overrides, 'override')} of this user ${overrides === 1 ? 'goes' : 'go'} along, with the secret values typed in for ${overrides === 1 ? 'it' : 'them'}. Environments stay as they are.`,
    removeConfirm: 'Remove',
    removed: (name: string) => `${name} is removed`,
  },

  exported: {
    title: 'The workspace is exported',
    path: (path: string) => `Written to ${path}`,
    secrets: 'It names secrets, and holds none of their values.',
    warnings: 'What could not be said in it',
  },

  importing: {
    title: (name: string) => `Import ${name}`,
    body: 'What is here and not in the file stays.',
    same: 'Everything in the file is here already.',
    changes: 'What would change',
    what: {
      service: (name: string) => `Service ${name}`,
      handler: (label: string, key: string) => `Handler ${label} for ${key}`,
      manifestType: (id: string) => `Manifest type ${id}`,
    },
    action: { add: 'Add', change: 'Change', keep: 'Keep' },
    summary: (add: number, change: number, keep: number) =>
      [
        add > 0 ? `${add} to add` : '',
        change > 0 ? `${change} to change` : '',
        keep > 0 ? `${keep} as they are` : '',
      ]
        .filter(Boolean)
        .join(', '),
    values: (title: string) => `Values of ${title} that change`,
    columns: { field: 'Field', before: 'Here', after: 'In the file' },
    absent: 'not set',
    secrets: 'Secrets that are missing here',
    secretsBody:
      'A file names secrets and holds none. Each goes into the keychain of this machine.',
    secretOf: (key: string, label: string) => `Value of ${key} for ${label}`,
    secretSet: 'typed in',
    secretsOpen: (n: number) =>
      n === 1 ? 'One secret still has no value.' : `${n} secrets still have no value.`,
    warnings: 'What cannot be taken over',
    submit: 'Import',
    busy: 'Importing',
    done: (name: string) => `${name} is imported`,
  },
};
