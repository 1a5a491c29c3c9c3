// Routes method and path to an endpoint. Literal segments take precedence over parameters, whatever the order of the tables.

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

interface Leaf {
  readonly file: EndpointFile;
  readonly address: string;
  /** Of the parameters, in the order of the path. */
  readonly names: readonly string[];
}

/** What may follow a beginning of addresses: a segment, any one segment, all the rest (`:path+`), or nothing. */
interface Branch {
  readonly literals: Map<string, Branch>;
  parameter?: Branch;
  rest?: Leaf;
  leaf?: Leaf;
}

const newBranch = (): Branch => ({ literals: new Map() });

function below(branch: Branch, segment: string): Branch {
  if (segment.startsWith(':')) {
    branch.parameter ??= newBranch();
    return branch.parameter;
  }
  const known = branch.literals.get(segment) ?? newBranch();
  branch.literals.set(segment, known);
  return known;
}

function plant(root: Branch, file: EndpointFile, address: string): void {
  const segments = address.split('/');
  const names = segments.filter((segment) => segment.startsWith(':')).map((segment) => segment.replace(/^:|\+$/g, ''));
  const leaf = { file, address, names };
  const isOpen = segments.at(-1)?.endsWith('+');
  const branch = (isOpen ? segments.slice(0, -1) : segments).reduce(below, root);
  if (isOpen) branch.rest ??= leaf;
  else branch.leaf ??= leaf;
}

interface Found {
  readonly leaf: Leaf;
  readonly values: readonly string[];
}

function seek(branch: Branch, segments: readonly string[], at: number, values: readonly string[]): Found | undefined {
  const segment = segments[at];
  if (segment === undefined) return branch.leaf && { leaf: branch.leaf, values };
  const literal = branch.literals.get(segment);
  const named = literal && seek(literal, segments, at + 1, values);
  if (named) return named;
  const any = segment !== '' && branch.parameter && seek(branch.parameter, segments, at + 1, [...values, segment]);
  if (any) return any;
  const rest = branch.rest && segments.slice(at).join('/');
  return branch.rest && rest ? { leaf: branch.rest, values: [...values, rest] } : undefined;
}

const decodeSegment = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** @throws Error where the file declares another endpoint than its addresses say */
async function loadEndpoint({ file, address }: Leaf): Promise<Endpoint> {
  const endpoint = (await file.load()).find((one) => routesTo(one).includes(address));
  if (!endpoint) throw new Error(`${address} is not declared where worker/dist/addresses.json says`);
  return endpoint;
}

/** Finds the place of an address without loading its endpoint. */
export function routerOf(files: readonly EndpointFile[]) {
  const root = newBranch();
  for (const file of files) for (const address of file.addresses) plant(root, file, address);
  return (method: string, pathname: string): UnloadedMatch | undefined => {
    const trimmed = pathname.length > 1 ? pathname.replace(/\/+$/, '').replace(/\.json$/, '') : pathname;
    const found = seek(root, `${method === 'HEAD' ? 'GET' : method} ${trimmed}`.split('/'), 0, []);
    if (!found) return undefined;
    const { leaf, values } = found;
    const path = Object.fromEntries(leaf.names.map((name, at) => [name, decodeSegment(values[at] ?? '')]));
    return { path, load: async () => ({ endpoint: await loadEndpoint(leaf), path }) };
  };
}
