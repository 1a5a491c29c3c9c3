// The questions of a quiz: all of them, or those of an attempt as it presents them (reference 04 §3.1).

import { QuizQuestion } from '@carrel/shared/resources/quiz_question';
import { cut } from '@carrel/shared/resources/resource';
import { idField, int, optional } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { get } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { found, notFound, unauthorized } from '../../../http/problem';
import { judged, list, pageOfRows, type Reply } from '../../../http/reply';
import { questionJson, quizQuestion } from '../../quiz_questions/json';
import { questionsOf } from '../../quiz_questions/policy';
import { quiz_questions } from '../../quiz_questions/table';
import { presentQuiz } from '../../quizzes/policy';
import { quizzes } from '../../quizzes/table';
import { readAttempt, seesAsGrader, studentsView } from '../attempt_view';
import { attemptQuestionJson, textOfQuestion } from '../question_json';
import { isReader, quizIn } from '../quiz_at';
import type { AttemptQuestion, QuizCall } from '../reading';

export const about = { title: 'Questions of a quiz', description: 'All questions of a classic quiz, or those of an attempt in its order.' };

interface Presented {
  readonly id: number;
  readonly attempt: number;
}

type Asking = QuizCall & { readonly path: { readonly quiz_id: string }; readonly origin: string };

/** A grader sees the key; the number and place of the question are those of the attempt. */
const withKey = (shown: { readonly id: number; readonly question_name?: string }, question: AttemptQuestion, call: Asking) => ({
  ...shown,
  ...questionJson({ ...question.content, question_text: textOfQuestion(question) }, call),
  question_name: shown.question_name,
  points_possible: question.presented.points,
});

/** @throws Problem 401 where the student may not see the questions now, 404 for an attempt that the caller may not see */
async function presentedQuestions(call: Asking, { id, attempt }: Presented): Promise<Reply> {
  const read = await readAttempt(call, id, sql`${attempt}`);
  if (read.quiz.id !== quizIn(call.path)) throw notFound();
  const isGrader = seesAsGrader(call, read);
  if (!isGrader) studentsView(read, call.now);
  const showing = { quiz_id: read.quiz.id, origin: call.origin, isBrief: false, results: undefined, showsKeys: false };
  return pageOfRows(
    read.questions.map((question) => {
      const { answer: _answer, flagged: _flagged, ...shown } = attemptQuestionJson(question, read.questions, showing);
      return cut(QuizQuestion, isGrader ? withKey(shown, question, call) : shown);
    }),
  );
}

export const presentedQuestionRoutes = [
  get(
    '/courses/:course_id/quizzes/:quiz_id/questions',
    {
      can: isReader,
      params: { quiz_submission_id: optional(idField('quiz_submission')), quiz_submission_attempt: optional(int) },
      returns: [quizQuestion],
      summary: 'List the questions of a quiz, or of an attempt',
    },
    (call) => {
      const { db, course, path, params } = call;
      const { quiz_submission_id: id, quiz_submission_attempt: attempt } = params;
      if (id !== undefined && attempt !== undefined) return presentedQuestions(call, { id, attempt });
      if (!course.can('manage_assignments_edit')) throw unauthorized();
      const quiz_id = quizIn(path);
      return judged(
        db.build.select({ id: quizzes.id }).from(quizzes).where(presentQuiz(course, quiz_id)),
        (there) => void found(there[0]),
        list(
          rows(quiz_questions, {
            where: questionsOf(quiz_id),
            order: ascending(quiz_questions.root_position, quiz_questions.position, quiz_questions.id),
          }),
        ),
      );
    },
  ),
];
