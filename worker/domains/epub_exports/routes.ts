// ePub exports: every endpoint, in the order of the API reference.

import { and, eq, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { get, post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { notFound } from '../../http/problem';
import { judged, listWithin, one } from '../../http/reply';
import { ownCourseIds } from '../courses/own_courses';
import { courses } from '../courses/table';
import { createBook } from './create';
import { askedBook, newestBook } from './json';
import { flagsOfBooks, hasBooks, namedBook } from './policy';

export const about = { title: 'ePub exports', description: 'Courses as e-books, with what their reader may see.' };

const started = { returns: newestBook, status: 201 } as const;

export const epubExportRoutes = [
  get('/epub_exports', { can: 'user', returns: [newestBook], summary: 'List your courses with your e-books' }, ({ me, now }) =>
    listWithin(
      rows(courses, { where: isInSelect(courses.id, ownCourseIds(me.id, { state: ['available', 'completed'] }, now)) }),
      (page) => ({
        courses: page,
      }),
    ),
  ),

  post('/courses/:course_id/epub_exports', { can: 'read', ...started, summary: 'Write an e-book of a course' }, (call) => createBook(call)),

  post(
    '/courses/:course_id/epub_exports/:id',
    { can: 'read', ...started, summary: 'Write an e-book of a course; the id is ignored' },
    (call) => createBook(call),
  ),

  get(
    '/courses/:course_id/epub_exports/:id',
    { can: 'read', fresh: true, returns: askedBook, summary: 'Get an e-book by its id, or your newest one by the id of the course' },
    (call) => {
      const { course, id } = call;
      const isThere = id === course.id ? undefined : sql`exists (${namedBook(call)})`;
      return judged(
        flagsOfBooks(call),
        (flags) => {
          if (!hasBooks(call, flags)) throw notFound();
        },
        one(rows(courses, { where: and(eq(courses.id, course.id), isThere) })),
      );
    },
  ),
];
