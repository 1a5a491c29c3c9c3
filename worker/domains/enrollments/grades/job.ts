// Computes stored scores again, in bounded runs of a chore: students whose work has changed, courses whose scores have all changed, and the courses
// of terms whose grading periods have changed.

import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import type { Database, Statement } from '../../../database/open';
import { computedWork, computeScores, countedGroups, markOfCourse, toStored } from './facts';

/** Students in one run: a student with 200 submissions is 200 rows to read. */
const mostStudents = 50;

interface Student {
  readonly course_id: number;
  readonly user_id: number;
  readonly mark: string;
  /** The mark of the stored scores; null for none. */
  readonly before: string | null;
  /** JSON. */
  readonly work: string;
}

const here = { course: sql.raw('x.course_id'), user: sql.raw('x.user_id') };
const studentColumns = sql`x.course_id, x.user_id, x.mark as before, ${markOfCourse(here.course)} as mark, ${computedWork(here.user, here.course)} as work`;

/** The course whose scores are computed again, and where: rows with an earlier mark, in order. */
const behind = sql`(select m.id from course_score_marks m where m.done <> m.generation order by m.id limit 1)`;
const isEarlier = sql`x.course_id = ${behind} and x.pending is null and x.mark is not ${markOfCourse(behind)}`;

/** Stores the scores of students, unless these have changed since they were read. */
const store = (db: Database, students: readonly Student[], scores: (one: Student) => string, isUnchanged: SQL): Statement =>
  db.build.run(sql`update course_scores set pending = null, mark = j.value ->> 2, scores = j.value ->> 3
    from json_each(${JSON.stringify(students.map((one) => [one.course_id, one.user_id, one.mark, scores(one), one.before]))}) j
    where course_scores.course_id = j.value ->> 0 and course_scores.user_id = j.value ->> 1 and ${isUnchanged}`);

/** Courses in one run. */
const mostCourses = 500;

const firstTerm = sql.raw('(select min(id) from term_score_runs)');
const coursesOfTerm = sql`select c.id from courses c where c.enrollment_term_id = ${firstTerm}
  and c.id > (select r.at_course_id from term_score_runs r where r.id = ${firstTerm}) order by c.id limit ${atMost(mostCourses)}`;

/** Marks the next courses of a term whose grading periods have changed. A run that is queued again meanwhile starts again. */
const markCoursesOfTerm = ({ build }: Database) =>
  [
    build.run(sql`update course_score_marks set generation = generation + 1 where id in (${coursesOfTerm})`),
    build.run(
      sql`update term_score_runs set at_course_id = coalesce((select max(id) from (${coursesOfTerm})), at_course_id) where id = ${firstTerm}`,
    ),
    build.run(sql`delete from term_score_runs where id = ${firstTerm} and not exists (select 1 from (${coursesOfTerm}))`),
    build.all<{ id: number }>(sql`select r.id from term_score_runs r order by r.id limit 1`),
  ] as const;

/**
 * One run. A student who is graded meanwhile is marked again, and the scores computed here are not stored for them.
 * @returns how many may be left
 */
export async function computeStoredScores(db: Database): Promise<number> {
  const { build } = db;
  const run = crypto.randomUUID();
  const taken = sql`x.pending = ${run}`;
  const [, , , terms, , , students, countedOfStudents, course, others, countedOfCourse] = await db.perform([
    ...markCoursesOfTerm(db),
    build.run(sql`update course_scores set pending = ${run} where (course_id, user_id) in (
      select course_id, user_id from course_scores where pending > '' order by pending, course_id, user_id limit ${atMost(mostStudents)})`),
    build.run(
      sql`insert into course_score_marks (id) select distinct x.course_id from course_scores x where ${taken} and not exists (select 1 from course_score_marks m where m.id = x.course_id)`,
    ),
    build.all<Student>(sql`select ${studentColumns} from course_scores x where ${taken}`),
    countedGroups(db, sql`select distinct x.course_id from course_scores x where ${taken}`),
    build.all<{ id: number; generation: number }>(sql`select id, generation from course_score_marks where id = ${behind}`),
    build.all<Student>(
      sql`select ${studentColumns} from course_scores x where ${isEarlier} order by x.user_id limit ${atMost(mostStudents)}`,
    ),
    countedGroups(db, behind),
  ]);
  const rows = [...countedOfStudents, ...countedOfCourse];
  const scoresOf = ({ course_id, work }: Student): string => {
    const row = rows.find((one) => one.course_id === course_id);
    return JSON.stringify(row ? toStored(computeScores(JSON.parse(work), row)) : {});
  };
  const isOver = course[0] !== undefined && others.length < mostStudents;
  const statements = [
    ...(students.length > 0 ? [store(db, students, scoresOf, sql`course_scores.pending = ${run}`)] : []),
    // A student who was computed by another run in between has another mark by then.
    ...(others.length > 0 ? [store(db, others, scoresOf, sql`course_scores.pending is null and course_scores.mark is j.value ->> 4`)] : []),
    ...(isOver
      ? [build.run(sql`update course_score_marks set done = ${course[0]?.generation ?? 0} where id = ${course[0]?.id ?? 0}`)]
      : []),
  ];
  if (statements.length > 0) await db.perform(statements);
  return students.length + others.length + terms.length;
}
