// What a handler gives back: a value that says what to read, what to write, or what to answer. The runner does it.

import type { ResultOf, Statement } from '../database/open';
import type { AnySerializer } from './endpoint';
import type { Listing } from './listing';
import type { Problem } from './problem';

/** What a broken uniqueness, or a null where none may be, means; by a part of the database's words for it: `logins.sis_user_id`, `logins_by_unique_id`. */
export type Refusals = Readonly<Record<string, () => Problem | Promise<Problem>>>;

export type Reply =
  | {
      readonly kind: 'list';
      readonly listing: Listing;
      /** Told by this serializer, where a parameter asks for another kind of row than the endpoint returns. */
      readonly of?: AnySerializer;
      /** A body around the page, where a parameter asks for one. */
      readonly wrap?: (page: readonly unknown[]) => object;
    }
  | { readonly kind: 'all'; readonly listing: Listing }
  | {
      readonly kind: 'one';
      readonly listing: Listing;
      readonly beside?: Readonly<Record<string, unknown>>;
      readonly otherwise?: () => Problem;
      readonly headers?: Readonly<Record<string, string>>;
      /** Its version is its ETag. */
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
  | { readonly kind: 'judged'; readonly statement: Statement; readonly decide: (result: never) => void; readonly then: Reply }
  | { readonly kind: 'response'; readonly response: Response };

/** A page of rows. */
export const list = (listing: Listing): Reply => ({ kind: 'list', listing });
/** A page of rows of a kind that a parameter has asked for. */
export const listAs = (of: AnySerializer, listing: Listing): Reply => ({ kind: 'list', of, listing });
/** A page of rows inside a body of its own. */
export const listWithin = (listing: Listing, wrap: (page: readonly unknown[]) => object): Reply => ({ kind: 'list', listing, wrap });
/** All of the rows, unpaged: answers to writes, and lists that the reference calls unpaginated. */
export const all = (listing: Listing): Reply => ({ kind: 'all', listing });
/** The first row, or 404. `beside` adds keys to its JSON. */
export const one = (listing: Listing, beside?: Record<string, unknown>): Reply => ({ kind: 'one', listing, beside });
/** The first row, and where it can be found again. */
export const oneAt = (listing: Listing, address: string): Reply => ({ kind: 'one', listing, headers: { Location: address } });
/** The same with its version as the ETag, which conditional writes name. */
export const versioned = (reply: Reply): Reply => (reply.kind === 'one' ? { ...reply, isVersioned: true } : reply);
/** The first row, or another refusal than 404. */
export const oneOr = (listing: Listing, otherwise: () => Problem): Reply => ({ kind: 'one', listing, otherwise });
/** What comes into being when it is first asked for: a read that writes only where it finds nothing. */
export const made = (reply: Reply, statements: readonly Statement[]): Reply => ({ kind: 'made', reply, statements });
/** A row at hand, or 404 for none. */
export const row = (given: object | undefined, beside?: Record<string, unknown>): Reply => ({ kind: 'row', row: given, beside });
/** JSON that is ready. */
export const answer = (json: unknown, status?: number, headers?: Record<string, string>): Reply => ({
  kind: 'answer',
  json,
  status,
  headers,
});
/** A page of JSON that the handler made itself, and the bookmark values of the next one. */
export const page = (given: readonly unknown[], next: unknown[] | null = null): Reply => ({ kind: 'page', page: given, next });
/** Changes, in one atomic batch, what is answered once they are made, and what is answered where they break a uniqueness. */
export const write = (statements: readonly Statement[], then: Reply, refusals?: Refusals): Reply => ({
  kind: 'write',
  statements,
  then,
  refusals,
});
/** Reads something else in the same round trip, and may refuse for it: the parent of a nested list, what hides the thing asked for. */
export const judged = <S extends Statement>(statement: S, decide: (result: ResultOf<S>) => void, then: Reply): Reply => ({
  kind: 'judged',
  statement,
  decide,
  then,
});
/** What a Durable Object has written already, key included. */
export const settled = (then: Reply): Reply => ({ kind: 'write', statements: [], then, settled: true });
export const respond = (response: Response): Reply => ({ kind: 'response', response });
