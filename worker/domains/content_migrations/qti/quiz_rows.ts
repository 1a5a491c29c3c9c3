// The rows of packaged quizzes and questions: sanitised, with settings that Carrel knows. Pure.

import { gradingTypes } from '@carrel/shared/grading/score_to_grade';
import { sanitise } from '@carrel/shared/html/sanitise';
import type { PackageIssue, QtiAssessment, QtiQuestion } from '../../../cartridge/qti/types';
import type { AssignmentSettings } from '../../../cartridge/settings/assignment';
import type { PackagedQuiz } from '../../../cartridge/settings/quiz';
import { Problem } from '../../../http/problem';
import type { QuestionData, StoredAnswer } from '../../quiz_questions/table';
import { defaultSettings, type QuizSettings, type SettingsGiven, settingsAfter } from '../../quizzes/settings';

const cut = (text: string): string => text.slice(0, 255).toWellFormed();
const htmlNames = new Set([
  'html',
  'comments_html',
  'left_html',
  'correct_comments_html',
  'incorrect_comments_html',
  'neutral_comments_html',
]);

/** The same object with its HTML sanitised. */
const clean = <T extends object>(given: T): T =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, htmlNames.has(name) && typeof value === 'string' ? sanitise(value) : value]),
  ) as T;

export interface PackagedQuestionRow {
  readonly identifier: string;
  readonly question_name: string;
  readonly question_type: string;
  readonly question_text: string;
  readonly points_possible: number;
  readonly data: QuestionData;
}

export const questionRow = ({
  identifier,
  question_name,
  question_type,
  question_text,
  points_possible,
  data,
}: QtiQuestion): PackagedQuestionRow => ({
  identifier,
  question_name: cut(question_name) || 'Question',
  question_type,
  question_text: sanitise(question_text),
  points_possible: Math.max(0, points_possible),
  data: clean({ ...data, answers: data.answers.map((answer): StoredAnswer => clean(answer)) }),
});

export interface PackagedQuizRow {
  readonly settings: QuizSettings;
  readonly title: string;
  readonly description: string | null;
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
  readonly isPublished: boolean;
  readonly issues: readonly PackageIssue[];
}

/** Null where nothing is stated; absent settings keep their defaults. */
const given = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));

/** A quiz is for practice unless its package says otherwise. */
export function quizRow(quiz: QtiAssessment, packaged: PackagedQuiz | undefined): PackagedQuizRow {
  const issues: PackageIssue[] = [];
  const title = cut((packaged?.title ?? quiz.title).trim()) || 'Unnamed Quiz';
  const { due_at = null, unlock_at = null, lock_at = null, description, available, ...rest } = packaged ?? {};
  const practice: QuizSettings = { ...defaultSettings, quiz_type: 'practice_quiz' };
  const stated = given({ time_limit: quiz.time_limit, allowed_attempts: quiz.allowed_attempts, ...given(rest) }) as SettingsGiven;
  let settings = practice;
  try {
    settings = settingsAfter(stated, practice);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    issues.push({ type: 'warning', message: `The settings of the quiz ${title} could not be read.` });
  }
  const isOrderly = (one: string | null, other: string | null) => one === null || other === null || one <= other;
  const keepsDates = isOrderly(unlock_at, due_at) && isOrderly(due_at, lock_at) && isOrderly(unlock_at, lock_at);
  if (!keepsDates) issues.push({ type: 'warning', message: `The dates of the quiz ${title} contradict each other and were left out.` });
  return {
    settings,
    title,
    description: description ? sanitise(description) : null,
    due_at: keepsDates ? due_at : null,
    unlock_at: keepsDates ? unlock_at : null,
    lock_at: keepsDates ? lock_at : null,
    isPublished: available === true,
    issues,
  };
}

const assignmentOptions = ['hide_in_gradebook', 'anonymous_grading'] as const;

/** How the assignment of a graded quiz is graded. A quiz always has a grade, and what is sent to an SIS is decided in each institution. */
export const quizAssignment = (assignment: AssignmentSettings | undefined) => ({
  grading_type: gradingTypes.find((type) => type === assignment?.grading_type && type !== 'not_graded') ?? 'points',
  options: Object.fromEntries(assignmentOptions.flatMap((name) => (assignment?.[name] == null ? [] : [[name, assignment[name]]]))),
});
