// Batch mode: deletes SIS objects in the terms of an import that the import did not contain. A kind that would exceed the threshold is skipped.

import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { EnrollmentState } from '../enrollments/table';
import { endEnrollments } from './roster/call_roster';
import { isBatch } from './row_rules';
import { noteSectionsOf } from './rows/existing_sections';
import { type ImportWork, Notes } from './work';

interface Subject {
  readonly model: 'Enrollment' | 'CourseSection' | 'Course';
  readonly type: string;
  readonly count: string;
  readonly called: string;
  /** A select of (id) of all SIS objects in the terms; `in (terms)` is filled in. */
  all(terms: SQL, status: EnrollmentState): SQL;
}

const courses = (terms: SQL) => sql`select id from courses where enrollment_term_id in (${terms})`;

const subjects: readonly Subject[] = [
  {
    model: 'Enrollment',
    type: 'enrollment',
    count: 'batch_enrollments_deleted',
    called: 'enrollments',
    all: (terms, status) =>
      sql`select id from enrollments where course_id in (${courses(terms)}) and sis_import_id is not null and enrollment_state not in (${status === 'deleted' ? sql`'deleted'` : sql`'deleted', 'completed', 'rejected', ${status}`})`,
  },
  {
    model: 'CourseSection',
    type: 'section',
    count: 'batch_sections_deleted',
    called: 'sections',
    all: (terms) =>
      sql`select id from sections where course_id in (${courses(terms)}) and sis_import_id is not null and workflow_state = 'active'`,
  },
  {
    model: 'Course',
    type: 'course',
    count: 'batch_courses_deleted',
    called: 'courses',
    all: (terms) =>
      sql`select id from courses where enrollment_term_id in (${terms}) and sis_import_id is not null and workflow_state <> 'deleted'`,
  },
];

const goneOf = (model: string) => `gone:${model}`;

/** Whether deletions exceed the change threshold. */
export const losesTooMuch = (lost: number, all: number, threshold: number | undefined): boolean =>
  threshold !== undefined && all > 0 && (100 * lost) / all > threshold;

/** Stores the list of deletions once; later deliveries only carry it out. */
async function choose(work: ImportWork): Promise<void> {
  const { it, db } = work;
  const { multi_term_batch_mode, batch_mode_term_id, batch_mode_enrollment_drop_status: status = 'deleted', change_threshold } = it.options;
  const terms = multi_term_batch_mode
    ? sql`select item_id from sis_import_seen where sis_import_id = ${it.id} and model = 'EnrollmentTerm'`
    : sql`select ${batch_mode_term_id ?? 0}`;
  const seen = (model: string) => sql`select item_id from sis_import_seen where sis_import_id = ${it.id} and model = ${model}`;
  const [supplied, ...counts] = await work.read([
    db.build.all<{ type: string }>(
      sql`select distinct type from sis_import_files where sis_import_id = ${it.id} and workflow_state = 'done'`,
    ),
    ...subjects.map(({ model, all }) =>
      db.build.all<{ lost: number; total: number }>(
        sql`select count(*) as total, coalesce(sum(a.id not in (${seen(model)})), 0) as lost from (${all(terms, status)}) a`,
      ),
    ),
  ]);
  const types = new Set((supplied as { type: string }[]).map(({ type }) => type));
  const notes = new Notes();
  const chosen = subjects.filter(({ type, called }, at) => {
    const { lost = 0, total = 0 } = (counts[at] as { lost: number; total: number }[])[0] ?? {};
    if (!types.has(type) || lost === 0) return false;
    if (!losesTooMuch(lost, total, change_threshold)) return true;
    notes.warn(undefined, `${lost} of ${total} ${called} would be deleted, more than ${change_threshold}%: none of them was deleted`);
    return false;
  });
  await work.commit({
    notes,
    set: { workflow_state: 'cleanup_batch', progress: 0 },
    statements: [
      ...chosen.map(({ model, all }) =>
        db.build.run(
          sql`insert into sis_import_seen (sis_import_id, model, item_id) select ${it.id}, ${goneOf(model)}, a.id from (${all(terms, status)}) a where a.id not in (${seen(model)}) on conflict do nothing`,
        ),
      ),
      db.build.run(
        sql`insert into sis_import_seen (sis_import_id, model, item_id) select ${it.id}, 'gone in all', count(*) from sis_import_seen where sis_import_id = ${it.id} and model like 'gone:%' on conflict do nothing`,
      ),
    ],
  });
}

