import { render, screen, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../backend/contract';
import FormUnderTest from './FormUnderTest.svelte';
import { createFormModel } from './model/form.svelte';
import type { FormModel } from './model/form.svelte';
import type { Json } from './model/json';
import type { ValidatorIssue } from './model/messages';
import { contractSchema, everything } from './model/schemas.fixture';

const environmentManifest = contractSchema('environmentManifestSchema');
const authScheme = contractSchema('environmentAuthSchemeSchema');
const infraHandler = contractSchema('infraHandlerConfigSchema');

const user = userEvent.setup({ delay: null });

type Shown = {
  model: FormModel;
  say: (issues: readonly ValidatorIssue[], showAll?: boolean) => Promise<void>;
};

function show(schema: JsonSchema, document?: Json): Shown {
  const model = createFormModel(schema, document);
  const { rerender } = render(FormUnderTest, { model });
  const say = (issues: readonly ValidatorIssue[], showAll = false) => rerender({ issues, showAll });
  return { model, say };
}

/** Found by hand: asking for roles and names takes the greater part of a second in a large form. */
function find<Kind extends HTMLElement>(selector: string, named: (of: Kind) => boolean): Kind {
  const found = [...document.querySelectorAll<Kind>(selector)].filter(named);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} of ${selector}`);
  return found[0];
}
const words = (element: Element) => element.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const nameOf = (element: HTMLInputElement) =>
  element.getAttribute('aria-label') ??
  [...document.querySelectorAll(`label[for="${element.id}"]`)].map(words).join(' ');
const field = (name: string) =>
  find<HTMLInputElement>('input, textarea', (element) => nameOf(element) === name);
const button = (name: string) =>
  find<HTMLButtonElement>(
    'button',
    (element) => (element.getAttribute('aria-label') ?? words(element)) === name,
  );
const pick = (name: RegExp | string) =>
  user.click(
    find('[role="radio"]', (element) =>
      typeof name === 'string' ? words(element) === name : name.test(words(element)),
    ),
  );
const problems = () =>
  screen.queryAllByTestId('field-problems').map((element) => element.textContent?.trim());
const said = () => screen.getByTestId('form-said').textContent;

describe('an empty form', () => {
  it('becomes a document as it is filled in', async () => {
    const { model } = show(environmentManifest);
    await user.type(field('Provider id'), 'acme');
    await user.type(field('Label'), 'Acme previews');
    await user.type(field('Base URL'), 'https://previews.acme.dev');
    await pick(/Bearer token/);
    await user.type(field('Token'), 'token');
    await pick('POST');
    await user.type(field('Path'), '/environments');
    await user.type(field('Default lifetime'), '2 h');
    expect(model.document()).toEqual({
      providerId: 'acme',
      label: 'Acme previews',
      baseUrl: 'https://previews.acme.dev',
      auth: { type: 'bearer', secretRef: { key: 'token' } },
      provision: { method: 'POST', pathTemplate: '/environments' },
      response: {},
      defaultTtlMs: 7_200_000,
    });
  });

  it('asks who wants Docker for nothing but Docker', async () => {
    const { model } = show(infraHandler);
    await pick(/Docker on this machine/);
    expect(screen.queryByText('Base URL')).toBeNull();
    expect(screen.queryByText('Method')).toBeNull();
    await user.type(field('Service'), 'web');
    await user.type(field('Port'), '8080');
    await user.type(field('Lifetime'), '90 min');
    await user.click(button('Add to Environment variables'));
    await user.keyboard('BRANCH');
    await user.tab();
    await user.keyboard('main');
    expect(model.document()).toEqual({
      engine: 'local-docker',
      manifest: {
        providerId: 'compose',
        label: 'Docker Compose',
        baseUrl: 'http://localhost',
        auth: { type: 'none' },
        provision: { method: 'POST', pathTemplate: '' },
        response: {},
        providerConfig: {
          service: 'web',
          port: '8080',
          envTemplate: { BRANCH: 'main' },
          ttlMinutes: '90',
        },
      },
    });
  });
});

describe('a document that lacks what the form does not show', () => {
  it('is filled in on request', async () => {
    const { model, say } = show(infraHandler, {
      engine: 'local-docker',
      manifest: { label: 'Mine', providerConfig: { service: 'web' } },
    });
    expect(screen.queryByText('Fill it in')).toBeNull();
    await say([{ path: ['manifest', 'baseUrl'], message: 'This must be filled in.' }]);
    await user.click(button('Fill it in'));
    expect(model.document()).toMatchObject({
      manifest: { label: 'Mine', baseUrl: 'http://localhost', providerConfig: { service: 'web' } },
    });
  });
});

describe('a choice', () => {
  it('keeps what was entered in every branch', async () => {
    const { model } = show(authScheme);
    await pick(/API key/);
    await user.type(field('Header'), 'X-Key');
    await pick(/Bearer token/);
    expect(model.document()).toEqual({ type: 'bearer' });
    await pick(/API key/);
    expect(field('Header').value).toBe('X-Key');
    expect(model.document()).toEqual({ type: 'api_key', headerName: 'X-Key' });
  });

  it('is moved through by keys', async () => {
    const { model } = show(authScheme);
    await user.tab();
    expect(document.activeElement?.getAttribute('role')).toBe('radio');
    await user.keyboard(' ');
    await user.keyboard('{ArrowDown}');
    expect(model.document()).toEqual({ type: 'api_key' });
  });
});

describe('what is wrong', () => {
  const missing = [
    { path: ['providerId'], message: 'Give an identifier.' },
    { path: ['auth'], message: 'Choose how.' },
    { path: ['provision', 'method'], message: 'Choose a method.' },
  ];

  it('is said of an empty field only once it was left', async () => {
    const { say } = show(environmentManifest);
    await say(missing);
    expect(problems()).toEqual([]);
    expect(screen.queryByTestId('issue-summary')).toBeNull();
    expect(screen.getByTestId('still-empty').textContent).toContain('3 required fields');
    field('Provider id').focus();
    await user.tab();
    expect(problems()).toEqual(['Give an identifier.']);
    expect(field('Provider id').getAttribute('aria-invalid')).toBe('true');
    const described = field('Provider id').getAttribute('aria-describedby')?.split(' ') ?? [];
    const words = described.map((id) => document.getElementById(id)?.textContent?.trim());
    expect(words).toContain('Give an identifier.');
    expect(screen.getByTestId('issue-summary').textContent).toContain('1 problem');
  });

  it('is all said once storing was tried, and led to from the summary', async () => {
    const { say } = show(environmentManifest);
    await say(missing, true);
    const summary = within(screen.getByTestId('issue-summary'));
    expect(summary.getByRole('heading').textContent).toContain('3 problems');
    await user.click(button('Provision request'));
    expect(screen.queryByText('Method')).toBeNull();
    expect(button('Provision request').closest('section')?.textContent).toContain('1 problem');
    await user.click(summary.getByRole('button', { name: /Provision request › Method/ }));
    await tick();
    expect(document.activeElement?.textContent?.trim()).toBe('GET');
  });

  it('is shown at the nearest part around it where it has no field of its own', async () => {
    const { say } = show(environmentManifest, {
      providerConfig: { a: 1 },
      auth: { type: 'bearer' },
    });
    await say([
      { path: ['auth', 'type'], message: 'Odd.' },
      { path: ['hidden', 'deep'], message: 'Not here.' },
    ]);
    expect(problems()).toEqual(['hidden.deep: Not here.', 'Odd.']);
  });

  it('of a branch that is no longer chosen is not said', async () => {
    const { say } = show(authScheme, { type: 'bearer', secretRef: { key: 'x y' } });
    await say([{ path: ['secretRef', 'key'], message: 'No spaces.' }]);
    expect(problems()).toEqual(['No spaces.']);
    await pick(/API key/);
    expect(problems()).toEqual([]);
  });

  it('follows an item that is moved', async () => {
    const { say } = show(everything, { names: ['a', 'b'] });
    await say([{ path: ['names', 1], message: 'Not b.' }]);
    await user.click(button('Move item 2 up'));
    expect(field('Item 1').getAttribute('aria-invalid')).toBe('true');
    expect(field('Item 2').getAttribute('aria-invalid')).toBe('false');
  });
});

describe('a list', () => {
  it('is added to, put in order and cut, and the focus stays sensible', async () => {
    const { model } = show(everything, { names: ['a', 'b', 'c'] });
    const names = () => (model.document() as { names?: string[] }).names;
    await user.click(button('Move item 3 up'));
    expect(names()).toEqual(['a', 'c', 'b']);
    expect(document.activeElement).toBe(button('Move item 2 up'));
    expect(said()).toBe('Item 3 is now 2 of 3');
    await user.click(button('Move item 2 up'));
    expect(names()).toEqual(['c', 'a', 'b']);
    expect(document.activeElement).toBe(button('Move item 1 down'));
    await user.click(button('Remove item 2'));
    expect(names()).toEqual(['c', 'b']);
    expect(document.activeElement).toBe(button('Remove item 2'));
    await user.click(button('Add item'));
    expect(document.activeElement).toBe(field('Item 3'));
    await user.keyboard('d');
    expect(names()).toEqual(['c', 'b', 'd']);
    for (const n of [3, 2, 1]) await user.click(button(`Remove item ${n}`));
    expect(document.activeElement).toBe(button('Add item'));
    expect(names()).toBeUndefined();
  });
});

describe('a long list', () => {
  const headers = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `X-${n + 1}`, valueTemplate: 'on' }));
  const drawn = () => document.querySelectorAll('ol > li').length;
  const manifest = (count: number) => ({
    provision: { method: 'POST', pathTemplate: '/', headers: headers(count) },
  });

  it('is drawn in part, and a problem in the rest is led to', async () => {
    const { model, say } = show(environmentManifest, manifest(5_000));
    expect(drawn()).toBe(25);
    expect(model.document()).toEqual(manifest(5_000));
    const path = ['provision', 'headers', 4_000, 'name'];
    await say([{ path, message: 'No such header.' }], true);
    const summary = within(screen.getByTestId('issue-summary'));
    await user.click(summary.getByRole('button'));
    await tick();
    expect(drawn()).toBe(25);
    expect((document.activeElement as HTMLInputElement).value).toBe('X-4001');
    await user.keyboard('!');
    const { name } =
      (model.document() as ReturnType<typeof manifest>).provision.headers[4_000] ?? {};
    expect(name).toBe('X-4001!');
  });

  it('shows more on request, and what is added', async () => {
    const { model } = show(everything, { names: Array.from({ length: 60 }, (_, n) => `n${n}`) });
    await user.click(button('Show 25 more (of 60)'));
    expect(drawn()).toBe(50);
    expect(document.activeElement).toBe(field('Item 26'));
    await user.click(button('Move item 50 down'));
    expect(document.activeElement).toBe(button('Move item 51 down'));
    await user.click(button('Add item'));
    expect(document.activeElement).toBe(field('Item 61'));
    await user.keyboard('new');
    expect((model.document() as { names: string[] }).names[60]).toBe('new');
  });

  it('is a record as well', async () => {
    const labels = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, 'v']));
    const { model } = show(everything, { labels });
    expect(document.querySelectorAll('[aria-label^="Name, row"]')).toHaveLength(25);
    await user.click(button('Add to Labels'));
    expect(document.activeElement).toBe(field('Name, row 201'));
    await user.click(button('Show 25 before (of 201)'));
    expect(document.activeElement).toBe(field('Name, row 176'));
    await user.clear(field('Name, row 180'));
    await user.tab();
    expect(model.unfinished).toBe(true);
    await user.click(screen.getByTestId('issue-summary').querySelector('button') as HTMLElement);
    await tick();
    expect(document.activeElement).toBe(field('Name, row 180'));
  });
});

describe('rows', () => {
  it('say which name is missing or there twice', async () => {
    const { model } = show(everything, { labels: { a: '1', b: '2' } });
    await user.clear(field('Name, row 2'));
    await user.type(field('Name, row 2'), 'a');
    expect(problems()[0]).toContain('used by a row above');
    expect(model.unfinished).toBe(true);
    expect([field('Value of a, row 1').value, field('Value of a, row 2').value]).toEqual([
      '1',
      '2',
    ]);
    expect(button('Remove a, row 1')).not.toBe(button('Remove a, row 2'));
    await user.clear(field('Name, row 2'));
    await user.tab();
    expect(problems()[0]).toContain('Name this row');
    await user.type(field('Name, row 2'), '__proto__');
    expect(model.unfinished).toBe(false);
    expect(JSON.stringify(model.document())).toContain('{"a":"1","__proto__":"2"}');
  });
});

describe('a field', () => {
  it('is called required only where something has to be filled in', () => {
    show(environmentManifest);
    const said = (name: string) =>
      field(name).getAttribute('aria-describedby')?.includes('-required') ?? false;
    expect([said('Base URL'), said('Path')]).toEqual([true, false]);
    expect(button('Insert a variable into Path')).toBeTruthy();
  });

  it('of many values is a list that opens inside an item, where room is short', () => {
    const size = { title: 'Size', enum: ['a', 'b', 'c', 'd'] };
    const one = { type: 'object', title: 'One', properties: { size }, required: ['size'] };
    const properties = { size, all: { type: 'array', title: 'All', items: one } };
    show({ type: 'object', properties, required: ['size'] }, { size: 'a', all: [{ size: 'b' }] });
    expect(document.querySelectorAll('[role="radio"]')).toHaveLength(4);
    const [select, ...others] = document.querySelectorAll<HTMLSelectElement>('ol select');
    expect(others).toEqual([]);
    expect(select?.selectedOptions[0]?.textContent).toBe('b');
  });
});

describe('an optional section', () => {
  it('keeps what was in it while it is not there', async () => {
    const { model } = show(everything, {});
    await user.click(button('Add extra'));
    expect(document.activeElement).toBe(field('a'));
    await user.keyboard('kept');
    expect(model.document()).toEqual({ extra: { a: 'kept' } });
    await user.click(button('Remove extra'));
    expect(model.document()).toEqual({});
    expect(document.activeElement).toBe(button('Add extra'));
    await user.click(button('Add extra'));
    expect(field('a').value).toBe('kept');
  });
});

describe('a value that does not fit', () => {
  it('is kept and edited as JSON until it fits', async () => {
    const { model } = show(everything, { text: 5, auth: { type: 'what' } });
    expect(field('Text').value).toBe('5');
    expect(field('Authentication').value).toContain('what');
    expect(model.document()).toEqual({ text: 5, auth: { type: 'what' } });
    await user.clear(field('Text'));
    expect(model.unfinished).toBe(true);
    await user.type(field('Text'), '"five"');
    expect(model.document()).toMatchObject({ text: 'five' });
    await user.click(button('Use the form’s fields'));
    expect(field('Text').value).toBe('five');
    expect(document.activeElement).toBe(field('Text'));
  });

  it('is what was typed, where a number was meant', async () => {
    const { model, say } = show(everything, { ratio: 0.5 });
    await user.clear(field('Ratio'));
    await user.type(field('Ratio'), '1.');
    expect(field('Ratio').value).toBe('1.');
    await user.type(field('Ratio'), '50');
    expect(field('Ratio').value).toBe('1.50');
    expect(model.document()).toEqual({ ratio: 1.5 });
    await user.type(field('Ratio'), 'x');
    await say([{ path: ['ratio'], message: 'From the validator.' }]);
    expect(problems()).toEqual(['This is not a number.']);
    expect(model.unfinished).toBe(true);
    await user.clear(field('Ratio'));
    await user.type(field('Ratio'), '12345678901234567890');
    expect(problems()[0]).toContain('12345678901234567000');
    expect(model.unfinished).toBe(false);
  });
});

describe('a press that leaves a field', () => {
  it('ends where it began: what is said of the field comes after it', async () => {
    const { say } = show(environmentManifest);
    await say([{ path: ['label'], message: 'Required, but missing.' }]);
    field('Label').focus();
    const target = field('Base URL');
    await user.pointer({ keys: '[MouseLeft>]', target });
    await tick();
    expect(problems()).toEqual([]);
    await user.pointer({ keys: '[/MouseLeft]', target });
    await tick();
    expect(problems()).toEqual(['Required, but missing.']);
  });
});
