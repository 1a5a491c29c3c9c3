// Keeps the stored figures up to date: what has changed is found in the change log, and computed again in limited steps. Called by the scheduled
// run. Each step can be repeated.

import { wireTime } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { theIds } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import { assignmentIn, studentIn } from '../../rules/submission_ids';
import { refreshCourse } from './refresh_course';
import { computedScores, readCounted, readWork, storeScores } from './scores';
import { assignmentFiguresOf, nextDueOf, workSlotOf, workSlotsOf } from './slots';

/** Limits of a run. */
const mostChanges = 200;
const mostAssignments = 5;
const mostCourses = 10;
/** A course's figures are computed at most once in this time: its files and topics change often. */
const pause = 4 * 3_600_000;

const walk = 'changes';

interface Change {
  readonly seq: number;
  readonly scope: string;
  readonly kind: string;
  readonly item_id: number;
}

const position = sql`coalesce((select position from analytics_walks where name = ${walk}), 0)`;

const unseen = ({ build }: Database) =>
  build.all<Change>(sql`select seq, scope, kind, item_id from changes where seq > ${position} order by seq limit ${atMost(mostChanges)}`);
const staleAssignments = ({ build }: Database, now: string) =>
  build.all<{ id: number }>(
    sql`select assignment_id as id from assignment_figures where stale_at is not null and stale_at < ${now} order by stale_at, assignment_id limit ${atMost(mostAssignments)}`,
  );
const staleCourses = ({ build }: Database, now: string) =>
  build.all<{ id: number }>(
    sql`select course_id as id from course_figures where workflow_state <> 'current' and computed_at <= ${wireTime(Date.parse(now) - pause)} order by computed_at, course_id limit ${atMost(mostCourses)}`,
  );

const courseOf = ({ scope }: Change): number[] => (scope.startsWith('course_') ? [Number(scope.slice('course_'.length))] : []);
const ofCourse = new Set(['assignment', 'assignment_group', 'course', 'discussion_topic', 'file', 'module']);

/** What a part of the log makes stale. */
export function staleAfter(changes: readonly Change[]) {
  const of = (kind: string) => changes.filter((one) => one.kind === kind);
  const submitted = of('submission').map(({ item_id }) => [assignmentIn(item_id), studentIn(item_id)] as const);
  return {
    assignments: [...new Set([...of('assignment').map(({ item_id }) => item_id), ...submitted.map(([assignment]) => assignment)])],
    courses: [...new Set(changes.filter(({ kind }) => ofCourse.has(kind)).flatMap(courseOf))],
    enrollments: of('enrollment').map(({ item_id }) => item_id),
    submitted,
  };
}

type Stale = ReturnType<typeof staleAfter>;

const markAssignments = ({ build }: Database, which: SQL): Statement =>
  build.run(sql`insert into assignment_figures (assignment_id, stale_at) select a.id, '' from assignments a where ${which}
    on conflict (assignment_id) do update set stale_at = '' where stale_at is not ''`);

function marks(db: Database, { assignments, courses, enrollments, submitted }: Stale): Statement[] {
  const joined = sql`select e.course_id from enrollments e where e.id in (${theIds(enrollments)}) and e.type = 'StudentEnrollment'`;
  const graded = sql`select a.course_id from assignments a where a.id in (${theIds(submitted.map(([assignment]) => assignment))})`;
  return [
    markAssignments(db, sql`a.id in (${theIds(assignments)})`),
    markAssignments(db, sql`a.course_id in (${joined}) and a.workflow_state = 'published'`),
    db.build.run(sql`insert into course_figures (course_id, workflow_state)
      select id, 'stale' from courses where id in (${theIds(courses)} union ${joined} union ${graded})
      on conflict (course_id) do update set workflow_state = 'stale' where workflow_state <> 'stale'`),
  ];
}

/** A later run may already have come further. */
const advance = ({ build }: Database, to: number, now: string): Statement =>
  build.run(sql`insert into analytics_walks (name, position, began_at) values (${walk}, ${to}, ${now})
    on conflict (name) do update set position = max(position, excluded.position)`);

const storeFigures = (
  { build }: Database,
  ids: readonly number[],
  figures: ReadonlyMap<number, readonly [string, string | null]>,
): Statement =>
  build.run(sql`update assignment_figures set figures = j.value ->> 1, stale_at = j.value ->> 2
    from json_each(${JSON.stringify(ids.map((id) => [id, ...(figures.get(id) ?? [null, null])]))}) j where assignment_figures.assignment_id = j.value ->> 0`);

async function refreshAssignments(db: Database, ids: readonly number[], now: string): Promise<void> {
  if (ids.length === 0) return;
  const [rows] = await db.perform([workSlotsOf(db, sql`assignments.id in (${theIds(ids)})`, now)]);
  const slots = Map.groupBy(rows.map(workSlotOf), ({ assignment_id }) => assignment_id);
  const figures = new Map(
    [...slots].map(([id, some]) => [id, [JSON.stringify(assignmentFiguresOf(some, now)), nextDueOf(some, now)] as const]),
  );
  await db.perform([storeFigures(db, ids, figures)]);
}

/** @returns whether more is stale */
export async function refreshAnalytics(db: Database, now: string): Promise<number> {
  const [changes] = await db.perform([unseen(db)]);
  const last = changes.at(-1);
  if (last) {
    const stale = staleAfter(changes);
    const here = sql`(select distinct a.course_id, j.value ->> 1 as user_id from json_each(${JSON.stringify(stale.submitted)}) j join assignments a on a.id = j.value ->> 0)`;
    const [work, counted] = await db.perform([
      readWork(
        db,
        sql`${here} changed cross join course_students cs on cs.course_id = changed.course_id and cs.user_id = changed.user_id and cs.is_student = 1`,
      ),
      readCounted(db, sql`select changed.course_id from ${here} changed`),
      ...marks(db, stale),
    ]);
    await db.perform([storeScores(db, computedScores(work, counted)), advance(db, last.seq, now)]);
  }
  const [assignments, courses] = await db.perform([staleAssignments(db, now), staleCourses(db, now)]);
  await refreshAssignments(
    db,
    assignments.map(({ id }) => id),
    now,
  );
  for (const { id } of courses) if (!(await refreshCourse(db, id, now))) return 1;
  const isMore = changes.length === mostChanges || assignments.length === mostAssignments || courses.length === mostCourses;
  return isMore ? 1 : 0;
}
