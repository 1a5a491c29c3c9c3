// The full view of a discussion: participants, the caller's read state, and nested entries (reference 05 §4.6).

import { DiscussionView } from '@carrel/shared/resources/discussion_entry';
import { bool, optional } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import { withHost } from '../../../html/addresses';
import type { Call } from '../../../http/call';
import { answer, type Reply } from '../../../http/reply';
import { planListing } from '../../../http/serializer';
import { file, filesByIds } from '../../files/json';
import { displayColumns, userDisplay } from '../../users/display';
import { users } from '../../users/table';
import { type Entering, listener, selectTopic, selectTopicLocks } from '../gate';
import { withChildren } from '../group_topics/children';
import { isGroup, topicJsonCall } from '../place';
import { discussion_entry_reads } from '../table';
import { type KeptEntry, lags, peopleIn, putDown, selectFresh, selectParts, viewEntriesOf } from './kept_view';
import { type Nested, nest } from './threading';

export const fullViewParams = {
  params: { include_new_entries: optional(bool), include_enrollment_state: optional(bool) },
  returns: { json: DiscussionView },
} as const;

type Viewing = Entering & Omit<Call, 'course' | 'path' | 'params' | 'id'>;

function told(entry: KeptEntry, attached: object | undefined, isNameless: boolean, origin: string): Nested & Record<string, unknown> {
  const { id, user_id, parent_id, created_at, updated_at, rating_sum, rating_count, message, editor_id } = entry;
  const base = { id, parent_id, created_at, updated_at };
  if (entry.workflow_state === 'deleted') return { ...base, deleted: true, ...(editor_id !== null && !isNameless && { editor_id }) };
  return {
    ...base,
    ...(!isNameless && { user_id }),
    rating_sum,
    rating_count,
    message: withHost(message, origin, entry.file_verifiers),
    ...(editor_id !== null && editor_id !== user_id && !isNameless && { editor_id }),
    ...(attached && { attachment: attached }),
  };
}

export async function viewTopic(call: Viewing, id: number, params: { include_enrollment_state?: boolean }): Promise<Reply> {
  const { db, me, course, origin } = call;
  const all = withChildren(course, id, me.id);
  const attachments = planListing(
    file,
    filesByIds(sql`select attachment_id from discussion_entries where discussion_topic_id in (${all}) and attachment_id is not null`),
    topicJsonCall(call),
  );
  const [topicRows, locks, parts, fresh, marks, people, ...files] = await db.perform([
    selectTopic(call, id),
    selectTopicLocks(call, id),
    selectParts(db, all),
    selectFresh(db, all),
    db.build
      .select()
      .from(discussion_entry_reads)
      .where(and(isInSelect(discussion_entry_reads.discussion_topic_id, all), eq(discussion_entry_reads.user_id, me.id))),
    db.build
      .select({
        ...displayColumns,
        is_active:
          sql<number>`exists (select 1 from enrollments e where e.user_id = users.id and e.course_id = ${isGroup(course) ? (course.group.course?.id ?? 0) : course.id} and e.enrollment_state in ('active', 'invited'))`.as(
            'is_active',
          ),
      })
      .from(users)
      .where(isInSelect(users.id, peopleIn(all)))
      .orderBy(users.id),
    ...attachments.statements,
  ]);
  const { topic } = listener(topicRows, locks, call);
  const entries = viewEntriesOf(parts, fresh);
  const { aside } = db;
  if (lags(fresh)) call.afterwards(() => aside.perform(putDown(aside, all)));
  const isNameless = topic.anonymous_state === 'full_anonymity';
  const attached = attachments.tell(files as readonly unknown[]);
  const read = new Set(marks.filter((mark) => mark.read).map((mark) => mark.discussion_entry_id));
  const nested = nest(
    entries.map((entry) => told(entry, attached.find(({ row }) => row.id === entry.attachment_id)?.json, isNameless, origin)),
    topic.sort_by_rating,
  );
  return answer({
    participants: isNameless
      ? []
      : people.map(({ is_active, ...person }) => ({
          ...userDisplay(person, origin),
          ...(params.include_enrollment_state && { isInactive: is_active !== 1 }),
        })),
    unread_entries: entries.filter((entry) => entry.workflow_state === 'active' && !read.has(entry.id)).map((entry) => entry.id),
    forced_entries: marks.filter((mark) => mark.forced).map((mark) => mark.discussion_entry_id),
    entry_ratings: topic.allow_rating
      ? Object.fromEntries(marks.filter((mark) => mark.rating !== null).map((mark) => [mark.discussion_entry_id, mark.rating]))
      : {},
    view: nested,
    new_entries: [],
  });
}
