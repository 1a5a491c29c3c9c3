// Places of the desk: a course by its id, a group by its negative id. A lookup of a course also finds groups this way.

import type { Change, Kind } from '@carrel/shared/sync/protocol';
import type { CourseJson, GroupJson } from './resources';
import type { Key } from './trees';

export interface CourseOrGroup extends CourseJson {
  readonly name: string;
}

/** What is read here of the cache, which itself asks for the place of a change. */
interface StoredRows {
  get<T>(kind: Kind, id: number): T | undefined;
  all<T>(kind: Kind): T[];
}

/** The place id of a change. */
export function placeIdOf({ course_id, group_id }: Pick<Change, 'course_id' | 'group_id'>): number | undefined {
  return course_id ?? (group_id === undefined ? undefined : -group_id);
}

export const addressOfPlace = (id: number): string => (id < 0 ? `/api/v1/groups/${-id}` : `/api/v1/courses/${id}`);

export const keyOfPlace = (id: number): Key => (id < 0 ? `group:${-id}` : `course:${id}`);

/** A group shows its context, because many groups have the same name. */
const asPlace = ({ id, name, context_name }: GroupJson): CourseOrGroup => ({
  id: -id,
  name: context_name ? `${name} (${context_name})` : name,
  course_code: context_name ?? '',
});

/** Courses that have a name, and the groups of the user. */
export const places = (cache: StoredRows): CourseOrGroup[] => [
  ...cache.all<CourseJson>('course').filter((course): course is CourseOrGroup => course.name !== undefined),
  ...cache.all<GroupJson>('group').map(asPlace),
];

export function place(cache: StoredRows, id: number): CourseJson | undefined {
  if (id > 0) return cache.get<CourseJson>('course', id);
  const group = cache.get<GroupJson>('group', -id);
  return group && asPlace(group);
}
