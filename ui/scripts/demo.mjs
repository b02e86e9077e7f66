// The window on made-up data, served to a Chromium under the window's own
// content policy.
//
// Needs a Chromium: $CHROMIUM, or the first of the usual names on PATH.
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

export const root = new URL('..', import.meta.url).pathname;

/** What `tauri.conf.json` sets, without the shell's own channel. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

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

/** Builds (unless told not to), serves and opens it; `complaints` is whatever a page says against it. */
export async function openDemo({ build = true } = {}) {
  if (build) {
    execFileSync('npx', ['vite', 'build', '--mode', 'demo', '--logLevel', 'warn'], {
      cwd: root,
      stdio: 'inherit',
    });
  }
  const folder = join(root, 'dist-demo');
  const complaints = [];
  if (/<style|style=/.test(readFileSync(join(folder, 'index.html'), 'utf8')))
    complaints.push('index.html holds inline styles');
  const server = await serve(folder);
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  return {
    base: `http://127.0.0.1:${server.address().port}/`,
    browser,
    complaints,
    /** A page whose complaints are noted under the name that `doing` gives. */
    async newPage(context, doing) {
      const page = await context.newPage();
      // The shell does the same (`freezePrototype`).
      await page.addInitScript(() => Object.freeze(Object.prototype));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()))
          complaints.push(`${doing()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => complaints.push(`${doing()}: ${error.message}`));
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
