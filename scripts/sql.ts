// `npm run sql -- GET '/planner/items' --as student`: the statements of a request against a copy of the local demo, with their plans.

import './usage.ts';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { furnish, prepare } from '../test/support/demo/institution.ts';
import { groundOf } from '../test/support/ground.ts';
import { migrations } from '../test/support/migrations.ts';
import { withDatabase } from '../test/support/server.ts';
import { isMigrated } from '../test/support/state.ts';
import { recordingRuntime, reportOf } from './sql_report.ts';

const root = join(import.meta.dirname, '..');
const data = resolve(root, process.env.CARREL_DATA ?? '.carrel');
const cache = join(root, 'node_modules/.cache/carrel-sql');

interface Demo {
  readonly state: string;
  readonly tokens: Readonly<Record<string, string>>;
}

const fail = (message: string): never => {
  console.error(message);
  process.exit(64);
};

/** What `npm start` has made, or what an earlier run of this command has. */
function demoAt(folder: string): Demo | undefined {
  const file = join(folder, 'credentials.json');
  const state = join(folder, 'state');
  if (!existsSync(file) || !isMigrated(state, migrations)) return undefined;
  const { users } = JSON.parse(readFileSync(file, 'utf8')) as { users: Record<string, { token: string }> };
  return { state, tokens: Object.fromEntries(Object.entries(users).map(([part, { token }]) => [part, token])) };
}

/** Makes a demo for this command alone. */
async function makeDemo(): Promise<Demo> {
  console.error('Making a demo database. This takes a minute, once.');
  const making = `${cache}-${process.pid}`;
  const state = join(making, 'state');
  const now = Date.now();
  const prepared = await withDatabase(state, (d1) => prepare(groundOf(d1), now));
  const { runtime, url } = await recordingRuntime(state);
  await furnish(prepared, url.origin, now);
  await runtime.dispose();
  const users = Object.fromEntries(
    Object.entries(prepared.people).flatMap(([part, person]) => ('token' in person ? [[part, { token: person.token }]] : [])),
  );
  writeFileSync(join(making, 'credentials.json'), JSON.stringify({ users }));
  rmSync(cache, { recursive: true, force: true });
  renameSync(making, cache);
  return demoAt(cache) ?? fail('The demo could not be made.');
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { as: { type: 'string' }, data: { type: 'string' } } });
const [method = '', path = ''] = positionals;
if (!/^(?:GET|POST|PUT|DELETE|PATCH)$/.test(method) || !path.startsWith('/')) fail("npm run sql -- GET '/planner/items' --as student");

const demo = demoAt(data) ?? demoAt(cache) ?? (await makeDemo());
const token = values.as === undefined ? undefined : demo.tokens[values.as];
if (values.as !== undefined && token === undefined) fail(`There is no ${values.as}. One of: ${Object.keys(demo.tokens).join(', ')}`);

// A copy, because the service may run on the original, and because a write is to be repeatable.
const copy = mkdtempSync(join(tmpdir(), 'carrel-sql-'));
try {
  cpSync(demo.state, copy, { recursive: true });
  const { runtime, url } = await recordingRuntime(copy);
  console.log(await reportOf(url, { method, path, body: values.data, token }));
  await runtime.dispose();
} finally {
  rmSync(copy, { recursive: true, force: true, maxRetries: 3 });
}
