// Builds the Electron host: the main process, the engine's process, the preload, and the same UI as in the browser.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'electron-vite';
import { followRequires } from './packaging/follow_requires.ts';
import ui from './vite.config.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  main: {
    plugins: [followRequires()],
    build: {
      outDir: here('./dist/electron/main'),
      // The workspace's own packages are sources, so they are bundled.
      externalizeDeps: false,
      rollupOptions: {
        input: {
          main: here('./hosts/electron/main.ts'),
          engineProcess: here('./hosts/electron/engineProcess.ts'),
          words: here('./engine/text/extract/worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: here('./dist/electron/preload'),
      externalizeDeps: false,
      // A sandboxed preload cannot be an ES module.
      rollupOptions: { input: here('./hosts/electron/preload.ts'), output: { format: 'cjs', entryFileNames: 'preload.cjs' } },
    },
  },
  renderer: ui,
});
