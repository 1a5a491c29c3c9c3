// Builds GraphiQL, with its editor, from worker/site/graphiql into static files of the Worker.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
// Uses the bundler of the desk.
const { build } = (await import(pathToFileURL(createRequire(join(root, 'desktop/package.json')).resolve('vite')).href)) as {
  build(options: object): Promise<unknown>;
};
process.env.NODE_ENV = 'production';
const sources = join(root, 'worker/site/graphiql');
await build({
  configFile: false,
  root: sources,
  base: '/docs/graphiql/',
  logLevel: 'error',
  worker: { format: 'es' },
  build: {
    outDir: join(root, 'worker/dist/assets/docs/graphiql'),
    emptyOutDir: true,
    assetsDir: '.',
    target: 'es2022',
    minify: true,
    chunkSizeWarningLimit: 10_000,
    rollupOptions: {
      input: join(sources, 'explorer.js'),
      output: {
        entryFileNames: '[name].js',
        // The style of the page has a fixed name; the others are loaded with their parts of the editor.
        assetFileNames: ({ names }: { names: readonly string[] }) =>
          names.includes('explorer.css') ? '[name][extname]' : '[name]-[hash][extname]',
      },
    },
  },
});
console.error('wrote worker/dist/assets/docs/graphiql');
