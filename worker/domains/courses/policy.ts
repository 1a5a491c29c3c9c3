// The courses that a list or path can find.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { shared } from '../../database/shared';
import { courses } from './table';

export const itself = (course: CourseContext) => eq(courses.id, course.id);

/** The user's name for a course: nickname or name. */
export const courseNameFor = (user_id: number): SQL =>
  sql`coalesce((select named.nickname from course_nicknames named where named.user_id = ${shared('user', user_id)} and named.course_id = courses.id), courses.friendly_name, courses.name) collate nocase`;

export const notBlueprint = (exclude: boolean | undefined) => (exclude ? eq(courses.is_blueprint, false) : undefined);
export const homeroom = (only: boolean | undefined) =>
  only === undefined ? undefined : sql`coalesce(json_extract(courses.settings, '$.homeroom_course'), 0) = ${only ? 1 : 0}`;
