// The Worker as deployed, in one file, built once after each change. Tests start it dozens of times, and building it takes longer than starting it.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '../..');
const cache = join(repository, 'worker/dist/built');
const run = promisify(execFile);

/** What the script is made of; `worker/dist` is written from it. */
const sources = ['worker', 'shared', 'wrangler.toml', 'pnpm-lock.yaml', 'tsconfig.base.json'];
const aside = new Set(['node_modules', 'dist']);

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !aside.has(name) && !name.endsWith('.test.ts'))
    .flatMap(({ name }) => filesIn(join(path, name)));
}

/** Changes with the name or content of any source below the root. */
export function sourceKey(root: string): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((name) => filesIn(join(root, name))).sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

/** The settings for `wrangler dev`, which bundles the finished script again because it adds a part of its own. */
export function settingsFor(script: string, settings: string): string {
  const directory = (_: string, folder: string) => `directory = ${JSON.stringify(join(repository, folder))}`;
  return settings
    .replace(/^main = .*$/m, `main = ${JSON.stringify(script)}`)
    .replace(/^(minify|keep_names|upload_source_maps) = .*$/gm, '$1 = false')
    .replace(/^\[build\]\n(?:.+\n)*/m, '')
    .replace(/^directory = "(.*)"$/m, directory);
}

export interface BuiltWorker {
  /** With its source map. */
  readonly script: string;
  /** For `wrangler dev --config`. */
  readonly config: string;
}

const builtIn = (folder: string): BuiltWorker => ({ script: join(folder, 'script/index.js'), config: join(folder, 'wrangler.toml') });

/** Bundling a script of 4 MB again takes two thirds of its time for the source map. */
const withoutMap = (script: string): string => script.replace(/\/\/# sourceMappingURL=.*\s*$/, '');

/** Writes the script of servers and their settings into the folder, which will have the name `made`. */
async function prepareForServers(folder: string, made: string): Promise<void> {
  const served = 'served/index.js';
  await mkdir(join(folder, 'served'));
  await writeFile(join(folder, served), withoutMap(readFileSync(builtIn(folder).script, 'utf8')));
  const settings = settingsFor(join(made, served), readFileSync(join(repository, 'wrangler.toml'), 'utf8'));
  await writeFile(builtIn(folder).config, settings);
}

/** Copies that nobody has used for a day belong to earlier sources; unfinished ones have a hyphen and belong to a run that was stopped. */
async function removeOld(): Promise<void> {
  const hour = 3_600_000;
  const usedAt = (name: string) => statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const old = readdirSync(cache).filter((name) => Date.now() - usedAt(name) > (name.includes('-') ? hour : 24 * hour));
  await Promise.all(old.map((name) => rm(join(cache, name), { recursive: true, force: true })));
}

async function build(): Promise<BuiltWorker> {
  // The static files beside the script; nothing to do where they are current.
  await run(process.execPath, [join(repository, 'scripts/build.mjs')], { cwd: repository });
  const key = sourceKey(repository);
  const made = join(cache, key);
  if (existsSync(made)) {
    utimesSync(made, new Date(), new Date());
    return builtIn(made);
  }
  await mkdir(cache, { recursive: true });
  await removeOld();
  const making = await mkdtemp(`${made}-`);
  const wrangler = join(repository, 'node_modules/wrangler/bin/wrangler.js');
  await run(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', join(making, 'script')], {
    cwd: repository,
    env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' },
  });
  await prepareForServers(making, made);
  // A source that changed meanwhile may or may not be in it.
  if (sourceKey(repository) !== key) {
    await rm(making, { recursive: true, force: true });
    return build();
  }
  // Another process may have built it first.
  await rename(making, made).catch(() => rm(making, { recursive: true, force: true }));
  return builtIn(made);
}

let built: Promise<BuiltWorker> | undefined;

/** Built by the first call in this process; sources do not change during a run. */
export const builtWorker = (): Promise<BuiltWorker> => (built ??= build());
