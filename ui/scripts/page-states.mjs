// States of the pages beside the documents' form, in the same shape as those of
// `form-states.mjs`; `scenario` where it is not the full one.
const by = (testid) => `[data-testid="${testid}"]`;
const click = (testid) => ({ click: by(testid) });
const until = (testid) => ({ await: by(testid) });

const OWN_DOCKER = '#/handlers/own/docker-compose';
const CLUSTER = '#/handlers/workspace/kubernetes';
const PREVIEWS = '#/handlers/workspace/custom/kargo-preview';
const TESTED = {
  await: '[data-testid="connection-test"]:not([data-state="running"]):not([data-state="idle"])',
};

const pages = {
  handlers: ['#/handlers', [until('handler-row'), until('manifest-type')]],
  'handlers, loading': ['#/handlers', [until('add-handler')], 'loading'],
  'handlers, none': ['#/handlers', [until('handlers-empty')], 'no-handlers'],
  'handlers, failed': ['#/handlers', [until('handlers-again')], 'broken-handlers'],
  'handlers, actions': ['#/handlers', [click('row-actions'), until('do-why')]],
  'handlers, why': ['#/handlers', [click('why'), until('looked-at')]],
  'handlers, compared': ['#/handlers', [click('compare'), until('compared-field')]],
  'handlers, an override about to be reset': [
    '#/handlers',
    [click('row-actions'), click('do-reset'), until('confirm')],
  ],
  'handlers, an engine about to be used': ['#/handlers', [click('make-handler'), until('confirm')]],
  'handlers, a type being added': [
    '#/handlers',
    [click('add-type'), click('save-type'), until('type-id')],
  ],
  'handlers, exported': ['#/handlers', [click('export-workspace'), until('exported-dialog')]],
  'handlers, an import': ['#/handlers', [click('import-workspace'), until('import-secret')]],
  users: ['#/handlers', [click('user-menu'), until('add-user')]],
  'a user being added': ['#/handlers', [click('user-menu'), click('add-user'), until('user-name')]],
  'a new handler': ['#/handlers/workspace/new', [until('new-handler')]],
  'a handler': [OWN_DOCKER, [until('document-check')]],
  'a handler, tested': [OWN_DOCKER, [click('test-handler'), TESTED]],
  'a handler, its test failed': [CLUSTER, [click('test-handler'), TESTED]],
  'a handler as text': [CLUSTER, [click('view-json'), until('json-text')]],
  'a handler, a secret missing': [
    PREVIEWS,
    [
      click('secret-remove'),
      click('secret-remove-confirm'),
      click('save-handler'),
      until('missing-secrets'),
    ],
  ],
  services: ['#/services', [until('service-handler')]],
  'a service being provisioned': ['#/services/s-search', [until('document-check')]],
  'a start': ['#/environments', [click('start-preview'), until('service-handler')]],
  'an environment': ['#/environments/shop-api-main', [until('made-with')]],
  settings: ['#/settings', [until('secret-store-state'), until('activity-days')]],
  'settings, no keychain': ['#/settings', [until('secret-store-state')], 'no-keychain'],
  'settings, a locked file': ['#/settings', [until('vault-passphrase')], 'locked-vault'],
  'settings, the file being chosen': [
    '#/settings',
    [click('use-vault'), click('use-vault-submit'), until('repeat-passphrase')],
  ],
  palette: ['#/environments', [until('show-gone'), { press: 'Control+k' }, until('palette-input')]],
};

export const states = Object.entries(pages).map(([name, [place, steps, scenario = 'full']]) => ({
  name,
  place,
  steps,
  scenario,
}));
