// After a whole run: every endpoint has been called with success by some test, and every operation of the ledger has an endpoint.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { endpoints } from '../../worker/endpoints.ts';
import { addressOf } from '../../worker/http/router.ts';

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

export default class Ledger implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: string) {
    const apiModules = modules.filter((module) => module.project.name === 'api');
    if (reason !== 'passed' || errors.length > 0 || apiModules.length < 15) return;
    const exercised = new Set(apiModules.flatMap((module) => (module.meta() as { routes?: string[] }).routes ?? []));
    const idle = endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`).filter((route) => !exercised.has(route));
    if (idle.length > 0) {
      console.error(`\nLedger: ${idle.length} endpoints that no test called with success:\n  ${idle.join('\n  ')}`);
      process.exitCode = 1;
    }
  }
}
