// Writes that change a calendar event in the feed, and what blueprints record of it.

import { type BlueprintSource, showingUser, type TriggerSource } from '../../database/triggers/source.ts';

/** Events of a context code. */
const eventsOf = (code: string) =>
  `select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = ${code} and e.workflow_state <> 'deleted'`;

const eventScope = 'coalesce($.effective_context_code, $.context_code)';

export const calendarEventSources: readonly TriggerSource[] = [
  showingUser('calendar_event', eventsOf("'user_' || $.id")),
  // Events contain the user's custom colours of contexts.
  {
    table: 'users',
    kind: 'calendar_event',
    as: 'colors',
    events: ['update'],
    columns: ['settings'],
    select: `select 'user_' || $.id, 'calendar_event', e.id from json_each(coalesce($.settings -> '$.custom_colors', '{}')) c
      join calendar_events e on e.workflow_state <> 'deleted' and (e.context_code = c.key or e.parent_event_id in (select o.id from calendar_events o where o.context_code = c.key and o.workflow_state <> 'deleted'))
      where c.value is not (old.settings -> '$.custom_colors' ->> c.key)`,
  },
  {
    table: 'courses',
    kind: 'calendar_event',
    events: ['update'],
    columns: ['name', 'friendly_name'],
    select: eventsOf("'course_' || $.id"),
  },
  {
    table: 'sections',
    kind: 'calendar_event',
    events: ['update'],
    columns: ['name'],
    select: `${eventsOf("'course_section_' || $.id")}
      union all select o.context_code, 'calendar_event', o.id from calendar_events o where o.workflow_state <> 'deleted' and o.id in (select e.parent_event_id from calendar_events e where e.context_code = 'course_section_' || $.id and e.workflow_state <> 'deleted')`,
  },
  {
    table: 'course_nicknames',
    kind: 'calendar_event',
    select:
      "select 'user_' || $.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || $.course_id and e.workflow_state <> 'deleted'",
  },
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
  { table: 'groups', kind: 'calendar_event', events: ['update'], columns: ['name'], select: eventsOf("'group_' || $.id") },
];

export const calendarEventBlueprint: BlueprintSource = {
  table: 'calendar_events',
  kind: 'calendar_event',
  course: 'cast(substr($.context_code, 8) as integer)',
  of: "$.context_code glob 'course_[0-9]*'",
};