const most = { Enrollment: 2000, CourseSection: 300, Course: 100 } as const;

/** Deletes some. @returns how many were deleted */
async function removeSome(work: ImportWork, { model, count }: Subject, total: number, left: number): Promise<number> {
  const { it, db } = work;
  const { batch_mode_enrollment_drop_status: status = 'deleted' } = it.options;
  const [rows] = await work.read([
    db.build.all<{ item_id: number }>(
      sql`select item_id from sis_import_seen where sis_import_id = ${it.id} and model = ${goneOf(model)} order by item_id limit ${atMost(most[model])}`,
    ),
  ]);
  if (rows.length === 0) return 0;
  const ids = sql`select value from json_each(${JSON.stringify(rows.map(({ item_id }) => item_id))})`;
  const notes = new Notes();
  const now = work.now();
  const statements = [];
  if (model === 'Enrollment') notes.count(count, await endEnrollments(work, ids, status, notes, true));
  else {
    const [there] = await work.read([
      db.build.all<{ id: number; workflow_state: string }>(
        sql`select id, workflow_state from ${sql.raw(model === 'Course' ? 'courses' : 'sections')} where id in (${ids}) and workflow_state <> 'deleted'`,
      ),
    ]);
    const inside = model === 'Course' ? sql`course_id in (${ids})` : sql`course_section_id in (${ids})`;
    await endEnrollments(work, sql`select id from enrollments where ${inside}`, 'deleted', notes, true);
    for (const { id, workflow_state } of there) notes.changed(model, 'deleted', id, workflow_state, 'deleted', true);
    notes.count(count, there.length);
    if (model === 'Course') {
      await noteSectionsOf(work, ids, notes, true);
      statements.push(
        db.build.run(
          sql`update sections set workflow_state = 'deleted', updated_at = ${now} where course_id in (${ids}) and workflow_state = 'active'`,
        ),
        db.build.run(
          sql`update courses set workflow_state = 'deleted', updated_at = ${now} where id in (${ids}) and workflow_state <> 'deleted'`,
        ),
      );
    } else
      statements.push(
        db.build.run(
          sql`update sections set workflow_state = 'deleted', updated_at = ${now} where id in (${ids}) and workflow_state = 'active'`,
        ),
      );
  }
  await work.commit({
    notes,
    set: { progress: Math.min(99, Math.floor((100 * (total - left + rows.length)) / Math.max(1, total))) },
    statements: [
      ...statements,
      db.build.run(sql`delete from sis_import_seen where sis_import_id = ${it.id} and model = ${goneOf(model)} and item_id in (${ids})`),
    ],
  });
  return rows.length;
}

/** @returns whether the phase is over */
export async function cleanUp(work: ImportWork, mayGoOn: () => boolean): Promise<boolean> {
  // After an import with errors nothing is deleted, because unread rows would count as missing.
  if (!isBatch(work.it.options) || work.it.error_count > 0) return true;
  if (work.it.workflow_state !== 'cleanup_batch') await choose(work);
  const [[totals]] = await work.read([
    work.db.build.all<{ total: number; left: number }>(
      sql`select coalesce((select max(item_id) from sis_import_seen where sis_import_id = ${work.it.id} and model = 'gone in all'), 0) as total,
        (select count(*) from sis_import_seen where sis_import_id = ${work.it.id} and model in ('gone:Enrollment', 'gone:CourseSection', 'gone:Course')) as left`,
    ),
  ]);
  const total = totals?.total ?? 0;
  let left = totals?.left ?? 0;
  for (const subject of subjects)
    for (;;) {
      if (!mayGoOn()) return false;
      const removed = await removeSome(work, subject, total, left);
      left -= removed;
      if (removed === 0) break;
    }
  return true;
}
