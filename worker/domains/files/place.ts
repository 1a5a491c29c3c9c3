// A context with files (course, group or user), and the caller's permissions on its files.

import { hidesTab } from '../../contexts/course';
import type { Call } from '../../http/call';
import { notFound } from '../../http/problem';

export interface FileContext {
  readonly context_type: 'Course' | 'User' | 'Group';
  readonly context_id: number;
  /** Name of its root folder. */
  readonly rootName: string;
  readonly reads: boolean;
  /** Lists files and folders: students cannot when the course hides its files tab. */
  readonly lists: boolean;
  readonly adds: boolean;
  readonly edits: boolean;
  readonly deletes: boolean;
  /** Sees hidden files and is never locked out. */
  readonly seesAll: boolean;
  /** New files are locked until usage rights are set. */
  readonly wantsUsageRights: boolean;
}

export const rootNames = { Course: 'course files', User: 'my files', Group: 'files', Account: 'files' } as const;

/** The file context of the request, if there is one. */
export function fileContextOf({ course, user, group, me }: Pick<Call, 'course' | 'user' | 'group' | 'me'>): FileContext | undefined {
  if (group) {
    // Members share all files: none is hidden from some members only.
    const adds = group.can('manage_files_add');
    return {
      context_type: 'Group',
      context_id: group.id,
      rootName: rootNames.Group,
      reads: group.canRead,
      lists: group.canRead,
      adds,
      edits: group.can('manage_files_edit'),
      deletes: group.can('manage_files_delete'),
      seesAll: group.canRead,
      wantsUsageRights: group.course?.settings.usage_rights_required === true,
    };
  }
  if (course) {
    const may = (permission: string) => course.canRead && course.can(permission);
    const seesAll = course.canRead && (course.readsAsAdmin || course.can('manage_files_add'));
    return {
      context_type: 'Course',
      context_id: course.id,
      rootName: rootNames.Course,
      reads: course.canRead,
      lists: course.canRead && (seesAll || !hidesTab(course, 'files')),
      adds: may('manage_files_add'),
      edits: may('manage_files_edit'),
      deletes: may('manage_files_delete'),
      seesAll,
      wantsUsageRights: course.settings.usage_rights_required === true,
    };
  }
  if (!user) return undefined;
  const owns = me.isKnown && (user.isMe || user.can('become_user'));
  return {
    context_type: 'User',
    context_id: user.id,
    rootName: rootNames.User,
    reads: owns,
    lists: owns,
    adds: owns,
    edits: owns,
    deletes: owns,
    seesAll: owns,
    wantsUsageRights: false,
  };
}

type Right = 'reads' | 'lists' | 'adds' | 'edits' | 'deletes' | 'seesAll';

/** For `can`: the caller has the permission in the request's context; 404 without one. */
export const here = (right: Right) => (call: Call) => thePlace(call)[right];

/**
 * The same for paths that do not name the context: callers who may not read there get 404.
 * @throws Problem 404 as for an unknown id
 */
export const hereIfSeen = (right: Right) => (call: Call) => {
  const place = thePlace(call);
  if (!place.reads) throw notFound();
  return place[right];
};

/** @throws Problem 404 without a context: the file or folder does not exist */
export function thePlace(call: Pick<Call, 'course' | 'user' | 'group' | 'me'>): FileContext {
  const place = fileContextOf(call);
  if (!place) throw notFound();
  return place;
}
