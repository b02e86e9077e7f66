/** Where the window is, kept in the address's fragment so that it can be linked to and gone back from. */

export const pages = ['environments', 'services', 'activity', 'settings'] as const;
export type Page = (typeof pages)[number];
export const tabs = ['timeline', 'parts', 'logs', 'plan'] as const;
export type Tab = (typeof tabs)[number];

export interface Place {
  page: Page;
  environment: string | null;
  tab: Tab;
}

/** `#/environments/<id>/logs`. */
export function parsePlace(fragment: string): Place {
  const [page, id, tab] = fragment.replace(/^#?\/?/, '').split('/');
  return {
    page: pages.find((known) => known === page) ?? 'environments',
    environment: page === 'environments' && id ? decodeURIComponent(id) : null,
    tab: tabs.find((known) => known === tab) ?? 'timeline',
  };
}

export function href(page: Page, environment?: string | null, tab: Tab = 'timeline'): string {
  if (!environment) return `#/${page}`;
  const end = tab === 'timeline' ? '' : `/${tab}`;
  return `#/${page}/${encodeURIComponent(environment)}${end}`;
}

class Route {
  #place = $state.raw<Place>(parsePlace(location.hash));

  constructor() {
    window.addEventListener('hashchange', () => (this.#place = parsePlace(location.hash)));
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

  go(page: Page, environment?: string | null, tab?: Tab): void {
    location.hash = href(page, environment, tab);
    // At once: the browser tells of it only later.
    this.#place = parsePlace(location.hash);
  }

  /** Moves without leaving a step to go back to (arrow keys through a list). */
  slide(page: Page, environment?: string | null, tab?: Tab): void {
    history.replaceState(null, '', href(page, environment, tab));
    this.#place = parsePlace(location.hash);
  }
}

export const route = new Route();
