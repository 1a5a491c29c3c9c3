// The caller's permissions in a course, by name.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { CourseContext } from '../../contexts/course';
import { permissionGroups, permissions } from '../../contexts/permissions';
import { may, type Word } from '../../contexts/rights';
import type { Call } from '../../http/call';

const derived: Readonly<Record<string, (course: CourseContext, call: Call) => boolean>> = {
  read: (course) => course.canRead,
  read_as_admin: (course) => course.readsAsAdmin,
  read_as_member: (course) => course.mine.length > 0,
  participate_as_student: (course) => course.participates,
  update: (_, call) => may('update', call),
  manage: (_, call) => may('update', call),
  delete: (course) => course.can('manage_courses_delete'),
  reset_content: (course) => course.can('manage_courses_reset'),
  use_student_view: (_, call) => may('use_student_view', call),
  create_discussion_topic: (course) => course.can('create_forum'),
  create_announcement: (course) => course.readsAsAdmin && course.can('moderate_forum'),
};

/** All permissions, or the requested ones; unknown names are false. */
export function permissionsIn(course: CourseContext, asked: readonly string[] | undefined, call: Call): Record<string, boolean> {
  const names = asked?.length ? asked : [...Object.keys(derived), ...permissions.keys()];
  const holds = (name: string): boolean => {
    const rule = lookUp(derived, name);
    if (rule) return rule(course, call);
    const members = lookUp(permissionGroups, name);
    return members ? members.some((member) => may(member as Word, call)) : permissions.has(name) && may(name as Word, call);
  };
  return Object.fromEntries(names.map((name) => [name, holds(name)]));
}
