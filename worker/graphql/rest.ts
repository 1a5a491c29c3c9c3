// The REST interface as the graph asks it, in the same isolate: a field shows exactly what the caller's own request would.

import { pairsOf } from '@carrel/shared/wire/form';
import { GraphQLError } from 'graphql';
import { SharedTrips } from '../database/shared_trips';
import type { Call } from '../http/call';
import { sha256 } from '../http/idempotency';
import { insufficientScopes, refused } from '../http/problem';
import { limits, tooManyReads, tooManyStatements } from './limits';

export type RestJson = Readonly<Record<string, unknown>>;
export type RestQuery = Readonly<Record<string, unknown>>;

export interface RestAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The value of `page` for the next page. */
  readonly next: string | undefined;
  /** Where a redirect leads. */
  readonly location: string | null;
}

/** Headers that decide who calls; the others concern the response of the graph. */
const credentials = ['authorization', 'cookie', 'origin', 'sec-fetch-site', 'x-csrf-token', 'user-agent', 'cf-connecting-ip'];

const nextOf = (link: string | null): string | undefined => {
  const address = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
  return address && (new URL(address).searchParams.get('page') ?? undefined);
};

const scopeMessage = insufficientScopes().message;
const isScopeRefusal = ({ status, body }: RestAnswer) => status === 401 && JSON.stringify(body) === scopeMessage;

/** The messages of an error response, with the parameter that each is about. */
export function refusalsIn(body: unknown): { readonly attribute: string | null; readonly message: string }[] {
  const { errors, message } = (typeof body === 'object' && body !== null ? body : {}) as { errors?: unknown; message?: unknown };
  if (Array.isArray(errors)) return errors.map((one: { message?: unknown }) => ({ attribute: null, message: String(one?.message ?? one) }));
  if (typeof errors === 'object' && errors !== null)
    return Object.entries(errors).flatMap(([attribute, all]) =>
      (Array.isArray(all) ? all : [all]).map((one: { message?: unknown }) => ({ attribute, message: String(one?.message ?? one) })),
    );
  if (typeof errors === 'string') return [{ attribute: null, message: errors }];
  return [{ attribute: null, message: typeof message === 'string' ? message : 'The request failed' }];
}

export class RestWithin {
  readonly trips: SharedTrips;
  private reads = 0;
  private known = new Map<string, Promise<RestAnswer>>();

  constructor(private readonly call: Call) {
    const refusal = () => refused(403, 'The query needs too many statements');
    this.trips = new SharedTrips(call.env.DB, call.meter, limits.statements, refusal);
  }

  private headers(): Headers {
    const kept = credentials.flatMap((name): [string, string][] => {
      const value = this.call.request.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return new Headers([...kept, ['accept', 'application/json']]);
  }

  /** Who the caller acts as, and a token that is not in a header: both are parameters. */
  private callerParameters(): RestQuery {
    const { as_user_id, access_token } = this.call.tree;
    return { ...(as_user_id !== undefined && { as_user_id }), ...(access_token !== undefined && { access_token }) };
  }

  /** Runs work that reads by itself, together with the requests that are under way. */
  async together<T>(work: (db: D1Database) => Promise<T>): Promise<T> {
    const participant = this.trips.begin();
    try {
      return await work(participant.DB);
    } finally {
      participant.end();
    }
  }

  private async serve(address: string, init: RequestInit): Promise<RestAnswer> {
    if (++this.reads > limits.reads) throw tooManyReads();
    const request = new Request(`${this.root}${address}`, init);
    return this.together(async (DB) => {
      const response = await this.call.within(request, { ...this.call.env, DB, READ_REPLICATION: undefined });
      const text = await response.text();
      if (this.trips.statements > limits.statements) throw tooManyStatements();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      return {
        status: response.status,
        body: isJson && text ? JSON.parse(text) : text,
        next: nextOf(response.headers.get('link')),
        location: response.headers.get('location'),
      };
    });
  }

  private get root(): string {
    return `${this.call.origin}/api/v1`;
  }

  private isRedirect({ status, location }: RestAnswer): boolean {
    return status >= 300 && status < 400 && (location?.startsWith(`${this.root}/`) ?? false);
  }

  /** The response to a GET; the same address is read once. @throws GraphQLError where the query costs too much or the service fails */
  ask(path: string, query: RestQuery = {}): Promise<RestAnswer> {
    const search = new URLSearchParams(pairsOf({ ...query, ...this.callerParameters() })).toString();
    const address = search ? `${path}?${search}` : path;
    const known = this.known.get(address);
    if (known) return known;
    const answer = this.serve(address, { headers: this.headers() });
    this.known.set(address, answer);
    return answer;
  }

  /**
   * The response to a read, or undefined for what is missing or not permitted.
   * @throws GraphQLError for a parameter that REST refuses, a token without the scope, or a failure
   */
  async read(path: string, query: RestQuery = {}): Promise<RestAnswer | undefined> {
    const first = await this.ask(path, query);
    const answer = this.isRedirect(first) ? await this.ask((first.location ?? '').slice(this.root.length)) : first;
    if (answer.status < 300) return answer;
    if (isScopeRefusal(answer))
      throw new GraphQLError('Insufficient scopes on access token.', { extensions: { code: 'insufficientScopes' } });
    if (answer.status >= 500) throw new GraphQLError('An error occurred.', { extensions: { code: 'internalServerError' } });
    if (![401, 403, 404].includes(answer.status))
      throw new GraphQLError(
        refusalsIn(answer.body)
          .map(({ message }) => message)
          .join('; '),
      );
    return undefined;
  }

  /** Writes. What was read before is read again afterwards. @param name tells the writes of a request apart, for an `Idempotency-Key` */
  async send(method: 'POST' | 'PUT' | 'DELETE', path: string, body: object, name: string): Promise<RestAnswer> {
    const headers = this.headers();
    headers.set('content-type', 'application/json');
    const key = this.call.request.headers.get('idempotency-key');
    // A key may be as long as the key of one write.
    if (key !== null) headers.set('idempotency-key', await sha256(`${key}:${name}`));
    const answer = await this.serve(path, { method, headers, body: JSON.stringify({ ...body, ...this.callerParameters() }) });
    this.known = new Map();
    return answer;
  }
}
