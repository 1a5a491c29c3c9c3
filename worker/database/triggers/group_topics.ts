// Group discussions: keeps a topic in each group of the set in step with the course's topic (reference 05 §4.4).

import { nowSql } from './now.ts';
import { trigger } from './trigger.ts';

/** Columns that a group topic copies from its root topic. */
const shared = [
  'message',
  'discussion_type',
  'locked',
  'delayed_post_at',
  'lock_at',
  'require_initial_post',
  'allow_rating',
  'only_graders_can_rate',
  'sort_by_rating',
];
const named = (topic: string, group: string) => `substr(${topic}.title || ' - ' || ${group}.name, 1, 250)`;
const isRoot = (row: string) => `${row}.group_category_id is not null and ${row}.root_topic_id is null and ${row}.context_type = 'Course'`;

/** Topics for groups of the set that have none. */
const begin = (
  where: string,
) => `insert into discussion_topics (context_type, context_id, title, user_id, position, root_topic_id, workflow_state, posted_at, last_reply_at, ${shared.join(', ')}, created_at, updated_at)
  select 'Group', g.id, ${named('r', 'g')}, r.user_id,
    (select coalesce(max(o.position), 0) + 1 from discussion_topics o where o.context_type = 'Group' and o.context_id = g.id and o.is_announcement = 0 and o.pinned = 0),
    r.id, r.workflow_state, r.posted_at, r.last_reply_at, ${shared.map((name) => `r.${name}`).join(', ')}, ${nowSql}, ${nowSql}
  from discussion_topics r join groups g on g.group_category_id = r.group_category_id and g.workflow_state = 'available'
  where ${isRoot('r')} and r.workflow_state <> 'deleted' and ${where}
    and not exists (select 1 from discussion_topics t where t.root_topic_id = r.id and t.context_type = 'Group' and t.context_id = g.id);`;

const inSet = "context_type = 'Group' and context_id in (select g.id from groups g where g.group_category_id = new.group_category_id)";

const step = `update discussion_topics set title = (select ${named('new', 'g')} from groups g where g.id = discussion_topics.context_id),
    ${shared.map((name) => `${name} = new.${name}`).join(', ')}, posted_at = new.posted_at, workflow_state = new.workflow_state, updated_at = ${nowSql}
  where root_topic_id = new.id and ${inSet};`;

export const groupTopicTriggers = [
  trigger({
    on: 'discussion_topics',
    name: 'group_topics_begin',
    event: 'insert',
    when: isRoot('new'),
    run: [begin('r.id = new.id')],
    purpose: 'Create the topics of all groups in the group set of a new topic.',
  }),
  trigger({
    on: 'discussion_topics',
    name: 'group_topics_step',
    event: 'update',
    of: ['title', 'workflow_state', 'posted_at', ...shared],
    when: isRoot('new'),
    run: [step],
    purpose: 'Copy the changes of a topic to the topics of its groups.',
  }),
  trigger({
    on: 'discussion_topics',
    name: 'group_topics_set',
    event: 'update',
    of: ['group_category_id'],
    when: 'new.group_category_id is not old.group_category_id and new.root_topic_id is null',
    run: [
      `update discussion_topics set workflow_state = 'deleted', updated_at = ${nowSql} where root_topic_id = new.id and workflow_state <> 'deleted' and not (new.group_category_id is not null and ${inSet});`,
      step,
      begin('r.id = new.id'),
    ],
    purpose: 'Replace the topics of groups when a topic gets another group set.',
  }),
  trigger({
    on: 'groups',
    name: 'group_topics_begin',
    event: 'insert',
    run: [begin('r.group_category_id = new.group_category_id and g.id = new.id')],
    purpose: 'Create the topics of a new group.',
  }),
  trigger({
    on: 'groups',
    name: 'group_topics_named',
    event: 'update',
    of: ['name'],
    when: 'new.name <> old.name',
    run: [
      `update discussion_topics set title = (select ${named('r', 'new')} from discussion_topics r where r.id = discussion_topics.root_topic_id), updated_at = ${nowSql}
    where context_type = 'Group' and context_id = new.id and root_topic_id is not null;`,
    ],
    purpose: 'Rename the topics of a renamed group.',
  }),
];
