import { screen, within } from '@testing-library/svelte';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../backend/backend';
import { demoBackend } from '../backend/demo/demo';
import { problem } from '../backend/problem';
import { handlerHref, route } from '../state/route.svelte';
import { toasts } from '../state/toasts.svelte';
import { choose, click, go, open, pass, said, settled, write } from '../window.fixture';

// The editor is loaded when it is first gone to; here that must not depend on real time.
beforeAll(() => import('./HandlerOpener.svelte'));
beforeEach(() => {
  vi.useFakeTimers();
  route.slide('handlers');
});
afterEach(() => {
  for (const { id } of toasts.list) toasts.dismiss(id);
  vi.useRealTimers();
});

const row = (key: string) => {
  const found = screen.getAllByTestId('handler-row').find(({ dataset }) => dataset['key'] === key);
  if (!found) throw new Error(`no row ${key}`);
  return found;
};

describe('the handlers', () => {
  it('say for every kind what is in effect, and why', async () => {
    await open();
    expect(screen.getAllByTestId('handler-row').map(({ dataset }) => dataset['key'])).toEqual([
      'custom/kargo-preview',
      'custom/sandbox-vm',
      'docker-compose',
      'kubernetes',
    ]);
    const effect = (key: string) => within(row(key)).getByTestId('in-effect').textContent;
    expect(effect('docker-compose')).toContain('Colima, bigger VM');
    expect(effect('docker-compose')).toContain('your override is on');
    expect(effect('docker-compose')).toContain('running environments still use Local Docker');
    expect(effect('custom/kargo-preview')).toContain('workspace handler · your override is off');
    expect(effect('custom/sandbox-vm')).toContain('Nothing handles this');
    expect(row('custom/kargo-preview').textContent).toContain('key kargo_token set 3 d ago');
  });

  it('switch an override off without losing it, and say what still runs on the other', async () => {
    const backend = await open();
    await click('override-switch', row('docker-compose'));
    expect(within(row('docker-compose')).getByTestId('in-effect').textContent).toContain(
      'workspace handler',
    );
    expect(within(row('docker-compose')).getByTestId('override').textContent).toContain(
      'kept, off',
    );
    expect(said()).toContain('Your override Colima, bigger VM is kept, and off');
    await click('override-switch', row('docker-compose'));
    expect(said()).toContain('still use Local Docker');
    expect(said()).toContain('next start');
    const { rows } = await settled(backend.handlers(''));
    expect(rows.find(({ key }) => key.provisionType === 'docker-compose')?.own?.enabled).toBe(true);
  });

  it('explain themselves row by row', async () => {
    await open();
    await click('why', row('docker-compose'));
    const verdicts = screen.getAllByTestId('looked-at').map(({ dataset }) => dataset['verdict']);
    expect(verdicts).toContain('chosen');
    expect(verdicts).toContain('overridden');
    expect(screen.getByTestId('why-outcome').textContent).toContain('Colima, bigger VM');
  });

  it('compare field by field, with where each value is from', async () => {
    await open();
    await click('compare', row('docker-compose'));
    const fields = screen.getAllByTestId('compared-field');
    expect(fields.map(({ dataset }) => dataset['origin']).sort()).toEqual(['copied', 'own', 'own']);
    await click('only-different');
    expect(screen.getAllByTestId('compared-field').length).toBeGreaterThan(5);
  });

  it('reset an override after asking, and say what goes', async () => {
    await open();
    await choose('row-actions', 'do-reset', row('custom/kargo-preview'));
    expect(screen.getByRole('alertdialog').textContent).toContain('kargo_token');
    await click('confirm');
    expect(within(row('custom/kargo-preview')).getByTestId('no-override')).toBeTruthy();
  });

  it('make a handler of an engine that was found, after asking for the place of another', async () => {
    await open();
    await click('make-handler');
    expect(screen.getByRole('alertdialog').textContent).toContain('Local Docker');
    await click('confirm');
    expect(within(row('docker-compose')).getByTestId('workspace-handler').textContent).toContain(
      'Docker Desktop',
    );
  });

  it('say so when there are none, and when they cannot be read', async () => {
    await open('no-handlers');
    expect(screen.getByTestId('handlers-empty').textContent).toContain('No handler yet');
  });

  it('can be read again after a failure', async () => {
    const handlers = vi
      .fn<Backend['handlers']>()
      .mockRejectedValueOnce(problem('store', 'The handlers could not be read'))
      .mockImplementation(demoBackend('full').handlers);
    await open('full', { handlers });
    expect(screen.getByTestId('problem-title').textContent).toContain('could not be read');
    await click('handlers-again');
    expect(screen.getAllByTestId('handler-row')).toHaveLength(4);
  });
});

