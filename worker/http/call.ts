// One request as a handler sees it: who calls, where, with what, and the means to answer.

import type { AccountContext } from '../contexts/account';
import type { CourseContext } from '../contexts/course';
import type { GroupContext } from '../contexts/group';
import type { Institution } from '../contexts/institution';
import type { SectionContext } from '../contexts/section';
import type { UserContext } from '../contexts/user';
import type { Viewer } from '../contexts/viewer';
import type { Database, Meter } from '../database/open';
import type { Platform } from '../platform';
import type { Endpoint } from './endpoint';

export interface Idempotency {
  readonly key: string;
  /** SHA-256 of method, path and parameters. */
  readonly fingerprint: string;
}

export interface Call {
  readonly db: Database;
  readonly env: Platform;
  readonly meter: Meter;
  /** Everything that can be asked of the service: what scopes are made of. */
  readonly endpoints: readonly Endpoint[];
  /** The moment of the request; the only clock that rules see. */
  readonly now: string;
  /** Scheme and host exactly as the client used them. */
  readonly origin: string;
  readonly url: URL;
  readonly request: Request;
  /** Who calls. Endpoints that anyone may call check `isKnown`. */
  readonly me: Viewer;
  readonly institution: Institution;
  readonly path: Readonly<Record<string, string>>;
  readonly id?: number;
  /** What `within.id` stands for. */
  readonly named_id?: number;
  readonly params: object;
  /** The parameters before they were read by their shape. */
  readonly tree: Readonly<Record<string, unknown>>;
  /** The body, where it was one JSON array. */
  readonly array?: readonly unknown[];
  readonly include: ReadonlySet<string>;
  readonly page: { readonly per_page: number; readonly after?: readonly unknown[]; readonly number?: number };
  readonly course?: CourseContext;
  readonly account?: AccountContext;
  readonly user?: UserContext;
  /** Where it is named, course and account are in it and nowhere else. */
  readonly group?: GroupContext;
  readonly section?: SectionContext;
  readonly idempotency?: Idempotency;
  /** Work that may end after the answer has been sent. */
  later(work: Promise<unknown>): void;
  /** Work that starts once the request has succeeded, its write made; it may end after the answer has been sent. */
  afterwards(work: () => Promise<unknown>): void;
}
