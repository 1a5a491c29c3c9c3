// Writes that change a planner note or override in the feed.

import { me, type TriggerSource } from '../../database/triggers/source.ts';

/** A planner override contains the state of its item. */
const marksOn = (table: string, plannable: string): TriggerSource => ({
  table,
  kind: 'planner_override',
  columns: ['workflow_state'],
  select: `select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in (${plannable}) and p.plannable_id = $.id`,
});

export const plannerNoteSources: readonly TriggerSource[] = [{ table: 'planner_notes', kind: 'planner_note', item: '$.id', scope: me }];

export const plannerOverrideSources: readonly TriggerSource[] = [
  { table: 'planner_overrides', kind: 'planner_override', item: '$.id', scope: me },
  marksOn('planner_notes', "'planner_note'"),
  marksOn('assignments', "'assignment'"),
  marksOn('quizzes', "'quiz'"),
  marksOn('pages', "'wiki_page'"),
  marksOn('discussion_topics', "'discussion_topic', 'announcement'"),
  marksOn('calendar_events', "'calendar_event'"),
  marksOn('assessment_requests', "'assessment_request'"),
];
