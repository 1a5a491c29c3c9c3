// Files for the responses of file-upload questions in New Quizzes.

import { sql } from 'drizzle-orm';
import { absolute, post } from '../../../http/endpoint';
import { found, unauthorized } from '../../../http/problem';
import { submissionId, submissionIdOf } from '../../../rules/submission_ids';
import { submissionsIn } from '../../files/folders/paths';
import { aboutFile, uploadParams } from '../../files/upload/parameters';
import { startUpload, uploadTicket } from '../../files/upload/start';
import { bytesFor, refuseTooLarge, submissionLimits } from '../../files/upload/submission_limits';
import { isReader } from '../../quiz_submissions/quiz_at';
import { newQuizIn } from '../policy';
import { newQuizForTaker, takingOfNewQuiz } from './reading';

export const about = { title: 'New Quiz session files', description: 'Files that students upload as responses in New Quizzes.' };

export const newQuizSessionFileRoutes = absolute(
  post(
    '/api/quiz/v1/courses/:course_id/quizzes/:assignment_id/sessions/self/files',
    { can: isReader, params: uploadParams, returns: uploadTicket, summary: 'Upload a file for a response' },
    async (call) => {
      const { db, course, me, path, env, params } = call;
      const [quizRows, used] = await db.perform([
        newQuizForTaker(call),
        db.build.all<{ bytes: number }>(sql`select ${bytesFor(submissionIdOf(sql`(${newQuizIn(path)})`, sql`${me.id}`), me.id)} as bytes`),
      ]);
      const quiz = found(quizRows[0]);
      if (!takingOfNewQuiz(call, quiz, [], undefined).maySubmit) throw unauthorized();
      const limits = submissionLimits(env);
      refuseTooLarge(limits, params.size, used[0]?.bytes ?? 0);
      return startUpload(call, {
        ...aboutFile(params),
        holder: { context_type: 'User', context_id: me.id },
        folder: { path: submissionsIn(course) },
        is_submitted: true,
        submission_id: submissionId(quiz.id, me.id),
        limits,
      });
    },
  ),
);
