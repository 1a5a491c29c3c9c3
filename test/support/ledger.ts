// After a whole run: every endpoint has been called with success by some test, every write has been held against the feed, and every
// operation of the ledger has an endpoint.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { endpoints } from '../../worker/dist/endpoints.ts';
import { addressOf, routerOf } from '../../worker/http/router.ts';
import { budgeted, exempt } from './budgeted.ts';
import { isDriven } from './driven.ts';
import { unfed } from './unfed.ts';

/** Method and address with parameters unnamed, so that names do not matter. */
export const anonymous = (method: string, address: string) => `${method} ${address.replace(/\/+$/, '').replace(/[:*][a-z_]+\+?/g, '{}')}`;

/** Operations that the service promises: `METHOD /path`, one a line, `#` for notes. */
export const promised = (): string[] =>
  readFileSync(join(import.meta.dirname, '../ledger.txt'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Promised operations that no endpoint serves. A literal is also served by a parameter in its place. */
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

/** So many files there are in test/clients: a run of a few of them says nothing. */
const clientFiles = readdirSync(join(import.meta.dirname, '../clients')).filter((name) => name.endsWith('.test.ts')).length;

function complain(about: string, routes: readonly string[]) {
  if (routes.length === 0) return;
  console.error(`\nLedger: ${routes.length} ${about}:\n  ${routes.join('\n  ')}`);
  process.exitCode = 1;
}

const elsewhere = 'needs another house that vouches: e2e/login.test.ts';

/** Called by tests in another way than the ledger sees, or answered by a refusal until their subject is here. */
const aside: Readonly<Record<string, string>> = {
  'GET /login/openid_connect': elsewhere,
  'GET /login/openid_connect/:provider': elsewhere,
  'GET /login/oauth2/callback': elsewhere,
  'GET /api/sync/v1/live': 'a WebSocket: sync_live.test.ts',
  'POST /courses/:course_id/modules/:module_id/items/:id/select_mastery_path': 'refused until mastery paths are here: module_items.test.ts',
};

/** Operations that clients from the registry must drive, and none of the tests in test/clients has. */
async function undriven(modules: readonly TestModule[]): Promise<string[]> {
  const find = routerOf(endpoints);
  const driven = new Set<string>(Object.keys(aside));
  const asked = new Set(modules.flatMap((module) => (module.meta() as { asked?: string[] }).asked ?? []));
  for (const [method = '', path = ''] of [...asked].map((one) => one.split(' '))) {
    const match = await find(method, path);
    if (match) driven.add(routeOf(match.endpoint));
  }
  return endpoints.filter((endpoint) => isDriven(addressOf(endpoint)) && !driven.has(routeOf(endpoint))).map(routeOf);
}

export default class Ledger implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: string) {
    const clients = modules.filter((module) => module.project.name === 'clients');
    if (reason === 'passed' && clients.length >= clientFiles)
      complain('operations that no unmodified client has driven (test/clients)', await undriven(clients));
    const apiModules = modules.filter((module) => module.project.name === 'api');
    if (reason !== 'passed' || errors.length > 0 || apiModules.length < 15) return;
    const exercised = exercisedBy(apiModules);
    complain(
      'endpoints that no test called with success',
      endpoints.map(routeOf).filter((route) => !exercised.has(route) && !(route in aside)),
    );
    const held = new Set<string>([...Object.values(budgeted).flat(), ...Object.keys(exempt)]);
    const lists = new Set(apiModules.flatMap((module) => (module.meta() as { lists?: string[] }).lists ?? []));
    complain(
      'lists that no budget holds (or say in budgeted.ts why none need)',
      [...lists].filter((route) => !held.has(route)),
    );
    const followed = exercisedBy(apiModules.filter((module) => /feed_equals_/.test(module.moduleId)));
    const writing = endpoints.filter(({ method }) => method !== 'GET').map(routeOf);
    complain(
      'endpoints that write and were not held against the feed (or say in unfed.ts why they need not be)',
      writing.filter((route) => !followed.has(route) && !(route in unfed)),
    );
    complain(
      'endpoints in unfed.ts that there are not',
      Object.keys(unfed).filter((route) => !writing.includes(route)),
    );
  }
}
