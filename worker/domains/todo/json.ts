// To-do items as clients see them.

import type { Json } from '@carrel/shared/resources/resource';
import { Todo } from '@carrel/shared/resources/todo';
import { sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { isInSelect } from '../../database/ids';
import type { Statement } from '../../database/open';
import { together, withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { startAfter } from '../../http/page';
import { planListing, serializer } from '../../http/serializer';
import { assignment, type ComputedRow } from '../assignments/json';
import { assignments } from '../assignments/table';
import { courseNameSql } from '../calendar_events/json';
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
