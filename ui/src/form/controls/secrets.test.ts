import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../backend/problem';
import { pastedSecret } from './pasted';
import { keyFault } from './secretkeys';
import SecretRefPicker from './SecretRefPicker.svelte';
import type { SecretKey, SecretRef } from './types';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const VALUE = 'hunter2-very-secret';
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** The picker, an owner that takes every change over, and a store that can fail. */
function show(keys: SecretKey[], value?: SecretRef) {
  const calls: string[][] = [];
  let fails = false;
  const port = {
    keys,
    async set(key: string, typed: string) {
      calls.push(['set', key, typed]);
      await Promise.resolve();
      if (fails) throw problem('store', 'The keychain is locked');
      port.keys = [...port.keys.filter((known) => known.key !== key), { key, setAt: Date.now() }];
      await view.rerender({ secrets: { ...port } });
    },
    async remove(key: string) {
      calls.push(['remove', key]);
      await Promise.resolve();
      if (fails) throw problem('store', 'The keychain is locked');
      port.keys = port.keys.filter((known) => known.key !== key);
      await view.rerender({ secrets: { ...port } });
    },
  };
  const values: (SecretRef | undefined)[] = [];
  const onchange = (next: SecretRef | undefined) => {
    values.push(next);
    void view.rerender({ value: next });
  };
  const view = render(SecretRefPicker, {
    props: { id: 'it', value, onchange, invalid: false, schema: {}, secrets: port },
  });
  return { calls, values, view, fail: (on: boolean) => (fails = on) };
}

const field = () => document.getElementById('it') as HTMLInputElement;
const entry = () => document.getElementById('it-value') as HTMLInputElement;
const state = () => screen.getByTestId('secret-state').textContent?.replace(/\s+/g, ' ').trim();

async function click(testid: string) {
  screen.getByTestId(testid).click();
  await pass();
}

async function type(into: HTMLInputElement, text: string) {
  into.value = text;
  into.dispatchEvent(new Event('input', { bubbles: true }));
  await tick();
}

async function press(on: HTMLElement, key: string) {
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  await pass();
}

describe('names of secrets', () => {
  it.each([
    ['api-token', null],
    ['A.b_c-9', null],
    ['', null],
    ['a b', 'characters'],
    ['schlüssel', 'characters'],
    ['a'.repeat(64), null],
    ['a'.repeat(65), 'length'],
  ])('%j: %s', (key, fault) => {
    expect(keyFault(key)).toBe(fault);
  });
});

describe('a pasted secret', () => {
  it.each([
    ['token', 'token'],
    ['token\n', 'token'],
    ['token\r\n', 'token'],
    [' token ', ' token '],
    ['a\r\nb\r\n', 'a\nb\n'],
  ])('%j means %j', (pasted, meant) => {
    expect(pastedSecret(pasted)).toBe(meant);
  });
});

