// Sections as clients see them; their students are read in the same round trip.

import { Section } from '@carrel/shared/resources/section';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { listedEnrollment } from '../enrollments/json';
import { enrollments } from '../enrollments/table';
import { seesPeople } from './policy';
import { sections } from './table';

export type SectionRow = RowOf<typeof sections>;

const current = and(eq(enrollments.type, 'StudentEnrollment'), inArray(enrollments.enrollment_state, ['active', 'invited']));
const studentsOf = (ids: SQL) =>
  rows(enrollments, {
    where: and(isInSelect(enrollments.course_section_id, ids), current),
    order: [{ by: enrollments.course_section_id }, { by: enrollments.sortable_name }, { by: enrollments.id }],
  });

type Student = { readonly row: { course_section_id: number; user_id: number }; readonly json: { user?: object } };

/** Each student once; with all enrollments in the section when included. */
function studentsJson(all: readonly Student[], section: SectionRow, withEnrollments: boolean): object[] | null {
  const here = all.filter(({ row }) => row.course_section_id === section.id);
  const people = [...new Map(here.map((one) => [one.row.user_id, one])).values()];
  if (people.length === 0) return null;
  return people.map(({ row, json }) => ({
    ...json.user,
    ...(withEnrollments && {
      enrollments: here.filter((one) => one.row.user_id === row.user_id).map(({ json: { user: _, ...rest } }) => rest),
    }),
  }));
}

/** @param course the section's course with the caller's permissions there */
export function sectionJson(section: SectionRow, course: CourseContext): object {
  const seesSis = course.can('read_sis') || course.can('manage_sis');
  return {
    id: section.id,
    course_id: section.course_id,
    name: section.name,
    start_at: section.start_at,
    end_at: section.end_at,
    created_at: section.created_at,
    restrict_enrollments_to_section_dates: section.restrict_enrollments_to_section_dates,
    nonxlist_course_id: section.nonxlist_course_id,
    ...(seesSis && {
      sis_section_id: section.sis_section_id,
      sis_course_id: course.sis_course_id,
      integration_id: section.integration_id,
    }),
    ...(course.can('manage_sis') && { sis_import_id: section.sis_import_id }),
  };
}

const includes = (call: Call, word: string) => call.include.has(word) && call.course !== undefined && seesPeople(call.course);

export const section = serializer({
  resource: Section,
  table: sections,
  columns: (call) => ({
    ...(includes(call, 'total_students') && {
      total_students:
        sql<number>`coalesce((select roster_counts.people from roster_counts where roster_counts.course_id = sections.course_id and roster_counts.course_section_id = sections.id and roster_counts.type = 'StudentEnrollment'), 0)`.as(
          'total_students',
        ),
    }),
  }),
  also: (ids, call) => ({ students: includes(call, 'students') ? embed(listedEnrollment, studentsOf(ids)) : undefined }),
  json: (row: SectionRow, call, { students }) => {
    const { course } = call;
    if (!course) throw new Error('a section is serialised within its course');
    return {
      ...sectionJson(row, course),
      ...(includes(call, 'total_students') && { total_students: (row as SectionRow & { total_students?: number }).total_students }),
      ...(students && { students: studentsJson(students as readonly Student[], row, call.include.has('enrollments')) }),
      ...(includes(call, 'passback_status') && { passback_status: {} }),
      ...(call.include.has('permissions') && { permissions: { manage_calendar: course.can('manage_calendar') } }),
    };
  },
});
