// Module overrides: a module with overrides is visible only to those named in them (reference 05 §1.1).

import { ModuleOverride } from '@carrel/shared/resources/module';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { among } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import type { RowOf } from '../../http/listing';
import { Problem } from '../../http/problem';
import { serializer } from '../../http/serializer';
import { sections } from '../sections/table';
import { users } from '../users/table';
import { module_overrides } from './table';

type Row = RowOf<typeof module_overrides>;

export const moduleOverride = serializer({
  resource: ModuleOverride,
  table: module_overrides,
  also: (ids, { db }) => ({
    people: db.build
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(sql`${users.id} in (select s.value from module_overrides o, json_each(o.student_ids) s where o.id in (${ids}))`),
    places: db.build
      .select({ id: sections.id, name: sections.name })
      .from(sections)
      .where(sql`${sections.id} in (select course_section_id from module_overrides where id in (${ids}))`),
  }),
  json: (row: Row, _call, { people, places }) => {
    const section = places.find(({ id }) => id === row.course_section_id);
    const students = people.filter(({ id }) => row.student_ids.includes(id));
    return {
      id: row.id,
      context_module_id: row.module_id,
      title: row.title ?? section?.name ?? (students.length === 1 ? '1 student' : `${students.length} students`),
      ...(section ? { course_section: section } : { students }),
    };
  },
});

interface OverrideGiven {
  readonly id?: number;
  readonly title?: string;
  readonly student_ids?: readonly number[];
  readonly course_section_id?: number | null;
  readonly group_id?: number | null;
}

const refuse = (error: string) => new Problem(400, { error });

/** @throws Problem 400 for an override without a target, with several kinds of targets, or with a target outside the course */
export function checkModuleOverrides(
  given: readonly OverrideGiven[],
  known: { sections: ReadonlySet<number>; students: ReadonlySet<number> },
) {
  for (const one of given) {
    if (one.group_id) throw refuse('group_id is not allowed');
    const hasStudents = (one.student_ids?.length ?? 0) > 0;
    if (one.id === undefined && !hasStudents && !one.course_section_id) throw refuse('id, student_ids or course_section_id is required');
    if (hasStudents && one.course_section_id) throw refuse('student_ids and course_section_id cannot be given together');
    if (one.course_section_id && !known.sections.has(one.course_section_id))
      throw refuse('course_section_id is not a section of the course');
    if (one.student_ids?.some((id) => !known.students.has(id)))
      throw refuse('student_ids includes a user who is not a student of the course');
  }
}

/** Statements that replace the overrides of a module. */
export function replaceModuleOverrides(
  db: Database,
  course: CourseContext,
  module_id: number,
  given: readonly OverrideGiven[],
  now: string,
): Statement[] {
  const ofModule = eq(module_overrides.module_id, module_id);
  const kept = given.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const columns = (one: OverrideGiven) => ({
    ...(one.title !== undefined && { title: one.title }),
    ...(one.student_ids?.length && { student_ids: [...one.student_ids], course_section_id: null }),
    ...(one.course_section_id && { course_section_id: one.course_section_id, student_ids: [] }),
    updated_at: now,
  });
  return [
    db.build.delete(module_overrides).where(and(ofModule, sql`not (${among(module_overrides.id, kept)})`)),
    ...given.map((one) =>
      one.id === undefined
        ? db.build.insert(module_overrides).values({ course_id: course.id, module_id, created_at: now, ...columns(one) })
        : db.build
            .update(module_overrides)
            .set(columns(one))
            .where(and(ofModule, eq(module_overrides.id, one.id))),
    ),
  ];
}
