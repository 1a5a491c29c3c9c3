// How discussion topics are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, copyOf, notDeletedAs, ofCourseContext } from '../../rules/copied_kind';
import { discussion_topics } from './table';

export const discussionTopicCopied: CopiedKindFacts = {
  kind: 'discussion_topic',
  table: discussion_topics,
  asset: 'discussion_topic',
  title: 'title',
  // Group topics and topics for some sections are not copied to another course.
  there: (a, course) =>
    sql`${ofCourseContext(a, course)} and ${notDeletedAs(a)} and ${sql.raw(a)}.root_topic_id is null and ${sql.raw(a)}.section_ids is null`,
  planned: 'o.assignment_id, o.attachment_id, o.is_announcement',
  text: 'message',
  kept: ['position', 'user_id', 'posted_at', 'last_reply_at', 'entry_count', 'group_category_id', 'assignment_id'],
  differing: (route) => ({
    context_id: shared('course', route.to),
    user_id: shared('user', route.user_id),
    assignment_id: copyOf('assignment', sql`o.assignment_id`, route),
    attachment_id: copyOf('file', sql`o.attachment_id`, route),
    group_category_id: sql`null`,
    entry_count: sql`0`,
    posted_at: sql`case when o.workflow_state = 'active' then ${route.now} end`,
    last_reply_at: sql`case when o.workflow_state = 'active' then ${route.now} end`,
  }),
};
