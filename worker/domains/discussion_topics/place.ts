// The forum of a course or group. A group has no graded topics and no section restrictions.

import type { CourseContext } from '../../contexts/course';
import type { GroupContext } from '../../contexts/group';
import type { Call } from '../../http/call';
import { notFound } from '../../http/problem';
import { requirementEvent } from '../modules/progress/record';

export interface GroupForum
  extends Pick<CourseContext, 'id' | 'readsAsAdmin' | 'sectionLimit' | 'sectionIds' | 'observedIds' | 'participates'> {
  readonly group: GroupContext;
  can(permission: string): boolean;
}
export type ForumPlace = CourseContext | GroupForum;

export const isGroup = (place: ForumPlace): place is GroupForum => 'group' in place;

export const forumContextOf = (place: ForumPlace) => ({
  context_type: isGroup(place) ? ('Group' as const) : ('Course' as const),
  context_id: place.id,
});

export const groupForum = (group: GroupContext): GroupForum => ({
  id: group.id,
  group,
  readsAsAdmin: group.moderates,
  sectionLimit: null,
  sectionIds: [],
  observedIds: [],
  participates: false,
  can: (permission) => group.can(permission),
});

type Calling = Pick<Call, 'course' | 'group'>;

/** @throws Problem 404 when the path names neither */
export function forumPlace({ course, group }: Calling): ForumPlace {
  if (group) return groupForum(group);
  if (!course) throw notFound();
  return course;
}

/** A request within its forum. */
export const inForum = <C extends Calling>(call: C): Omit<C, 'course'> & { readonly course: ForumPlace } => ({
  ...call,
  course: forumPlace(call),
});

/** The request for serializers: within a group, the course is removed. */
export const topicJsonCall = (call: object): Call => {
  const given = call as Call;
  return given.group ? { ...given, course: undefined } : given;
};

/** Records module progress in the course; activity in a group topic counts for its root topic. */
export function progressed(
  call: Pick<Call, 'db' | 'me' | 'now' | 'afterwards'>,
  place: ForumPlace,
  { id, root_topic_id }: { readonly id: number; readonly root_topic_id: number | null },
  event: 'read' | 'contributed',
) {
  const course = isGroup(place) ? place.group.course : place;
  const content_id = isGroup(place) ? root_topic_id : id;
  return course && content_id !== null ? requirementEvent(call, course, { type: 'Discussion', content_id }, event) : [];
}

/** Drops the parameters that do not exist in groups: sections, group sets, anonymity, grading. */
export const asGiven = <P extends object>(params: P, place: ForumPlace): P =>
  isGroup(place)
    ? {
        ...params,
        assignment: undefined,
        group_category_id: undefined,
        specific_sections: undefined,
        anonymous_state: undefined,
        is_anonymous_author: undefined,
      }
    : params;

/** Only for graded topics, which exist in courses only. */
export const asCourse = <C extends { readonly course: ForumPlace }>(call: C) =>
  call as Omit<C, 'course'> & { readonly course: CourseContext };
