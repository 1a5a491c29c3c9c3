// The overrides of a module: its two endpoints.

import { idField, listOf, maybe, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { isEnrolledStudent } from '../../contexts/predicates';
import { among } from '../../database/ids';
import { get, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, notFound } from '../../http/problem';
import { answer, judged, list, write } from '../../http/reply';
import { enrollments } from '../enrollments/table';
import { sections } from '../sections/table';
import { checkModuleOverrides, moduleOverride, replaceModuleOverrides } from './overrides';
import { presentModules } from './policy';
import { module_overrides, modules } from './table';

const place = '/courses/:course_id/modules';

export const moduleOverrideRoutes = [
  get(
    `${place}/:context_module_id/assignment_overrides`,
    { can: 'manage_course_content_edit', returns: [moduleOverride], summary: 'List module overrides' },
    ({ db, course, path }) => {
      const id = Number(path.context_module_id) || 0;
      return judged(
        db.build.select({ id: modules.id }).from(modules).where(presentModules(course, id)),
        (module) => void found(module[0]),
        list(rows(module_overrides, { where: eq(module_overrides.module_id, id) })),
      );
    },
  ),

  put(
    `${place}/:context_module_id/assignment_overrides`,
    {
      can: 'manage_course_content_edit',
      params: {
        overrides: optional(
          listOf(
            object({
              id: optional(idField('assignment_override')),
              title: optional(text),
              student_ids: optional(listOf(idField('user'))),
              course_section_id: optional(maybe(idField('section'))),
              group_id: optional(maybe(idField('group'))),
            }),
          ),
        ),
      },
      returns: { json: null },
      summary: 'Replace module overrides',
    },
    async ({ db, course, path, params, tree, now }) => {
      const id = Number(path.context_module_id) || 0;
      const given = params.overrides ?? [];
      // A missing parameter must not delete the existing overrides.
      if (tree.overrides === undefined || (tree.overrides !== '' && typeof tree.overrides !== 'object'))
        return answer({ error: 'overrides must be an array' }, 400);
      const named = given.flatMap((one) => one.student_ids ?? []);
      const [[exists], places, people, before] = await db.perform([
        db.build.select({ id: modules.id }).from(modules).where(presentModules(course, id)),
        db.build
          .select({ id: sections.id })
          .from(sections)
          .where(and(eq(sections.course_id, course.id), sql`${sections.workflow_state} <> 'deleted'`)),
        db.build
          .select({ user_id: enrollments.user_id })
          .from(enrollments)
          .where(and(eq(enrollments.course_id, course.id), among(enrollments.user_id, named), sql`${isEnrolledStudent()}`)),
        db.build.select({ id: module_overrides.id }).from(module_overrides).where(eq(module_overrides.module_id, id)),
      ]);
      if (!exists) throw notFound();
      checkModuleOverrides(given, { sections: new Set(places.map((one) => one.id)), students: new Set(people.map((one) => one.user_id)) });
      if (given.some((one) => one.id !== undefined && !before.some((other) => other.id === one.id))) throw notFound();
      return write(replaceModuleOverrides(db, course, id, given, now), answer(null, 204));
    },
  ),
];