describe('a secret reference', () => {
  it('offers the keys that are there', async () => {
    const { values } = show([
      { key: 'api-token', setAt: 999_700_000 },
      { key: 'oauth', setAt: null },
    ]);
    field().focus();
    await press(field(), 'ArrowDown');
    expect(
      screen.getAllByRole('option').map((o) => o.textContent?.replace(/\s+/g, ' ').trim()),
    ).toEqual(['api-token set · 5 min ago', 'oauth no value yet']);
    await press(field(), 'ArrowDown');
    await press(field(), 'Enter');
    expect(values).toEqual([{ key: 'oauth' }]);
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(state()).toContain('no value yet');
  });

  it('checks a new name while it is typed', async () => {
    const { values } = show([]);
    await type(field(), 'my key');
    expect(state()).toContain('A name has 1 to 64 letters');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByTestId('secret-enter')).toBeNull();
    await type(field(), 'my-key');
    expect(state()).toContain('no value yet');
    await type(field(), '');
    expect(values).toEqual([{ key: 'my key' }, { key: 'my-key' }, undefined]);
  });

  it('takes the value once, hands it to the port alone, and forgets it', async () => {
    const { calls, values } = show([], { key: 'api-token' });
    await click('secret-enter');
    expect([entry().type, entry().autocomplete, entry().getAttribute('spellcheck')]).toEqual([
      'password',
      'off',
      'false',
    ]);
    const typedInto = entry();
    await type(entry(), VALUE);
    await press(entry(), 'Enter');
    expect(calls).toEqual([['set', 'api-token', VALUE]]);
    expect(values).toEqual([]);
    expect(typedInto.value).toBe('');
    expect(document.body.innerHTML).not.toContain(VALUE);
    expect(state()).toContain('set · just now');
    expect(document.activeElement).toBe(screen.getByTestId('secret-enter'));
    await pass(301_000);
    expect(state()).toContain('set · 5 min ago');
  });

  it('keeps the value when it could not be kept, for another try', async () => {
    const { calls, fail } = show([], { key: 'api-token' });
    fail(true);
    await click('secret-enter');
    await type(entry(), VALUE);
    await click('secret-save');
    expect(screen.getByRole('alert').textContent).toContain('The keychain is locked');
    expect(entry().value).toBe(VALUE);
    expect(screen.getByTestId('secret-save').textContent?.trim()).toBe('Try again');
    fail(false);
    await click('secret-save');
    expect(calls).toHaveLength(2);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(state()).toContain('set · just now');
  });

  it('drops the value when it is given up, or the form goes away', async () => {
    const { view, calls } = show([], { key: 'api-token' });
    await click('secret-enter');
    const first = entry();
    await type(first, VALUE);
    await press(first, 'Escape');
    expect(first.value).toBe('');
    await click('secret-enter');
    const second = entry();
    expect(second.value).toBe('');
    await type(second, VALUE);
    view.unmount();
    expect(second.value).toBe('');
    expect(calls).toEqual([]);
  });

  it('does not give the value of one key to another', async () => {
    const { calls } = show([], { key: 'one' });
    await click('secret-enter');
    await type(entry(), VALUE);
    await type(field(), 'two');
    expect(document.getElementById('it-value')).toBeNull();
    await click('secret-enter');
    expect(entry().value).toBe('');
    expect(calls).toEqual([]);
  });

  it('asks before it removes, and says when it could not', async () => {
    const { calls, fail } = show([{ key: 'api-token', setAt: 1 }], { key: 'api-token' });
    await click('secret-remove');
    expect(document.activeElement).toBe(screen.getByTestId('secret-keep'));
    await click('secret-keep');
    expect(calls).toEqual([]);
    expect(document.activeElement).toBe(screen.getByTestId('secret-remove'));
    fail(true);
    await click('secret-remove');
    await click('secret-remove-confirm');
    expect(screen.getByRole('alert').textContent).toContain('The keychain is locked');
    fail(false);
    await click('secret-remove-confirm');
    expect(calls).toEqual([
      ['remove', 'api-token'],
      ['remove', 'api-token'],
    ]);
    expect(state()).toContain('no value yet');
    expect(document.activeElement).toBe(screen.getByTestId('secret-enter'));
  });

  it('keeps what else a reference holds', async () => {
    const loaded = { key: 'one', note: 'kept' };
    const { values } = show([], loaded);
    await type(field(), 'two');
    expect(values).toEqual([{ key: 'two', note: 'kept' }]);
  });
});

describe('where the document has a field for the values', () => {
  const props = {
    id: 'it',
    onchange: () => undefined,
    invalid: false,
    schema: {},
    secrets: {
      keys: [
        { key: 'API_TOKEN', setAt: 0 },
        { key: 'OTHER', setAt: null },
      ],
    },
  };

  it('only a name is picked', async () => {
    const view = render(SecretRefPicker, { props: { ...props, value: { key: 'API_TOKEN' } } });
    expect(state()).toBe('Its value is entered under “Secret values”.');
    expect(screen.queryByTestId('secret-enter')).toBeNull();
    expect(screen.queryByTestId('secret-remove')).toBeNull();
    await view.rerender({ value: { key: 'OTHER' } });
    expect(state()).toContain('No value for OTHER yet');
    await view.rerender({ value: { key: 'UNKNOWN' } });
    expect(state()).toContain('No value for UNKNOWN yet');
    expect(screen.queryByTestId('secret-enter')).toBeNull();
  });

  it('its names are offered', async () => {
    render(SecretRefPicker, { props: { ...props, value: undefined } });
    field().click();
    await tick();
    const offered = screen.getAllByRole('option').map((option) => option.textContent?.trim());
    expect(offered).toEqual(['API_TOKEN', 'OTHER']);
  });
});
