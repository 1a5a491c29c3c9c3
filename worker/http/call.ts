// A request as its handler sees it.

import type { AccountContext } from '../contexts/account';
import type { CourseContext } from '../contexts/course';
import type { GroupContext } from '../contexts/group';
import type { Institution } from '../contexts/institution';
import type { SectionContext } from '../contexts/section';
import type { UserContext } from '../contexts/user';
import type { Viewer } from '../contexts/viewer';
import type { Database, Meter } from '../database/open';
import type { Platform } from '../platform';
import type { Conditional, Operation } from './operation';

export interface Idempotency {
  readonly key: string;
  /** SHA-256 of method, path and parameters. */
  readonly fingerprint: string;
}

/**
 * All parts of any call. The handler of an endpoint has those that the endpoint declares (`CallOf`); a function that several endpoints
 * share takes a call with optional parts.
 */
export interface Call {
  readonly db: Database;
  readonly env: Platform;
  readonly meter: Meter;
  /** All endpoints, of which token scopes are derived. Loads every domain. */
  operations(): Promise<readonly Operation[]>;
  /** The time of the request; rules use no other clock. */
  readonly now: string;
  /** Scheme and host exactly as used by the client. */
  readonly origin: string;
  readonly url: URL;
  readonly request: Request;
  /** What the conditional headers refer to; undefined if the endpoint takes none. */
  readonly conditional?: Conditional;
  /** The caller. Endpoints with `can: 'anyone'` check `isKnown`. */
  readonly me: Viewer;
  readonly institution: Institution;
  readonly path: Readonly<Record<string, string>>;
  readonly id?: number;
  /** The id resolved by `within.id`; undefined if nothing was found. */
  readonly named_id?: number;
  readonly params: object;
  /** The raw parameters, before they are parsed. */
  readonly tree: Readonly<Record<string, unknown>>;
  /** The body, if it was a JSON array and the endpoint takes one. */
  readonly array?: readonly unknown[];
  readonly include: ReadonlySet<string>;
  readonly page: { readonly per_page: number; readonly after?: readonly unknown[]; readonly number?: number };
  readonly course?: CourseContext;
  readonly account?: AccountContext;
  readonly user?: UserContext;
  /** When present, its course or account is only in here. */
  readonly group?: GroupContext;
  readonly section?: SectionContext;
  readonly idempotency?: Idempotency;
  /** In the sync feed: the client has chosen the course, in which the caller sees all grades, for the work of its students. */
  readonly isGraded?: boolean;
  /** Serves another request of the same caller as part of this one. @param env with the database that it uses */
  within(request: Request, env: Platform): Promise<Response>;
  /** Work that may continue after the response. */
  later(work: Promise<unknown>): void;
  /** Work to start after the request has succeeded and its write is committed; may continue after the response. */
  afterwards(work: () => Promise<unknown>): void;
}
