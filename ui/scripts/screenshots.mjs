// Pictures of every page on made-up data, in both themes and two sizes, under
// the window's own content policy. Fails when the page complains of anything.
//
//   node scripts/screenshots.mjs [--only <part of a name>] [--no-build]
//
// Needs a Chromium: $CHROMIUM, or the first of the usual names on PATH.
import { createReadStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { delimiter, extname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const root = new URL('..', import.meta.url).pathname;
const out = join(root, 'screenshots');
const { values: asked } = parseArgs({
  options: { only: { type: 'string', default: '' }, 'no-build': { type: 'boolean' } },
});

/** What `tauri.conf.json` sets, without the shell's own channel. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

const press = (key) => (page) => page.keyboard.press(key);
const click = (testid) => (page) => page.getByTestId(testid).first().click();
const fill = (testid, text) => (page) => page.getByTestId(testid).first().fill(text);
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
  ['start-ref', 'full', '/environments', click('start-preview'), click('start-ref')],
  ['start-pull', 'full', '/environments', click('start-preview'), click('start-pullRequest')],
  ['activity', 'full', '/activity'],
  ['activity-empty', 'empty', '/activity'],
  ['settings', 'full', '/settings'],
  ['settings-no-engine', 'no-engine', '/settings'],
  ['palette', 'full', '/environments', press('Control+k')],
  ['focus', 'full', '/environments', press('Tab'), press('Tab'), hover('env-row-shop-api-main')],
];

const SIZES = [
  { width: 1000, height: 700 },
  { width: 1600, height: 1000 },
];

function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      if (existsSync(join(folder, name))) return join(folder, name);
    }
  }
  throw new Error('No Chromium found: set CHROMIUM to its path.');
}

function serve(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const file = join(folder, normalize(pathname === '/' ? '/index.html' : pathname));
    if (pathname === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': POLICY,
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

if (!asked['no-build']) {
  execFileSync('npx', ['vite', 'build', '--mode', 'demo', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
  });
}
mkdirSync(out, { recursive: true });
const server = await serve(join(root, 'dist-demo'));
const base = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const complaints = [];
let taken = 0;
for (const theme of ['light', 'dark']) {
  for (const viewport of SIZES) {
    const context = await browser.newContext({ viewport, colorScheme: theme });
    for (const [name, scenario, place, ...actions] of SHOTS) {
      const file = `${name}-${theme}-${viewport.width}.png`;
      if (!file.includes(asked.only)) continue;
      const page = await context.newPage();
      // The shell does the same (`freezePrototype`).
      await page.addInitScript(() => Object.freeze(Object.prototype));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()))
          complaints.push(`${file}: ${message.text()}`);
      });
      page.on('pageerror', (error) => complaints.push(`${file}: ${error.message}`));
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
await browser.close();
server.close();
const bundle = readFileSync(join(root, 'dist-demo/index.html'), 'utf8');
if (/<style|style=/.test(bundle)) complaints.push('index.html holds inline styles');
for (const complaint of new Set(complaints)) console.error(complaint);
console.log(`${taken} pictures in ${out}, ${complaints.length} complaints`);
process.exitCode = complaints.length > 0 ? 1 : 0;
