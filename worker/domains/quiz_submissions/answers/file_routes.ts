// Files for the answers of file-upload questions (reference 04 §7.6).

import { sql } from 'drizzle-orm';
import { post } from '../../../http/endpoint';
import { found, unauthorized } from '../../../http/problem';
import { answer, write } from '../../../http/reply';
import { submissionId, submissionIdOf } from '../../../rules/submission_ids';
import { submissionsIn } from '../../files/folders/paths';
import { aboutFile, uploadParams } from '../../files/upload/parameters';
import { startUpload, uploadTicket } from '../../files/upload/start';
import { bytesFor, refuseTooLarge, submissionLimits } from '../../files/upload/submission_limits';
import { isReader, quizIn } from '../quiz_at';
import { quizForTaker } from '../reading';
import { takingOf } from '../taking';

export const about = { title: 'Quiz submission files', description: 'Files that students upload as answers of quizzes.' };

export const quizSubmissionFileRoutes = [
  post(
    '/courses/:course_id/quizzes/:quiz_id/submissions/self/files',
    { can: isReader, params: uploadParams, returns: uploadTicket, summary: 'Upload a file for an answer' },
    async (call) => {
      const { db, course, me, path, env, params } = call;
      const id = quizIn(path);
      const assignment = sql`(select q.assignment_id from quizzes q where q.id = ${id})`;
      const [quizRows, used] = await db.perform([
        quizForTaker(call, sql`${id}`),
        db.build.all<{ bytes: number }>(sql`select ${bytesFor(submissionIdOf(assignment, sql`${me.id}`), me.id)} as bytes`),
      ]);
      const quiz = found(quizRows[0]);
      if (!quiz.is_visible || !takingOf(call, quiz, undefined, [], undefined).maySubmit) throw unauthorized();
      const limits = submissionLimits(env);
      refuseTooLarge(limits, params.size, used[0]?.bytes ?? 0);
      const started = await startUpload(call, {
        ...aboutFile(params),
        holder: { context_type: 'User', context_id: me.id },
        folder: { path: submissionsIn(course) },
        is_submitted: true,
        submission_id: quiz.assignment_id === null ? undefined : submissionId(quiz.assignment_id, me.id),
        limits,
      });
      // Some clients read the ticket itself, others the list.
      if (started.kind !== 'write' || started.then.kind !== 'answer') return started;
      const { json: ticket } = started.then;
      return write(started.statements, answer({ ...(ticket as object), attachments: [ticket] }));
    },
  ),
];
