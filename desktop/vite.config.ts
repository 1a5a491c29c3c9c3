// Builds the UI: one page of plain files that any host can serve.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Files that pdf.js requests by name while it reads a document: character maps, the standard PDF fonts, and decoders for old image formats. */
const pdfData = (): Plugin => {
  const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const folders = { cmaps: /\.bcmap$/, standard_fonts: /\.(pfb|ttf)$/, wasm: /_nowasm_fallback\.js$/, iccs: /\.icc$/ };
  return {
    name: 'pdf-data',
    generateBundle() {
      for (const [folder, wanted] of Object.entries(folders))
        for (const name of readdirSync(join(home, folder)).filter((one) => wanted.test(one)))
          this.emitFile({ type: 'asset', fileName: `pdf/${name}`, source: readFileSync(join(home, folder, name)) });
    },
  };
};

export default defineConfig({
  root: here('./ui'),
  base: './',
  plugins: [react(), pdfData()],
  build: {
    outDir: here('./dist/ui'),
    emptyOutDir: true,
    rollupOptions: { input: here('./ui/index.html') },
    target: 'chrome138',
    // Nothing is inlined as data:, so that the content security policy need not allow it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The worker of pdf.js is a single large file.
    chunkSizeWarningLimit: 1000,
  },
});