describe('a handler being written', () => {
  const compose = handlerHref({
    own: false,
    key: { provisionType: 'docker-compose', manifestId: null },
  });
  const previews = handlerHref({
    own: false,
    key: { provisionType: 'custom', manifestId: 'kargo-preview' },
  });

  it('is tested check by check, and nothing is stored', async () => {
    const saveHandler = vi.fn<Backend['saveHandler']>();
    const copyText = vi.fn<Backend['copyText']>().mockResolvedValue();
    await open('full', { saveHandler, copyText });
    await go(compose);
    const button = screen.getByTestId('test-handler');
    button.click();
    await pass(30);
    const test = screen.getByTestId('connection-test');
    expect(test.dataset['state']).toBe('running');
    expect(screen.getByTestId('check-socket').dataset['state']).toBe('running');
    expect(screen.getByTestId('check-storage').dataset['state']).toBe('waiting');
    await pass(1_000);
    expect(test.dataset['state']).toBe('passed');
    expect(screen.getByTestId('test-summary').textContent).toContain('Works, with 1 warning');
    expect(screen.getByTestId('check-storage').textContent).toContain('docker system prune');
    expect(screen.getByTestId('test-said').textContent).toContain('Works, with 1 warning');
    await click('copy-test');
    expect(copyText.mock.lastCall?.[0]).toContain('- Room for images: warning (34 ms)');
    expect(saveHandler).not.toHaveBeenCalled();
  });

  it('says why later checks were skipped', async () => {
    await open();
    await go(handlerHref({ own: false, key: { provisionType: 'kubernetes', manifestId: null } }));
    await click('test-handler');
    await pass(2_000);
    expect(screen.getByTestId('connection-test').dataset['state']).toBe('failed');
    expect(screen.getByTestId('check-ingress').textContent).toContain(
      'skipped: needs “Permissions” first',
    );
  });

  it('can be given up testing', async () => {
    const stop = vi.fn();
    await open('full', {
      testHandler: (_draft, _of, _remove, onUpdate) => {
        onUpdate({
          type: 'expected',
          checks: [
            {
              key: 'socket',
              title: 'The socket is there',
              verdict: { state: 'running' },
              durationMs: null,
              detail: null,
              facts: [],
              hint: null,
              command: null,
            },
          ],
        });
        return stop;
      },
    });
    await go(compose);
    await click('test-handler');
    await click('cancel-test');
    expect(stop).toHaveBeenCalledOnce();
    expect(screen.getByTestId('check-socket').textContent).toContain('not tried');
  });

  it('takes a warning that nothing could be tested for no success', async () => {
    await open('full', {
      testHandler: (_draft, _of, _remove, onUpdate) => {
        const check = {
          key: 'untested',
          title: 'Connection',
          durationMs: 0,
          detail: 'This Berth cannot test the connection to a k3s cluster yet.',
          facts: [],
          hint: null,
          command: null,
        };
        onUpdate({ type: 'expected', checks: [{ ...check, verdict: { state: 'waiting' } }] });
        onUpdate({ type: 'changed', check: { ...check, verdict: { state: 'warned' } } });
        onUpdate({ type: 'finished', passed: false });
        return () => undefined;
      },
    });
    await go(compose);
    await click('test-handler');
    expect(screen.getByTestId('test-summary').textContent).toContain('Not tested');
  });

  it('says why it could not be tested', async () => {
    await open('full', {
      testHandler: (_draft, _of, _remove, onUpdate) => {
        onUpdate({
          type: 'refused',
          problem: problem('invalid_document', 'The handler has 2 problems'),
        });
        return () => undefined;
      },
    });
    await go(compose);
    await click('test-handler');
    expect(
      within(screen.getByTestId('connection-test')).getByTestId('problem-title').textContent,
    ).toContain('2 problems');
  });

  it('keeps secrets typed in until it is saved with them', async () => {
    const demo = demoBackend('full');
    const saveHandler = vi.fn<Backend['saveHandler']>(demo.saveHandler);
    const setDocumentSecret = vi.fn<Backend['setDocumentSecret']>(demo.setDocumentSecret);
    await open('full', { ...demo, saveHandler, setDocumentSecret });
    await go(previews);
    expect(screen.getByTestId('secret-state').textContent).toContain('set · 3 d ago');
    await click('secret-enter');
    await write(document.querySelector<HTMLInputElement>('input[type="password"]'), 's3cret');
    await click('secret-save');
    expect(screen.getByTestId('secrets-later').textContent).toBe('1 secret to be set');
    const [under] = setDocumentSecret.mock.lastCall ?? [];
    await click('save-handler');
    expect(saveHandler).toHaveBeenCalledOnce();
    expect(saveHandler.mock.lastCall?.slice(1)).toEqual([under, []]);
    expect(screen.queryByTestId('secrets-later')).toBeNull();
    expect(screen.getByTestId('handler-state').textContent).toBe('Saved');
  });

  it('is not saved while a secret that it names has no value', async () => {
    const saveHandler = vi.fn<Backend['saveHandler']>();
    await open('full', { saveHandler });
    await go(previews);
    await click('secret-remove');
    await click('secret-remove-confirm');
    const notice = screen.getByTestId('missing-secrets');
    expect(notice.textContent).toContain('The secret kargo_token has no value yet');
    await click('save-handler');
    expect(saveHandler).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(screen.getByTestId('missing-secrets'));
  });

  it('that is new asks before it takes the place of another', async () => {
    const backend = await open();
    await go(handlerHref({ own: false, key: null }));
    await click('starter-0');
    await click('save-handler');
    expect(screen.getByRole('alertdialog').textContent).toContain('Local Docker');
    await click('confirm');
    const { rows } = await settled(backend.handlers(''));
    expect(rows.find(({ key }) => key.provisionType === 'docker-compose')?.workspace?.label).toBe(
      'Docker Compose',
    );
    expect(route.handler?.key?.provisionType).toBe('docker-compose');
  });

  it('becomes an override as a copy of the workspace’s', async () => {
    await open();
    await choose('row-actions', 'do-reset', row('docker-compose'));
    await click('confirm');
    await choose('make-override', 'do-copy', row('docker-compose'));
    await pass();
    expect(route.handler).toEqual({
      own: true,
      key: { provisionType: 'docker-compose', manifestId: null },
    });
    expect(screen.getByTestId('handler-title').textContent).toBe('Local Docker');
  });

  it('is not left with changes unasked', async () => {
    await open();
    await go(previews);
    await click('secret-remove');
    await click('secret-remove-confirm');
    await click('nav-services');
    expect(route.page).toBe('handlers');
    await click('leave-discard');
    expect(route.page).toBe('services');
  });

  it('says that it was changed elsewhere, and shows it as it is now', async () => {
    const backend = await open();
    await go(compose);
    expect(screen.queryByTestId('changed-elsewhere')).toBeNull();
    const { rows } = await settled(backend.handlers(''));
    const stored = rows.find(({ key }) => key.provisionType === 'docker-compose')?.workspace;
    if (!stored) throw new Error('no such handler');
    const text = JSON.stringify(stored.config).replace('Local Docker', 'Renamed');
    const { scope, key, backendKind } = stored;
    await settled(backend.saveHandler({ scope, key, backendKind, text }, null, []));
    expect(screen.getByTestId('changed-elsewhere')).toBeTruthy();
    await click('reload');
    await pass();
    expect(screen.getByTestId('handler-title').textContent).toBe('Renamed');
    expect(screen.queryByTestId('changed-elsewhere')).toBeNull();
  });

  it('is left with the user whose override it is', async () => {
    await open();
    await go(handlerHref({ own: true, key: { provisionType: 'kubernetes', manifestId: null } }));
    expect(screen.getByTestId('handler-title').textContent).toBe('k3d-dev');
    await choose('user-menu', 'user-pair');
    expect(route.handler).toBeNull();
    expect(screen.getByTestId('user-menu').textContent).toContain('Pair');
  });

  it('that is reset is gone, with nothing left to ask about', async () => {
    await open();
    await go(
      handlerHref({ own: true, key: { provisionType: 'custom', manifestId: 'kargo-preview' } }),
    );
    await click('secret-remove');
    await click('secret-remove-confirm');
    await click('reset');
    await click('confirm');
    expect(route.handler).toBeNull();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
