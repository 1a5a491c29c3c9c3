// Course nicknames: every endpoint, in the order of the API reference.

import { NicknamesCleared } from '@carrel/shared/resources/course_nickname';
import { optional, text } from '@carrel/shared/wire/fields';
import { and, eq } from 'drizzle-orm';
import { del, get, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { problem } from '../../http/problem';
import { answer, list, one, write } from '../../http/reply';
import { itself } from '../courses/policy';
import { course_nicknames, courses } from '../courses/table';
import { nickname, nicknameOfCourse } from './json';

export const about = { title: 'Course nicknames', description: 'Names that users give to courses for themselves.' };

const nicknames = '/users/self/course_nicknames';
const longest = 59;

export const courseNicknameRoutes = [
  get(nicknames, { can: 'user', returns: [nickname], summary: 'List course nicknames' }, ({ me }) =>
    list(rows(course_nicknames, { where: eq(course_nicknames.user_id, me.id) })),
  ),

  get(`${nicknames}/:course_id`, { can: 'read', returns: nicknameOfCourse, summary: 'Get a course nickname' }, ({ course }) =>
    one(rows(courses, { where: itself(course) })),
  ),

  put(
    `${nicknames}/:course_id`,
    { can: 'read', params: { nickname: optional(text) }, returns: nicknameOfCourse, summary: 'Set a course nickname' },
    ({ db, me, course, params, now }) => {
      const given = params.nickname?.trim();
      if (!given) throw problem(400, 'missing nickname');
      if (given.length > longest) throw problem(400, 'nickname must be between 1 and 59 characters');
      return write(
        [
          db.build
            .insert(course_nicknames)
            .values({ user_id: me.id, course_id: course.id, nickname: given, created_at: now })
            .onConflictDoUpdate({ target: [course_nicknames.user_id, course_nicknames.course_id], set: { nickname: given } }),
        ],
        one(rows(courses, { where: itself(course) })),
      );
    },
  ),

  del(
    `${nicknames}/:course_id`,
    { can: 'user', returns: nicknameOfCourse, summary: 'Remove a course nickname' },
    async ({ db, me, course }) => {
      const mine = and(eq(course_nicknames.user_id, me.id), eq(course_nicknames.course_id, course.id));
      const [found] = await db.perform([db.build.select({ id: course_nicknames.id }).from(course_nicknames).where(mine)]);
      if (found.length === 0) throw problem(404, 'no nickname exists for course');
      return write([db.build.delete(course_nicknames).where(mine)], one(rows(courses, { where: itself(course) })));
    },
  ),

  del(nicknames, { can: 'user', returns: { json: NicknamesCleared }, summary: 'Clear course nicknames' }, ({ db, me }) =>
    write([db.build.delete(course_nicknames).where(eq(course_nicknames.user_id, me.id))], answer({ message: 'OK' })),
  ),
];
