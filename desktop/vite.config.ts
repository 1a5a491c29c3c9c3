// Builds the ui: one page of plain files that any host can serve.

import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('./ui'),
  base: './',
  plugins: [react()],
  build: {
    outDir: here('./dist/ui'),
    emptyOutDir: true,
    rollupOptions: { input: here('./ui/index.html') },
    target: 'chrome138',
    // Nothing inlined as data:, so that the policy can stay without it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
