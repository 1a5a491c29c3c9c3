// Activity streams: every endpoint, in the order of the API reference.

import { StreamSummary } from '@carrel/shared/resources/stream_item';
import { bool, choice, optional, referenceTo } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { del, get } from '../../http/endpoint';
import { notFound } from '../../http/problem';
import { answer, type Reply, write } from '../../http/reply';
import { idsIn } from '../calendar_events/readable_contexts';
import { hidden_stream_items } from '../planner/table';
import { streamCategory, streamItem, streamPage } from './stream';
import { type StreamFilter, type StreamType, streamItems, streamTypes } from './stream_items';

export const about = { title: 'Activity stream', description: 'What has happened recently in the courses and groups of the caller.' };

const params = {
  only_active_courses: optional(bool),
  asset_type: choice(...streamTypes),
  context_code: optional(referenceTo('context')),
  submission_user_id: optional(referenceTo('user')),
};

interface Given {
  readonly only_active_courses?: boolean;
  readonly asset_type?: string;
  readonly context_code?: string;
  readonly submission_user_id?: string;
}

const askedBy = ({ only_active_courses, asset_type, context_code, submission_user_id }: Given, me: number): StreamFilter => ({
  only_active_courses,
  asset_type,
  place: context_code === undefined ? undefined : placeNamed(context_code),
  subject: submission_user_id ? (submission_user_id === 'self' ? me : (readId(submission_user_id) ?? 0)) : undefined,
});

/** Parses a course or group code; any other code matches nothing. */
const placeNamed = (code: string): StreamFilter['place'] => {
  const [group] = idsIn([code], 'group');
  return group === undefined ? { type: 'Course', id: idsIn([code], 'course')[0] ?? 0 } : { type: 'Group', id: group };
};

interface Count {
  readonly type: StreamType;
  readonly notification: string | null;
  readonly count: number;
  readonly unread_count: number;
}

/** Notifications are counted by category. */
async function summary(call: Call): Promise<Reply> {
  const [found] = await call.db.perform([
    call.db.build.all<Count>(
      sql`select type, notification, count(*) as count, sum(not is_read) as unread_count from (${streamItems({}, call)}) group by type, notification order by type, notification`,
    ),
  ]);
  const counts = new Map<string, Omit<Count, 'notification'> & { readonly notification_category: string | null }>();
  for (const { notification, ...one } of found) {
    const notification_category = streamCategory(notification);
    const key = `${one.type} ${notification_category}`;
    const before = counts.get(key);
    counts.set(key, {
      ...one,
      notification_category,
      count: one.count + (before?.count ?? 0),
      unread_count: one.unread_count + (before?.unread_count ?? 0),
    });
  }
  return answer([...counts.values()]);
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
  get('/users/self/activity_stream', { ...list, can: 'user', summary: 'List the activity stream' }, (call) =>
    streamPage(askedBy(call.params, call.me.id), call),
  ),
  get('/users/activity_stream', { ...list, can: 'user', summary: 'List the activity stream' }, (call) =>
    streamPage(askedBy(call.params, call.me.id), call),
  ),
  get(
    '/users/self/activity_stream/summary',
    { can: 'user', returns: { json: StreamSummary }, summary: 'Get the activity stream summary' },
    (call) => summary(call),
  ),
  get('/courses/:course_id/activity_stream', { ...list, can: 'read', summary: 'List the activity stream of a course' }, (call) =>
    streamPage(askedBy({ ...call.params, context_code: undefined }, call.me.id), call),
  ),
  get(
    '/courses/:course_id/activity_stream/summary',
    { can: 'read', returns: { json: StreamSummary }, summary: 'Get the activity stream summary of a course' },
    (call) => summary(call),
  ),
  get('/groups/:group_id/activity_stream', { ...list, can: 'read', summary: 'List the activity stream of a group' }, (call) =>
    streamPage(askedBy({ ...call.params, context_code: undefined }, call.me.id), call),
  ),
  get(
    '/groups/:group_id/activity_stream/summary',
    { can: 'read', returns: { json: StreamSummary }, summary: 'Get the activity stream summary of a group' },
    (call) => summary(call),
  ),
  del('/users/self/activity_stream', { can: 'user', returns: { json: null }, summary: 'Hide all activity stream items' }, (call) =>
    hide(call, '*'),
  ),
  del('/users/self/activity_stream/:item', { can: 'user', returns: { json: null }, summary: 'Hide an activity stream item' }, (call) => {
    if (!/^\d{1,16}$/.test(call.path.item)) throw notFound();
    return hide(call, call.path.item);
  }),
];
