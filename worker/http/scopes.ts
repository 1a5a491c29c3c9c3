// Token scopes, derived from the endpoints: `url:GET|/api/v1/courses/:id` (reference 01 A9).

import type { FormTree } from '@carrel/shared/wire/form';
import type { Operation } from './operation';
import { addressOf } from './router';
import { bundleSummary, isScopeBundle, withBundles } from './scope_bundles';

/** Scopes are grouped by the first literal segment of the path. */
const tagOf = (endpoint: Operation) =>
  endpoint.path
    .split('/')
    .filter(
      (segment) =>
        segment !== '' && !segment.startsWith(':') && !['self', 'users', 'accounts', 'courses', 'sections', 'api', 'v1'].includes(segment),
    )
    .at(0) ??
  endpoint.path.split('/').find((segment) => segment !== '') ??
  'site';

export interface ScopeFacts {
  readonly resource: string;
  readonly resource_name: string;
  readonly controller: string;
  readonly action: string;
  readonly verb: string;
  readonly path: string;
  readonly scope: string;
}

/** In the notation of the public reference: the last parameter is `:id`, and the rest of a path is `*path`. */
const templateOf = (endpoint: Operation) =>
  addressOf(endpoint)
    .replace(/:([a-z_]+)\+/g, '*$1')
    .replace(/^([^:*]*):[a-z]+_id$/, '$1:id');

const singular = { GET: 'show', POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'destroy' } as const;

function actionOf({ method, options }: Operation, path: string): string {
  const last = path.split('/').at(-1) ?? '';
  if (/^[:*]/.test(last)) return singular[method];
  if (method === 'POST') return 'create';
  return method === 'GET' && (Array.isArray(options.returns) || 'wrapped' in options.returns) ? 'index' : last;
}

const titled = (word: string) =>
  word.replace(/(^|_)([a-z])/g, (_, gap: string, message: string) => `${gap && ' '}${message.toUpperCase()}`);

/** All endpoints except sign-in and sign-out, which need no scope. */
export const scopesOf = (endpoints: readonly Operation[]): ScopeFacts[] =>
  endpoints
    .filter((endpoint) => !/^\/(login|logout|\.well-known)(\/|$)/.test(addressOf(endpoint)))
    .map((endpoint) => {
      const path = templateOf(endpoint);
      const resource = tagOf(endpoint);
      return {
        resource,
        resource_name: titled(resource),
        controller: resource,
        action: actionOf(endpoint, path),
        verb: endpoint.method,
        path,
        scope: `url:${endpoint.method}|${path}`,
      };
    })
    .sort((a, b) => (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : a.scope < b.scope ? -1 : 1));

/** Parameter names in a template do not matter, only their positions. */
const anonymous = (scope: string) => scope.replace(/\/:[a-z_]+(?=\/|$)/g, '/:').replace(/\*[a-z_]+/g, '*');

/** Only identifies the user, and grants no access. */
export const identityScope = '/auth/userinfo';

/** Scopes that are neither an endpoint, nor a bundle of them, nor the identity scope, nor a service of another platform (identified by a URL). */
export function unknownScopes(scopes: readonly string[], endpoints: readonly Operation[]): string[] {
  const known = new Set(scopesOf(endpoints).map(({ scope }) => anonymous(scope)));
  return scopes.filter(
    (scope) => scope !== identityScope && !isScopeBundle(scope) && !/^https:\/\/[^\s"\\]+$/.test(scope) && !known.has(anonymous(scope)),
  );
}

/** The scopes that are also among the others. */
export function scopesIn(scopes: readonly string[], others: readonly string[]): string[] {
  const held = new Set(others.map(anonymous));
  return scopes.filter((scope) => held.has(anonymous(scope)));
}

const fits = (template: readonly string[], path: readonly string[]): boolean =>
  template.at(-1)?.startsWith('*')
    ? path.length >= template.length && template.slice(0, -1).every((segment, at) => segment.startsWith(':') || segment === path[at])
    : path.length === template.length && template.every((segment, at) => segment.startsWith(':') || segment === path[at]);

/** Whether one of the scopes matches this request, with its path as sent by the client. */
export function scopesCover(scopes: readonly string[], method: string, pathname: string): boolean {
  const path = pathname
    .replace(/\/+$/, '')
    .replace(/\.json$/, '')
    .split('/');
  const start = `url:${method}|`;
  return withBundles(scopes).some((scope) => scope.startsWith(start) && fits(scope.slice(start.length).split('/'), path));
}

/** Removes includes, which a scoped token may not use by default. */
export function withoutIncludes(tree: FormTree): FormTree {
  const { include, includes, ...rest } = tree;
  const asksUuid = [include, includes].flat().includes('uuid');
  return asksUuid ? { ...rest, include: ['uuid'] } : rest;
}

/** Descriptions of scopes from the API reference, without duplicates. */
export function scopeWords(scopes: readonly string[], endpoints: readonly Operation[]): string[] {
  const words = new Map(
    endpoints.map((endpoint) => [anonymous(`url:${endpoint.method}|${templateOf(endpoint)}`), endpoint.options.summary ?? endpoint.path]),
  );
  return [
    ...new Set(
      scopes.map((scope) =>
        scope === identityScope ? 'See your name and account' : (bundleSummary(scope) ?? words.get(anonymous(scope)) ?? scope),
      ),
    ),
  ].sort();
}
