// Content shares: every endpoint, in the order of the API reference.

import { DeletedShare, UnreadShares } from '@carrel/shared/resources/content_share';
import { idField, listOf, maybe, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isActiveStaff } from '../../contexts/predicates';
import { courseContextsOf, courseStatements } from '../../contexts/several';
import type { UserContext } from '../../contexts/user';
import { theIds } from '../../database/ids';
import { withColumns } from '../../database/together';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { found, problem } from '../../http/problem';
import { answer, list, one, type Reply, write } from '../../http/reply';
import { readsPackages } from '../../rules/course_packages';
import { exportNamed, queueExport } from '../content_exports/queue';
import { archiveName } from '../content_exports/selection';
import { content_exports, type ExportSelection } from '../content_exports/table';
import { contentShare } from './json';
import { selectShared, shareSelection } from './shared_content';
import { type SharedType, sharedTypes, content_shares as shares } from './table';

export const about = { title: 'Content shares', description: 'Content of courses that teachers send to colleagues.' };

const place = '/users/:user_id/content_shares';
const single = `${place}/:id` as const;
const newestFirst = descending(shares.id);
const mostReceivers = 100;

/** Users read their own shares, and so do their observers and administrators. */
const reads = ['self_or_admin', 'observer'] as const;

/** @throws Problem 403 for shares of someone else */
function refuseOthers(user: UserContext): void {
  if (!user.isMe) throw problem(403, 'You can only change your own content shares');
}

const own = ({ id: user_id }: UserContext, id: number): SQL => and(eq(shares.id, id), eq(shares.user_id, user_id)) as SQL;
const listed = ({ id }: UserContext, kind: 'sent' | 'received'): Reply =>
  list(rows(shares, { where: sql`content_shares.user_id = ${id} and content_shares.kind = ${kind}`, order: newestFirst }));

/** Of the named users, those who teach or administrate, apart from the sender. */
const receiversAmong = (ids: readonly number[], sender_id: number): SQL => sql`select u.id from users u where u.id in (${theIds(ids)})
  and u.id <> ${sender_id} and u.workflow_state = 'registered' and (exists (select 1 from admins a where a.user_id = u.id)
    or exists (select 1 from enrollments e where e.user_id = u.id and ${isActiveStaff('e')}))`;

/** @throws Problem 400 */
function namedReceivers(given: readonly number[] | null | undefined): readonly number[] {
  const ids = [...new Set(given ?? [])];
  if (ids.length > mostReceivers) throw problem(400, `Content can be shared with at most ${mostReceivers} users at once`);
  return ids;
}

interface New {
  readonly content_type: SharedType;
  readonly content_id: number;
  readonly receiver_ids: readonly number[];
}

/** Content of courses that the caller may export as packages. @throws Problem 400 */
async function createShare(call: Pick<Call, 'db' | 'env' | 'me' | 'institution' | 'now' | 'afterwards'>, given: New): Promise<Reply> {
  const { db, me, institution, now } = call;
  const { content_type, content_id, receiver_ids } = given;
  const source = selectShared(content_type, content_id);
  const [[content], receivers, ...parts] = await db.perform([
    withColumns(db.build.all<{ course_id: number; name: string }>(source), ['course_id', 'name']),
    db.build.all<{ id: number }>(receiversAmong(receiver_ids, me.id)),
    ...courseStatements(db, sql`select course_id from (${source})`, me),
  ]);
  const [course] = courseContextsOf(parts, me, institution, now);
  if (!content || !course?.canRead || !readsPackages(course)) throw problem(400, 'Requested share content was not found');
  if (receivers.length === 0) throw problem(400, 'No valid receiving users found');
  const share_uuid = crypto.randomUUID();
  const file_uuid = randomText(40);
  const row = {
    sender_id: me.id,
    share_uuid,
    name: content.name,
    content_type,
    content_id,
    course_id: course.id,
    content_export_id: exportNamed(file_uuid),
    created_at: now,
    updated_at: now,
  };
  return write(
    [
      db.build.insert(content_exports).values({
        context_type: 'Course',
        context_id: course.id,
        user_id: me.id,
        export_type: 'common_cartridge',
        selection: shareSelection(content_type, content_id) as ExportSelection,
        sees_all: true,
        name: archiveName('common_cartridge', content.name),
        file_uuid,
        created_at: now,
        updated_at: now,
      }),
      queueExport(call, file_uuid),
      db.build.insert(shares).values({ ...row, user_id: me.id, kind: 'sent', read_state: 'read' }),
      receive(db, share_uuid, receivers, now),
    ],
    one(rows(shares, { where: sql`content_shares.share_uuid = ${share_uuid} and content_shares.kind = 'sent'` })),
  );
}

