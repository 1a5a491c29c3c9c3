// A page of the planner: all kinds merged in date order, cut to size, with the user's progress. One statement.

import { sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { shared, sharedMark } from '../../database/shared';
import type { Call } from '../../http/call';
import { startAfter } from '../../http/page';
import { isNewQuizIn } from '../../rules/new_quizzes';
import { isAnonymousReviewOf } from '../../rules/peer_reviews';
import { courseNameSql } from '../calendar_events/json';
import { pictureOf } from '../courses/pictures';
import { hasFeedback, type ItemFilter, isTopicRead, unreadEntries } from './filters';
import type { PlannerScope } from './reach';
import { type Stretch, strands } from './strands';

interface Asked {
  readonly reach: PlannerScope;
  readonly stretch: Stretch;
  readonly filter?: ItemFilter;
  readonly isDescending: boolean;
}

export interface PlannerItemRow {
  readonly type: string;
  readonly rank: number;
  readonly id: number;
  readonly at: string;
  readonly course_id: number | null;
  readonly assignment_id: number | null;
  readonly topic_id: number | null;
  readonly title: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly extra: string;
  readonly context_name: string | null;
  readonly context_image: string | null;
  /** The name of the course or group. */
  readonly account_name: string | null;
  readonly override: string | null;
  readonly work: string | null;
  readonly comment: string | null;
  readonly is_topic_read: number | null;
  readonly unread_count: number;
  readonly has_feedback: number;
}

/** The statement reads one item more than the page size, to detect a next page. */
export function itemRows({ reach, stretch, filter, isDescending }: Asked, call: Call) {
  const { per_page, number } = call.page;
  const after = startAfter(call.page, 3);
  const subject = shared('user', reach.subject);
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const order = sql`item.at ${direction}, item.rank ${direction}, item.id ${direction}`;
  const beyond = after
    ? sql` and (item.at, item.rank, item.id) ${sql.raw(isDescending ? '<' : '>')} (${sql.join(sharedMark(after), sql`, `)})`
    : sql``;
  const offset = number === undefined ? 0 : (number - 1) * per_page;
  const walk = { after, isDescending, most: offset + per_page + 1, filter };
  const { common, all } = strands(reach, stretch, walk, call.now);
  const columns = (table: string, names: readonly string[]) => sql.raw(names.map((name) => `'${name}', ${table}.${name}`).join(', '));
  const overrideColumns = [
    'id',
    'plannable_type',
    'plannable_id',
    'user_id',
    'marked_complete',
    'dismissed',
    'created_at',
    'updated_at',
    'workflow_state',
  ];
  const workColumns = [
    'submission_type',
    'submitted_at',
    'excused',
    'late_policy_status',
    'seconds_late_override',
    'grader_id',
    'graded_at',
    'posted_at',
    'score',
    'workflow_state',
    'graded_attempt',
    'attempt',
    'redo_requested_at',
  ];
  return call.db.build.all<PlannerItemRow>(sql`with ${common},
    item as materialized (select * from (${all}) item where item.at between ${shared('start', stretch.start)} and ${shared('end', stretch.end)}${beyond}
      order by ${order} limit ${atMost(per_page + 1)} offset ${atMost(offset)})
    select item.*,
      ${courseNameSql(sql.raw('item.course_id'), call)} as context_name,
      ${pictureOf(sql.raw('item.course_id'))} as context_image,
      case when item.course_id is not null then null
        when substr(json_extract(item.extra, '$.context_code'), 1, 6) = 'group_' then (select g.name from groups g where g.id = cast(substr(json_extract(item.extra, '$.context_code'), 7) as integer))
        else (select a.name from accounts a where a.id = cast(substr(json_extract(item.extra, '$.context_code'), 9) as integer)) end as account_name,
      (select json_object(${columns('o', overrideColumns)}, 'assignment_id', item.assignment_id) from planner_overrides o
        where o.user_id = ${subject} and o.plannable_type = item.type and o.plannable_id = item.mark_id and o.workflow_state = 'active') as override,
      (select json_object(${columns('a', ['submission_types', 'post_manually'])}, 'is_new_quiz', ${isNewQuizIn('a')}, 'submission', (select json_object(${columns('s', workColumns)}) from submissions s where s.assignment_id = a.id and s.user_id = ${subject} and s.workflow_state <> 'deleted'))
        from assignments a where a.id = item.assignment_id) as work,
      (select json_object('comment', c.comment, 'author_id', c.author_id, 'author_name', u.short_name, 'avatar_url', u.avatar_url)
        from submissions s join submission_comments c on c.submission_id = s.id left join users u on u.id = c.author_id and not ${isAnonymousReviewOf('c')}
        where s.assignment_id = item.assignment_id and s.user_id = ${subject} and c.author_id <> ${subject} and c.workflow_state = 'active' and not c.is_draft order by c.id desc limit 1) as comment,
      case when item.topic_id is not null then ${isTopicRead('item.topic_id', subject)} end as is_topic_read,
      ${unreadEntries('item.topic_id', subject)} as unread_count,
      ${hasFeedback('item.assignment_id', subject)} as has_feedback
    from item order by ${order}`);
}
