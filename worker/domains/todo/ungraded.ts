// To-do items of practice quizzes and surveys: those with a due date that the caller has not turned in as a student.

import type { Json } from '@carrel/shared/resources/resource';
import type { Todo } from '@carrel/shared/resources/todo';
import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { isInSelect } from '../../database/ids';
import type { Statement } from '../../database/open';
import { shared } from '../../database/shared';
import { together, withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { startAfter } from '../../http/page';
import { planListing } from '../../http/serializer';
import { courseNameSql } from '../calendar_events/json';
import { ownCourseIds } from '../courses/own_courses';
import { closedModulesIn, isReachable } from '../modules/items/content';
import { quiz } from '../quizzes/json';
import { quizzes } from '../quizzes/table';
import { submittingWindow } from './due';
import { type TodoEntry, todoActions } from './entry';

interface UngradedRow {
  readonly quiz_id: number;
  readonly at: string;
  readonly course_id: number;
  readonly context_name: string;
}

/** A select of the quizzes with their dates, at most `most` per course. */
export function ungradedRows({ me: viewer, now, course }: Pick<Call, 'me' | 'now' | 'course'>, most = -1, after?: readonly unknown[]): SQL {
  const me = shared('user', viewer.id);
  const places = sql`select id from learning`;
  const beyond = after ? sql` and (z.due_at, z.id, 'quiz') > (${after[0]}, ${after[1]}, ${after[2]})` : sql``;
  const isIgnored = sql`exists (select 1 from ignored_todos g where g.user_id = ${me} and g.asset_string = 'quiz_' || z.id and g.purpose = 'submitting' and (g.permanent or g.updated_at >= z.updated_at))`;
  const isTurnedIn = sql`exists (select 1 from quiz_submissions done where done.quiz_id = z.id and done.user_id = ${me} and (done.workflow_state in ('complete', 'pending_review') or done.kept_score is not null))`;
  const chosen = sql`select z.id from quizzes z where z.course_id = learning.id and z.assignment_id is null and z.workflow_state = 'available' and z.due_at ${submittingWindow(now)}
      and coalesce(z.unlock_at, '') <= ${shared('time', now)} and coalesce(z.lock_at, '9999') > ${shared('time', now)}
      and not ${isTurnedIn} and not ${isIgnored} and ${isReachable('Quiz', 'z.id', sql`select id from closed`)}${beyond} order by z.due_at, z.id limit ${sql.raw(String(most))}`;
  return sql`with learning(id) as materialized (with own(id) as (${ownCourseIds(me, { enrollment_type: 'student', enrollment_state: 'active' }, now)}) select id from own${course ? sql` where id = ${shared('course', course.id)}` : sql``}),
    closed(id) as materialized (${closedModulesIn(places, viewer.id, sql`0`)})
    select z.id as quiz_id, z.due_at as at, z.course_id as course_id from learning cross join quizzes z on z.id in (select id from (${chosen}))`;
}

/** Plans to read one item more than the page may contain, and to serialise them. */
export function planUngraded(call: Call) {
  const { per_page, number } = call.page;
  const most = per_page * (number ?? 1) + 1;
  const chosen = sql`select * from (${ungradedRows(call, most, startAfter(call.page, 3))}) order by at, quiz_id limit ${atMost(most)}`;
  const read = withColumns(
    call.db.build.all<UngradedRow>(
      sql`select due.quiz_id, due.at, due.course_id, ${courseNameSql(sql.raw('due.course_id'), call)} as context_name from (${chosen}) due`,
    ),
    ['quiz_id', 'at', 'course_id', 'context_name'],
  );
  return together(call.db, (all) => {
    const ids = sql`select quiz_id from ${all?.source(read) ?? sql`(${chosen})`}`;
    const beside = planListing(quiz, rows(quizzes, { where: isInSelect(quizzes.id, ids) }), call, undefined, all);
    return {
      statements: [read, ...beside.statements] as Statement[],
      tell([found, ...others]: readonly unknown[]): TodoEntry[] {
        const result = new Map(beside.tell(others).map(({ row, json }) => [row.id, json]));
        return (found as UngradedRow[]).map((due) => ({
          key: { at: due.at, id: due.quiz_id, type: 'quiz' },
          json: ungradedJson(due, result.get(due.quiz_id) as QuizJson, call),
        }));
      },
    };
  });
}

type QuizJson = { readonly permissions: object };

/** Only quizzes that the caller may take are to do. */
const ungradedJson = ({ quiz_id, course_id, context_name }: UngradedRow, given: QuizJson, { origin }: Call): Json<typeof Todo> => ({
  context_type: 'Course',
  course_id,
  context_name,
  type: 'submitting',
  ...todoActions(`quiz_${quiz_id}`, 'submitting', origin),
  html_url: `${origin}/courses/${course_id}/quizzes/${quiz_id}#submit`,
  quiz: { ...given, permissions: { ...given.permissions, submit: true } },
});