/** A copy of the sender's row for each receiver who has none. */
const receive = ({ build }: Call['db'], share_uuid: string, receivers: readonly { readonly id: number }[], now: string) =>
  build.run(sql`insert into content_shares (user_id, sender_id, kind, share_uuid, name, content_type, content_id, course_id, content_export_id, read_state, created_at, updated_at)
    select r.value, s.sender_id, 'received', s.share_uuid, s.name, s.content_type, s.content_id, s.course_id, s.content_export_id, 'unread', ${now}, ${now}
    from content_shares s, json_each(${JSON.stringify(receivers.map(({ id }) => id))}) r where s.share_uuid = ${share_uuid} and s.kind = 'sent'
      and not exists (select 1 from content_shares o where o.share_uuid = s.share_uuid and o.kind = 'received' and o.user_id = r.value)`);

const receiverParams = { receiver_ids: optional(maybe(listOf(idField('user')))) };

export const contentShareRoutes = [
  post(
    place,
    {
      can: reads,
      params: { ...receiverParams, content_type: optional(maybe(text)), content_id: optional(maybe(idField('content'))) },
      returns: contentShare,
      status: 201,
      summary: 'Share content',
    },
    (call) => {
      refuseOthers(call.user);
      const { params } = call;
      const content_type = sharedTypes.find((type) => type === params.content_type);
      if (!content_type) throw problem(400, `content_type must be one of ${sharedTypes.join(', ')}`);
      if (!params.content_id) throw problem(400, 'content_id is missing');
      return createShare(call, { content_type, content_id: params.content_id, receiver_ids: namedReceivers(params.receiver_ids) });
    },
  ),

  get(`${place}/sent`, { can: reads, returns: [contentShare], summary: 'List sent content shares' }, ({ user }) => listed(user, 'sent')),
  get(`${place}/received`, { can: reads, returns: [contentShare], summary: 'List received content shares' }, ({ user }) =>
    listed(user, 'received'),
  ),

  get(
    `${place}/unread_count`,
    { can: reads, returns: { json: UnreadShares }, summary: 'Count unread content shares' },
    async ({ db, user }) => {
      const [[count]] = await db.perform([
        db.build.all<{ unread_count: number }>(
          sql`select count(*) as unread_count from content_shares where user_id = ${user.id} and read_state = 'unread'`,
        ),
      ]);
      return answer({ unread_count: count?.unread_count ?? 0 });
    },
  ),

  get(single, { can: reads, returns: contentShare, summary: 'Get a content share' }, ({ user, id }) =>
    one(rows(shares, { where: own(user, id) })),
  ),

  put(
    single,
    { can: reads, params: { read_state: optional(text) }, returns: contentShare, summary: 'Mark a content share as read or unread' },
    async ({ db, user, id, params, now }) => {
      refuseOthers(user);
      const read_state = (['read', 'unread'] as const).find((state) => state === params.read_state);
      if (!read_state) throw problem(400, 'read_state must be read or unread');
      const [[share]] = await db.perform([db.build.select({ kind: shares.kind }).from(shares).where(own(user, id))]);
      const isReceived = found(share).kind === 'received';
      return write(
        isReceived ? [db.build.update(shares).set({ read_state, updated_at: now }).where(own(user, id))] : [],
        one(rows(shares, { where: own(user, id) })),
      );
    },
  ),

  del(single, { can: reads, returns: { json: DeletedShare }, summary: 'Delete a content share' }, async ({ db, user, id }) => {
    refuseOthers(user);
    const [[share]] = await db.perform([db.build.select({ id: shares.id }).from(shares).where(own(user, id))]);
    found(share);
    return write([db.build.delete(shares).where(own(user, id))], answer({ message: 'content share deleted' }));
  }),

  post(
    `${single}/add_users`,
    { can: reads, params: receiverParams, returns: contentShare, summary: 'Share content with more users' },
    async ({ db, me, institution, user, id, params, now }) => {
      refuseOthers(user);
      const [[share], receivers, ...parts] = await db.perform([
        db.build.select().from(shares).where(own(user, id)),
        db.build.all<{ id: number }>(receiversAmong(namedReceivers(params.receiver_ids), me.id)),
        ...courseStatements(db, sql`select course_id from content_shares where ${own(user, id)}`, me),
      ]);
      const { kind, share_uuid } = found(share);
      if (kind !== 'sent') throw problem(403, 'Only the sender can add users');
      const [course] = courseContextsOf(parts, me, institution, now);
      if (!course?.canRead || !readsPackages(course)) throw problem(403, 'You may no longer share this content');
      if (receivers.length === 0) throw problem(400, 'No valid receiving users found');
      return write([receive(db, share_uuid, receivers, now)], one(rows(shares, { where: own(user, id) })));
    },
  ),
];
