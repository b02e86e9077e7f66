export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'berth.theme';

class Appearance {
  choice = $state<Theme>(themes.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system');
  #dark = window.matchMedia('(prefers-color-scheme: dark)');

  /** Keeps the page in the chosen theme from now on. */
  start(): void {
    this.#dark.addEventListener('change', () => this.#show());
    this.#show();
  }

  choose(theme: Theme): void {
    this.choice = theme;
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
    this.#show();
  }

  #show(): void {
    const system = this.#dark.matches ? 'dark' : 'light';
    document.documentElement.dataset['theme'] = this.choice === 'system' ? system : this.choice;
  }
}

export const appearance = new Appearance();
