// A place that holds files, and what the caller may do with them there: a course, a group, or a person's own.

import { hidesTab } from '../../contexts/course';
import type { Call } from '../../http/call';
import { notFound } from '../../http/problem';

export interface Place {
  readonly context_type: 'Course' | 'User' | 'Group';
  readonly context_id: number;
  /** What its root folder is called. */
  readonly rootName: string;
  readonly reads: boolean;
  /** Lists files and folders: students lose this where the course hides its files. */
  readonly lists: boolean;
  readonly adds: boolean;
  readonly edits: boolean;
  readonly deletes: boolean;
  /** Sees what is hidden and is never locked out. */
  readonly seesAll: boolean;
  /** New files start locked until somebody says by what right they are used. */
  readonly wantsUsageRights: boolean;
}

export const rootNames = { Course: 'course files', User: 'my files', Group: 'files', Account: 'files' } as const;

/** Where the request stands, if files can be kept there. */
export function placeOf({ course, user, group, me }: Pick<Call, 'course' | 'user' | 'group' | 'me'>): Place | undefined {
  if (group) {
    // Members share what is there: nothing is kept from one of them that another sees.
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

/** For `can`: the caller has the right where the request stands. What is nowhere is not found. */
export const here = (right: Right) => (call: Call) => thePlace(call)[right];

/**
 * The same where the address does not say what it is kept in: for whoever may not even read there, the thing does not exist.
 * @throws Problem 404 as for an id that nothing has
 */
export const hereIfSeen = (right: Right) => (call: Call) => {
  const place = thePlace(call);
  if (!place.reads) throw notFound();
  return place[right];
};

/** @throws Problem 404 when the request stands nowhere: its file or folder is not there */
export function thePlace(call: Pick<Call, 'course' | 'user' | 'group' | 'me'>): Place {
  const place = placeOf(call);
  if (!place) throw notFound();
  return place;
}
