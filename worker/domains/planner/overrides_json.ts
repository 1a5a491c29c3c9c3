// Planner overrides as clients see them, with the state of their items.

import { PlannerOverride } from '@carrel/shared/resources/planner_override';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { planner_overrides } from './table';

type OverrideRow = RowOf<typeof planner_overrides>;
export type PlannerOverrideWithColumns = OverrideRow & { readonly assignment_id: number | null; readonly plannable_state: string | null };

/** The assignment of the item in the current `planner_overrides` row. */
const assignmentBehind = sql.raw(`case planner_overrides.plannable_type when 'assignment' then planner_overrides.plannable_id
  when 'discussion_topic' then (select t.assignment_id from discussion_topics t where t.id = planner_overrides.plannable_id)
  when 'quiz' then (select z.assignment_id from quizzes z where z.id = planner_overrides.plannable_id) end`);

const stateOf = (table: string, state = 'one.workflow_state') =>
  `(select ${state} from ${table} one where one.id = planner_overrides.plannable_id)`;

/** Selects of the state of each type of item. */
const statesByType = {
  assignment: stateOf('assignments', "replace(one.workflow_state, 'published', 'active')"),
  discussion_topic: stateOf('discussion_topics'),
  announcement: stateOf('discussion_topics'),
  quiz: stateOf('quizzes', "replace(one.workflow_state, 'available', 'active')"),
  wiki_page: stateOf('pages'),
  planner_note: stateOf('planner_notes'),
  assessment_request: stateOf('assessment_requests', "iif(one.workflow_state = 'deleted', 'deleted', 'active')"),
  calendar_event: stateOf('calendar_events'),
};
/** active, unpublished or deleted; null when the item no longer exists. */
const plannableState = sql.raw(
  `case planner_overrides.plannable_type ${Object.entries(statesByType)
    .map(([type, state]) => `when '${type}' then ${state}`)
    .join(' ')} end`,
);

const states: Record<string, string> = { active: 'active', deleted: 'deleted', locked: 'active' };

export const plannerOverrideJson = (row: PlannerOverrideWithColumns) => ({
  id: row.id,
  plannable_type: row.plannable_type,
  plannable_id: row.plannable_id,
  user_id: row.user_id,
  assignment_id: row.assignment_id,
  workflow_state: row.workflow_state === 'deleted' ? 'deleted' : (lookUp(states, row.plannable_state ?? 'deleted') ?? 'unpublished'),
  marked_complete: row.marked_complete,
  dismissed: row.dismissed,
  created_at: row.created_at,
  updated_at: row.updated_at,
  deleted_at: row.workflow_state === 'deleted' ? row.updated_at : null,
});

export const plannerOverride = serializer({
  resource: PlannerOverride,
  table: planner_overrides,
  columns: () => ({ assignment_id: assignmentBehind.as('assignment_id'), plannable_state: plannableState.as('plannable_state') }),
  json: (row: PlannerOverrideWithColumns) => plannerOverrideJson(row),
});
