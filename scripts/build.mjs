// Writes what the Worker is built from and is not committed, into worker/dist: the lists of what the domains declare, the addresses of the endpoints,
// the static files and the OpenAPI document. wrangler runs it before every build, and every command runs `writeLists` first. It does nothing where all of it is current.
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
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

/** The exported constants with this ending in the files of worker/domains that fit, each with its path from worker/dist. */
const declaredIn = (fits, ending) =>
  filesIn(join(worker, 'domains'))
    .filter((file) => fits.test(file))
    .sort()
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(new RegExp(`^export const (\\w+${ending})\\b`, 'gm'))].map(([, name]) => ({
        name,
        path: relative(dist, file).split(sep).join('/'),
      })),
    );

/** Programs without a bundler read the lists too, so the imports name the files. */
const importsOf = (declared) => declared.map(({ name, path }) => `import { ${name} } from '${path}';`);
const header = '// Written by scripts/build.mjs from worker/domains.';

const addresses = join(dist, 'addresses.json');

/** The files that the Worker loads when one of their addresses is requested first. */
function writeEndpointFiles(routes) {
  const lines = [
    header,
    "import type { EndpointFile } from '../http/router';",
    "import written from './addresses.json';",
    '',
    'const addresses: Readonly<Record<string, readonly string[]>> = written;',
    '',
    'export const endpointFiles: readonly EndpointFile[] = [',
    ...routes.map(
      ({ name, path }) => `  { name: '${name}', addresses: addresses.${name} ?? [], load: async () => (await import('${path}')).${name} },`,
    ),
    '];',
    '',
  ];
  write(join(dist, 'endpoint_files.ts'), lines.join('\n'));
  if (existsSync(addresses)) return;
  // The types are checked before the first build, which replaces a file that is older than any other.
  write(addresses, '{}\n');
  utimesSync(addresses, 0, 0);
}

/** Every `export const …Routes` of a file `routes.ts` or `*_routes.ts`. */
function writeEndpoints() {
  const routes = declaredIn(/(^|_|[\\/])routes\.ts$/, 'Routes');
  writeEndpointFiles(routes);
  const lines = [
    `${header} An endpoint that a domain lists twice is one endpoint.`,
    "import type { Endpoint } from '../http/endpoint';",
    ...importsOf(routes),
    '',
    'export const endpoints: readonly Endpoint[] = [...new Set<Endpoint>([',
    ...routes.map(({ name }) => `  ...${name},`),
    '])];',
    '',
  ];
  write(join(dist, 'endpoints.ts'), lines.join('\n'));
}

/** What changes the kinds of the feed: every `export const …Sources` and `…Schedule` of a file `change_sources.ts`. */
function writeChangeSources() {
  const [sources, schedules] = ['Sources', 'Schedule'].map((ending) => declaredIn(/[\\/]change_sources\.ts$/, ending));
  const lines = [
    header,
    "import type { ScheduleSource, TriggerSource } from '../database/triggers/source.ts';",
    ...importsOf([...sources, ...schedules]),
    '',
    `export const changeSources: readonly TriggerSource[] = [${sources.map(({ name }) => `...${name}`).join(', ')}];`,
    `export const scheduleSources: readonly ScheduleSource[] = [${schedules.map(({ name }) => `...${name}`).join(', ')}];`,
    '',
  ];
  write(join(dist, 'change_sources.ts'), lines.join('\n'));
}

/** Values of one type, in a list. */
function writeValues(file, declared, list, type, source) {
  const lines = [
    header,
    `import type { ${type} } from '${source}';`,
    ...importsOf(declared),
    '',
    `export const ${list}: readonly ${type}[] = [${declared.map(({ name }) => name).join(', ')}];`,
    '',
  ];
  write(join(dist, file), lines.join('\n'));
}

/** How the kinds of the feed are read: every `export const …Synced` of a file `synced.ts`. */
function writeSyncedKinds() {
  writeValues('synced_kinds.ts', declaredIn(/[\\/]synced\.ts$/, 'Synced'), 'syncedKinds', 'SyncedKind', '../rules/synced_kind');
}

/** How kinds are copied to another course: every `export const …Copied` of a file `copied.ts`. */
function writeCopiedKinds() {
  writeValues('copied_kinds.ts', declaredIn(/[\\/]copied\.ts$/, 'Copied'), 'declaredCopies', 'CopiedKindFacts', '../rules/copied_kind');
}

/** What the programs import from worker/dist. */
export function writeLists() {
  writeEndpoints();
  writeChangeSources();
  writeSyncedKinds();
  writeCopiedKinds();
}

function copyAssets() {
  const docs = join(dist, 'assets/docs');
  mkdirSync(docs, { recursive: true });
  copyFileSync(join(worker, 'node_modules/@scalar/api-reference/dist/browser/standalone.js'), join(docs, 'scalar.js'));
  copyFileSync(join(worker, 'site/docs/start.js'), join(docs, 'start.js'));
  write(join(dist, 'assets/_headers'), readFileSync(join(worker, 'site/asset_headers.txt'), 'utf8'));
}

/** Bundles GraphiQL, which takes seconds, after a change of its files or of its version. */
function buildExplorer() {
  const built = join(dist, 'assets/docs/graphiql/explorer.js');
  const sources = [
    ...filesIn(join(worker, 'site/graphiql')),
    join(root, 'scripts/explorer.ts'),
    join(worker, 'node_modules/graphiql/package.json'),
    join(worker, 'package.json'),
  ];
  if (existsSync(built) && sources.every((file) => changedAt(file) < changedAt(built))) return;
  run('scripts/explorer.ts');
}

/** Runs a program of the repository; its output is that of the build. */
function run(program) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', join(root, program)], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

const changedAt = (file) => statSync(file).mtimeMs;

/** Both take seconds to write, so they are written only after a change of what they describe. */
function writeAddressesAndOpenapi() {
  const document = join(dist, 'assets/api/openapi.json');
  const schema = join(dist, 'assets/docs/schema.graphql');
  const sources = ['worker/domains', 'worker/http', 'worker/graphql', 'shared', 'scripts'].flatMap((folder) => filesIn(join(root, folder)));
  const newest = Math.max(...sources.filter((path) => /(?<!\.test)\.ts$/.test(path) && !path.includes('node_modules')).map(changedAt));
  // A file that was removed is newer in no folder; the list of endpoints shows it.
  const since = Math.max(newest, changedAt(join(dist, 'endpoints.ts')));
  if ([addresses, document, schema].every((file) => existsSync(file) && changedAt(file) > since)) return;
  run('scripts/openapi.ts');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeLists();
  copyAssets();
  buildExplorer();
  writeAddressesAndOpenapi();
}
