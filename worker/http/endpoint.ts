// An endpoint is a value in a table: path, who may, which parameters, what it returns, and what it does.

import type { Resource } from '@carrel/shared/resources/resource';
import type { Fields, Shape } from '@carrel/shared/wire/fields';
import type { Tree } from '@carrel/shared/wire/form';
import type { SQL } from 'drizzle-orm';
import type { AccountContext } from '../contexts/account';
import type { CourseContext } from '../contexts/course';
import type { GroupContext } from '../contexts/group';
import type { Word } from '../contexts/rights';
import type { SectionContext } from '../contexts/section';
import type { UserContext } from '../contexts/user';
import type { Call } from './call';
import type { Reply } from './reply';
import type { Serializer } from './serializer';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

type Names<P extends string> = P extends `${infer _}/:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : P extends `${infer _}/:${infer Name}`
    ? Name
    : never;

/** What the path loads before the handler runs: `:course_id` a readable course, `:id` a number. */
type FromPath<P extends string> = (Names<P> extends infer N ? ('course_id' extends N ? { course: CourseContext } : unknown) : never) &
  ('account_id' extends Names<P> ? { account: AccountContext } : unknown) &
  ('section_id' extends Names<P> ? { section: SectionContext; course: CourseContext } : unknown) &
  ('group_id' extends Names<P> ? { group: GroupContext } : unknown) &
  ('user_id' extends Names<P> ? { user: UserContext } : unknown) &
  ('id' extends Names<P> ? { id: number } : unknown) & { path: Record<Names<P>, string> };

/** Contexts that the path does not name: `/files/:id` stands in the course of its file. */
export interface Within {
  readonly course?: SQL;
  readonly account?: SQL;
  readonly user?: SQL;
  readonly group?: SQL;
  /** What the `:id` of the path is called besides its number. */
  readonly id?: SQL;
}

type FromWithin<W> = (W extends { course: unknown } ? { course: CourseContext | undefined } : unknown) &
  (W extends { account: unknown } ? { account: AccountContext | undefined } : unknown) &
  (W extends { user: unknown } ? { user: UserContext | undefined } : unknown) &
  (W extends { group: unknown } ? { group: GroupContext | undefined } : unknown);

// biome-ignore lint/suspicious/noExplicitAny: serializers of any row.
export type AnySerializer = Serializer<any, any>;
/** One resource, a list of them, a list under a key, or JSON of a resource's shape that the handler made itself. */
export type Returns =
  | AnySerializer
  | readonly [AnySerializer]
  | { readonly wrapped: string; readonly of: AnySerializer }
  | { readonly json: Resource | null };

interface Options<F extends Fields, W> {
  /** Who may: a word of contexts/rights.ts, any of several, or a decision. */
  readonly can: Word | readonly Word[] | ((call: Call) => boolean);
  readonly params?: F;
  /** Values of `include[]` that are known. */
  readonly include?: readonly string[];
  readonly within?: (path: Record<string, string>, tree: Tree) => W;
  readonly returns: Returns;
  /** 200 unless the reference says otherwise. */
  readonly status?: number;
  /** For lists: 10 unless the reference says otherwise. */
  readonly per_page?: number;
  /** Parameters that say where a list begins: the addresses of its other pages leave them out. */
  readonly unlinked?: readonly string[];
  /** Canvas pages this list by bookmarks only, and its links name the first page `first` (reference 01 A5). */
  readonly bookmarked?: true;
  /** Clients choose the keys they are told by `response_fields[]` and `exclude_response_fields[]`: of what is told, or of what stands in lists under this key. */
  readonly choosable?: true | string;
  /** Its answers carry an ETag; whoever names it is told that nothing has changed. */
  readonly tagged?: true;
  /** What a request costs beside its work, in the units of the rate limit. */
  readonly cost?: number;
  /** One sentence for the reference page. */
  readonly summary?: string;
  /** A deleted course of the path is found, too. */
  readonly deletedToo?: boolean;
  /** The handler compares the role at hand with the caller's rights, so that the whole person need not be outranked. */
  readonly comparesRoles?: true;
  /** Any token may call it, whatever scopes it is limited to. */
  readonly unscoped?: boolean;
  /** Has a look at the token before anybody is looked for. @throws Problem for a kind that it has words of its own for */
  readonly refuseToken?: (token: string) => void;
  /** Nobody is looked for: a token or a cookie that came with the request says nothing. */
  readonly withoutCaller?: boolean;
  /** The person in whose name the address itself speaks, whoever asks: a select of one id. It goes with `withoutCaller`. */
  readonly speaksFor?: (path: Record<string, string>) => SQL;
  /** Its address is known with this ending, too, beside that of every address. */
  readonly ending?: '.csv';
  /** The handler reads the body itself (file uploads). */
  readonly rawBody?: boolean;
}

export interface Endpoint {
  readonly method: Method;
  /** Below `/api/v1` unless `absolute`. */
  readonly path: string;
  readonly absolute?: boolean;
  readonly options: Options<Fields, Within>;
  readonly handler: (call: never) => Reply | Promise<Reply>;
}

type Handler<P extends string, F extends Fields, W> = (
  call: Omit<Call, 'params' | 'path' | 'id' | 'course' | 'account' | 'user' | 'section' | 'group'> &
    FromPath<P> &
    FromWithin<W> & { params: Shape<F> },
) => Reply | Promise<Reply>;

const declare =
  (method: Method) =>
  <const P extends string, const F extends Fields = {}, const W extends Within = {}>(
    path: P,
    options: Options<F, W>,
    handler: Handler<P, F, W>,
  ): Endpoint => ({ method, path, options: options as unknown as Options<Fields, Within>, handler: handler as Endpoint['handler'] });

export const get = declare('GET');
export const post = declare('POST');
export const put = declare('PUT');
export const del = declare('DELETE');
export const patch = declare('PATCH');

/** The same endpoints at an address outside `/api/v1`. */
export const absolute = (...endpoints: Endpoint[]): Endpoint[] => endpoints.map((endpoint) => ({ ...endpoint, absolute: true }));
