// Writes and times that change a page in the feed, and what blueprints record and lock of it.

import {
  type BlueprintSource,
  context,
  contextScope,
  courseContent,
  type ScheduleSource,
  showingUser,
  type TriggerSource,
} from '../../database/triggers/source.ts';

export const pageSources: readonly TriggerSource[] = [
  showingUser(
    'page',
    `select ${contextScope('p')}, 'page', p.id from pages p where p.last_edited_by_id = $.id and p.workflow_state <> 'deleted'`,
  ),
  { table: 'pages', kind: 'page', item: '$.id', scope: context },
];

export const pageSchedule: readonly ScheduleSource[] = [
  { table: 'pages', kind: 'page', item: '$.id', scope: context, fields: ['publish_at'] },
];

export const pageBlueprint = {
  table: 'pages',
  kind: 'page',
  ...courseContent,
  locks: { content: ['title', 'body'], state: ['workflow_state'] },
} as const satisfies BlueprintSource;
