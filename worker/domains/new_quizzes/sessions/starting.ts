// Starts an attempt at a New Quiz: draws what it presents, and stores it through the engine of attempts.

import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { found, rejected } from '../../../http/problem';
import { requirementEvent } from '../../modules/progress/record';
import { type PresentedContent, quiz_questions } from '../../quiz_questions/table';
import { endOfAttempt, isAttemptOverdue } from '../../quiz_submissions/attempt_time';
import { allowedAttemptsOf, newQuizKey, timeLimitOf, waitsUntil } from '../../quiz_submissions/interactions/taken_new_quiz';
import { closeAttempts } from '../../quiz_submissions/overdue';
import { beginAttempt, type FreshContent, isContentKept } from '../../quiz_submissions/presenting/beginning';
import { seededRandom } from '../../quiz_submissions/presenting/random';
import { accessEndsAt } from '../../quiz_submissions/reading';
import type { PresentedQuestion } from '../../quiz_submissions/table';
import { isRunningAttempt, refusedStart } from '../../quiz_submissions/takeability';
import { isBoundBySchedule } from '../../quiz_submissions/taking';
import { newQuizIn } from '../policy';
import { new_quiz_items } from '../table';
import { drawnItems, presentedItemId } from './drawn_items';
import { locksOfNewQuiz, newQuizForTaker, ownSessions, type SessionsCall, takingOfNewQuiz } from './reading';

const activeItems = (id: SQL) => sql`new_quiz_items.new_quiz_id = ${id} and new_quiz_items.workflow_state = 'active'`;

const itemsFor = ({ db, path }: SessionsCall) =>
  db.build
    .select({
      ...getTableColumns(new_quiz_items),
      is_kept: isContentKept(sql.raw('-new_quiz_items.id'), sql.raw('new_quiz_items.version')).as('is_kept'),
    })
    .from(new_quiz_items)
    .where(activeItems(sql`(${newQuizIn(path)})`))
    .orderBy(new_quiz_items.position, new_quiz_items.id);

/** As many questions of each bank as the items of the quiz draw or name, in random order, and the named ones. */
const bankedFor = ({ db, path }: SessionsCall) => {
  const items = sql`from new_quiz_items i where i.new_quiz_id = (${newQuizIn(path)}) and i.workflow_state = 'active'`;
  return db.build
    .select({
      ...getTableColumns(quiz_questions),
      is_kept: isContentKept(sql.raw('quiz_questions.id'), sql.raw('quiz_questions.version')).as('is_kept'),
    })
    .from(quiz_questions)
    .where(
      sql`quiz_questions.id in (select nth.id from (
          select q.id, q.question_bank_id, row_number() over (partition by q.question_bank_id order by random()) as place
          from quiz_questions q where q.workflow_state = 'active' and q.question_bank_id in
            (select b.id from question_banks b where b.workflow_state = 'active' and b.id in (select i.question_bank_id ${items} and i.question_bank_id is not null))) nth
        where nth.place <= (select sum(coalesce(i.properties ->> 'sample_num', 1)) ${items} and i.question_bank_id = nth.question_bank_id)
          + (select count(*) ${items} and i.bank_question_id is not null)
        union select q.id from quiz_questions q where q.workflow_state = 'active' and q.id in (select i.bank_question_id ${items} and i.bank_question_id is not null))`,
    );
};

type Item = typeof new_quiz_items.$inferSelect & { readonly is_kept: number };
type Banked = typeof quiz_questions.$inferSelect & { readonly is_kept: number };

const contentOf = ({ entry, entry_type }: Item): PresentedContent => ({
  question_name: String(entry.title ?? ''),
  question_type: entry_type === 'Stimulus' ? 'stimulus' : String(entry.interaction_type_slug),
  question_text: '',
  data: { answers: [], item: entry },
});

