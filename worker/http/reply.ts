// What a handler returns: a value that states what to read, write or respond. The runner carries it out.

import type { ResultOf, Statement } from '../database/open';
import type { Listing } from './listing';
import type { Problem } from './problem';
import type { AnySerializer } from './serializer';

/** Errors for unique and not-null violations, by a part of the database's message: `logins.sis_user_id`, `logins_by_unique_id`. */
export type Refusals = Readonly<Record<string, () => Problem | Promise<Problem>>>;

/** Continues a list whose rows have ended outside of the database. */
export interface Beyond {
  /** Sent in the round trip of the page. */
  readonly statements: readonly Statement[];
  /**
   * Called for the last page.
   * @returns the body, if it is another than that of the rows, and the bookmark of the next page; undefined if nothing follows
   */
  follow(
    rows: readonly unknown[],
    results: readonly unknown[],
  ): Promise<{ readonly body?: unknown; readonly next: readonly unknown[] | null } | undefined>;
}

export type Reply =
  | {
      readonly kind: 'list';
      readonly listing: Listing;
      /** A serializer to use instead of the endpoint's, when a parameter changes the type of the rows. */
      readonly of?: AnySerializer;
      /** A body around the page, when a parameter asks for one. */
      readonly wrap?: (page: readonly unknown[]) => object;
      readonly beyond?: Beyond;
    }
  | { readonly kind: 'all'; readonly listing: Listing }
  | {
      readonly kind: 'one';
      readonly listing: Listing;
      readonly beside?: Readonly<Record<string, unknown>>;
      readonly otherwise?: () => Problem;
      readonly headers?: Readonly<Record<string, string>>;
      /** Its version is sent as ETag. */
      readonly isVersioned?: true;
    }
  | { readonly kind: 'row'; readonly row: object | undefined; readonly beside?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'answer'; readonly json: unknown; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'page'; readonly page: readonly unknown[]; readonly next: unknown[] | null }
  | {
      readonly kind: 'write';
      readonly statements: readonly Statement[];
      readonly then: Reply;
      readonly settled?: boolean;
      readonly refusals?: Refusals;
    }
  | { readonly kind: 'made'; readonly reply: Reply; readonly statements: readonly Statement[] }
  | { readonly kind: 'judged'; readonly statement: Statement; decide(result: unknown): void; readonly then: Reply }
  | { readonly kind: 'response'; readonly response: Response };

/** A page of rows. */
export const list = (listing: Listing): Reply => ({ kind: 'list', listing });
/** A page of rows of another type, selected by a parameter. */
export const listAs = (of: AnySerializer, listing: Listing): Reply => ({ kind: 'list', of, listing });
/** A page of rows inside a body of its own. */
export const listWithin = (listing: Listing, wrap: (page: readonly unknown[]) => object): Reply => ({ kind: 'list', listing, wrap });
/** All rows, unpaged: responses to writes, and lists that the reference calls unpaginated. */
export const all = (listing: Listing): Reply => ({ kind: 'all', listing });
/** The first row, or 404. `beside` adds keys to its JSON. */
export const one = (listing: Listing, beside?: Record<string, unknown>): Reply => ({ kind: 'one', listing, beside });
/** The first row, with its URL as Location. */
export const oneAt = (listing: Listing, address: string): Reply => ({ kind: 'one', listing, headers: { Location: address } });
/** The first row, with headers of its own. */
export const oneWith = (listing: Listing, headers: Readonly<Record<string, string>>): Reply => ({ kind: 'one', listing, headers });
/** The same with its version as the ETag for conditional writes. */
export const versioned = (reply: Reply): Reply => (reply.kind === 'one' ? { ...reply, isVersioned: true } : reply);
/** The first row, or an error other than 404. */
export const oneOr = (listing: Listing, otherwise: () => Problem): Reply => ({ kind: 'one', listing, otherwise });
/** A resource created on first access: writes only when the read finds nothing. */
export const made = (reply: Reply, statements: readonly Statement[]): Reply => ({ kind: 'made', reply, statements });
/** A loaded row, or 404 without one. */
export const row = (given: object | undefined, beside?: Record<string, unknown>): Reply => ({ kind: 'row', row: given, beside });
/** Finished JSON. */
export const answer = (json: unknown, status?: number, headers?: Record<string, string>): Reply => ({
  kind: 'answer',
  json,
  status,
  headers,
});
/** A page of JSON built by the handler, and the bookmark of the next one. */
export const pageOfRows = (given: readonly unknown[], next: unknown[] | null = null): Reply => ({ kind: 'page', page: given, next });
/** Changes in one atomic batch, the response after it, and the errors for constraint violations. */
export const write = (statements: readonly Statement[], then: Reply, refusals?: Refusals): Reply => ({
  kind: 'write',
  statements,
  then,
  refusals,
});
/** Runs another read in the same round trip and may refuse because of it: the parent of a nested list, or what hides the resource. */
export const judged = <S extends Statement>(statement: S, decide: (result: ResultOf<S>) => void, then: Reply): Reply => ({
  kind: 'judged',
  statement,
  decide,
  then,
});
/** A write already made by a Durable Object, including the idempotency key. */
export const settled = (then: Reply): Reply => ({ kind: 'write', statements: [], then, settled: true });
export const rawResponse = (response: Response): Reply => ({ kind: 'response', response });
