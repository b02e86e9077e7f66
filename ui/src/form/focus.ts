import { tick } from 'svelte';

const FOCUSABLE =
  'input:not([disabled]):not([type="hidden"]), select:not([disabled]), textarea:not([disabled]), button:not([disabled]):not([tabindex="-1"]), [tabindex="0"]';

/** Moves the focus to an element, or to the first thing in it that can have the focus. */
export function focusOn(element: HTMLElement | null | undefined): boolean {
  if (!element) return false;
  const target = element.matches(FOCUSABLE)
    ? element
    : (element.querySelector<HTMLElement>(FOCUSABLE) ?? element);
  if (target === element && !element.matches(FOCUSABLE)) element.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'nearest' });
  return document.activeElement === target;
}

/** Once the page shows what was just changed. */
export async function focusAfter(find: () => HTMLElement | null | undefined): Promise<void> {
  await tick();
  focusOn(find());
}
