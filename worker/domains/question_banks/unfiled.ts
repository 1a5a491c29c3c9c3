// The bank of a course that has a copy of each question made in its quizzes.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';

const title = 'Unfiled Questions';

const ofCourse = (course_id: number): SQL =>
  sql`question_banks b where b.context_type = 'Course' and b.context_id = ${course_id} and b.workflow_state = 'active' and b.title = ${title}`;

/** A select of its id; none before the first question. */
export const unfiledBank = (course_id: number): SQL => sql`(select b.id from ${ofCourse(course_id)} order by b.id limit 1)`;

/** The same with those that course copies have brought: a select of their ids. */
export const unfiledBanks = (course_id: number): SQL => sql`(select b.id from ${ofCourse(course_id)})`;

export const makeUnfiledBank = (db: Database, course_id: number, now: string): Statement =>
  db.build.run(
    sql`insert into question_banks (context_type, context_id, title, workflow_state, created_at, updated_at)
      select 'Course', ${course_id}, ${title}, 'active', ${now}, ${now} where ${unfiledBank(course_id)} is null`,
  );
