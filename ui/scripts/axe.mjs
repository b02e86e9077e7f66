// Audits every state of a document's form, and of the pages around handlers, with
// axe, in both themes, on made-up data. Fails on any violation, and when a state cannot be reached.
//
//   node scripts/axe.mjs [--only <part of a name>] [--no-build]
//
// Needs a Chromium; see demo.mjs.
import axe from 'axe-core';
import { parseArgs } from 'node:util';
import { openDemo } from './demo.mjs';
import { states as formStates } from './form-states.mjs';
import { states as pageStates } from './page-states.mjs';

const { values: asked } = parseArgs({
  options: { only: { type: 'string', default: '' }, 'no-build': { type: 'boolean' } },
});
const states = [...pageStates, ...formStates];
const wanted = states.filter(({ name }) => name.includes(asked.only));
/** As many at once as there is little to wait for. */
const PAGES = 3;

const demo = await openDemo({ build: !asked['no-build'] });
const context = await demo.browser.newContext({
  viewport: { width: 1600, height: 1000 },
  reducedMotion: 'reduce',
});
const faults = new Map();
const unreached = [];
let audited = 0;

async function follow(page, step) {
  const found = page.locator(step.click ?? step.fill ?? step.await ?? 'body').first();
  if (step.offered && (await found.count()) === 0) return;
  if (step.click) await found.click();
  else if (step.fill) await found.fill(step.text);
  else if (step.press) await page.keyboard.press(step.press);
  else await found.waitFor({ timeout: 10_000 });
}

/** What axe finds in the page as it is now; the themes differ in nothing but colours. */
const violations = (page, colorScheme) =>
  page.evaluate(async (onlyColours) => {
    const { violations } = await window.axe.run(document, {
      resultTypes: ['violations'],
      ...(onlyColours && { runOnly: ['color-contrast', 'link-in-text-block'] }),
    });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, html }) => ({
        what: `${id}: ${help}\n    ${html.slice(0, 200).replace(/\bf\d+/g, 'f…')}`,
        where: target.join(' '),
      })),
    );
  }, colorScheme === 'dark');

async function audit({ name, place, steps, scenario = 'full' }) {
  const page = await demo.newPage(context, () => name);
  page.setDefaultTimeout(15_000);
  try {
    await page.goto(`${demo.base}?demo=${scenario}${place}`);
    for (const step of steps) await follow(page, step);
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor({ state: 'attached' });
      for (const { what, where } of await violations(page, colorScheme))
        faults.set(what, [...(faults.get(what) ?? []), `${name} (${colorScheme}) at ${where}`]);
    }
    // Else moving the focus could scroll the window's own frame out of sight.
    if (await page.evaluate(() => document.documentElement.scrollHeight > innerHeight))
      demo.complaints.push(`${name}: the page is taller than the window`);
    audited += 1;
    if (audited % 25 === 0) console.log(`${audited} of ${wanted.length}`);
  } catch (reason) {
    unreached.push(`${name}: ${String(reason).split('\n')[0]}`);
  } finally {
    await page.close();
  }
}

const waiting = [...wanted];
await Promise.all(
  Array.from({ length: PAGES }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await audit(next);
  }),
);
await demo.close();

for (const [what, where] of faults)
  console.error(`${what}\n    ${where.length} times, first in ${where[0]}`);
for (const state of unreached) console.error(`not reached: ${state}`);
for (const complaint of new Set(demo.complaints)) console.error(complaint);
console.log(
  `${audited} of ${wanted.length} states, light and dark: ${faults.size} violations, ${demo.complaints.length} complaints`,
);
process.exitCode =
  faults.size + unreached.length + demo.complaints.length > 0 || audited === 0 ? 1 : 0;
