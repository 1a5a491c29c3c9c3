// Routes method and path to an endpoint. Literal segments take precedence over parameters, whatever the order of the tables.

import { type IRequest, IttyRouter } from 'itty-router';
import type { Endpoint } from './endpoint';
import type { Operation } from './operation';

export interface Match {
  readonly endpoint: Endpoint;
  readonly path: Record<string, string>;
}

export const addressOf = (endpoint: Operation) => (endpoint.absolute ? endpoint.path : `/api/v1${endpoint.path}`);

/** Sorts routes with a literal before those with a parameter at the first segment where they differ. */
const specificity = (endpoint: Endpoint) =>
  addressOf(endpoint)
    .split('/')
    .map((segment) => (segment.endsWith('+') ? '2' : segment.startsWith(':') ? '1' : '0'))
    .join('');

const decodeSegment = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

export function routerOf(endpoints: readonly Endpoint[]) {
  const router = IttyRouter();
  const sorted = endpoints
    .map((endpoint) => ({ endpoint, key: specificity(endpoint) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  for (const { endpoint } of sorted) {
    const register = router[endpoint.method.toLowerCase() as 'get'];
    const address = addressOf(endpoint);
    for (const known of [address, ...(endpoint.options.ending ? [`${address}${endpoint.options.ending}`] : [])])
      register(
        known,
        (request: IRequest): Match => ({
          endpoint,
          path: Object.fromEntries(Object.entries(request.params).map(([name, value]) => [name, decodeSegment(value)])),
        }),
      );
  }
  return (method: string, pathname: string): Promise<Match | undefined> => {
    const trimmed = pathname.length > 1 ? pathname.replace(/\/+$/, '').replace(/\.json$/, '') : pathname;
    return router.fetch({ method: method === 'HEAD' ? 'GET' : method, url: `https://carrel.invalid${trimmed}` });
  };
}
