// Asynchronous queries for page views: every endpoint, in the order of the API reference.

import { PageViewQuery, StartedPageViewQuery } from '@carrel/shared/resources/page_view_query';
import { date, idField, listOf, oneOf } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { adminMay } from '../../../contexts/institution';
import { among } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { get, post } from '../../../http/endpoint';
import { type RowOf, rows } from '../../../http/listing';
import { notFound, Problem } from '../../../http/problem';
import { answer, oneOr, type Reply, rawResponse, write } from '../../../http/reply';
import { serializer } from '../../../http/serializer';
import { users } from '../../users/table';
import { page_view_queries } from '../table';
import { badQuery, queryRange } from './range';
import { type ResultFormat, resultTypes } from './result';

type QueryRow = RowOf<typeof page_view_queries>;
type Sent = Pick<Call, 'db' | 'env' | 'me' | 'now' | 'afterwards'>;
type Asked = Pick<Call, 'db' | 'env' | 'me' | 'meter' | 'later' | 'request'> & { readonly path: { readonly query_id: string } };

const mostUsers = 100;
/** Unfinished queries of a user. */
const mostQueries = 5;

const mayQueryAll = ({ me, institution }: Pick<Call, 'me' | 'institution'>) =>
  adminMay('view_statistics', me, [institution.root.id], institution);

const addressOf = ({ uuid, is_batch, user_ids }: QueryRow) =>
  is_batch ? `/api/v1/users/page_views/query/${uuid}` : `/api/v1/users/${user_ids[0]}/page_views/query/${uuid}`;

const startedQuery = serializer({
  resource: StartedPageViewQuery,
  table: page_view_queries,
  json: (row: QueryRow) => ({ poll_url: addressOf(row) }),
});

const params = { start_date: date, end_date: date, results_format: oneOf('csv', 'jsonl') };
interface Wanted {
  readonly start_date: string;
  readonly end_date: string;
  readonly results_format: ResultFormat;
}

/** @throws Problem 429 when too many queries of the caller are unfinished, 404 for an unknown user */
async function begin(
  { db, env, me, now, afterwards }: Sent,
  wanted: Wanted,
  user_ids: readonly number[],
  is_batch: boolean,
): Promise<Reply> {
  const range = queryRange(wanted.start_date, wanted.end_date, now);
  const [[open], known] = await db.perform([
    db.build.all<{ count: number }>(
      sql`select count(*) as count from page_view_queries where workflow_state in ('queued', 'processing') and user_id = ${me.id}`,
    ),
    db.build.select({ id: users.id }).from(users).where(among(users.id, user_ids)),
  ]);
  if (known.length < user_ids.length) throw notFound();
  if ((open?.count ?? 0) >= mostQueries) throw new Problem(429, { error: 'Too many queries are unfinished. Wait until one has finished.' });
  const uuid = crypto.randomUUID();
  const itself = eq(page_view_queries.uuid, uuid);
  // If the message is lost, the scheduled run sends another.
  afterwards(async () => {
    const [[made]] = await db.aside.perform([db.build.select({ id: page_view_queries.id }).from(page_view_queries).where(itself)]);
    if (made) await env.WORK.send({ job: 'page_view_query', ids: [made.id] });
  });
  const row = { uuid, user_id: me.id, user_ids, is_batch, format: wanted.results_format, ...range, created_at: now, updated_at: now };
  return write([db.build.insert(page_view_queries).values(row)], oneOr(rows(page_view_queries, { where: itself }), notFound));
}

const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The query of the path. @throws Problem 400 for an id that cannot be one, 404 for an unknown query, or one that `isIts` refuses */
async function queryOf({ db, path }: Asked, isIts: (row: QueryRow) => boolean): Promise<QueryRow> {
  if (!isUuid.test(path.query_id)) throw badQuery('query_id is not the id of a query');
  const [[row]] = await db.perform([db.build.select().from(page_view_queries).where(eq(page_view_queries.uuid, path.query_id))]);
  if (!row || !isIts(row)) throw new Problem(404, { error: 'There is no such query.' });
  return row;
}

function poll(row: QueryRow): Reply {
  const results_url = row.workflow_state === 'finished' ? `${addressOf(row)}/results` : null;
  return answer({ query_id: row.uuid, status: row.workflow_state, format: row.format, results_url });
}

async function copyPieces(files: R2Bucket, keys: readonly string[], to: WritableStream<Uint8Array>): Promise<void> {
  for (const key of keys) {
    const piece = await files.get(key);
    if (!piece) throw new Error('a piece of the result is missing');
    await piece.body.pipeTo(to, { preventClose: true });
  }
  await to.close();
}

/** @throws Problem 400 unless the query is finished */
function results(row: QueryRow, { env, meter, later, request }: Asked): Reply {
  if (row.workflow_state !== 'finished') throw badQuery('The query has no results to download.');
  if (row.pieces.length === 0) return rawResponse(new Response(null, { status: 204 }));
  const headers = {
    'Content-Type': resultTypes[row.format],
    'Content-Disposition': `attachment; filename="${row.uuid}.${row.format}"`,
  };
  if (request.method === 'HEAD') return rawResponse(new Response(null, { headers: { ...headers, 'Content-Length': String(row.size) } }));
  meter.r2_calls += row.pieces.length;
  const { readable, writable } = new FixedLengthStream(row.size);
  later(copyPieces(env.FILES, row.pieces, writable));
  return rawResponse(new Response(readable, { headers }));
}

const ofUser = (user: { readonly id: number }) => (row: QueryRow) => !row.is_batch && row.user_ids[0] === user.id;
const ofRequester = (me: { readonly id: number }) => (row: QueryRow) => row.is_batch && row.user_id === me.id;

const one = '/users/:user_id/page_views/query';
const several = '/users/page_views/query';
const can = ['self', 'view_statistics'] as const;

export const pageViewQueryRoutes = [
  post(one, { can, params, returns: startedQuery, status: 201, summary: 'Start a query for page views of a user' }, (call) =>
    begin(call, call.params, [call.user.id], false),
  ),

  get(`${one}/:query_id`, { can, returns: { json: PageViewQuery }, summary: 'Get a query for page views of a user' }, async (call) =>
    poll(await queryOf(call, ofUser(call.user))),
  ),

  get(`${one}/:query_id/results`, { can, returns: { json: null }, summary: 'Download the page views of a user' }, async (call) =>
    results(await queryOf(call, ofUser(call.user)), call),
  ),

  post(
    several,
    {
      can: mayQueryAll,
      params: { ...params, user_ids: listOf(idField('user')) },
      returns: startedQuery,
      status: 201,
      summary: 'Start a query for page views of several users',
    },
    (call) => {
      const { user_ids } = call.params;
      if (user_ids.length === 0) throw badQuery('user_ids names no user');
      if (user_ids.length > mostUsers) throw badQuery(`user_ids names more than ${mostUsers} users`);
      if (new Set(user_ids).size < user_ids.length) throw badQuery('user_ids names a user twice');
      return begin(call, call.params, user_ids, true);
    },
  ),

  get(
    `${several}/:query_id`,
    { can: mayQueryAll, returns: { json: PageViewQuery }, summary: 'Get a query for page views of several users' },
    async (call) => poll(await queryOf(call, ofRequester(call.me))),
  ),

  get(
    `${several}/:query_id/results`,
    { can: mayQueryAll, returns: { json: null }, summary: 'Download the page views of several users' },
    async (call) => results(await queryOf(call, ofRequester(call.me)), call),
  ),
];
