// To-do items and missing assignments as clients see them.

import type { Json } from '@carrel/shared/resources/resource';
import { MissedAssignment, Todo } from '@carrel/shared/resources/todo';
import { sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { isInSelect } from '../../database/ids';
import type { Statement } from '../../database/open';
import { shared } from '../../database/shared';
import { together, withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import { type RowOf, rows } from '../../http/listing';
import { startAfter } from '../../http/page';
import { embed, planListing, serializer } from '../../http/serializer';
import { assignment, type ComputedRow } from '../assignments/json';
import { assignments } from '../assignments/table';
import { courseNameSql } from '../calendar_events/json';
import { course as courseJson } from '../courses/json';
import { courses } from '../courses/table';
import { type PlannerOverrideWithColumns, plannableState, plannerOverrideJson } from '../planner/overrides_json';
import { type DueItem, dueRows } from './due';
import { byTodoKey, type TodoEntry, todoActions } from './entry';
import { planUngraded } from './ungraded';

/** Only declares the format: `planTodo` serialises the rows, because a page spans several tables. */
export const todo = serializer({ resource: Todo, table: assignments, json: (item: object) => item });

type DueRow = DueItem & { readonly context_name: string };

/** Plans to read the items of a type that a page may contain, and to serialise them. */
function planType(type: DueItem['type'], call: Call) {
  const { per_page, number } = call.page;
  const after = startAfter(call.page, 3);
  const beyond = after ? sql`where (at, assignment_id, type) > (${after[0]}, ${after[1]}, ${after[2]})` : sql``;
  const chosen = sql`select * from (${dueRows(type, call, { per_page, number, after })}) ${beyond} order by at, assignment_id limit ${atMost(per_page * (number ?? 1) + 1)}`;
  const read = withColumns(
    call.db.build.all<DueRow>(
      sql`select due.type, due.assignment_id, due.at, due.needs_grading_count, ${courseNameSql(sql.raw('a.course_id'), call)} as context_name from (${chosen}) due join assignments a on a.id = due.assignment_id`,
    ),
    ['type', 'assignment_id', 'at', 'needs_grading_count', 'context_name'],
  );
  return together(call.db, (all) => {
    const ids = sql`select assignment_id from ${all?.source(read) ?? sql`(${chosen})`}`;
    const beside = planListing(assignment, rows(assignments, { where: isInSelect(assignments.id, ids) }), call, undefined, all);
    return {
      statements: [read, ...beside.statements] as Statement[],
      tell([found, ...others]: readonly unknown[]) {
        const result = new Map(beside.tell(others).map(({ row, json }) => [(row as ComputedRow).id, json]));
        return (found as DueRow[]).map(
          (due): TodoEntry => ({
            key: { at: due.at, id: due.assignment_id, type: due.type },
            json: todoJson(due, result.get(due.assignment_id) as { course_id: number }, call),
          }),
        );
      },
    };
  });
}

/** Plans to read one item more than the page size, and to serialise them. */
export function planTodo(call: Call) {
  const plans = [
    planType('submitting', call),
    planType('grading', call),
    ...(call.include.has('ungraded_quizzes') ? [planUngraded(call)] : []),
  ];
  const { per_page, number = 1 } = call.page;
  const start = (number - 1) * per_page;
  return {
    statements: plans.flatMap(({ statements }) => statements),
    tell(results: readonly unknown[]) {
      let at = 0;
      const all = plans.flatMap((plan) => {
        const first = at;
        at += plan.statements.length;
        return plan.tell(results.slice(first, at));
      });
      return all.sort((one, other) => byTodoKey(one.key, other.key)).slice(start, start + per_page + 1);
    },
  };
}

function todoJson(due: DueRow, given: { readonly course_id: number }, call: Call): Json<typeof Todo> {
  const course = `${call.origin}/courses/${given.course_id}`;
  return {
    context_type: 'Course',
    course_id: given.course_id,
    context_name: due.context_name,
    type: due.type,
    ...todoActions(`assignment_${due.assignment_id}`, due.type, call.origin),
    html_url:
      due.type === 'grading'
        ? `${course}/gradebook/speed_grader?assignment_id=${due.assignment_id}`
        : `${course}/assignments/${due.assignment_id}#submit`,
    assignment: given as Json<typeof Todo>['assignment'],
    ...(due.needs_grading_count !== null && { needs_grading_count: due.needs_grading_count }),
  };
}

/** The planner override of a row of `assignments`, as JSON. */
const planMark = (
  call: Call,
) => sql`(select json_object('id', planner_overrides.id, 'plannable_type', planner_overrides.plannable_type, 'plannable_id', planner_overrides.plannable_id, 'user_id', planner_overrides.user_id, 'assignment_id', assignments.id,
    'plannable_state', ${plannableState(['assignment', 'quiz', 'discussion_topic'])}, 'workflow_state', planner_overrides.workflow_state, 'marked_complete', planner_overrides.marked_complete, 'dismissed', planner_overrides.dismissed, 'created_at', planner_overrides.created_at, 'updated_at', planner_overrides.updated_at)
  from planner_overrides where planner_overrides.user_id = ${shared('user', call.user?.id ?? call.me.id)} and planner_overrides.workflow_state = 'active'
    and (planner_overrides.plannable_type, planner_overrides.plannable_id) in (select 'assignment', assignments.id
      union all select 'quiz', z.id from quizzes z where z.assignment_id = assignments.id and z.assignment_id is not null and z.workflow_state <> 'deleted'
      union all select 'discussion_topic', t.id from discussion_topics t where t.assignment_id = assignments.id and t.workflow_state <> 'deleted') limit 1)`;

/** A missing assignment. */
export const missedAssignment = serializer({
  resource: MissedAssignment,
  table: assignments,
  columns: (call) => ({ plan_mark: (call.include.has('planner_overrides') ? planMark(call) : sql`null`).as('plan_mark') }),
  also(given, call) {
    // The page is in `from`, because D1 limits expression depth to 100.
    return {
      told: embed(assignment, rows(assignments, { where: isInSelect(assignments.id, sql`select id from (${given}) page`) })),
      courses: call.include.has('course')
        ? embed(
            courseJson,
            rows(courses, {
              where: isInSelect(courses.id, sql`select a.course_id from (${given}) page join assignments a on a.id = page.id`),
            }),
          )
        : undefined,
    };
  },
  json(row: Pick<RowOf<typeof assignments>, 'id' | 'course_id'> & { readonly plan_mark: string | null }, call, { told, courses: around }) {
    const mark = row.plan_mark === null ? null : (JSON.parse(row.plan_mark) as PlannerOverrideWithColumns);
    return {
      ...told.find((one) => one.row.id === row.id)?.json,
      planner_override: call.include.has('planner_overrides')
        ? mark && plannerOverrideJson({ ...mark, marked_complete: Boolean(mark.marked_complete), dismissed: Boolean(mark.dismissed) })
        : undefined,
      course: around?.find((one) => one.row.id === row.course_id)?.json,
    };
  },
});
