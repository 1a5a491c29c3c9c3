// An endpoint is a value in a table: path, permissions, parameters, response, handler.

import type { Resource } from '@carrel/shared/resources/resource';
import type { Fields, Shape } from '@carrel/shared/wire/fields';
import type { FormTree } from '@carrel/shared/wire/form';
import type { SQL } from 'drizzle-orm';
import type { AccountContext } from '../contexts/account';
import type { CourseContext } from '../contexts/course';
import type { GroupContext } from '../contexts/group';
import type { Word } from '../contexts/rights';
import type { SectionContext } from '../contexts/section';
import type { UserContext } from '../contexts/user';
import type { Call } from './call';
import type { Conditional, Method, Operation } from './operation';
import type { Reply } from './reply';
import type { AnySerializer } from './serializer';

type Names<P extends string> = P extends `${infer _}/:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : P extends `${infer _}/:${infer Name}`
    ? Name
    : never;

/** Contexts loaded before the handler runs: `:course_id` a readable course. */
type FromPath<P extends string> = (Names<P> extends infer N ? ('course_id' extends N ? { course: CourseContext } : unknown) : never) &
  ('account_id' extends Names<P> ? { account: AccountContext } : unknown) &
  ('section_id' extends Names<P> ? { section: SectionContext; course: CourseContext } : unknown) &
  ('group_id' extends Names<P> ? { group: GroupContext } : unknown) &
  ('user_id' extends Names<P> ? { user: UserContext } : unknown);

/** The values of the path's parameters, with `:id` as a number. */
type InPath<P extends string> = ('id' extends Names<P> ? { id: number } : unknown) & { path: Record<Names<P>, string> };

/** Contexts that are not in the path: `/files/:id` belongs to the course of its file. */
export interface Within {
  readonly course?: SQL;
  readonly account?: SQL;
  readonly user?: SQL;
  readonly group?: SQL;
  /** Resolves an `:id` that is not a number. */
  readonly id?: SQL;
}

type FromWithin<W> = ('course' extends keyof W ? { course: CourseContext | undefined } : unknown) &
  ('account' extends keyof W ? { account: AccountContext | undefined } : unknown) &
  ('user' extends keyof W ? { user: UserContext | undefined } : unknown) &
  ('group' extends keyof W ? { group: GroupContext | undefined } : unknown) &
  ('id' extends keyof W ? { named_id: number | undefined } : unknown);

/** The parts of a call that an endpoint has only when it declares them. */
type Declared =
  | 'params'
  | 'path'
  | 'id'
  | 'named_id'
  | 'course'
  | 'account'
  | 'user'
  | 'section'
  | 'group'
  | 'include'
  | 'array'
  | 'conditional';

/** The call of an endpoint's handler: reading a part that the endpoint does not declare is a type error. */
export type CallOf<P extends string, F extends Fields, W, I extends string, A, C> = Omit<Call, Declared> &
  FromPath<P> &
  InPath<P> &
  FromWithin<W> & { params: Shape<F>; include: ReadonlySet<I> } & (A extends true ? { array: Call['array'] } : unknown) &
  (C extends Conditional ? { conditional: C } : unknown);

/** The call when the permission is decided: a context of the path may not exist, and parameters are not read yet. */
type CallBefore<P extends string, W> = Omit<Call, Exclude<Declared, 'params' | 'include'>> &
  Partial<FromPath<P>> &
  InPath<P> &
  FromWithin<W>;

/** A resource, a list, a list or a resource under a key, or JSON of the resource's shape built by the handler. */
export type Returns =
  | AnySerializer
  | readonly [AnySerializer]
  | { readonly wrapped: string; readonly of: AnySerializer }
  | { readonly enveloped: string; readonly of: AnySerializer }
  | { readonly json: Resource | null };

interface Options<F extends Fields, W, I extends string, A, C, Before> {
  /** Required permission: a name of contexts/rights.ts, any of several, or a function. */
  readonly can: Word | readonly Word[] | ((call: Before) => boolean);
  readonly params?: F;
  /** Accepted values of `include[]`; a list declared elsewhere needs `as const`, so that reading another value is a type error. */
  readonly include?: readonly I[];
  /** The body may be a JSON array. */
  readonly takesArray?: A;
  /** Other contexts; stated before a `can` that is a function, whose type depends on it. */
  readonly within?: (path: Record<string, string>, tree: FormTree) => W;
  readonly returns: Returns;
  /** Default 200. */
  readonly status?: number;
  /** Default page size; 10 unless stated. */
  readonly per_page?: number;
  /** Parameters for the start of a list, which links to other pages omit. */
  readonly unlinked?: readonly string[];
  /** Canvas pages this list by bookmarks only, and its links name the first page `first` (reference 01 A5). */
  readonly bookmarked?: true;
  /** Clients may select keys with `response_fields[]` and `exclude_response_fields[]`: of the response, or of objects in lists under this key. */
  readonly choosable?: true | string;
  /** Read at the primary, and so are the caller's next reads: the state of a job, whose results they read once it is done. */
  readonly fresh?: true;
  /** A GET that changes what it names: a session counts only with the proof that writes require. */
  readonly changes?: true;
  /** Responses carry an ETag, and `If-None-Match` yields 304. */
  readonly tagged?: true;
  /** What its conditional headers refer to; without this, its handler cannot read a condition. */
  readonly conditional?: C;
  /** Additional cost in rate limit units. */
  readonly cost?: number;
  /** One line for the API reference. */
  readonly summary?: string;
  /** Also accepts a deleted course in the path. */
  readonly deletedToo?: boolean;
  /** The handler itself compares the role with the caller's, so the path's user need not be outranked. */
  readonly comparesRoles?: true;
  /** Callable with any token, regardless of its scopes. */
  readonly unscoped?: boolean;
  /** Checks the token before the caller is loaded. @throws Problem for token types with an error of their own */
  readonly refuseToken?: (token: string) => void;
  /** Ignores tokens and cookies: the caller is anonymous. */
  readonly withoutCaller?: boolean;
  /** The user whose identity the URL itself carries: a select of one id. Requires `withoutCaller`. */
  readonly speaksFor?: (path: Record<string, string>) => SQL;
  /** Also available under this suffix, besides `.json`. */
  readonly ending?: '.csv';
  /** The handler reads the body itself (file uploads). */
  readonly rawBody?: boolean;
}

/** The options of any endpoint. */
type AnyOptions = Options<Fields, Within, string, boolean, Conditional, Call>;

export interface Endpoint extends Operation {
  readonly options: AnyOptions;
  handler(call: Call): Reply | Promise<Reply>;
}

const declare =
  (method: Method) =>
  <
    const P extends string,
    const F extends Fields = {},
    const W extends Within = {},
    const I extends string = never,
    const A extends boolean = false,
    const C extends Conditional | undefined = undefined,
  >(
    path: P,
    options: Options<F, W, I, A, C, CallBefore<P, W>>,
    handler: (call: CallOf<P, F, W, I, A, C>) => Reply | Promise<Reply>,
  ): Endpoint => ({ method, path, options: options as unknown as AnyOptions, handler: handler as Endpoint['handler'] });

export const get = declare('GET');
export const post = declare('POST');
export const put = declare('PUT');
export const del = declare('DELETE');
export const patch = declare('PATCH');

/** The same endpoints outside `/api/v1`. */
export const absolute = (...endpoints: Endpoint[]): Endpoint[] => endpoints.map((endpoint) => ({ ...endpoint, absolute: true }));
