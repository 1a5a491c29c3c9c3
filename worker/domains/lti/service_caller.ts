// Requests of tools to the services of LTI Advantage: the token, its scopes, and the tools of its application in the course.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isSwitchedOn } from '../../contexts/developer_key';
import type { Database, ResultsOf } from '../../database/open';
import type { Call } from '../../http/call';
import { sha256 } from '../../http/idempotency';
import { Problem } from '../../http/problem';
import { developer_key_account_bindings as bindings, developer_keys } from '../developer_keys/table';
import type { ToolRow } from '../external_tools/json';
import { usableTools } from '../external_tools/policy';
import { external_tools } from '../external_tools/table';
import { service_tokens } from '../oauth2/table';

export const ltiProblem = (status: number, type: string, message: string): Problem => new Problem(status, { errors: { type, message } });
const unknownToken = () =>
  new Problem(
    401,
    { errors: { type: 'unauthorized', message: 'Invalid access token' } },
    { 'WWW-Authenticate': 'Bearer realm="canvas-lms"' },
  );

/** The hash of the token in the header; of nothing without one. */
export const serviceTokenOf = (request: Request): Promise<string> =>
  sha256(/^bearer\s+(\S{20,1000})$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '');

const keyOf = (token_hash: string): SQL => sql`(select developer_key_id from service_tokens where token_hash = ${token_hash})`;

/** Reads the token, its application, and every tool that the course may use, in the trip of what the request is about. */
export const serviceStatements = ({ build }: Database, token_hash: string, course: CourseContext) =>
  [
    build.select().from(service_tokens).where(sql`service_tokens.token_hash = ${token_hash}`),
    build
      .select()
      .from(developer_keys)
      .where(sql`developer_keys.id = ${keyOf(token_hash)}`),
    build
      .select()
      .from(bindings)
      .where(sql`developer_key_account_bindings.developer_key_id = ${keyOf(token_hash)}`),
    build
      .select()
      .from(external_tools)
      .where(usableTools({ type: 'Course', id: course.id, chain: course.chain })),
  ] as const;

export interface ServiceCaller {
  /** All tools of the course, the nearest first: they decide which tool an address belongs to. */
  readonly all: readonly ToolRow[];
  /** The installations of the token's application, the nearest first. Never empty. */
  readonly own: readonly [ToolRow, ...ToolRow[]];
}

/** @throws Problem 401 for a token that is unknown, expired or lacks the scope, or whose application has no tool in the course */
export function serviceCaller(
  [[token], [key], said, found]: ResultsOf<ReturnType<typeof serviceStatements>>,
  { now, institution }: Pick<Call, 'now' | 'institution'>,
  course: CourseContext,
  scopes: readonly string[],
): ServiceCaller {
  if (!token || token.expires_at <= now || !key || !isSwitchedOn(key, said, institution.root.id)) throw unknownToken();
  // A key that loses a scope takes it from the tokens that it has.
  if (!scopes.some((scope) => token.scopes.includes(scope) && key.scopes.includes(scope)))
    throw ltiProblem(401, 'unauthorized', 'The token does not have a required scope');
  const distance = (tool: ToolRow) => (tool.context_type === 'Course' ? -1 : course.chain.toReversed().indexOf(tool.context_id));
  const all = [...found].sort((a, b) => distance(a) - distance(b) || a.id - b.id);
  const [first, ...others] = all.filter((tool) => tool.developer_key_id === key.id);
  if (!first) throw ltiProblem(401, 'unauthorized', 'The tool is not installed in this course');
  return { all, own: [first, ...others] };
}

/** A page of a list for tools, with a link to the next one. */
export function nextServicePage(url: URL, origin: string, after: string | undefined): Record<string, string> {
  if (after === undefined) return {};
  const next = new URL(`${url.pathname}${url.search}`, origin);
  next.searchParams.set('after', after);
  return { Link: `<${next.href}>; rel="next"` };
}
