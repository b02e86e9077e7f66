import { mount } from 'svelte';
import App from './App.svelte';
import type { Backend } from './backend/backend';
import { appearance } from './state/theme.svelte';
import './app.css';

/** The shell's backend; in development and tests, `?demo=<scenario>` asks for made-up data instead. */
async function chooseBackend(): Promise<Backend> {
  if (import.meta.env.MODE !== 'production') {
    const scenario = new URLSearchParams(location.search).get('demo');
    if (scenario !== null) {
      const { demoBackend } = await import('./backend/demo/demo');
      return demoBackend(scenario);
    }
  }
  const { tauriBackend } = await import('./backend/tauri');
  return tauriBackend;
}

appearance.start();
const target = document.getElementById('app');
if (target) mount(App, { target, props: { backend: await chooseBackend() } });
