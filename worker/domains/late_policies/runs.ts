// Applies late policies after a change of a policy or a date, and once a due date has passed: a few hundred students of one assignment at a time.
// For a student who joins, it goes through the assignments of the course.

import { type SQL, sql } from 'drizzle-orm';
import { isActiveStudent } from '../../contexts/predicates';
import { atMost } from '../../database/at_most';
import type { Database, Statement } from '../../database/open';
import { countUpTo } from '../../database/retention';
import type { RowOf } from '../../http/listing';
import { applyLatePolicy, type PolicyScope } from './apply';
import type { late_policy_runs } from './table';

type Run = RowOf<typeof late_policy_runs>;

const mostStudents = 500;
/** Of one student. */
const mostAssignments = 200;
const mostSteps = 7;

/** The first run that is due, with the assignment that it continues with; none for a course whose assignments have been passed. */
const nextRun = (db: Database, now: string) =>
  db.build.all<Run & { readonly current: number | null }>(
    sql`select r.*, case when r.assignment_id > 0 then r.assignment_id when r.at_user_id > 0 then r.at_assignment_id
        else (select min(a.id) from assignments a where a.course_id = r.course_id and a.workflow_state = 'published' and a.id > r.at_assignment_id) end as current
      from late_policy_runs r where r.not_before <= ${now} order by r.not_before, r.id limit 1`,
  );

/** The next students of the assignment: those enrolled, and those with a submission. */
const nextStudents = (db: Database, { course_id, at_user_id }: Run, assignment: number) =>
  db.build.all<{ readonly user_id: number }>(
    sql`select s.user_id from submissions s where s.assignment_id = ${assignment} and s.user_id > ${at_user_id}
      union select e.user_id from enrollments e where e.course_id = ${course_id} and ${isActiveStudent('e')} and e.user_id > ${at_user_id}
      order by user_id limit ${atMost(mostStudents)}`,
  );

/** A run that has been started again meanwhile stays where it is. */
const unless = ({ id, at_assignment_id, at_user_id }: Run): SQL =>
  sql`id = ${id} and at_assignment_id = ${at_assignment_id} and at_user_id = ${at_user_id}`;
const end = (db: Database, run: Run): Statement => db.build.run(sql`delete from late_policy_runs where ${unless(run)}`);
const advance = (db: Database, run: Run, assignment: number, user: number): Statement =>
  db.build.run(sql`update late_policy_runs set at_assignment_id = ${assignment}, at_user_id = ${user} where ${unless(run)}`);

/** Those of the users who are active students of the course, in one assignment or several. @param assignments a select of `assignment_id` */
const placesIn = ({ course_id }: Run, assignments: SQL, users: SQL): SQL =>
  sql`select due.assignment_id, enrolled.user_id from (select distinct e.user_id from enrollments e
    where e.user_id in (${users}) and e.course_id = ${course_id} and ${isActiveStudent('e')}) enrolled cross join (${assignments}) due`;

/** The next assignments of a course for the student who has joined it. */
async function stepOfStudent(db: Database, run: Run, now: string): Promise<void> {
  const { course_id, user_id, at_assignment_id } = run;
  const [assignments] = await db.perform([
    db.build.all<{ readonly id: number }>(
      sql`select a.id from assignments a where a.course_id = ${course_id} and a.workflow_state = 'published' and a.id > ${at_assignment_id}
        order by a.id limit ${atMost(mostAssignments)}`,
    ),
  ]);
  const ids = JSON.stringify(assignments.map(({ id }) => id));
  const scope: PolicyScope = {
    existing: sql`s.user_id = ${user_id} and s.assignment_id in (select value from json_each(${ids}))`,
    places: placesIn(run, sql`select value as assignment_id from json_each(${ids})`, sql`${user_id}`),
  };
  const isLast = assignments.length < mostAssignments;
  await db.perform([...applyLatePolicy(db, scope, now), isLast ? end(db, run) : advance(db, run, assignments.at(-1)?.id ?? 0, 0)]);
}

async function step(db: Database, run: Run & { readonly current: number | null }, now: string): Promise<void> {
  if (run.user_id > 0) return stepOfStudent(db, run, now);
  const { current } = run;
  if (current === null) {
    await db.perform([end(db, run)]);
    return;
  }
  const [students] = await db.perform([nextStudents(db, run, current)]);
  const ids = JSON.stringify(students.map(({ user_id }) => user_id));
  const isLast = students.length < mostStudents;
  const passed = isLast
    ? run.assignment_id > 0
      ? end(db, run)
      : advance(db, run, current, 0)
    : advance(db, run, current, students.at(-1)?.user_id ?? 0);
  const users = sql`select value from json_each(${ids})`;
  const scope: PolicyScope = {
    existing: sql`s.assignment_id = ${current} and s.user_id in (${users})`,
    places: placesIn(run, sql`select ${current} as assignment_id`, users),
  };
  await db.perform([...applyLatePolicy(db, scope, now), passed]);
}

/** @returns how many runs are left, as far as they were counted */
export async function applyLatePolicies(db: Database, now: string): Promise<number> {
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const [[run]] = await db.perform([nextRun(db, now)]);
    if (!run) return 0;
    await step(db, run, now);
  }
  const [[left]] = await db.perform([countUpTo(db, sql`from late_policy_runs where not_before <= ${now}`)]);
  return left?.count ?? 0;
}
