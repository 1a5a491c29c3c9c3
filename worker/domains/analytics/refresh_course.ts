// Computes the figures of a course: the scores of its students in limited steps, then the rest.

import { sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database } from '../../database/open';
import { spreadOf } from './quartiles';
import { computedScores, readCounted, readWork, storeScores } from './scores';
import type { CourseFigures } from './table';

/** Students whose scores a step computes. */
const mostStudents = 300;

interface Counts {
  readonly discussion_topics: number;
  readonly media_objects: number;
  readonly attachments: number;
  readonly assignments: number;
  /** JSON. */
  readonly page_views: string;
  readonly participations: string;
  readonly grades: string;
}

/** A grade outside of 0 to 100 is not counted (reference 03 §16). */
const grades = sql.raw(`(select json_group_object(grade, students) from (
  select cast(round(sort_score) as integer) as grade, count(*) as students from course_students s
    where s.course_id = c.id and s.is_student = 1 and round(s.sort_score) between 0 and 100 group by 1))`);
const files = (more: string) =>
  sql.raw(
    `(select count(*) from files f where f.context_type = 'Course' and f.context_id = c.id and f.workflow_state = 'available'${more})`,
  );
const each = (column: string) =>
  sql.raw(`(select json_group_array(s.${column}) from course_students s where s.course_id = c.id and s.is_student = 1)`);

const countsOf = ({ build }: Database, course_id: number) =>
  build.all<Counts>(sql`select ${each('page_views')} as page_views, ${each('participations')} as participations, ${grades} as grades,
    ${files('')} as attachments, ${files(" and (f.content_type like 'video/%' or f.content_type like 'audio/%')")} as media_objects,
    (select count(*) from discussion_topics t where t.context_type = 'Course' and t.context_id = c.id and t.is_announcement = 0 and t.workflow_state = 'active') as discussion_topics,
    (select count(*) from assignments a where a.course_id = c.id and a.workflow_state = 'published') as assignments
    from courses c where c.id = ${course_id}`);

const figuresOf = ({ page_views, participations, grades, ...counts }: Counts): CourseFigures => ({
  ...counts,
  page_views: spreadOf(JSON.parse(page_views) as number[]),
  participations: spreadOf(JSON.parse(participations) as number[]),
  grades: JSON.parse(grades) as Record<string, number>,
});

/** @returns whether the course is complete */
export async function refreshCourse(db: Database, course_id: number, now: string): Promise<boolean> {
  const { build } = db;
  const chosen = sql`(select * from course_students where course_id = ${course_id} and is_student = 1
    and user_id > (select after_user from course_figures where course_id = ${course_id}) order by user_id limit ${atMost(mostStudents)}) cs`;
  const [, work, counted] = await db.perform([
    build.run(sql`update course_figures set workflow_state = 'computing' where course_id = ${course_id}`),
    readWork(db, chosen),
    readCounted(db, sql`${course_id}`),
  ]);
  const store = storeScores(db, computedScores(work, counted));
  if (work.length === mostStudents) {
    const last = Math.max(...work.map(({ user_id }) => user_id));
    await db.perform([store, build.run(sql`update course_figures set after_user = ${last} where course_id = ${course_id}`)]);
    return false;
  }
  const [, [counts]] = await db.perform([store, countsOf(db, course_id)]);
  await db.perform([
    build.run(
      sql`update course_figures set figures = ${counts ? JSON.stringify(figuresOf(counts)) : null}, after_user = 0, computed_at = ${now},
        workflow_state = case workflow_state when 'computing' then 'current' else workflow_state end where course_id = ${course_id}`,
    ),
  ]);
  return true;
}
