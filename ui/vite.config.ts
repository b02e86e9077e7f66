import tailwindcss from '@tailwindcss/vite';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  plugins: [tailwindcss(), svelte(), svelteTesting()],
  clearScreen: false,
  // The contract's cases, which tests read, are beside the front end.
  server: { port: 5173, strictPort: true, fs: { allow: ['.', '../tests/data'] } },
  build: {
    outDir: mode === 'demo' ? 'dist-demo' : 'dist',
    target: ['es2022', 'safari16.4'],
    // The page's policy allows fonts and images from its own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    // Read as text by the test that measures its contrasts.
    css: { include: [/tokens\.css/] },
    restoreMocks: true,
    // For machines that compile meanwhile; nothing here waits for real time.
    testTimeout: 30_000,
  },
}));
