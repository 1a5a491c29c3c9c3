// enrollments.csv: finds each row's course and passes the rows to its roster; also grade_publishing_results.csv.

import { sql } from 'drizzle-orm';
import { inTexts, updateMany } from '../../../database/many_rows';
import { enrollmentRowsInto } from '../roster/call_roster';
import type { SisRow, SisStatus } from '../roster/decide';
import { by, dateIn, flagOf, hasAll, isBatch, type ParsedRow, type RowKind, type RowWrites, statusOf, valuesIn } from '../row_rules';
import type { ImportWork, Notes } from '../work';

const statuses = ['active', 'completed', 'inactive', 'deleted', 'deleted_last_completed'] as const;

/** A row in the roster's format; undefined, with a warning, if it is invalid. */
export function sisRowOf(row: ParsedRow, notes: Notes): SisRow | undefined {
  const { at, cells } = row;
  if (!cells.user_id && !cells.user_integration_id) return void notes.warn(at, 'user_id is missing');
  if (!cells.role && !cells.role_id) return void notes.warn(at, 'role is missing');
  if (cells.role_id && !/^\d{1,15}$/.test(cells.role_id)) return void notes.warn(at, `role_id "${cells.role_id}" is not a number`);
  const status: SisStatus | undefined = statusOf(row, statuses, notes);
  if (status === undefined) return undefined;
  const [start, end] = [dateIn(row, 'start_date', notes), dateIn(row, 'end_date', notes)];
  // Dates apply only as a pair.
  const isPair = typeof start === 'string' && typeof end === 'string';
  const otherwise = start !== undefined && end !== undefined ? null : undefined;
  return {
    at,
    user: cells.user_integration_id ? `integration:${cells.user_integration_id}` : `sis:${cells.user_id}`,
    section: cells.section_id || undefined,
    role: cells.role || undefined,
    role_id: cells.role_id ? Number(cells.role_id) : undefined,
    status,
    start_at: isPair ? start : otherwise,
    end_at: isPair ? end : otherwise,
    observed: cells.associated_user_id || undefined,
    limited: flagOf(cells.limit_section_privileges),
    notifies: flagOf(cells.notify),
    source: cells.temporary_enrollment_source_user_id || undefined,
  };
}

interface Place {
  readonly sis_id: string;
  readonly course_id: number;
  readonly home_id: number;
}

/** Finds the course of a row, or the error. */
async function courseFinder(work: ImportWork, rows: readonly ParsedRow[]): Promise<(row: ParsedRow) => number | string> {
  const { build } = work.db;
  const [courses, sections] = await work.read([
    build.all<{ id: number; sis_course_id: string }>(
      sql`select id, sis_course_id from courses where sis_course_id is not null and ${inTexts('sis_course_id', valuesIn(rows, 'course_id'))}`,
    ),
    build.all<Place>(
      sql`select sis_section_id as sis_id, course_id, coalesce(nonxlist_course_id, course_id) as home_id from sections where sis_section_id is not null and ${inTexts('sis_section_id', valuesIn(rows, 'section_id'))}`,
    ),
  ]);
  const [courseOf, sectionOf] = [by(courses, ({ sis_course_id }) => sis_course_id), by(sections, ({ sis_id }) => sis_id)];
  return ({ cells: { course_id, section_id } }) => {
    if (!course_id && !section_id) return 'course_id or section_id is missing';
    const course = course_id ? courseOf.get(course_id) : undefined;
    const section = section_id ? sectionOf.get(section_id) : undefined;
    if (section_id && !section) return `there is no section "${section_id}"`;
    if (course_id && !course) return `there is no course "${course_id}"`;
    if (section && course && section.course_id !== course.id && section.home_id !== course.id)
      return `the section "${section_id}" is not in the course "${course_id}"`;
    return section?.course_id ?? course?.id ?? 0;
  };
}

async function apply(work: ImportWork, rows: readonly ParsedRow[], notes: Notes): Promise<RowWrites> {
  const courseOf = await courseFinder(work, rows);
  const byCourse = new Map<number, SisRow[]>();
  for (const row of rows) {
    const course = courseOf(row);
    if (typeof course === 'string') {
      notes.warn(row.at, course);
      continue;
    }
    const taken = sisRowOf(row, notes);
    if (!taken) continue;
    const its = byCourse.get(course) ?? [];
    its.push(taken);
    byCourse.set(course, its);
  }
  const { options } = work.it;
  await enrollmentRowsInto(work, byCourse, { options, notesSeen: isBatch(options) }, notes);
  return { statements: [] };
}

export const enrollmentRows: RowKind = {
  cutting: {
    most: 4000,
    mostGroups: 60,
    group: (cells) => `${cells.course_id ?? ''}/${cells.section_id ?? ''}`,
    touches: (cells) => ({
      makes: [
        [
          cells.course_id,
          cells.section_id,
          cells.user_id,
          cells.user_integration_id,
          cells.role,
          cells.role_id,
          cells.associated_user_id,
        ].join('\n'),
      ],
    }),
  },
  async coursesOf(work, rows) {
    const courseOf = await courseFinder(work, rows);
    return rows.map((row) => {
      const course = courseOf(row);
      return typeof course === 'number' ? course : 0;
    });
  },
  apply,
};

export const gradePublishingRows: RowKind = {
  cutting: { most: 500, touches: (cells) => ({ makes: [cells.enrollment_id ?? ''] }) },
  async apply(work, rows, notes) {
    const good = rows.filter((row) => {
      if (!hasAll(row, ['enrollment_id', 'grade_publish_status'], notes)) return false;
      const isKnown = ['published', 'error'].includes((row.cells.grade_publish_status ?? '').toLowerCase());
      if (!isKnown) notes.warn(row.at, `the status "${row.cells.grade_publish_status}" is not one of published, error`);
      return isKnown;
    });
    const [there] = await work.read([
      work.db.build.all<{ id: number; grade_publishing_status: string | null; grade_publishing_message: string | null }>(
        sql`select id, grade_publishing_status, grade_publishing_message from enrollments where id in (select cast(value as integer) from json_each(${JSON.stringify(valuesIn(good, 'enrollment_id'))})) and enrollment_state <> 'deleted'`,
      ),
    ]);
    const found = by(there, ({ id }) => String(id));
    const items = good.flatMap(({ at, cells }) => {
      const it = found.get(cells.enrollment_id ?? '');
      if (!it) notes.warn(at, `there is no enrollment ${cells.enrollment_id}`);
      else notes.applied += 1;
      const [status, message] = [cells.grade_publish_status?.toLowerCase() ?? '', cells.message || null];
      const isSame = it?.grade_publishing_status === status && it.grade_publishing_message === message;
      return it && !isSame ? [{ id: it.id, status, message }] : [];
    });
    return {
      statements: updateMany(
        work.db,
        'enrollments',
        { grade_publishing_status: sql.raw("j.value ->> 'status'"), grade_publishing_message: sql.raw("j.value ->> 'message'") },
        items,
      ),
    };
  },
};
