// Deletes the staging courses of imports that have ended or were given up, some rows at a time. Called by the scheduled run.

import { getTableName, type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import type { Database } from '../../../database/open';
import { countUpTo } from '../../../database/retention';
import { kindFacts } from '../../../rules/copied_kinds';
import { copiedKinds } from '../../course_copy/table';

/** Rows of one kind in one run. */
const mostAtOnce = 500;

/** In the order of deletion: what refers to others first, because questions are found by their quizzes. */
const tables = (course: SQL): { readonly table: string; readonly where: SQL }[] =>
  [...copiedKinds].reverse().map((kind) => {
    const table = getTableName(kindFacts[kind].table);
    return { table, where: kindFacts[kind].there(table, course) };
  });

/**
 * Staging courses have no account; one in use belongs to a migration that runs, or waits for its selection no longer than its package is kept.
 * @param since the age of packages that are kept
 * @returns how many are left, as far as they were counted
 */
export async function forgetStaging(db: Database, since: string): Promise<number> {
  const unused = sql`from courses c where c.account_id = 0 and not exists (select 1 from content_migrations m where m.staging_course_id = c.id
    and (m.workflow_state in ('exporting', 'queued', 'importing') or (m.workflow_state in ('created', 'exported') and m.created_at >= ${since})))`;
  const [[first]] = await db.perform([db.build.all<{ id: number }>(sql`select c.id ${unused} order by c.id limit 1`)]);
  if (!first) return 0;
  const course = sql`${first.id}`;
  const found = await db.perform(
    tables(course).map(({ table, where }) =>
      db.build.all<{ id: number }>(sql`select id from ${sql.raw(table)} where ${where} limit ${atMost(mostAtOnce)}`),
    ),
  );
  const full = found.findIndex((rows) => rows.length === mostAtOnce);
  const deletions = tables(course).flatMap(({ table }, at) => {
    if (full >= 0 && at > full) return [];
    const ids = JSON.stringify((found[at] ?? []).map(({ id }) => id));
    if (ids === '[]') return [];
    const these = sql`id in (select value from json_each(${ids}))`;
    return [
      // A deleted file gives up its bytes.
      ...(table === 'files' ? [db.build.run(sql`update files set workflow_state = 'deleted' where ${these}`)] : []),
      ...(table === 'question_banks'
        ? [
            db.build.run(
              sql`delete from outcome_alignments where content_type = 'AssessmentQuestionBank' and content_id in (select value from json_each(${ids}))`,
            ),
          ]
        : []),
      db.build.run(sql`delete from ${sql.raw(table)} where ${these}`),
    ];
  });
  const isEmpty = deletions.length === 0;
  const imported = sql`from imported_items where context_type = 'Course' and context_id = ${course}`;
  const results: readonly unknown[] = await db.perform([
    ...deletions,
    ...(isEmpty
      ? [
          db.build.run(sql`delete from learning_outcome_links where context_type = 'Course' and context_id = ${course}`),
          db.build.run(sql`delete from lti_resource_links where course_id = ${course}`),
          db.build.run(sql`delete from line_items where course_id = ${course}`),
          db.build.run(sql`delete from late_policies where course_id = ${course}`),
          db.build.run(sql`delete from external_feeds where context_type = 'Course' and context_id = ${course}`),
          db.build.run(sql`delete from storage where context_type = 'Course' and context_id = ${course}`),
          db.build.run(sql`delete ${imported}`),
          db.build.run(
            sql`delete from copied_items where course_id in (select m.context_id from content_migrations m where m.staging_course_id = ${course}) and source_course_id = ${course}`,
          ),
          db.build.run(sql`update content_migrations set staging_course_id = null, is_staged = 0 where staging_course_id = ${course}`),
          db.build.run(sql`delete from courses where id = ${course} and account_id = 0`),
        ]
      : []),
    countUpTo(db, unused),
  ]);
  return (results.at(-1) as { count: number }[])[0]?.count ?? 0;
}
