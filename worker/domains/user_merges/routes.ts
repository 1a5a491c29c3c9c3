// User merges and splits: every endpoint, in the order of the API reference.

import { and, desc, eq, gte, isNull, sql } from 'drizzle-orm';
import { gainsAtRoot } from '../../contexts/course_role';
import { idOf } from '../../contexts/references';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import { post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { notFound, problem, unauthorized } from '../../http/problem';
import { all, oneOr, type Reply, row, write } from '../../http/reply';
import { roles } from '../roles/table';
import { user } from '../users/json';
import { outranks, selectRanks } from '../users/outranks';
import { users } from '../users/table';
import { mergeStatements, splitStatements, splittableSince } from './merge';
import { managesLogins } from './policy';
import { user_merges } from './table';

export const about = { title: 'User merges', description: 'Merging two users into one, and splitting them again.' };

type Calling = Omit<Call, 'params' | 'path' | 'id' | 'course' | 'account' | 'user' | 'section'>;

async function merge(call: Calling, from: string, into: string): Promise<Reply> {
  const { db, me, now } = call;
  if (!managesLogins(call)) throw unauthorized();
  const referred = (given: string) => (given === 'self' ? sql`select ${me.id}` : idOf('user', given));
  const [[source], [destination], courseRoles, ...held] = await db.perform([
    db.build
      .select()
      .from(users)
      .where(sql`${users.id} = (${referred(from)})`),
    db.build
      .select()
      .from(users)
      .where(sql`${users.id} = (${referred(into)})`),
    db.build
      .select()
      .from(roles)
      .where(
        sql`${roles.id} in (select e.role_id from enrollments e where e.user_id in (select * from (${referred(from)}) union select * from (${referred(into)})) and e.user_id <> ${me.id} and e.enrollment_state <> 'deleted')`,
      ),
    ...selectRanks(call, sql`select * from (${referred(from)}) union select * from (${referred(into)})`),
  ]);
  if (!source || !destination || destination.workflow_state === 'deleted' || source.is_test_student || destination.is_test_student)
    throw notFound();
  if (source.id === destination.id) throw problem(400, 'A user cannot be merged into themselves');
  // A repeated request finds the merge done, and succeeds.
  if (source.workflow_state === 'deleted' && source.merged_into_user_id === destination.id) return row(destination);
  if (source.workflow_state === 'deleted') throw notFound();
  if (!outranks(call, held)) throw unauthorized();
  // For the caller's own account, the merge adds the other user's courses to it.
  const isOwn = source.id === me.id || destination.id === me.id;
  if (isOwn && courseRoles.some((role) => gainsAtRoot(call, role))) throw unauthorized();
  const pair = { source: source.id, destination: destination.id };
  return write(
    mergeStatements(db, pair, me, now),
    oneOr(
      rows(users, {
        where: and(
          eq(users.id, pair.destination),
          sql`exists (select 1 from users s where s.id = ${pair.source} and s.merged_into_user_id = ${pair.destination})`,
        ),
      }),
      () => problem(409, 'One of the users has just been merged or deleted'),
    ),
  );
}

export const userMergeRoutes = [
  put(
    '/users/:source/merge_into/:destination',
    { can: 'user', returns: user, summary: 'Merge a user into another user' },
    ({ path, ...call }) => merge(call, path.source, path.destination),
  ),

  put(
    '/users/:source/merge_into/accounts/:destination_account/users/:destination',
    { can: 'user', returns: user, summary: 'Merge a user into another user of a given account' },
    ({ path, ...call }) => {
      const { institution, url } = call;
      const here = [String(institution.root.id), 'self', 'default', url.host, url.hostname];
      if (!managesLogins(call)) throw unauthorized();
      if (!here.includes(path.destination_account)) throw notFound();
      return merge(call, path.source, path.destination);
    },
  ),

  post('/users/:user_id/split', { can: 'manage_user_logins', returns: [user], summary: 'Split a merged user' }, async (call) => {
    const { db, me, user: person, now } = call;
    const [merges] = await db.perform([
      db.build
        .select()
        .from(user_merges)
        .where(
          and(eq(user_merges.destination_id, person.id), isNull(user_merges.split_at), gte(user_merges.created_at, splittableSince(now))),
        )
        .orderBy(desc(user_merges.id)),
    ]);
    if (merges.length === 0) throw problem(400, 'No user has been merged into this one within the last 180 days');
    const sources = merges.map((one) => one.source_id);
    return write(
      sources.flatMap((source) => splitStatements(db, { source, destination: person.id }, me, now)),
      all(rows(users, { where: among(users.id, [person.id, ...sources]) })),
    );
  }),
];
