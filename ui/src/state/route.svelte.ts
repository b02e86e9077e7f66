/** Where the window is, kept in the address's fragment so that it can be linked to and gone back from. */

import type { HandlerKey, ProvisionType } from '../generated/types';

export const pages = [
  'environments',
  'services',
  'handlers',
  'documents',
  'activity',
  'settings',
] as const;
export type Page = (typeof pages)[number];
export const tabs = ['timeline', 'parts', 'logs', 'plan'] as const;
export type Tab = (typeof tabs)[number];

/** The handler that is open. */
export interface HandlerPlace {
  /** The user's override, and not the workspace's handler. */
  own: boolean;
  /** `null`: one that is about to be, for whatever its document will say. */
  key: HandlerKey | null;
}

const provisionTypes: readonly ProvisionType[] = [
  'kubernetes',
  'docker-compose',
  'custom',
  'infraless',
];

export interface Place {
  page: Page;
  environment: string | null;
  tab: Tab;
  /** The document that is open; `new`: one that is about to be. */
  document: string | null;
  /** The kind of the document that is about to be. */
  kind: string | null;
  handler: HandlerPlace | null;
  /** The service whose provisioning is open. */
  service: string | null;
}

/** In the place of an id: a document that is not written yet. */
export const NEW = 'new';

/**
 * `#/environments/<id>/logs`, `#/services/<id>`, `#/documents/<id>`, `#/documents/new/<kind>`,
 * `#/handlers/workspace/new`, `#/handlers/own/custom/<manifest id>`.
 */
export function parsePlace(fragment: string): Place {
  const [page, id, tab, last] = fragment.replace(/^#?\/?/, '').split('/');
  return {
    page: pages.find((known) => known === page) ?? 'environments',
    environment: page === 'environments' && id ? decodeURIComponent(id) : null,
    tab: tabs.find((known) => known === tab) ?? 'timeline',
    document: page === 'documents' && id ? decodeURIComponent(id) : null,
    kind: page === 'documents' && id === NEW && tab ? decodeURIComponent(tab) : null,
    handler: page === 'handlers' ? handlerPlace(id, tab, last) : null,
    service: page === 'services' && id ? decodeURIComponent(id) : null,
  };
}

function handlerPlace(scope?: string, type?: string, id?: string): HandlerPlace | null {
  if (scope !== 'workspace' && scope !== 'own') return null;
  const own = scope === 'own';
  if (type === NEW) return { own, key: null };
  const provisionType = provisionTypes.find((known) => known === type);
  if (!provisionType) return null;
  return { own, key: { provisionType, manifestId: id ? decodeURIComponent(id) : null } };
}

export function href(page: Page, environment?: string | null, tab: Tab = 'timeline'): string {
  if (!environment) return `#/${page}`;
  const end = tab === 'timeline' ? '' : `/${tab}`;
  return `#/${page}/${encodeURIComponent(environment)}${end}`;
}

export function documentHref(document?: string | null, kind?: string): string {
  const parts = [document, kind].filter((part) => part != null).map(encodeURIComponent);
  return ['#/documents', ...parts].join('/');
}

export function handlerHref({ own, key }: HandlerPlace): string {
  const parts = [own ? 'own' : 'workspace', key?.provisionType ?? NEW, key?.manifestId];
  return ['#/handlers', ...parts.filter((part) => part != null).map(encodeURIComponent)].join('/');
}

export function serviceHref(id: string): string {
  return `#/services/${encodeURIComponent(id)}`;
}

/** Is asked before the place changes; calls `proceed` if and when it may. */
export type Hold = (proceed: () => void) => void;

class Route {
  #place = $state.raw<Place>(parsePlace(location.hash));
  /** The fragment that `#place` was read from. */
  #fragment = location.hash;
  #hold: Hold | null = null;

  constructor() {
    window.addEventListener('hashchange', () => this.#arrived());
    window.addEventListener('click', (event) => this.#clicked(event), { capture: true });
  }

  get page(): Page {
    return this.#place.page;
  }
  get environment(): string | null {
    return this.#place.environment;
  }
  get tab(): Tab {
    return this.#place.tab;
  }
  get document(): string | null {
    return this.#place.document;
  }
  get kind(): string | null {
    return this.#place.kind;
  }
  get handler(): HandlerPlace | null {
    return this.#place.handler;
  }
  get service(): string | null {
    return this.#place.service;
  }

  go(page: Page, environment?: string | null, tab?: Tab): void {
    this.follow(href(page, environment, tab));
  }

  /** Goes to a place by its address, then does what is to be done there. */
  follow(fragment: string, then: () => void = () => undefined): void {
    const move = () => {
      this.#move(fragment);
      then();
    };
    if (this.#hold && fragment !== this.#fragment) this.#hold(move);
    else move();
  }

  /** From now on `hold` decides whether this place is left. Returns what ends that. */
  hold(hold: Hold): () => void {
    this.#hold = hold;
    return () => {
      if (this.#hold === hold) this.#hold = null;
    };
  }

  /** Moves without leaving a step to go back to (arrow keys through a list). */
  slide(page: Page, environment?: string | null, tab?: Tab): void {
    history.replaceState(null, '', href(page, environment, tab));
    this.#show();
  }

  #move(fragment: string): void {
    location.hash = fragment;
    // At once: the browser tells of it only later.
    this.#show();
  }

  #show(): void {
    this.#fragment = location.hash;
    this.#place = parsePlace(location.hash);
  }

  /** The browser went back or forward, or tells of a move of ours. */
  #arrived(): void {
    const wanted = location.hash;
    if (!this.#hold || wanted === this.#fragment) {
      this.#show();
      return;
    }
    history.pushState(null, '', this.#fragment);
    this.#hold(() => this.#move(wanted));
  }

  /** A link is asked about before the browser has followed it. */
  #clicked(event: MouseEvent): void {
    if (!this.#hold || event.button !== 0 || !(event.target instanceof Element)) return;
    const fragment = event.target.closest('a[href^="#/"]')?.getAttribute('href');
    if (!fragment || fragment === this.#fragment) return;
    event.preventDefault();
    this.follow(fragment);
  }
}

export const route = new Route();
