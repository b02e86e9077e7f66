import { screen, within } from '@testing-library/svelte';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../backend/backend';
import { billing, shopApi } from '../backend/demo/data';
import { demoBackend } from '../backend/demo/demo';
import type { Choice, Explanation, HandlerRef } from '../generated/types';
import { href, route, serviceHref } from '../state/route.svelte';
import { toasts } from '../state/toasts.svelte';
import { click, go, open, pass, settled, type } from '../window.fixture';

beforeAll(() => import('../services/ProvisioningOpener.svelte'));
beforeEach(() => {
  vi.useFakeTimers();
  route.slide('environments');
});
afterEach(() => {
  for (const { id } of toasts.list) toasts.dismiss(id);
  vi.useRealTimers();
});

const local: HandlerRef = {
  scope: { type: 'workspace' },
  key: { provisionType: 'docker-compose', manifestId: null },
  label: 'Local Docker',
  engine: 'local-docker',
  acceptsManifestId: null,
};
const away: HandlerRef = { ...local, label: 'staging', engine: 'remote-kubernetes' };

const explained = (choice: Choice, more: Partial<Explanation> = {}): Backend['explain'] => {
  return () =>
    Promise.resolve({
      provisioning: { type: 'docker-compose' },
      choice,
      lookedAt: [],
      ...more,
    });
};

async function startDialog(explain: Backend['explain']): Promise<HTMLElement> {
  await open('full', { explain });
  await click('start-preview');
  return screen.getByTestId('start-dialog');
}
const submit = () => screen.getByTestId<HTMLButtonElement>('start-submit');

describe('before a start', () => {
  it('it is said what will be used, and why', async () => {
    const dialog = await startDialog(explained({ type: 'handled', handler: local }));
    expect(dialog.textContent).toContain('Local Docker · workspace handler');
    expect(submit().disabled).toBe(false);
    await click('why-service', dialog);
    expect(screen.queryByTestId('start-dialog')).toBeNull();
    expect(screen.getByTestId('why-outcome').textContent).toContain('Local Docker');
  });

  it('it is said that nothing would be started', async () => {
    const dialog = await startDialog(explained({ type: 'nothing_to_run' }));
    expect(dialog.textContent).toContain('Nothing is started');
    expect(submit().disabled).toBe(true);
    await click('next-service', dialog);
    expect(route.service).toBe(shopApi.id);
  });

  it('a service that nothing handles leads to a handler', async () => {
    const dialog = await startDialog(explained({ type: 'no_handler' }));
    expect(dialog.textContent).toContain('Nothing handles docker-compose here');
    expect(submit().disabled).toBe(true);
    await click('next-add', dialog);
    expect(route.handler).toEqual({ own: false, key: local.key });
  });

  it('an override that is off can be switched on', async () => {
    const switchOverride = vi.fn<Backend['switchOverride']>(demoBackend('full').switchOverride);
    await open('full', {
      explain: explained(
        { type: 'no_handler' },
        { lookedAt: [{ handler: local, verdict: 'switched_off' }] },
      ),
      switchOverride,
    });
    await click('start-preview');
    await click('next-switch-on');
    expect(switchOverride).toHaveBeenCalledExactlyOnceWith(local.key, true);
  });

  it('several that fit are named', async () => {
    const dialog = await startDialog(
      explained({ type: 'ambiguous', candidates: [local, { ...local, label: 'Colima' }] }),
    );
    expect(dialog.textContent).toContain('Local Docker and Colima would all serve it');
    await click('next-handlers', dialog);
    expect(route.page).toBe('handlers');
  });

  it('a service for local development only is not sent away', async () => {
    const dialog = await startDialog(explained({ type: 'local_dev_only', handler: away }));
    expect(dialog.textContent).toContain('staging runs on another machine');
    expect(submit().disabled).toBe(true);
    await click('next-override', dialog);
    expect(route.handler?.own).toBe(true);
  });

  it('a failure to explain stands in nobody’s way', async () => {
    await startDialog(() => Promise.reject(new Error('gone')));
    expect(submit().disabled).toBe(false);
  });
});

describe('an environment', () => {
  it('says what it was made with, what is in effect now, and why', async () => {
    await open();
    await go(href('environments', 'shop-api-main'));
    const made = screen.getByTestId('made-with');
    expect(made.textContent).toContain('Made with Local Docker');
    expect(screen.getByTestId('another-in-effect').textContent).toContain('Colima, bigger VM');
    await click('why-environment');
    expect(screen.getAllByTestId('looked-at').length).toBeGreaterThan(3);
  });

  it('made before there were handlers says so', async () => {
    const demo = demoBackend('full');
    await open('full', {
      ...demo,
      environmentDetail: (id) =>
        demo.environmentDetail(id).then((detail) => ({
          ...detail,
          environment: { ...detail.environment, madeWith: null },
        })),
    });
    await go(href('environments', 'shop-api-spike'));
    expect(screen.getByTestId('made-with').textContent).toContain('before Berth had handlers');
  });
});

describe('a service', () => {
  const row = (name: string) => screen.getByTestId(`service-${name}`);

  it('says what handles it, and that it is for local development only', async () => {
    await open();
    await go(href('services'));
    expect(within(row('shop-api')).getByTestId('service-handler').textContent).toContain(
      'Colima, bigger VM · your override',
    );
    expect(within(row('docs')).getByTestId('service-handler').textContent).toContain(
      'nothing is started',
    );
    expect(within(row('search')).getByTestId('local-dev-only')).toBeTruthy();
    expect(within(row('billing')).queryByTestId('local-dev-only')).toBeNull();
  });

  it('can be provisioned otherwise', async () => {
    const backend = await open();
    await go(href('services'));
    await click('edit-service', row('billing'));
    await pass();
    expect(route.service).toBe(billing.id);
    await click('view-json');
    await click('view-form');
    const path = screen
      .getAllByRole<HTMLInputElement>('textbox')
      .find(({ value }) => value === 'deploy/compose.yaml');
    if (!path) throw new Error('no field for the path');
    path.value = 'compose.preview.yaml';
    path.dispatchEvent(new Event('input', { bubbles: true }));
    await pass();
    expect(screen.getByTestId('provisioning-state').textContent).toContain('Unsaved');
    await click('save-provisioning');
    expect(screen.getByTestId('provisioning-state').textContent?.trim()).toBe('Saved');
    const { services } = await settled(backend.snapshot());
    expect(services.find(({ id }) => id === billing.id)?.provisioning).toMatchObject({
      type: 'docker-compose',
      composePath: 'compose.preview.yaml',
    });
  });

  it('that is gone says so', async () => {
    await open();
    await go(serviceHref('s-none'));
    expect(document.body.textContent).toContain('This service is no longer known.');
  });
});

describe('by name', () => {
  it('handlers, switches and users are found', async () => {
    await open();
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
    await pass();
    const offered = () => screen.getAllByRole('option').map((one) => one.textContent?.trim());
    await type('palette-input', 'colima');
    expect(offered().join()).toContain('Colima, bigger VM (your override)');
    expect(offered().join()).toContain('Switch off your override Colima');
    await type('palette-input', 'work as');
    expect(offered().join()).toContain('Work as Pair');
    await type('palette-input', 'go to handlers');
    expect(offered()[0]).toContain('Go to Handlers');
  });
});
