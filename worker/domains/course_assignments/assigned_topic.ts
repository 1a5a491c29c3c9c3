// The topic of an assignment that is created or duplicated as a discussion.

import { isTheOnly } from '../../rules/submission_types';
import { newestAssignment } from '../assignments/writes';
import type { TopicRow } from '../discussion_topics/rights';
import { type Around, makeTopic } from '../discussion_topics/writes';

interface Assigned {
  readonly name: string;
  readonly description?: string | null;
  readonly submission_types?: readonly string[];
  readonly group_category_id?: number | null;
  readonly workflow_state?: string;
}

/** What a copy of a topic keeps. */
const settingsOf = (topic: TopicRow) => ({
  discussion_type: topic.discussion_type,
  require_initial_post: topic.require_initial_post,
  allow_rating: topic.allow_rating,
  only_graders_can_rate: topic.only_graders_can_rate,
  sort_by_rating: topic.sort_by_rating,
  podcast_enabled: topic.podcast_enabled,
  podcast_has_student_posts: topic.podcast_has_student_posts,
  sort_order: topic.sort_order,
  sort_order_locked: topic.sort_order_locked,
  expanded: topic.expanded,
  expanded_locked: topic.expanded_locked,
});

/** Statements for the batch that inserts the assignment, after that; none unless it is a discussion. @param source the topic whose settings it gets */
export const makeTopicOf = (around: Around, assignment: Assigned, source?: TopicRow) =>
  isTheOnly('discussion_topic', assignment.submission_types)
    ? makeTopic(around, {
        ...(source && settingsOf(source)),
        title: assignment.name,
        message: assignment.description,
        group_category_id: assignment.group_category_id,
        assignment_id: newestAssignment,
        workflow_state: assignment.workflow_state === 'published' ? 'active' : 'unpublished',
        posted_at: around.now,
        last_reply_at: around.now,
      })
    : [];
