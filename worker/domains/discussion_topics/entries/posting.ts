// Posts entries, and decides who may change them.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import { shared } from '../../../database/shared';
import { storableHtml } from '../../../html/kept';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { found, invalid, notFound, unauthorized } from '../../../http/problem';
import { one, type Reply, write } from '../../../http/reply';
import { planListing } from '../../../http/serializer';
import { notifyOfInsert } from '../../../rules/notify';
import { attachment } from '../attachments';
import { asParticipant, type Entering, reader, selectTopic, type TopicAccess } from '../gate';
import { submitGradedReply } from '../graded_assignment';
import { withChildren } from '../group_topics/children';
import { discussionTopic } from '../json';
import { isGroup, progressed, topicJsonCall } from '../place';
import { mayChangeEntry } from '../rights';
import { discussion_entries, discussion_topics } from '../table';
import { parentEntryOf } from './threading';

/** In a group discussion, entries of readable group topics count as entries of the root topic. */
export const readsEntries = ({ course, me }: Pick<Entering, 'course' | 'me'>, topic_id: number) =>
  sql`+discussion_entries.discussion_topic_id in (${withChildren(course, topic_id, me.id)})`;
export const selectEntry = (call: Pick<Entering, 'db' | 'course' | 'me'>, topic_id: number, id: number) =>
  call.db.build
    .select()
    .from(discussion_entries)
    .where(sql`discussion_entries.id = ${id} and ${readsEntries(call, topic_id)}`);

export type Posting = Entering & Omit<Call, 'course' | 'path' | 'params' | 'id'>;

/** Marks the entry as read by its author, updates the topic's last reply time, and submits a graded topic. */
function afterPosting(call: Posting, topic: TopicAccess['topic'], placed_in: number, mine: SQL): Statement[] {
  const { db, me, now } = call;
  const course = isGroup(call.course) ? call.course.group.course : call.course;
  const graded = topic.assignment_id ?? topic.root_assignment_id;
  return [
    db.build.run(sql`update discussion_entries set root_entry_id = id where id = ${mine} and root_entry_id is null`),
    db.build.run(
      sql`insert into discussion_entry_reads (discussion_entry_id, discussion_topic_id, user_id, read) values (${mine}, ${placed_in}, ${shared('user', me.id)}, 1)`,
    ),
    db.build.run(sql`update discussion_topics set last_reply_at = ${now} where id = ${placed_in}`),
    ...(graded !== null && course?.participates ? submitGradedReply({ ...call, course }, graded) : []),
  ];
}

/** @param answers the entry that is replied to */
export async function postEntry(
  call: Posting,
  given: { message?: string; attachment?: unknown },
  topic_id: number,
  answers?: number,
): Promise<Reply> {
  const { db, me, now, course } = call;
  const file = attachment(call, given.attachment);
  const telling = planListing(discussionTopic, rows(discussion_topics, { where: eq(discussion_topics.id, topic_id) }), topicJsonCall(call));
  const [topicRows, [answered], blob, used, ...result] = await db.perform([
    selectTopic(call, topic_id),
    selectEntry(call, topic_id, answers ?? 0),
    ...file.statements,
    ...telling.statements,
  ]);
  const { topic, forum } = answers === undefined ? reader(topicRows, call) : asParticipant(topicRows, call);
  if (answers !== undefined && answered?.workflow_state !== 'active') throw notFound();
  // Permissions as serialised for the caller, with the locks of module and assignment.
  const { permissions } = found(telling.tell(result)[0]).json as { permissions: { reply: boolean } };
  if (!permissions.reply) throw unauthorized();
  const attached = await file.receive([blob, used], forum.attaches);
  const message = storableHtml(given.message ?? '', call);
  if (message.trim() === '' && !attached) throw invalid('message', 'blank');
  const parent_id = parentEntryOf(topic.discussion_type, answered);
  // A reply belongs to the topic of its parent entry, which may be a group topic.
  const placed_in = answered?.discussion_topic_id ?? topic_id;
  const mine = sql`(select max(id) from discussion_entries where discussion_topic_id = ${placed_in} and user_id = ${shared('user', me.id)})`;
  return write(
    [
      ...progressed(call, course, topic, 'contributed'),
      ...(attached?.statements ?? []),
      db.build.insert(discussion_entries).values({
        discussion_topic_id: placed_in,
        user_id: me.id,
        parent_id,
        root_entry_id: parent_id === null ? null : (answered?.root_entry_id ?? answered?.id),
        message,
        attachment_id: attached?.id,
        created_at: now,
        updated_at: now,
      }),
      ...notifyOfInsert(db, discussion_entries, now),
      ...afterPosting(call, topic, placed_in, mine),
    ],
    one(rows(discussion_entries, { where: sql`discussion_entries.id = ${mine}` })),
  );
}

/** The attachment sent with an update, if the caller may add it. */
export async function forChange(call: Posting, topic_id: number, id: number, given?: unknown) {
  const file = attachment(call, given);
  const [topicRows, [entry], ...forFile] = await call.db.perform([
    selectTopic(call, topic_id),
    selectEntry(call, topic_id, id),
    ...file.statements,
  ]);
  const { topic, forum } = asParticipant(topicRows, call);
  if (entry?.workflow_state !== 'active') throw notFound();
  if (!mayChangeEntry(entry.user_id, topic, forum, call.now)) throw unauthorized();
  return file.receive(forFile, forum.attaches);
}
