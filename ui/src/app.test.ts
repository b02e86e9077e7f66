import { render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend, DropListener } from './backend/backend';
import { demoBackend } from './backend/demo/demo';
import App from './App.svelte';
import { route } from './state/route.svelte';
import { toasts } from './state/toasts.svelte';

beforeEach(() => {
  vi.useFakeTimers();
  route.slide('environments');
});
afterEach(() => {
  for (const { id } of toasts.list) toasts.dismiss(id);
  vi.useRealTimers();
});

const pass = (ms = 100) => vi.advanceTimersByTimeAsync(ms);

async function open(scenario: string, more: Partial<Backend> = {}): Promise<Backend> {
  const backend: Backend = { ...demoBackend(scenario), ...more };
  render(App, { backend });
  await pass();
  return backend;
}

async function click(testid: string, within_: HTMLElement = document.body): Promise<void> {
  const [first] = within(within_).getAllByTestId(testid);
  if (!first) throw new Error(`no ${testid}`);
  first.focus();
  first.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
  first.click();
  await pass();
}

async function type(testid: string, text: string): Promise<void> {
  const field = screen.getByTestId<HTMLInputElement>(testid);
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await pass();
}

const row = (name: string) => screen.getByTestId(`env-row-${name}`);

describe('the window', () => {
  it('goes from the first start to a running example and takes it down again', async () => {
    await open('first');
    expect(screen.getByTestId('engine-card').textContent).toContain('Docker Engine 28.5.2');
    await click('start-example');
    await pass(400);
    expect(within(row('hello-main')).getByTestId('env-status').dataset['status']).toBe(
      'provisioning',
    );
    expect(screen.getByTestId('step-read').dataset['state']).toBe('running');
    await pass(5_000);
    const status = within(row('hello-main')).getByTestId('env-status');
    expect(status.textContent).toBe('Ready');
    expect(screen.getAllByTestId('env-url')[0]?.textContent).toContain('hello-main.localhost');

    await click('tear-down');
    expect(screen.getByRole('alertdialog').textContent).toContain('2 containers');
    expect(screen.getByRole('alertdialog').textContent).toContain('pgdata');
    await click('confirm');
    await pass(5_000);
    expect(screen.getByTestId('detail').textContent).toContain('Torn down');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('says what to do when there is no engine', async () => {
    await open('no-engine');
    expect(screen.getByTestId('problem-title').textContent).toBe('No Docker engine was found');
    expect(screen.getByTestId('problem-hint').textContent).toContain('look again');
    expect(screen.getByTestId<HTMLButtonElement>('start-example').disabled).toBe(true);
  });

  it('finds what a typed folder holds, adds and starts it', async () => {
    const up = vi.fn<Backend['up']>(() => Promise.resolve('shop-api-main'));
    const backend = demoBackend('full');
    const addService = vi.fn<Backend['addService']>(backend.addService);
    await open('full', { ...backend, up, addService });
    await click('nav-services');
    route.slide('services');
    await pass();
    await type('add-folder-path', ' /home/me/work/inventory ');
    await click('add-folder-submit');
    const found = screen.getByTestId('detected');
    expect(found.textContent).toContain('3 services, 1 volume');
    expect(within(found).getByTestId('problem-title').textContent).toContain('compose.e2e.yaml');
    await type('service-name', 'stock');
    await click('start', found);
    expect(addService).toHaveBeenCalledWith('/home/me/work/inventory', 'compose.yaml', 'stock');
    expect(up.mock.calls[0]?.[0]).toMatchObject({
      selector: { type: 'workingTree' },
      lifetime: { type: 'default' },
    });
  });

  it('takes a folder dropped on any page', async () => {
    let listener: DropListener | undefined;
    await open('full', {
      onDrop: (given) => {
        listener = given;
        return () => undefined;
      },
    });
    listener?.over();
    await pass();
    expect(screen.getByTestId('drop-target')).toBeTruthy();
    listener?.drop(['/home/me/empty', '/ignored']);
    await pass();
    expect(screen.queryByTestId('drop-target')).toBeNull();
    expect(route.page).toBe('services');
    expect(screen.getByTestId('detected').textContent).toContain(
      'Nothing to start in /home/me/empty',
    );
  });

  it('starts a pull request, and not without its number', async () => {
    const up = vi.fn<Backend['up']>(() => Promise.resolve('shop-api-pr-42'));
    await open('full', { up });
    await click('start-preview');
    await click('start-pullRequest');
    await click('start-submit');
    expect(up).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toContain('A number from 1 up');
    await type('start-pull-number', '7');
    await click('start-submit');
    expect(up).toHaveBeenCalledWith({
      serviceId: 's-shop',
      selector: { type: 'pullRequest', number: 7 },
      name: null,
      lifetime: { type: 'default' },
    });
    expect(screen.queryByTestId('start-dialog')).toBeNull();
  });

  it('shows a failure with its face', async () => {
    await open('full');
    route.slide('environments', 'billing-fix-rounding');
    await pass();
    const problem = within(screen.getByTestId('detail')).getByTestId('problem');
    expect(problem.textContent).toContain('worker ended with exit code 1');
    expect(problem.textContent).toContain('compose.yaml:24:7');
    expect(problem.textContent).toContain('Error: QUEUE_URL is empty');
    expect(screen.getByTestId('retry')).toBeTruthy();
    expect(screen.getByTestId('step-start-worker').dataset['state']).toBe('failed');
    expect(screen.getByTestId('step-reach').textContent).toContain('not reached');
  });

  it('extends by a click on the row when the end is near', async () => {
    await open('full');
    expect(within(row('shop-api-pr-42')).getByTestId('env-time').textContent?.trim()).toBe(
      '6 min left',
    );
    await click('extend-row', row('shop-api-pr-42'));
    expect(within(row('shop-api-pr-42')).getByTestId('env-time').textContent?.trim()).toBe(
      '1 h 6 min left',
    );
    expect(within(row('shop-api-pr-42')).queryByTestId('extend-row')).toBeNull();
  });

  it('moves through the list with the arrow keys', async () => {
    await open('full');
    route.slide('environments', 'billing-fix-rounding');
    await pass();
    const links = [...document.querySelectorAll<HTMLElement>('[data-row]')];
    links[0]?.focus();
    links[0]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    await pass();
    expect(document.activeElement).toBe(links[1]);
    expect(route.environment).toBe('billing-main');
    expect(links.filter((link) => link.tabIndex === 0)).toHaveLength(1);
  });

  it('shows the refusal of a command with its hint', async () => {
    const busy = {
      code: 'busy' as const,
      title: 'Another process works on it',
      detail: null,
      hint: 'Wait for it to end.',
      causes: [],
      places: [],
      lines: [],
      retryable: true,
    };
    await open('full', { extend: () => Promise.reject(busy) });
    await click('extend-row');
    const toast = screen.getByTestId('toast');
    expect(toast.textContent).toContain('Another process works on it');
    expect(toast.textContent).toContain('Wait for it to end.');
  });

  it('finds things by name', async () => {
    await open('full');
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
    await pass();
    await type('palette-input', 'checkout');
    const options = screen.getAllByRole('option').map((option) => option.textContent?.trim());
    expect(options[0]).toContain('shop-api feature/checkout');
    screen
      .getByTestId('palette-input')
      .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await pass();
    route.slide('environments', decodeURIComponent(location.hash.split('/')[2] ?? ''));
    expect(route.environment).toBe('shop-api-feature-checkout');
    expect(screen.queryByTestId('palette')).toBeNull();
  });

  it('lists the activity, newest first, and loads what is older', async () => {
    await open('full');
    route.slide('activity');
    await pass();
    expect(screen.getAllByTestId('activity-row')).toHaveLength(100);
    expect(screen.getAllByTestId('activity-row')[0]?.textContent).toContain('Could not bring up');
    await click('activity-more');
    expect(screen.getAllByTestId('activity-row')).toHaveLength(127);
    expect(screen.queryByTestId('activity-more')).toBeNull();
  });

  it('shows what was logged, and why it broke off', async () => {
    await open('logs-failed');
    route.slide('environments', 'shop-api-main', 'logs');
    await pass(200);
    expect(screen.getAllByTestId('log-line')).toHaveLength(2);
    expect(screen.getByTestId('log-end').textContent).toContain('The Docker engine went away');
    await click('log-filter-db');
    expect(screen.getAllByTestId('log-line')).toHaveLength(1);
    await type('log-search', 'READY');
    expect(screen.getByTestId('log-matches').textContent?.trim()).toBe('1 match');
  });
});
