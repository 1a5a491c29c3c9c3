// Activity streams: every endpoint, in the order of the API reference.

import { StreamSummary } from '@carrel/shared/resources/stream_item';
import { bool, optional, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { del, get } from '../../http/endpoint';
import { notFound } from '../../http/problem';
import { answer, type Reply, write } from '../../http/reply';
import { idsIn } from '../calendar_events/readable';
import { hidden_stream_items } from '../planner/table';
import { type Asked, happenings, type StreamType } from './happenings';
import { streamItem, streamPage } from './stream';

const params = {
  only_active_courses: optional(bool),
  asset_type: optional(text),
  context_code: optional(text),
  submission_user_id: optional(text),
};

interface Given {
  readonly only_active_courses?: boolean;
  readonly asset_type?: string;
  readonly context_code?: string;
}

const askedBy = ({ only_active_courses, asset_type, context_code }: Given): Asked => ({
  only_active_courses,
  asset_type: asset_type || undefined,
  course_id: context_code === undefined ? undefined : (idsIn([context_code], 'course')[0] ?? 0),
});

async function summary(call: Call): Promise<Reply> {
  const [found] = await call.db.perform([
    call.db.build.all<{ type: StreamType; count: number; unread_count: number }>(
      sql`select type, count(*) as count, sum(not is_read) as unread_count from (${happenings({}, call)}) group by type order by type`,
    ),
  ]);
  return answer(found.map(({ type, count, unread_count }) => ({ type, notification_category: null, count, unread_count })));
}

const hide = ({ db, me, now }: Pick<Call, 'db' | 'me' | 'now'>, stream_id: string) =>
  write(
    [
      db.build
        .insert(hidden_stream_items)
        .values({ user_id: me.id, stream_id, hidden_at: now })
        .onConflictDoUpdate({ target: [hidden_stream_items.user_id, hidden_stream_items.stream_id], set: { hidden_at: now } }),
    ],
    answer({ hidden: true }),
  );

const list = { params, returns: [streamItem], per_page: 21 } as const;

export const activityStreamRoutes = [
  get('/users/self/activity_stream', { ...list, can: 'user', summary: 'List what has happened' }, (call) =>
    streamPage(askedBy(call.params), call as never),
  ),
  get('/users/activity_stream', { ...list, can: 'user', summary: 'List what has happened' }, (call) =>
    streamPage(askedBy(call.params), call as never),
  ),
  get(
    '/users/self/activity_stream/summary',
    { can: 'user', returns: { json: StreamSummary }, summary: 'Count what has happened' },
    (call) => summary(call as never),
  ),
  get('/courses/:course_id/activity_stream', { ...list, can: 'read', summary: 'List what has happened in a course' }, (call) =>
    streamPage(askedBy({ asset_type: call.params.asset_type }), call as never),
  ),
  get(
    '/courses/:course_id/activity_stream/summary',
    { can: 'read', returns: { json: StreamSummary }, summary: 'Count what has happened in a course' },
    (call) => summary(call as never),
  ),
  del('/users/self/activity_stream', { can: 'user', returns: { json: null }, summary: 'Hide all that has happened' }, (call) =>
    hide(call, '*'),
  ),
  del(
    '/users/self/activity_stream/:item',
    { can: 'user', returns: { json: null }, summary: 'Hide one thing that has happened' },
    (call) => {
      if (!/^\d{1,16}$/.test(call.path.item)) throw notFound();
      return hide(call, call.path.item);
    },
  ),
];
