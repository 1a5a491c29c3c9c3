// Course nicknames as clients see them: from a nickname, or from a course without one.

import { CourseNickname } from '@carrel/shared/resources/course_nickname';
import { sql } from 'drizzle-orm';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { course_nicknames, courses } from '../courses/table';

type Nickname = RowOf<typeof course_nicknames> & { name?: string };
type Named = RowOf<typeof courses> & { nickname?: string | null };

export const nickname = serializer({
  resource: CourseNickname,
  table: course_nicknames,
  columns: () => ({ name: sql<string>`(select c.name from courses c where c.id = course_nicknames.course_id)`.as('name') }),
  json: (row: Nickname) => row,
});

/** A course with its nickname, or its own name without one. */
export const nicknameOfCourse = serializer({
  resource: CourseNickname,
  table: courses,
  columns: ({ me }) => ({
    nickname: sql<string | null>`(select n.nickname from course_nicknames n where n.user_id = ${me.id} and n.course_id = courses.id)`.as(
      'nickname',
    ),
  }),
  json: (row: Named) => ({ course_id: row.id, name: row.name, nickname: row.nickname ?? row.name }),
});
