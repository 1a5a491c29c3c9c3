// Writes what the Worker is built from and is not committed, into worker/dist: the table of contents of the API, the static files and the OpenAPI
// document. wrangler runs it before every build, and every command runs `writeEndpoints` first. It does nothing where all of it is current.
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const worker = join(root, 'worker');
const dist = join(worker, 'dist');

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Several commands may write at the same time, so a file appears whole or not at all. */
function write(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

/** Every `export const …Routes` of a file `routes.ts` or `*_routes.ts` below worker/domains. */
export function writeEndpoints() {
  const modules = filesIn(join(worker, 'domains'))
    .filter((file) => /(^|_|[\\/])routes\.ts$/.test(file))
    .sort()
    .map((file) => [
      relative(dist, file).slice(0, -3).split(sep).join('/'),
      [...readFileSync(file, 'utf8').matchAll(/^export const (\w+Routes)\b/gm)].map(([, name]) => name),
    ])
    .filter(([, names]) => names.length > 0);
  const lines = [
    '// Written by scripts/build.mjs from worker/domains. An endpoint that a domain lists twice is one endpoint.',
    "import type { Endpoint } from '../http/endpoint';",
    ...modules.map(([path, names]) => `import { ${names.join(', ')} } from '${path}';`),
    '',
    'export const endpoints: readonly Endpoint[] = [...new Set<Endpoint>([',
    ...modules.flatMap(([, names]) => names.map((name) => `  ...${name},`)),
    '])];',
    '',
  ];
  write(join(dist, 'endpoints.ts'), lines.join('\n'));
}

function copyAssets() {
  const docs = join(dist, 'assets/docs');
  mkdirSync(docs, { recursive: true });
  copyFileSync(join(worker, 'node_modules/@scalar/api-reference/dist/browser/standalone.js'), join(docs, 'scalar.js'));
  copyFileSync(join(worker, 'site/docs/start.js'), join(docs, 'start.js'));
  write(join(dist, 'assets/_headers'), readFileSync(join(worker, 'site/asset_headers.txt'), 'utf8'));
}

const changedAt = (file) => statSync(file).mtimeMs;

/** The document takes seconds to write, so it is written only after a change of what it describes. */
function writeOpenapi() {
  const file = join(dist, 'assets/api/openapi.json');
  const sources = ['worker/domains', 'worker/http', 'shared', 'scripts'].flatMap((folder) => filesIn(join(root, folder)));
  const newest = Math.max(...sources.filter((path) => /(?<!\.test)\.ts$/.test(path) && !path.includes('node_modules')).map(changedAt));
  if (existsSync(file) && changedAt(file) > newest) return;
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', join(root, 'scripts/openapi.ts')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeEndpoints();
  copyAssets();
  writeOpenapi();
}
