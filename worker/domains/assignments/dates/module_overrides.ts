// The overrides of the modules that contain an assignment, beside its own: they decide who it is assigned to, and have no dates.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isInSectionLimit } from '../../../contexts/section_limit';
import { sharedIds } from '../../../database/shared';
import { overridesOfModules } from '../../../rules/assigned';

interface ModuleOverrideRow {
  readonly id: number;
  readonly title: string | null;
  readonly context_module_id: number;
  readonly context_module_name: string;
  readonly section: { readonly id: number; readonly name: string } | null;
  readonly students: readonly { readonly id: number; readonly name: string }[];
}

/** As a JSON column of `assignments`. A section-restricted caller sees the students and sections of theirs. */
export function moduleOverridesColumn(course: CourseContext): SQL<string> {
  const limit = course.sectionLimit;
  const student = isInSectionLimit(course, sql.raw('u.id'));
  const section = limit && sql` and t.id in (${sharedIds('sections', limit)})`;
  const people = sql`select json_group_array(json_object('id', u.id, 'name', u.name)) from json_each(v.student_ids) named cross join users u on u.id = named.value${student ? sql` where ${student}` : sql``}`;
  const place = sql`select json_object('id', t.id, 'name', t.name) from sections t where t.id = v.course_section_id${section ?? sql``}`;
  return sql<string>`(select json_group_array(json(found.one)) from (
    select json_object('id', v.id, 'title', v.title, 'context_module_id', m.id, 'context_module_name', m.name, 'section', json((${place})), 'students', json((${people}))) as one
    from module_overrides v join modules m on m.id = v.module_id where v.id in (${overridesOfModules}) order by v.id) found)`;
}

const titleOf = ({ title, section, students }: ModuleOverrideRow): string =>
  title ?? section?.name ?? (students.length === 1 ? '1 student' : `${students.length} students`);

/** @param column the result of `moduleOverridesColumn`: those without a target that the caller sees are left out */
export function moduleOverridesJson(column: string, assignment_id: number) {
  const all = JSON.parse(column) as readonly ModuleOverrideRow[];
  return all
    .filter(({ section, students }) => section !== null || students.length > 0)
    .map((row) => ({
      id: row.id,
      assignment_id,
      title: titleOf(row),
      unassign_item: false,
      context_module_id: row.context_module_id,
      context_module_name: row.context_module_name,
      ...(row.section ? { course_section_id: row.section.id } : { student_ids: row.students.map(({ id }) => id), students: row.students }),
    }));
}
