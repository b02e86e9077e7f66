import { render, screen, within } from '@testing-library/svelte';
import { vi } from 'vitest';
import App from './App.svelte';
import type { Backend } from './backend/backend';
import { demoBackend } from './backend/demo/demo';
import { route } from './state/route.svelte';

/** The window on made-up data, driven by hand on a clock that only the test moves. */

export const pass = (ms = 300) => vi.advanceTimersByTimeAsync(ms);

/** An answer of the backend's, which takes its time. */
export async function settled<T>(answer: Promise<T>): Promise<T> {
  await pass();
  return answer;
}

export async function open(scenario = 'full', more: Partial<Backend> = {}): Promise<Backend> {
  const backend: Backend = { ...demoBackend(scenario), ...more };
  render(App, { backend });
  await pass();
  await pass();
  return backend;
}

export async function go(fragment: string): Promise<void> {
  route.follow(fragment);
  await pass();
  await pass();
}

export async function click(testid: string, inside: HTMLElement = document.body): Promise<void> {
  const [first] = within(inside).getAllByTestId(testid);
  if (!first) throw new Error(`no ${testid}`);
  first.focus();
  first.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
  first.click();
  await pass();
}

/** Opens a menu and takes an entry of it. */
export async function choose(
  trigger: string,
  entry: string,
  inside: HTMLElement = document.body,
): Promise<void> {
  const [button] = within(inside).getAllByTestId(trigger);
  if (!button) throw new Error(`no ${trigger}`);
  button.focus();
  button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await pass();
  const item = screen.getByTestId(entry);
  item.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, button: 0 }));
  await pass();
}

export async function write(field: HTMLInputElement | null | undefined, text: string) {
  if (!field) throw new Error('no such field');
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await pass();
}

export const type = (testid: string, text: string) =>
  write(screen.getByTestId<HTMLInputElement>(testid), text);

/** What was said in passing. */
export const said = () =>
  screen
    .queryAllByTestId('toast')
    .map(({ textContent }) => textContent)
    .join();
