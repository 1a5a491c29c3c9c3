// Quizzes and question banks as they are in packages, from their rows. Pure.

import { packageKey } from '../../cartridge/keys';
import type { QtiAssessment, QtiBank, QtiEntry, QtiGroup, QtiQuestion } from '../../cartridge/qti/types';
import type { AssignmentSettings } from '../../cartridge/settings/assignment';
import type { PackagedQuiz } from '../../cartridge/settings/quiz';
import type { assignments } from '../assignments/table';
import type { question_banks } from '../question_banks/table';
import type { quiz_groups } from '../quiz_groups/table';
import type { quiz_questions } from '../quiz_questions/table';
import type { quizzes } from '../quizzes/table';

type QuizRow = typeof quizzes.$inferSelect;
type AssignmentRow = typeof assignments.$inferSelect;
type GroupRow = typeof quiz_groups.$inferSelect;
type QuestionRow = typeof quiz_questions.$inferSelect;
type BankRow = Pick<typeof question_banks.$inferSelect, 'id' | 'context_type' | 'context_id' | 'title'>;

/** The uuid of the course. */
type Source = string;

export const packagedQuestion = (source: Source, row: QuestionRow): QtiQuestion => ({
  identifier: packageKey(source, 'question', row.id),
  question_name: row.question_name,
  question_type: row.question_type,
  question_text: row.question_text,
  points_possible: row.points_possible,
  data: row.data,
  ...(row.assessment_question_id === null ? {} : { bank_question: packageKey(source, 'question', row.assessment_question_id) }),
});

/** A bank of an account stays outside of the package. */
function bankOf(source: Source, bank: BankRow | undefined): Pick<QtiGroup, 'bank'> {
  if (!bank) return {};
  return bank.context_type === 'Course'
    ? { bank: { identifier: packageKey(source, 'question_bank', bank.id), isExternal: false } }
    : { bank: { identifier: String(bank.id), context: `account_${bank.context_id}`, isExternal: true } };
}

/** @param questions of the quiz, in order of their root position, then of their position */
export function packagedAssessment(
  source: Source,
  quiz: QuizRow,
  groups: readonly GroupRow[],
  questions: readonly QuestionRow[],
  banks: readonly BankRow[],
): QtiAssessment {
  const asEntry = (group: GroupRow): QtiEntry => ({
    group: {
      identifier: packageKey(source, 'quiz_group', group.id),
      name: group.name,
      pick_count: group.pick_count,
      question_points: group.question_points,
      ...bankOf(
        source,
        banks.find(({ id }) => id === group.question_bank_id),
      ),
      questions: questions.filter(({ quiz_group_id }) => quiz_group_id === group.id).map((one) => packagedQuestion(source, one)),
    },
  });
  const placed = [
    ...groups.map((group) => ({ at: group.position, id: group.id, entry: asEntry(group) })),
    ...questions
      .filter(({ quiz_group_id }) => quiz_group_id === null)
      .map((one) => ({ at: one.position, id: one.id, entry: { question: packagedQuestion(source, one) } })),
  ].sort((a, b) => a.at - b.at || a.id - b.id);
  return {
    identifier: packageKey(source, 'quiz', quiz.id),
    title: quiz.title,
    entries: placed.map(({ entry }) => entry),
    ...(quiz.time_limit === null ? {} : { time_limit: quiz.time_limit }),
    allowed_attempts: quiz.allowed_attempts,
  };
}

export const packagedBank = (source: Source, bank: BankRow, questions: readonly QuestionRow[]): QtiBank => ({
  identifier: packageKey(source, 'question_bank', bank.id),
  title: bank.title,
  questions: questions.map((one) => packagedQuestion(source, one)),
});

/** Options of an assignment that a quiz can have. */
const options = ['hide_in_gradebook', 'post_to_sis', 'anonymous_grading'] as const;

/** The assignment of a graded quiz. */
function assignmentSettings(source: Source, row: AssignmentRow): AssignmentSettings {
  return {
    identifier: packageKey(source, 'assignment', row.id),
    title: row.name,
    due_at: row.due_at,
    lock_at: row.lock_at,
    unlock_at: row.unlock_at,
    assignment_group_identifierref: packageKey(source, 'assignment_group', row.assignment_group_id),
    workflow_state: row.workflow_state,
    quiz_identifierref: null,
    points_possible: row.points_possible,
    grading_type: row.grading_type,
    submission_types: row.submission_types,
    position: row.position,
    ...Object.fromEntries(options.flatMap((name) => (row.options[name] === undefined ? [] : [[name, row.options[name] === true]]))),
    omit_from_final_grade: row.omit_from_final_grade,
    only_visible_to_overrides: row.only_visible_to_overrides,
    ...(row.own_post_manually === null ? {} : { post_manually: row.own_post_manually }),
  };
}

/** With its access code and address filter, which are secrets of staff. */
export function packagedSettings(source: Source, quiz: QuizRow, assignment: AssignmentRow | undefined): PackagedQuiz {
  const identifier = packageKey(source, 'quiz', quiz.id);
  return {
    identifier,
    title: quiz.title,
    description: quiz.description,
    shuffle_answers: quiz.shuffle_answers,
    scoring_policy: quiz.scoring_policy,
    hide_results: quiz.hide_results,
    quiz_type: quiz.quiz_type,
    points_possible: quiz.points_possible,
    due_at: quiz.due_at,
    lock_at: quiz.lock_at,
    unlock_at: quiz.unlock_at,
    access_code: quiz.access_code,
    ip_filter: quiz.ip_filter,
    show_correct_answers: quiz.show_correct_answers,
    show_correct_answers_at: quiz.show_correct_answers_at,
    hide_correct_answers_at: quiz.hide_correct_answers_at,
    show_correct_answers_last_attempt: quiz.show_correct_answers_last_attempt,
    anonymous_submissions: quiz.anonymous_submissions,
    available: quiz.workflow_state === 'available',
    time_limit: quiz.time_limit,
    allowed_attempts: quiz.allowed_attempts,
    one_question_at_a_time: quiz.one_question_at_a_time,
    cant_go_back: quiz.cant_go_back,
    one_time_results: quiz.one_time_results,
    only_visible_to_overrides: quiz.only_visible_to_overrides,
    ...(assignment
      ? {
          assignment_group_identifierref: packageKey(source, 'assignment_group', assignment.assignment_group_id),
          assignment: { ...assignmentSettings(source, assignment), quiz_identifierref: identifier },
        }
      : {}),
  };
}
