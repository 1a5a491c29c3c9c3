// The objects of the graph: the JSON of REST with the type that the schema gives it and where it was read.

import { lookUp } from '@carrel/shared/wire/look_up';
import { GraphQLError, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { newMeter, open, type Statement } from '../database/open';
import type { Call } from '../http/call';
import { type Connection, connectionOf, connectionOfAll, mostEntries, type PagingArgs, windowOf } from './connections';
import { readNumber } from './ids';
import { limits, tooManyObjects, tooManyValues } from './limits';
import { type RestJson, type RestQuery, RestWithin } from './rest';

/** Where an object was read: the path of REST below which its own lists are. */
export interface GraphPlace {
  readonly course?: number;
  readonly group?: number;
  readonly account?: number;
  readonly assignment?: number;
  readonly topic?: number;
  readonly module?: number;
}

export interface GraphItem {
  readonly type: string;
  readonly json: RestJson;
  readonly place: GraphPlace;
  /** The address of the complete object, where only a part of it was read. */
  readonly whole?: { readonly path: string; readonly query?: RestQuery };
}

/** Reads the object with an id of REST, wherever it is. */
export type Loader = (id: number, graph: Graph) => Promise<GraphItem | null>;

export type Args = Readonly<Record<string, unknown>> & PagingArgs;
export type Resolver = (item: GraphItem, args: Args, graph: Graph, info: GraphQLResolveInfo) => unknown;

/** The fields by which the graph knows a type: those that are neither the same key of REST nor null. */
export type Resolvers = Readonly<Record<string, Resolver>>;

const listPath = (given: unknown): RestJson[] => (Array.isArray(given) ? (given as RestJson[]) : []);

/** `pointsPossible` as REST names it. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The path of the context of an item. */
export const contextPath = ({ course, group, account }: GraphPlace): string =>
  group !== undefined ? `/groups/${group}` : course !== undefined ? `/courses/${course}` : `/accounts/${account ?? 1}`;

/** The names of the fields that a query asks of an object, or of the objects of a connection. */
export function askedOf(info: GraphQLResolveInfo): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const visit = ({ selections }: SelectionSetNode) => {
    for (const one of selections) {
      if (one.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = lookUp(info.fragments, one.name.value);
        if (fragment && !seen.has(one.name.value)) {
          seen.add(one.name.value);
          visit(fragment.selectionSet);
        }
      } else if (one.kind === Kind.INLINE_FRAGMENT) visit(one.selectionSet);
      else {
        names.add(one.name.value);
        const wraps = ['nodes', 'edges', 'node'].includes(one.name.value);
        if (wraps && one.selectionSet) visit(one.selectionSet);
      }
    }
  };
  for (const node of info.fieldNodes) if (node.selectionSet) visit(node.selectionSet);
  return names;
}

export class Graph {
  readonly rest: RestWithin;
  private objects = 0;
  private values = 0;
  private readonly ending = new AbortController();

  constructor(
    readonly call: Call,
    private readonly loaders: ReadonlyMap<string, Loader>,
  ) {
    this.rest = new RestWithin(call);
  }

  /** Ends the execution, whose every further field would be another error. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  private end(error: GraphQLError): GraphQLError {
    this.ending.abort(error);
    return error;
  }

  /** Called for every field. @throws GraphQLError where the query returns too many */
  countValue(): void {
    if (++this.values > limits.values) throw this.end(tooManyValues());
  }

  /** An object by its type and its id of REST; null where it is missing or not permitted. */
  async load(type: string, id: unknown): Promise<GraphItem | null> {
    const number = readNumber(id);
    return number === undefined ? null : ((await this.loaders.get(type)?.(number, this)) ?? null);
  }

  /** Whether `node` and `legacyNode` find this type. */
  finds(type: string): boolean {
    return this.loaders.has(type);
  }

  /** An object that another names: only its id if no more is asked of it. */
  async reference(type: string, id: unknown, info: GraphQLResolveInfo, load = () => this.load(type, id)): Promise<GraphItem | null> {
    if (id === null || id === undefined) return null;
    const isKnown = [...askedOf(info)].every((name) => ['id', '_id', '__typename'].includes(name));
    return isKnown ? this.item(type, { id }) : load();
  }

  /** @throws GraphQLError where the query returns too many */
  item(type: string, json: RestJson, place: GraphPlace = {}, whole?: GraphItem['whole']): GraphItem {
    if (++this.objects > limits.objects) throw this.end(tooManyObjects());
    return { type, json, place, whole };
  }

  /** An object of REST, or null where it is missing or not permitted. */
  async one(type: string, path: string, query: RestQuery = {}, place: GraphPlace = {}): Promise<GraphItem | null> {
    const answer = await this.rest.read(path, query);
    if (answer === undefined || typeof answer.body !== 'object' || answer.body === null) return null;
    return this.item(type, answer.body as RestJson, place);
  }

  /** The entries of a list of REST, up to the most of a page; undefined where it is not permitted. */
  async some(path: string, query: RestQuery = {}): Promise<readonly RestJson[] | undefined> {
    const answer = await this.rest.read(path, { ...query, per_page: mostEntries });
    return answer && listPath(answer.body);
  }

  /** All pages of a list, for a field that cannot be paged. */
  async all(path: string, query: RestQuery = {}): Promise<RestJson[] | undefined> {
    const entries: RestJson[] = [];
    for (let page: string | undefined = 'first'; page !== undefined; ) {
      const answer = await this.rest.read(path, { ...query, ...(page !== 'first' && { page }), per_page: mostEntries });
      if (!answer) return undefined;
      entries.push(...listPath(answer.body));
      page = answer.next;
    }
    return entries;
  }

  /**
   * A connection over a list of REST; empty where the list is not permitted.
   * @param of the entry as an item
   * @param keep whether the entry is wanted; the page is shorter without the others
   */
  async connection(
    args: Args,
    path: string,
    query: RestQuery,
    of: (json: RestJson) => GraphItem,
    keep?: (json: RestJson) => boolean,
  ): Promise<Connection<GraphItem>> {
    const window = windowOf(args, keep !== undefined);
    const answer = await this.rest.read(path, { ...query, per_page: window.size, ...(window.page !== null && { page: window.page }) });
    if (!answer) {
      if (window.page !== null) throw new GraphQLError('after is not a cursor of this list');
      return this.complete(args, []);
    }
    const entries = listPath(answer.body).map((json) => (keep && !keep(json) ? undefined : of(json)));
    return connectionOf(entries, answer.next, window, args);
  }

  /** A connection over what is read already. */
  complete(args: Args, all: readonly GraphItem[]): Connection<GraphItem> {
    return connectionOfAll(all, args);
  }

  /** The complete form of an item. */
  async wholeOf(item: GraphItem): Promise<RestJson | undefined> {
    if (!item.whole) return undefined;
    const answer = await this.rest.read(item.whole.path, item.whole.query);
    return answer?.body as RestJson | undefined;
  }

  /** The value of a key of REST: of the item, or else of its complete form. */
  async value(item: GraphItem, key: string): Promise<unknown> {
    const own = lookUp(item.json, key);
    if (own !== undefined || !item.whole) return own ?? null;
    return lookUp(await this.wholeOf(item), key) ?? null;
  }

  /** Reads what no list shows, such as the course of an assignment; only to ask REST in the right place. */
  async locate<Rows>(statement: (build: ReturnType<typeof open>['build']) => Statement): Promise<Rows> {
    return this.rest.together(async (DB) => {
      const db = open(DB, newMeter(), 'first-primary');
      const [rows] = await db.perform([statement(db.build)]);
      return rows as Rows;
    });
  }
}
