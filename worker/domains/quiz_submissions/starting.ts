// Starts an attempt: draws its questions and stores what they are now.

import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { found, rejected, unauthorized } from '../../http/problem';
import { requirementEvent } from '../modules/progress/record';
import { quiz_groups } from '../quiz_groups/table';
import { quiz_questions } from '../quiz_questions/table';
import { isSurvey } from '../quizzes/settings';
import { endOfAttempt, isAttemptOverdue } from './attempt_time';
import { closeAttempts } from './overdue';
import { beginAttempt, type FreshContent, isContentKept } from './presenting/beginning';
import { drawnQuestions } from './presenting/drawn_questions';
import { seededRandom } from './presenting/random';
import { accessEndsAt, datesForTaker, locksOfQuiz, ownQuizSubmission, type QuizCall, type QuizForTaker, quizForTaker } from './reading';
import type { PresentedQuestion } from './table';
import { isRunningAttempt, refusedStart } from './takeability';
import { isBoundBySchedule, takingOf } from './taking';

const ofQuiz = (quiz: SQL) => sql`quiz_questions.quiz_id = ${quiz} and quiz_questions.workflow_state = 'active'`;

/** As many questions of each bank as the groups of the quiz draw, in random order. */
const ofBanks = (quiz: SQL) => sql`quiz_questions.id in (select nth.id from (
    select q.id, q.question_bank_id, row_number() over (partition by q.question_bank_id order by random()) as place
    from quiz_questions q where q.workflow_state = 'active' and q.question_bank_id in
      (select g.question_bank_id from quiz_groups g where g.quiz_id = ${quiz} and g.workflow_state = 'active' and g.question_bank_id is not null)) nth
  where nth.place <= (select sum(g.pick_count) from quiz_groups g where g.quiz_id = ${quiz} and g.workflow_state = 'active' and g.question_bank_id = nth.question_bank_id))`;

const questionsFor = ({ db }: Pick<Call, 'db'>, which: SQL) =>
  db.build
    .select({
      ...getTableColumns(quiz_questions),
      is_kept: isContentKept(sql.raw('quiz_questions.id'), sql.raw('quiz_questions.version')).as('is_kept'),
    })
    .from(quiz_questions)
    .where(which);

type Question = typeof quiz_questions.$inferSelect & { readonly is_kept: number };

const contentsOf = (questions: readonly Question[], drawn: readonly PresentedQuestion[]): FreshContent[] => {
  const ids = new Set(drawn.map(({ id }) => id));
  return questions
    .filter(({ id, is_kept }) => ids.has(id) && is_kept === 0)
    .map(({ id, version, question_name, question_type, question_text, data }) => ({
      id,
      version,
      content: { question_name, question_type, question_text, data },
    }));
};

const pointsOf = (quiz: QuizForTaker, drawn: readonly PresentedQuestion[]): number =>
  isSurvey(quiz.quiz_type) ? quiz.points_possible : Number(drawn.reduce((sum, { points }) => sum + points, 0).toPrecision(12));

interface Starting {
  readonly quiz_id: number;
  readonly access_code: string | undefined;
  readonly isPreview: boolean;
}

/**
 * @returns the statements of the start
 * @throws Problem for whom may not start now
 */
export async function startAttempt(
  call: QuizCall & Pick<Call, 'request' | 'afterwards'>,
  { quiz_id, access_code, isPreview }: Starting,
): Promise<Statement[]> {
  const { db, course, now } = call;
  const id = sql`${quiz_id}`;
  const [quizRows, ownRows, own, banked, groups, ...locks] = await db.perform([
    quizForTaker(call, id),
    ownQuizSubmission(call, id),
    questionsFor(call, ofQuiz(id)),
    questionsFor(call, ofBanks(id)),
    db.build
      .select()
      .from(quiz_groups)
      .where(and(eq(quiz_groups.quiz_id, quiz_id), eq(quiz_groups.workflow_state, 'active'))),
    ...locksOfQuiz(call, id),
  ]);
  const quiz = found(quizRows[0]);
  const before = ownRows[0];
  if (!quiz.is_visible) throw unauthorized();
  if (before && isRunningAttempt(before) && before.workflow_state === 'untaken' && isAttemptOverdue(before.end_at, now)) {
    await closeAttempts(db, [before.id], now);
    return startAttempt(call, { quiz_id, access_code, isPreview });
  }
  if (isPreview && !course.can('manage_assignments_edit')) throw rejected('you may not preview this quiz', 403);
  const taking = takingOf(call, quiz, before, locks, access_code);
  const refused = isPreview
    ? refusedStart(
        { ...taking, access_code: null, isAddressAllowed: true },
        { allowed_attempts: -1 },
        before && { ...before, workflow_state: 'preview' },
        true,
      )
    : refusedStart(taking, quiz, before, course.readsAsAdmin || course.participates);
  if (refused) throw rejected(refused.message, refused.status);
  const questions = [...own, ...banked];
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
  // Managers see answers as they wrote them.
  const drawn = drawnQuestions({ shuffle_answers: quiz.shuffle_answers && !isPreview }, questions, groups, seededRandom(seed));
  const attempt = (before?.attempt ?? 0) + 1;
  const begun = {
    started_at: now,
    finished_at: null,
    end_at: endOfAttempt({
      started_at: now,
      time_limit: quiz.time_limit,
      extra_time: before?.extra_time ?? null,
      lock_at: datesForTaker(quiz).lock_at,
      manually_unlocked: before?.manually_unlocked ?? false,
      access_ends_at: accessEndsAt(course),
      isGrader: !isBoundBySchedule(call),
    }),
    score: null,
    score_before_regrade: null,
    fudge_points: null,
    quiz_version: quiz.version_number,
    quiz_points_possible: pointsOf(quiz, drawn),
    workflow_state: isPreview ? ('preview' as const) : ('untaken' as const),
  };
  return [
    ...(isPreview ? [] : requirementEvent(call, course, { type: 'Quiz', content_id: quiz.id }, 'read')),
    ...beginAttempt(call, before, { begun, quiz_id, attempt, drawn, fresh: contentsOf(questions, drawn) }),
  ];
}
