// Course copies: copy content from another course, as queued work.

import { listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { loadedCourseRows, loadedCourses } from '../../contexts/loaded_courses';
import { idOf } from '../../contexts/references';
import type { ResultOf } from '../../database/open';
import { get, post } from '../../http/endpoint';
import { claimRow } from '../../http/idempotency';
import { rows } from '../../http/listing';
import { found, problem, unauthorized } from '../../http/problem';
import { one, row, settled } from '../../http/reply';
import { courses } from '../courses/table';
import { beginCopy } from './begin';
import { courseCopy } from './json';
import { settingsLeftAlone } from './kept_settings';
import { choiceOf } from './parts';
import { type Choice, course_copies } from './table';

export const about = { title: 'Course copy', description: 'Copies of the content of a course into another one.' };

export const courseCopyRoutes = [
  post(
    '/courses/:course_id/course_copy',
    {
      can: 'manage_course_content_add',
      params: { source_course: optional(referenceTo('course')), only: optional(listOf(text)), except: optional(listOf(text)) },
      returns: courseCopy,
      summary: 'Copy content from another course',
    },
    async (call) => {
      const { db, params, course, me, now, env, idempotency } = call;
      const choice: Choice = {
        ...choiceOf(params.only, params.except),
        ...(course.can('manage_lti_add') ? {} : { without: ['external_tool'] }),
        ...settingsLeftAlone(course),
      };
      if (!params.source_course) throw problem(400, 'source_course is missing');
      const source = idOf('course', params.source_course);
      const [[there], standing] = await db.perform([
        db.build
          .select()
          .from(courses)
          .where(and(eq(courses.id, sql`(${source})`), sql`${courses.workflow_state} <> 'deleted'`)),
        loadedCourseRows(source, call),
      ]);
      const { context } = loadedCourses(standing as ResultOf<ReturnType<typeof loadedCourseRows>>, call)(found(there));
      if (!context.readsAsAdmin) throw unauthorized();
      if (context.id === course.id) throw problem(400, 'A course cannot be copied into itself');
      const results = await db.perform([
        ...beginCopy(db, { course_id: course.id, source_course_id: context.id, user_id: me.id, choice }, now),
        db.build.select().from(course_copies).where(eq(course_copies.id, sql`last_insert_rowid()`)),
        ...(idempotency
          ? [claimRow(db, { user_id: me.id, idempotency, now, row_ids: sql`(select json_array(last_insert_rowid()))` })]
          : []),
      ]);
      const [made] = results[2] as (typeof course_copies.$inferSelect)[];
      if (made) await env.WORK.send({ job: 'course_copy', ids: [made.id] });
      return settled(row(made));
    },
  ),

  get(
    '/courses/:course_id/course_copy/:id',
    { can: 'manage_course_content_add', fresh: true, returns: courseCopy, summary: 'Get the status of a course copy' },
    ({ course, id }) =>
      one(
        rows(course_copies, {
          where: and(eq(course_copies.id, id), eq(course_copies.course_id, course.id), eq(course_copies.purpose, 'copy')),
        }),
      ),
  ),
];
