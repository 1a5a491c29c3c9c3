// Images of questions: the address to send one to, and the image there.

import { NewQuizMediaAddress } from '@carrel/shared/resources/new_quiz';
import { optional, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { randomText } from '../../../database/tokens';
import { absolute, get, put } from '../../../http/endpoint';
import { found } from '../../../http/problem';
import { answer } from '../../../http/reply';
import { assignments } from '../../assignments/table';
import { serveFile } from '../../files/download/bytes';
import { files } from '../../files/table';
import { courseQuota } from '../../files/upload/quota';
import { presentNewQuiz } from '../policy';
import { mediaAddress, mediaPath, receiveMedia } from './receive';

export const about = { title: 'New Quiz media', description: 'Images of questions in New Quizzes.' };

const image = `${mediaPath}/:uuid` as const;

/** An image among the files of a course. */
const imageWith = (uuid: string) =>
  and(
    eq(files.uuid, uuid),
    eq(files.workflow_state, 'available'),
    sql`files.context_type = 'Course'`,
    sql`files.content_type like 'image/%'`,
  );

export const newQuizMediaRoutes = absolute(
  get(
    '/api/quiz/v1/courses/:course_id/quizzes/:assignment_id/items/media_upload_url',
    { can: 'manage_assignments_edit', returns: { json: NewQuizMediaAddress }, summary: 'Get an address to upload an image to' },
    async (call) => {
      const { db, course, path, me, institution } = call;
      const [there] = await db.perform([db.build.select({ id: assignments.id }).from(assignments).where(presentNewQuiz(course, path))]);
      found(there[0]);
      const quota = courseQuota(course, institution);
      return answer({ url: await mediaAddress(call, randomText(40), { course_id: course.id, user_id: me.id, quota }) });
    },
  ),

  put(
    image,
    {
      can: 'anyone',
      params: { upload: optional(text) },
      rawBody: true,
      returns: { json: NewQuizMediaAddress },
      summary: 'Upload an image',
    },
    (call) => receiveMedia(call),
  ),

  get(
    image,
    {
      can: 'anyone',
      within: ({ uuid = '' }) => ({
        course: sql`select context_id from files where uuid = ${uuid} and context_type = 'Course' and workflow_state = 'available' and content_type like 'image/%'`,
      }),
      returns: { json: null },
      conditional: 'bytes',
      summary: 'Show an image',
    },
    (call) => serveFile(call, sql`${imageWith(call.path.uuid)}`, { inline: true, verifier: call.path.uuid }),
  ),
);
