// The wiki of the request's course or group: the caller's permissions there, and the viewer.

import { hidesTab } from '../../contexts/course';
import type { GroupContext } from '../../contexts/group';
import type { Call } from '../../http/call';
import { notFound } from '../../http/problem';
import { isBound } from '../modules/locks';
import { viewingStudent } from '../modules/viewpoint';

export type EditingRole = 'teachers' | 'students' | 'members' | 'public';
export const editingRoles: readonly EditingRole[] = ['teachers', 'students', 'members', 'public'];

export interface Wiki {
  readonly context_type: 'Course' | 'Group';
  readonly context_id: number;
  /** Path on this host: `/courses/1`. */
  readonly address: string;
  readonly defaultRole: EditingRole;
  readonly canCreate: boolean;
  /** May update every page and every field. */
  readonly canUpdate: boolean;
  readonly canDelete: boolean;
  /** Decides whether a new page is published; pages of other callers are published at once. */
  readonly canPublish: boolean;
  /** New pages are published by default. */
  readonly startsPublished: boolean;
  /** The caller's roles, as `editing_roles` names them. */
  readonly roles: ReadonlySet<EditingRole>;
  readonly seesUnpublished: boolean;
  /** The time of the request, for scheduled publication. */
  readonly now: string;
  /** Lists pages: students cannot when the course hides the pages tab. */
  readonly lists: boolean;
  /** The student whose modules decide visibility; absent for viewers who see everything. */
  readonly eyes: number | undefined;
  readonly isBoundByModules: boolean;
  readonly hasModules: boolean;
}

/** @throws Problem 404 for a path without a wiki */
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
    eyes: viewingStudent(course, call),
    isBoundByModules: isBound(course),
    hasModules: true,
  };
}

/** Every member may create and edit pages, and there are no modules (reference 05 §14). */
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

/** Whether the caller has one of the page's editing roles. */
export const playsRole = (wiki: Wiki, editing_roles: string): boolean =>
  editing_roles.split(',').some((role) => wiki.roles.has(role.trim() as EditingRole));
