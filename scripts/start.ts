// `npm start`: the service and the desk on this machine, with demo data on the first start. `--api-only` leaves the desk out, `--new` moves
// earlier data aside and starts with a new database; any other start brings the database up to date.

import './usage.ts';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { furnish, type Prepared, prepare } from '../test/support/demo/institution.ts';
import { passwords } from '../test/support/demo/people.ts';
import { groundOf } from '../test/support/ground.ts';
import { migrations } from '../test/support/migrations.ts';
import { migrate, startServer, withDatabase } from '../test/support/server.ts';
import { isMigrated, isOutdated } from '../test/support/state.ts';

const root = join(import.meta.dirname, '..');
const data = resolve(root, process.env.CARREL_DATA ?? '.carrel');
const port = Number(process.env.PORT ?? 8787);
const deskPort = Number(process.env.DESK_PORT ?? 8788);
const withDesk = !process.argv.includes('--api-only');
const credentialsFile = join(data, 'credentials.json');
const state = join(data, 'state');

/** Until everything runs, an exit is enough: it ends the Worker, which is in a process group of its own. */
let end: () => unknown = () => process.exit(130);
// SIGHUP: the terminal was closed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end());

for (const [name, number] of withDesk
  ? ([
      ['PORT', port],
      ['DESK_PORT', deskPort],
    ] as const)
  : ([['PORT', port]] as const))
  if (await isTaken(number)) {
    console.error(`Port ${number} is taken: is Carrel running already? Stop it, or choose another with ${name}=….`);
    process.exit(1);
  }

if (process.argv.includes('--new') && existsSync(data)) {
  const aside = `${data}-until-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(data, aside);
  console.log(`The previous state was moved to ${aside}.`);
}
// Credentials are written last: a state without them is an interrupted first start.
const isFirst = !existsSync(credentialsFile);
if (!isFirst && isOutdated(state, migrations)) {
  console.error(
    `The database in ${data} is from before the first migration that can be continued.\nMove the folder away, or start with \`npm start -- --new\`: that moves it aside and makes a new one.`,
  );
  process.exit(1);
}
if (!isFirst && !isMigrated(state, migrations)) {
  console.log('Bringing the database up to date …');
  await migrate(state);
}
if (isFirst) rmSync(state, { recursive: true, force: true });
mkdirSync(data, { recursive: true });
console.log(isFirst ? 'First start: preparing the database and a demo institution …' : 'Starting …');

const now = Date.now();
/** Settings of the Worker that can also be set in the environment. */
const given = Object.fromEntries(
  ['PROVIDER_HOSTS', 'TRUST_PROXY'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);
const prepared = isFirst ? await withDatabase(state, (d1) => prepare(groundOf(d1), now)) : undefined;
const worker = await startServer({
  persist: state,
  port,
  vars: { ...given, SIGNING_SECRET: signingSecret(), JWT_KEY: jwtKey() },
  log: process.argv.includes('--log'),
});
if (prepared) {
  await furnish(prepared, worker.url, now);
  writeFileSync(credentialsFile, `${JSON.stringify(credentialsOf(prepared), null, 2)}\n`, { mode: 0o600 });
}
const credentials: ReturnType<typeof credentialsOf> = JSON.parse(readFileSync(credentialsFile, 'utf8'));

/** The platform runs scheduled work once a minute; locally this does. */
const minute = setInterval(() => fetch(`${worker.url}/cdn-cgi/handler/scheduled`).catch(() => {}), 60_000);
const desk = withDesk ? await openDesk() : undefined;

console.log(`
  Carrel is running. Press Ctrl-C to stop it.

  API        ${worker.url}/            reference: ${worker.url}/docs
  Console    ${worker.url}/admin      sign in as ${credentials.users.admin.login}${desk ? `\n  Desk       ${desk.url}` : ''}

  Tokens     admin    ${credentials.users.admin.token}
             teacher  ${credentials.users.teacher.token}
             student  ${credentials.users.student.token}
             (all six with their passwords: ${credentialsFile})

  Try
    curl -H "Authorization: Bearer ${credentials.users.student.token}" ${worker.url}/api/v1/courses
    npm run carrel -- login --url ${worker.url} --token ${credentials.users.student.token}
    npm run carrel -- sync --folder ~/Carrel
`);

let isEnding = false;
end = async () => {
  if (isEnding) return;
  isEnding = true;
  clearInterval(minute);
  await Promise.allSettled([desk?.close(), worker.stop()]);
  process.exit(0);
};
worker.ended.then((lastWords) => {
  if (isEnding) return;
  console.error(`The Worker stopped unexpectedly.${lastWords ? ` Its last output:\n\n${lastWords}` : ''}`);
  process.exit(1);
});

function isTaken(number: number): Promise<boolean> {
  return new Promise((settle) => {
    const probe = createServer();
    probe.once('error', () => settle(true));
    probe.listen(number, '127.0.0.1', () => probe.close(() => settle(false)));
  });
}

/** The secret that signs upload tickets: generated once per state. */
function signingSecret(): string {
  const file = join(data, 'signing-secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** The key that signs JWTs, also generated once. */
function jwtKey(): string {
  const file = join(data, 'jwt-key');
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8');
}

function credentialsOf({ people }: Prepared) {
  const one = (part: keyof typeof passwords) => {
    const { id, login, token } = people[part];
    return { id, login, password: passwords[part], token };
  };
  return {
    url: `http://127.0.0.1:${port}`,
    users: {
      admin: one('admin'),
      teacher: one('teacher'),
      ta: one('ta'),
      student: one('student'),
      student2: one('student2'),
      observer: one('observer'),
    },
  };
}

/** The parts of the desk's host that are used here; its own types need another runtime than the Worker's. */
interface DeskHost {
  serveDesk(given: {
    port: number;
    store: string;
    folder: string;
    account: { url: string; token: string };
  }): Promise<{ url: string; close(): Promise<void> }>;
}

async function openDesk() {
  const { serveDesk } = (await import(pathToFileURL(join(root, 'desktop/hosts/web/main.ts')).href)) as DeskHost;
  return serveDesk({
    port: deskPort,
    store: join(data, 'desk'),
    folder: join(data, 'study'),
    account: { url: worker.url, token: credentials.users.student.token },
  });
}
