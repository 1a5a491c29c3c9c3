// How discussion topics are copied to another course.

import { sql } from 'drizzle-orm';
import { type CopiedKindFacts, copyOf, inlined, notDeletedAs, ofCourseContext } from '../../rules/copied_kind';
import { discussion_topics } from './table';

export const discussionTopicCopied: CopiedKindFacts = {
  kind: 'discussion_topic',
  table: discussion_topics,
  asset: 'discussion_topic',
  title: 'title',
  // Group topics and topics for some sections are not copied to another course.
  there: (a, course) => `${ofCourseContext(a, course)} and ${notDeletedAs(a)} and ${a}.root_topic_id is null and ${a}.section_ids is null`,
  planned: 'o.assignment_id, o.attachment_id, o.is_announcement',
  text: 'message',
  kept: ['position', 'user_id', 'posted_at', 'last_reply_at', 'entry_count', 'group_category_id', 'assignment_id'],
  differing: (route) => ({
    context_id: inlined(route.to),
    user_id: inlined(route.user_id),
    assignment_id: copyOf('assignment', sql`o.assignment_id`, route),
    attachment_id: copyOf('file', sql`o.attachment_id`, route),
    group_category_id: sql`null`,
    entry_count: sql`0`,
    posted_at: sql`case when o.workflow_state = 'active' then ${route.now} end`,
    last_reply_at: sql`case when o.workflow_state = 'active' then ${route.now} end`,
  }),
};
