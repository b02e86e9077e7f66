// Pictures of every page on made-up data, in both themes and two sizes, under
// the window's own content policy. Fails when the page complains of anything.
//
//   node scripts/screenshots.mjs [--only <part of a name>] [--no-build]
//
// Needs a Chromium; see demo.mjs.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDemo, root } from './demo.mjs';

const out = join(root, 'screenshots');
const { values: asked } = parseArgs({
  options: { only: { type: 'string', default: '' }, 'no-build': { type: 'boolean' } },
});

const press = (key) => (page) => page.keyboard.press(key);
const click = (testid) => (page) => page.getByTestId(testid).first().click();
const fill = (testid, text) => (page) => page.getByTestId(testid).first().fill(text);
const settle = (ms) => (page) => page.waitForTimeout(ms);
const hover = (testid) => (page) => page.getByTestId(testid).first().hover();

/** name, scenario, place, and what is done before the picture. */
const SHOTS = [
  ['first', 'first', '/environments'],
  ['first-no-engine', 'no-engine', '/environments'],
  ['loading', 'loading', '/environments'],
  ['broken', 'broken', '/environments'],
  ['empty', 'empty', '/environments'],
  ['environments', 'full', '/environments'],
  ['environments-gone', 'full', '/environments', click('show-gone')],
  ['detail-running', 'full', '/environments/shop-api-feature-checkout'],
  ['detail-ready', 'full', '/environments/shop-api-main'],
  ['detail-failed', 'full', '/environments/billing-fix-rounding'],
  ['detail-gone', 'full', '/environments/shop-api-spike'],
  ['detail-unwell', 'full', '/environments/billing-main/parts'],
  ['parts', 'full', '/environments/shop-api-main/parts'],
  ['plan', 'full', '/environments/shop-api-main/plan'],
  ['extend-menu', 'full', '/environments/shop-api-main', click('extend-menu')],
  ['tear-down', 'full', '/environments/shop-api-main', click('tear-down')],
  ['logs', 'full', '/environments/shop-api-main/logs'],
  ['logs-empty', 'logs-empty', '/environments/shop-api-main/logs'],
  ['logs-failed', 'logs-failed', '/environments/shop-api-main/logs'],
  ['logs-many', 'logs-many', '/environments/shop-api-main/logs', fill('log-search', 'healthz')],
  ['services', 'full', '/services'],
  ['services-empty', 'first', '/services'],
  ['services-provisioning', 'full', '/services/s-search'],
  [
    'services-found',
    'full',
    '/services',
    fill('add-folder-path', '/home/me/work/inventory'),
    click('add-folder-submit'),
  ],
  [
    'services-missing',
    'full',
    '/services',
    fill('add-folder-path', '/home/me/missing'),
    click('add-folder-submit'),
  ],
  [
    'services-nothing',
    'full',
    '/services',
    fill('add-folder-path', '/home/me/empty'),
    click('add-folder-submit'),
  ],
  ['handlers', 'full', '/handlers'],
  ['handlers-loading', 'loading', '/handlers'],
  ['handlers-empty', 'no-handlers', '/handlers'],
  ['handlers-failed', 'broken-handlers', '/handlers'],
  ['handlers-first', 'empty', '/handlers'],
  ['handlers-menu', 'full', '/handlers', click('row-actions')],
  ['handlers-why', 'full', '/handlers', click('why')],
  ['handlers-compare', 'full', '/handlers', click('compare')],
  ['handlers-switched', 'full', '/handlers', click('override-switch')],
  ['handlers-make', 'full', '/handlers', click('make-handler')],
  ['handlers-type', 'full', '/handlers', click('add-type'), click('save-type')],
  ['handlers-import', 'full', '/handlers', click('import-workspace')],
  ['handlers-exported', 'full', '/handlers', click('export-workspace')],
  ['handlers-users', 'full', '/handlers', click('user-menu')],
  ['handlers-user-add', 'full', '/handlers', click('user-menu'), click('add-user')],
  ['handlers-reset', 'full', '/handlers', click('row-actions'), click('do-reset')],
  ['handler-new', 'full', '/handlers/workspace/new'],
  ['handler-add', 'full', '/handlers/workspace/custom/sandbox-vm'],
  ['handler', 'full', '/handlers/own/docker-compose'],
  ['handler-tested', 'full', '/handlers/own/docker-compose', click('test-handler'), settle(1_200)],
  ['handler-testing', 'full', '/handlers/workspace/kubernetes', click('test-handler'), settle(50)],
  [
    'handler-failed',
    'full',
    '/handlers/workspace/kubernetes',
    click('test-handler'),
    settle(1_500),
  ],
  ['handler-custom', 'full', '/handlers/workspace/custom/kargo-preview'],
  [
    'handler-missing',
    'full',
    '/handlers/workspace/custom/kargo-preview',
    click('secret-remove'),
    click('secret-remove-confirm'),
    click('save-handler'),
  ],
  ['handler-json', 'full', '/handlers/workspace/kubernetes', click('view-json')],
  ['documents', 'full', '/documents'],
  ['documents-loading', 'loading', '/documents'],
  ['documents-empty', 'empty', '/documents'],
  ['documents-failed', 'broken-documents', '/documents'],
  ['documents-filtered', 'full', '/documents', fill('document-filter', 'zzz')],
  ['documents-delete', 'full', '/documents', click('delete-document')],
  ['document-kinds', 'full', '/documents/new'],
  ['document-kind', 'full', '/documents/new/environmentManifestSchema'],
  ['document-missing', 'full', '/documents/gone'],
  ['document-form', 'full', '/documents/d-acme', click('view-form')],
  ['document-json', 'full', '/documents/d-acme', click('view-json')],
  ['document-both', 'full', '/documents/d-acme', click('view-both')],
  [
    'document-empty',
    'full',
    '/documents/new/environmentManifestSchema',
    click('start-empty'),
    click('view-form'),
  ],
  [
    'document-problems',
    'full',
    '/documents/new/environmentManifestSchema',
    click('start-empty'),
    click('save-document'),
  ],
  [
    'document-unreadable',
    'unreadable-file',
    '/documents/new/environmentManifestSchema',
    click('start-file'),
  ],
  ['document-handler', 'full', '/documents/d-docker'],
  ['document-kubernetes', 'full', '/documents/d-k8s', click('view-both')],
  ['document-runner', 'full', '/documents/d-pool'],
  ['document-message', 'full', '/documents/new/registerEnvironmentProviderSchema'],
  ['document-paste', 'full', '/documents/d-acme', click('paste')],
  [
    'document-leave',
    'full',
    '/documents/d-acme',
    fill('document-name', 'Acme staging'),
    click('back-to-documents'),
  ],
  ['start', 'full', '/environments', click('start-preview')],
  ['start-infraless', 'full', '/services', click('start-docs')],
  ['start-unhandled', 'no-override', '/services', click('start-search')],
  ['start-ref', 'full', '/environments', click('start-preview'), click('start-ref')],
  ['start-pull', 'full', '/environments', click('start-preview'), click('start-pullRequest')],
  ['activity', 'full', '/activity'],
  ['activity-empty', 'empty', '/activity'],
  ['settings', 'full', '/settings'],
  ['settings-no-engine', 'no-engine', '/settings'],
  ['settings-no-keychain', 'no-keychain', '/settings'],
  ['settings-locked', 'locked-vault', '/settings'],
  ['settings-vault', 'full', '/settings', click('use-vault'), click('use-vault-submit')],
  ['palette', 'full', '/environments', press('Control+k')],
  ['focus', 'full', '/environments', press('Tab'), press('Tab'), hover('env-row-shop-api-main')],
];

const SIZES = [
  { width: 1000, height: 700 },
  { width: 1600, height: 1000 },
];

mkdirSync(out, { recursive: true });
const demo = await openDemo({ build: !asked['no-build'] });
const { base, browser, complaints } = demo;
let taken = 0;
for (const theme of ['light', 'dark']) {
  for (const viewport of SIZES) {
    const context = await browser.newContext({ viewport, colorScheme: theme });
    for (const [name, scenario, place, ...actions] of SHOTS) {
      const file = `${name}-${theme}-${viewport.width}.png`;
      if (!file.includes(asked.only)) continue;
      const page = await demo.newPage(context, () => file);
      await page.goto(`${base}?demo=${scenario}#${place}`);
      await page.evaluate(() => document.fonts.ready);
      await page.waitForTimeout(150);
      for (const action of actions) {
        await action(page);
        await page.waitForTimeout(150);
      }
      await page.screenshot({ path: join(out, file) });
      taken += 1;
      await page.close();
    }
    await context.close();
  }
}
await demo.close();
for (const complaint of new Set(complaints)) console.error(complaint);
console.log(`${taken} pictures in ${out}, ${complaints.length} complaints`);
process.exitCode = complaints.length > 0 ? 1 : 0;
