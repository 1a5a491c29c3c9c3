// The wiki of a course or group as a request stands in it: what the caller may do there, and through whose eyes they look.

import { hidesTab } from '../../contexts/course';
import type { GroupContext } from '../../contexts/group';
import type { Call } from '../../http/call';
import { notFound } from '../../http/problem';
import { isBound } from '../modules/locks';
import { eyes } from '../modules/viewpoint';

export type EditingRole = 'teachers' | 'students' | 'members' | 'public';
export const editingRoles: readonly EditingRole[] = ['teachers', 'students', 'members', 'public'];

export interface Wiki {
  readonly context_type: 'Course' | 'Group';
  readonly context_id: number;
  /** Below the host: `/courses/1`. */
  readonly address: string;
  readonly defaultRole: EditingRole;
  readonly canCreate: boolean;
  /** Edits every page, and every field of it. */
  readonly canUpdate: boolean;
  readonly canDelete: boolean;
  /** Decides itself whether a new page is published; whoever does not publishes at once. */
  readonly canPublish: boolean;
  /** New pages are there for all at once. */
  readonly startsPublished: boolean;
  /** The roles that the caller plays, as `editing_roles` names them. */
  readonly roles: ReadonlySet<EditingRole>;
  readonly seesUnpublished: boolean;
  /** The moment of the request: pages publish themselves. */
  readonly now: string;
  /** Lists its pages: students lose this where the course hides them. */
  readonly lists: boolean;
  /** The student through whose eyes modules show and hide; absent for those who see everything. */
  readonly eyes: number | undefined;
  readonly isBoundByModules: boolean;
  readonly hasModules: boolean;
}

/** @throws Problem 404 where the path has no wiki */
export function wikiOf(call: Pick<Call, 'course' | 'group' | 'me' | 'now'>): Wiki {
  const { course, group } = call;
  if (group) return wikiOfGroup(group, call.now);
  if (!course) throw notFound();
  const plays = (type: string) => course.mine.some((one) => one.type === type && one.effective === 'active');
  const isMember = course.mine.some((one) => one.effective === 'active');
  const canEditAsRole = !course.isConcluded;
  const canPublish = course.can('manage_wiki_create') || course.can('manage_wiki_update');
  return {
    context_type: 'Course',
    context_id: course.id,
    address: `/courses/${course.id}`,
    defaultRole: 'teachers',
    canCreate: course.can('manage_wiki_create') || (course.participates && course.allow_student_wiki_edits),
    canUpdate: course.can('manage_wiki_update'),
    canDelete: course.can('manage_wiki_delete'),
    canPublish,
    startsPublished: !canPublish,
    roles: new Set<EditingRole>(
      canEditAsRole
        ? [
            ...(plays('TeacherEnrollment') || plays('TaEnrollment') ? (['teachers'] as const) : []),
            ...(course.participates ? (['students'] as const) : []),
            ...(isMember ? (['members'] as const) : []),
            'public',
          ]
        : [],
    ),
    seesUnpublished: course.readsAsAdmin,
    now: call.now,
    lists: course.readsAsAdmin || !hidesTab(course, 'pages'),
    eyes: eyes(course, call),
    isBoundByModules: isBound(course),
    hasModules: true,
  };
}

/** Every member makes and changes pages; there are no modules that would hold them back (reference 05 §14). */
const wikiOfGroup = (group: GroupContext, now: string): Wiki => ({
  context_type: 'Group',
  context_id: group.id,
  address: `/groups/${group.id}`,
  defaultRole: 'members',
  canCreate: group.can('manage_wiki_create'),
  canUpdate: group.can('manage_wiki_update'),
  canDelete: group.can('manage_wiki_delete'),
  canPublish: group.can('manage_wiki_create'),
  startsPublished: true,
  roles: new Set<EditingRole>(group.participates ? ['members', 'public'] : []),
  seesUnpublished: group.canRead,
  now,
  lists: group.canRead,
  eyes: undefined,
  isBoundByModules: false,
  hasModules: false,
});

/** Whether the caller's role is among those that may edit a page. */
export const playsRole = (wiki: Wiki, editing_roles: string): boolean =>
  editing_roles.split(',').some((role) => wiki.roles.has(role.trim() as EditingRole));
