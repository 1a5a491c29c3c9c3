// Which modules and items a viewer may see.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';
import { isItemVisibleTo, isNotClosed } from './items/content';
import { module_items, modules } from './table';
import { viewingStudent } from './viewpoint';

type Looking = Pick<Call, 'me'>;

/** Literal, to match the partial index of live modules. */
const isThere = sql.raw("modules.workflow_state <> 'deleted'");

/** Staff see every module; students those that are active and assigned to them. */
export function visibleModules(course: CourseContext, call: Looking): SQL | undefined {
  const student = viewingStudent(course, call);
  return and(
    eq(modules.course_id, course.id),
    isThere,
    student === undefined ? undefined : and(eq(modules.workflow_state, 'active'), isNotClosed(student, course.id, sql.raw('modules.id'))),
  );
}
export const onlyModule = (course: CourseContext, call: Looking, id: number) => and(visibleModules(course, call), eq(modules.id, id));
/** For editors of modules: all that are not deleted. */
export const presentModules = (course: CourseContext, id?: number) =>
  and(eq(modules.course_id, course.id), isThere, id === undefined ? undefined : eq(modules.id, id));

/** The items of visible modules; students see only published items with content visible to them. */
export function seenItems(course: CourseContext | undefined, call: Looking): SQL | undefined {
  const student = course && viewingStudent(course, call);
  return and(eq(module_items.workflow_state, 'active'), student === undefined ? undefined : isItemVisibleTo(student));
}
export const presentItem = (course: CourseContext, id: number) =>
  and(eq(module_items.id, id), eq(module_items.course_id, course.id), eq(module_items.workflow_state, 'active'));

/** One visible item in a visible module, or in the given module. */
export const itemSeen = (course: CourseContext, call: Looking, id: number, module_id?: number) =>
  and(
    presentItem(course, id),
    seenItems(course, call),
    module_id === undefined ? undefined : eq(module_items.module_id, module_id),
    sql`${module_items.module_id} in (select id from modules where ${visibleModules(course, call)})`,
  );

/** The number of items of the current `modules` row that the caller sees. */
export const itemsCount = (course: CourseContext | undefined, call: Looking): SQL<number> =>
  sql<number>`(select count(*) from module_items where module_items.module_id = modules.id and ${seenItems(course, call)})`;
