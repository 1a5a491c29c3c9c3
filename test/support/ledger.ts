// After a full run: some test has called every endpoint successfully, every write has been compared with the feed, and every operation of the ledger
// has an endpoint.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { endpoints } from '../../worker/dist/endpoints.ts';
import { addressOf, routerOf, routesTo } from '../../worker/http/router.ts';
import { budgeted, exempt } from './budgeted.ts';
import { isDriven } from './driven.ts';
import { rowsWritten, simpleWrite } from './rows_written.ts';
import { unfed } from './unfed.ts';

/** Method and address with unnamed parameters, so that names do not matter. */
export const anonymous = (method: string, address: string) => `${method} ${address.replace(/\/+$/, '').replace(/[:*][a-z_]+\+?/g, '{}')}`;

/** Operations that the service promises: `METHOD /path`, one per line, `#` for comments. */
export const promised = (): string[] =>
  readFileSync(join(import.meta.dirname, '../ledger.txt'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Promised operations without an endpoint. A parameter in its place also serves a literal. */
export function unserved(): string[] {
  const served = new Set(endpoints.map((endpoint) => anonymous(endpoint.method, addressOf(endpoint))));
  return promised().filter((line) => {
    const [method = '', address = ''] = line.split(/\s+/);
    const key = anonymous(method, address);
    return !served.has(key) && !served.has(key.replace(/\/self(?=\/|$)/, '/{}'));
  });
}

const routeOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const exercisedBy = (modules: readonly TestModule[]) =>
  new Set(modules.flatMap((module) => (module.meta() as { routes?: string[] }).routes ?? []));

/** The number of files in test/clients: a partial run proves nothing. */
const clientFiles = readdirSync(join(import.meta.dirname, '../clients')).filter((name) => name.endsWith('.test.ts')).length;

function complain(about: string, routes: readonly string[]) {
  if (routes.length === 0) return;
  console.error(`\nLedger: ${routes.length} ${about}:\n  ${routes.join('\n  ')}`);
  process.exitCode = 1;
}

const elsewhere = 'needs an identity provider: e2e/login.test.ts';

const noType = 'no type of migration is possible in an account: content_migrations.test.ts';
const noSelection = 'no type of migration there offers a selection: content_migrations.test.ts';

/** Called by tests in a way that the ledger does not see, or refused until their feature exists. */
const aside: Readonly<Record<string, string>> = {
  'GET /login/openid_connect': elsewhere,
  'GET /login/openid_connect/:provider': elsewhere,
  'GET /login/oauth2/callback': elsewhere,
  'GET /api/sync/v1/live': 'a WebSocket: sync_live.test.ts',
  'GET /accounts/:account_id/content_migrations': noType,
  'POST /accounts/:account_id/content_migrations': noType,
  'GET /accounts/:account_id/content_migrations/:id/selective_data': noType,
  'GET /accounts/:account_id/content_migrations/:content_migration_id/migration_issues': noType,
  'GET /groups/:group_id/content_migrations/:id/selective_data': noSelection,
  'GET /users/:user_id/content_migrations/:id/selective_data': noSelection,
  'GET /api/lti/authorize': 'the handler of /api/lti/authorize_redirect: lti.test.ts',
  'POST /api/lti/authorize': 'the handler of /api/lti/authorize_redirect: lti.test.ts',
  'PUT /sections/:section_id/assignments/:assignment_id/anonymous_submissions/:anonymous_id/reassign':
    'the handler of the address in courses: what_if_and_redo.test.ts',
  'POST /courses/:course_id/modules/:module_id/items/:id/select_mastery_path':
    'refused until mastery paths are implemented: module_items.test.ts',
};

/** Operations that registry clients must call, but that no test in test/clients has called. */
async function undriven(modules: readonly TestModule[]): Promise<string[]> {
  const find = routerOf([{ name: 'endpoints', addresses: endpoints.flatMap(routesTo), load: async () => endpoints }]);
  const driven = new Set<string>(Object.keys(aside));
  const asked = new Set(modules.flatMap((module) => (module.meta() as { asked?: string[] }).asked ?? []));
  for (const [method = '', path = ''] of [...asked].map((one) => one.split(' '))) {
    const match = await (await find(method, path))?.load();
    if (match) driven.add(routeOf(match.endpoint));
  }
  return endpoints.filter((endpoint) => isDriven(addressOf(endpoint)) && !driven.has(routeOf(endpoint))).map(routeOf);
}

/** Of fewer calls, a mark or a job that runs in between can decide. */
const enoughCalls = 5;

/** Of few calls the cheapest counts, of more the median. */
function typicalOf(rows: readonly number[]): number {
  const sorted = rows.toSorted((a, b) => a - b);
  return sorted[sorted.length < enoughCalls ? 0 : Math.floor(sorted.length / 2)] as number;
}

/** The rows that a write without an entry in rows_written.ts may cost: twice a simple write where a job can decide. */
const unlisted = (calls: number) => (calls < enoughCalls ? 2 : 1) * simpleWrite;

/** The rows that each call of a write endpoint has written. */
function writtenBy(modules: readonly TestModule[]): Map<string, readonly number[]> {
  const all = new Map<string, number[]>();
  for (const module of modules)
    for (const [route, rows] of (module.meta() as { written?: [string, number[]][] }).written ?? [])
      all.set(route, [...(all.get(route) ?? []), ...rows]);
  return all;
}

/** The most statements that a call of each endpoint has sent. */
function statementsOf(modules: readonly TestModule[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const module of modules)
    for (const [route, count] of (module.meta() as { most?: [string, number][] }).most ?? [])
      all.set(route, Math.max(count, all.get(route) ?? 0));
  return all;
}

const mostStatements = 60;

/** Requests of more statements, with the reason. */
const manyStatements: readonly RegExp[] = [
  // A merge moves the rows of every table that a user owns, and a split moves them back.
  /\/merge_into\/|\/split$/,
  // A message to several users separately is a conversation with each.
  /^POST \/conversations$/,
  // A query asks the endpoints of all its fields, up to a limit of its own (worker/graphql/limits.ts).
  /^POST \/api\/graphql$/,
  // A page reads what has changed of every kind, each with its included rows.
  /^GET \/api\/sync\/v1\/changes$/,
];

export default class Ledger implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: string) {
    const clients = modules.filter((module) => module.project.name === 'clients');
    if (reason === 'passed' && clients.length >= clientFiles)
      complain('operations that no unmodified client has driven (test/clients)', await undriven(clients));
    const apiModules = modules.filter((module) => module.project.name === 'api');
    if (reason !== 'passed' || errors.length > 0 || apiModules.length < 15) return;
    const exercised = exercisedBy(apiModules);
    complain(
      'endpoints that no test has called successfully',
      endpoints.map(routeOf).filter((route) => !exercised.has(route) && !(route in aside)),
    );
    const held = new Set<string>([...Object.values(budgeted).flat(), ...Object.keys(exempt)]);
    const lists = new Set(apiModules.flatMap((module) => (module.meta() as { lists?: string[] }).lists ?? []));
    complain(
      'lists without a budget (or add an exception with the reason in budgeted.ts)',
      [...lists].filter((route) => !held.has(route)),
    );
    const followed = exercisedBy(apiModules.filter((module) => /feed_equals_/.test(module.moduleId)));
    const writing = endpoints.filter(({ method }) => method !== 'GET').map(routeOf);
    complain(
      'endpoints whose writes were not compared with the feed (or add an exception with the reason in unfed.ts)',
      writing.filter((route) => !followed.has(route) && !(route in unfed)),
    );
    const written = writtenBy(apiModules);
    complain(
      'writes that cost more rows than simple ones, or than rows_written.ts allows them',
      [...written]
        .map(([route, rows]) => ({ route, typical: typicalOf(rows), allowed: rowsWritten.get(route) ?? unlisted(rows.length) }))
        .filter(({ typical, allowed }) => typical > allowed)
        .map(({ route, typical }) => `${route}: ${typical}`),
    );
    complain(
      `requests of more than ${mostStatements} statements`,
      [...statementsOf(apiModules)]
        .filter(([route, count]) => count > mostStatements && !manyStatements.some((one) => one.test(route)))
        .map(([route, count]) => `${route}: ${count}`),
    );
    complain(
      'endpoints in rows_written.ts that no test has called',
      [...rowsWritten.keys()].filter((route) => !written.has(route)),
    );
    complain(
      'endpoints in unfed.ts that do not exist',
      Object.keys(unfed).filter((route) => !writing.includes(route)),
    );
  }
}
