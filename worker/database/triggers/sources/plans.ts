// Changes caused by calendars and planners.

import { me, type TriggerSource } from './source.ts';

const eventScope = 'coalesce($.effective_context_code, $.context_code)';

/** A planner override contains the state of its item. */
const marksOn = (table: string, plannable: string): TriggerSource => ({
  table,
  kind: 'planner_override',
  columns: ['workflow_state'],
  select: `select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in (${plannable}) and p.plannable_id = $.id`,
});

export const ofPlans: readonly TriggerSource[] = [
  { table: 'calendar_events', kind: 'calendar_event', item: '$.id', scope: eventScope },
  {
    table: 'calendar_events',
    kind: 'calendar_event',
    item: '$.id',
    scope: eventScope,
    events: ['update'],
    columns: ['context_code', 'effective_context_code'],
    isBefore: true,
  },
  // An event contains its section events.
  {
    table: 'calendar_events',
    kind: 'calendar_event',
    as: 'parent',
    logs: 'the parent event',
    when: '$.parent_event_id is not null',
    select:
      "select coalesce(o.effective_context_code, o.context_code), 'calendar_event', o.id from calendar_events o where o.id = $.parent_event_id",
  },
  { table: 'planner_notes', kind: 'planner_note', item: '$.id', scope: me },
  { table: 'planner_overrides', kind: 'planner_override', item: '$.id', scope: me },
  { table: 'bookmarks', kind: 'bookmark', item: '$.id', scope: me },
  marksOn('planner_notes', "'planner_note'"),
  marksOn('assignments', "'assignment'"),
  marksOn('pages', "'wiki_page'"),
  marksOn('discussion_topics', "'discussion_topic', 'announcement'"),
  marksOn('calendar_events', "'calendar_event'"),
];