function freshContents(items: readonly Item[], banked: readonly Banked[], drawn: readonly PresentedQuestion[]): FreshContent[] {
  const ids = new Set(drawn.map(({ id }) => id));
  const ofItems = items.map((item) => ({ ...item, id: presentedItemId(item.id), content: contentOf(item) }));
  const ofBanks = banked.map((question) => {
    const { question_name, question_type, question_text, data } = question;
    return { ...question, content: { question_name, question_type, question_text, data } };
  });
  return [...ofItems, ...ofBanks]
    .filter(({ id, is_kept }) => ids.has(id) && is_kept === 0)
    .map(({ id, version, content }) => ({ id, version, content }));
}

interface StartGiven {
  readonly access_code: string | undefined;
  readonly isPreview: boolean;
}

/**
 * @returns the statements of the start
 * @throws Problem for whom may not start now
 */
export async function startSession(call: SessionsCall & Pick<Call, 'afterwards'>, given: StartGiven): Promise<Statement[]> {
  const { db, course, now } = call;
  const { isPreview } = given;
  const [quizRows, ownRows, items, banked, locks] = await db.perform([
    newQuizForTaker(call),
    ownSessions(call),
    itemsFor(call),
    bankedFor(call),
    locksOfNewQuiz(call),
  ]);
  const quiz = found(quizRows[0]);
  const before = ownRows[0];
  if (before && isRunningAttempt(before) && before.workflow_state === 'untaken' && isAttemptOverdue(before.end_at, now)) {
    await closeAttempts(db, [before.id], now);
    return startSession(call, given);
  }
  if (isPreview && !course.can('manage_assignments_edit')) throw rejected('you may not preview this quiz', 403);
  const { quiz_settings: settings, eased } = quiz;
  const extra_attempts = eased?.extra_attempts ?? 0;
  const taking = takingOfNewQuiz(call, quiz, locks, given.access_code);
  const refused = isPreview
    ? refusedStart(
        { ...taking, access_code: null, isAddressAllowed: true },
        { allowed_attempts: -1 },
        before && { ...before, workflow_state: 'preview' },
        true,
      )
    : refusedStart(
        taking,
        { allowed_attempts: allowedAttemptsOf(settings) },
        before && { ...before, extra_attempts },
        course.readsAsAdmin || course.participates,
      );
  if (refused) throw rejected(refused.message, refused.status);
  const next = isPreview ? null : waitsUntil(settings, before?.finished_at ?? null);
  if (next !== null && next > now) throw rejected(`the next attempt may start at ${next}`);
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
  // Managers see the quiz as they wrote it.
  const drawing = {
    shuffle_answers: settings.shuffle_answers && !isPreview,
    shuffle_questions: settings.shuffle_questions && !isPreview,
    reducesChoices: eased?.reduce_choices_enabled === 1,
  };
  const drawn = drawnItems(drawing, items, banked, seededRandom(seed));
  const extra_time = eased?.extra_time ?? 0;
  const begun = {
    started_at: now,
    finished_at: null,
    end_at: endOfAttempt({
      started_at: now,
      time_limit: timeLimitOf(settings),
      extra_time,
      lock_at: quiz.effective_dates.lock_at,
      manually_unlocked: false,
      access_ends_at: accessEndsAt(course),
      isGrader: !isBoundBySchedule(call),
    }),
    score: null,
    score_before_regrade: null,
    fudge_points: null,
    quiz_version: 1,
    quiz_points_possible: Number(drawn.reduce((sum, { points }) => sum + points, 0).toPrecision(12)),
    workflow_state: isPreview ? ('preview' as const) : ('untaken' as const),
  };
  return [
    ...(isPreview ? [] : requirementEvent(call, course, { type: 'Assignment', content_id: quiz.id }, 'read')),
    ...beginAttempt(call, before, {
      begun,
      quiz_id: newQuizKey(quiz.id),
      attempt: (before?.attempt ?? 0) + 1,
      drawn,
      fresh: freshContents(items, banked, drawn),
      allowed: { extra_attempts, extra_time },
    }),
  ];
}
