// Where things stand at the desk: a course by its id, a group by its id below zero. Whatever asks for a course finds a group so, too.

import type { Change } from '@carrel/shared/sync/protocol';
import type { CourseJson, GroupJson } from './resources';
import type { Cache } from './store/cache';
import type { Key } from './trees';

export interface Place extends CourseJson {
  readonly name: string;
}

/** The number of the place that a change names. */
export function placeOf({ course_id, group_id }: Pick<Change, 'course_id' | 'group_id'>): number | undefined {
  return course_id ?? (group_id === undefined ? undefined : -group_id);
}

export const addressOfPlace = (id: number): string => (id < 0 ? `/api/v1/groups/${-id}` : `/api/v1/courses/${id}`);

export const keyOfPlace = (id: number): Key => (id < 0 ? `group:${-id}` : `course:${id}`);

/** A group says in what it stands, because many are called alike. */
const asPlace = ({ id, name, context_name }: GroupJson): Place => ({
  id: -id,
  name: context_name ? `${name} (${context_name})` : name,
  course_code: context_name ?? '',
});

/** Courses that are told with a name, and the groups that the person is in. */
export const places = (cache: Cache): Place[] => [
  ...cache.all<CourseJson>('course').filter((course): course is Place => course.name !== undefined),
  ...cache.all<GroupJson>('group').map(asPlace),
];

export function place(cache: Cache, id: number): CourseJson | undefined {
  if (id > 0) return cache.get<CourseJson>('course', id);
  const group = cache.get<GroupJson>('group', -id);
  return group && asPlace(group);
}
