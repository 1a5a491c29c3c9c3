// Routes method and path to an endpoint. Literal segments take precedence over parameters, whatever the order of the tables.

import { type IRequest, IttyRouter } from 'itty-router';
import type { Endpoint } from './endpoint';
import type { Operation } from './operation';

/** The endpoints that one file declares. They are loaded when one of their addresses is requested first. */
export interface EndpointFile {
  /** Of the exported list. */
  readonly name: string;
  /** As `routesTo` lists them. */
  readonly addresses: readonly string[];
  load(): Promise<readonly Endpoint[]>;
}

export interface Match {
  readonly endpoint: Endpoint;
  readonly path: Record<string, string>;
}

/** An endpoint that is not loaded yet, and the values of the path's parameters. */
export interface UnloadedMatch {
  readonly path: Record<string, string>;
  load(): Promise<Match>;
}

export const addressOf = (endpoint: Operation) => (endpoint.absolute ? endpoint.path : `/api/v1${endpoint.path}`);

/** The addresses of an endpoint, each with its method: `GET /api/v1/courses/:id`. */
export const routesTo = (endpoint: Endpoint): string[] =>
  ['', ...(endpoint.options.ending ? [endpoint.options.ending] : [])].map((ending) => `${endpoint.method} ${addressOf(endpoint)}${ending}`);

/** Sorts addresses with a literal before those with a parameter at the first segment where they differ. */
const specificity = (address: string) =>
  address
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

/** @throws Error where the file declares another endpoint than its addresses say */
async function loadEndpoint(file: EndpointFile, route: string): Promise<Endpoint> {
  const endpoint = (await file.load()).find((one) => routesTo(one).includes(route));
  if (!endpoint) throw new Error(`${route} is not declared where worker/dist/addresses.json says`);
  return endpoint;
}

/** Finds the place of an address without loading its endpoint. */
export function routerOf(files: readonly EndpointFile[]) {
  const router = IttyRouter();
  const sorted = files
    .flatMap((file) => file.addresses.map((route) => ({ file, route, key: specificity(route) })))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  for (const { file, route } of sorted) {
    const [method = '', address = ''] = route.split(' ');
    router[method.toLowerCase() as 'get'](address, ({ params }: IRequest): UnloadedMatch => {
      const path = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeSegment(value)]));
      return { path, load: async () => ({ endpoint: await loadEndpoint(file, route), path }) };
    });
  }
  return (method: string, pathname: string): Promise<UnloadedMatch | undefined> => {
    const trimmed = pathname.length > 1 ? pathname.replace(/\/+$/, '').replace(/\.json$/, '') : pathname;
    return router.fetch({ method: method === 'HEAD' ? 'GET' : method, url: `https://carrel.invalid${trimmed}` });
  };
}
