import { getContext, setContext } from 'svelte';
import type { Preview, SecretPort } from './controls/types';

export interface Message {
  text: string;
  tone: 'bad' | 'warn';
  /** The control says it itself. */
  saidByControl: boolean;
}

/** What every field of a form may use. */
export interface FormContext {
  readonly secrets: SecretPort;
  readonly preview: Preview;
  readonly disabled: boolean;
  /** What is said at a field now. */
  messages: (id: string) => readonly Message[];
  /** How many problems are said inside of a section. */
  problemsWithin: (id: string) => number;
  /** The field was left. */
  touch: (id: string) => void;
  /** Said to screen readers. */
  announce: (text: string) => void;
  isClosed: (id: string) => boolean;
  setClosed: (id: string, closed: boolean) => void;
  /** The part that was last jumped to, and all it is in. */
  readonly aim: ReadonlySet<string>;
}

const KEY = Symbol('form');
const DEPTH = Symbol('form depth');
const ITEMS = Symbol('form items');

export function provideForm(form: FormContext): void {
  setContext(KEY, form);
}

export function useForm(): FormContext {
  return getContext<FormContext>(KEY);
}

/** How many sections a component is in. */
export function sectionDepth(): number {
  return getContext<number | undefined>(DEPTH) ?? 0;
}

/** The same; what is inside of it is one deeper. */
export function enterSection(): number {
  const depth = sectionDepth();
  setContext(DEPTH, depth + 1);
  return depth;
}

/** What is inside of the component is part of one of several items. */
export function enterItems(): void {
  setContext(ITEMS, true);
}

/** Whether a component is part of one of several items, where room is short. */
export function isInItems(): boolean {
  return getContext<boolean | undefined>(ITEMS) ?? false;
}
