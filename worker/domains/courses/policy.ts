// The courses that a list or path can find.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { course_nicknames, courses } from './table';

export const itself = (course: CourseContext) => eq(courses.id, course.id);

/** The user's name for a course: nickname or name. */
export const courseNameFor = (user_id: number): SQL =>
  sql`coalesce((select ${course_nicknames.nickname} from course_nicknames where ${course_nicknames.user_id} = ${user_id} and ${course_nicknames.course_id} = courses.id), courses.friendly_name, courses.name) collate nocase`;

export const notBlueprint = (exclude: boolean | undefined) => (exclude ? eq(courses.is_blueprint, false) : undefined);
export const homeroom = (only: boolean | undefined) =>
  only === undefined ? undefined : sql`coalesce(json_extract(courses.settings, '$.homeroom_course'), 0) = ${only ? 1 : 0}`;
