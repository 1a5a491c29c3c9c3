// A question as it is stored, from what a client sends and what was stored before.

import { sanitise } from '@carrel/shared/html/sanitise';
import { withoutHost } from '../../../html/addresses';
import { invalid } from '../../../http/problem';
import type { QuestionData, quiz_questions, StoredAnswer } from '../table';
import { matchesOf, type PartIds, storedAnswers, toleranceOf } from './answers';
import type { QuestionGiven } from './input';

type Row = typeof quiz_questions.$inferSelect;
type Before = Pick<Row, 'question_name' | 'question_type' | 'question_text' | 'points_possible' | 'data'>;

const longestText = 16 * 1024;
const longestComment = 5 * 1024;
const mostAnswers = 1000;

const nothing: Before = {
  question_name: 'Question',
  question_type: 'text_only_question',
  question_text: 'Question text',
  points_possible: 0,
  data: { answers: [] },
};

const isTooLong = (text: string | null | undefined, limit: number): boolean => (text?.length ?? 0) > limit;

const comments = ['correct_comments', 'incorrect_comments', 'neutral_comments'] as const;
const commentsInHtml = ['correct_comments_html', 'incorrect_comments_html', 'neutral_comments_html'] as const;

/** @throws Problem 400 by field for texts, comments and lists over their limits, and negative points */
function checkLimits(given: QuestionGiven): void {
  const refuse = (field: string) => {
    throw invalid(field, 'too_long', 'is too long');
  };
  if (isTooLong(given.question_text, longestText)) refuse('question_text');
  if (isTooLong(given.question_name, 255)) refuse('question_name');
  for (const name of [...comments, ...commentsInHtml]) if (isTooLong(given[name], longestComment)) refuse(name);
  const answers = given.answers ?? [];
  if (answers.length > mostAnswers || answers.some((one) => Object.values(one).some((text) => isTooLong(String(text), longestText))))
    refuse('answers');
  if ((given.points_possible ?? 0) < 0) throw invalid('points_possible', 'invalid', 'must be greater than or equal to 0');
}

const kept = (sent: string | null | undefined, before: string | undefined): string | undefined =>
  sent === undefined ? before : (sent ?? undefined);

function commentsAfter(given: QuestionGiven, before: QuestionData): Partial<QuestionData> {
  return {
    ...Object.fromEntries(comments.map((name) => [name, kept(given[name], before[name])])),
    ...Object.fromEntries(commentsInHtml.map((name) => [name, kept(given[name] && sanitise(given[name]), before[name])])),
  };
}

function matchingAfter(given: QuestionGiven, before: QuestionData, answers: readonly StoredAnswer[], next: PartIds): Partial<QuestionData> {
  const distractors = kept(given.matching_answer_incorrect_matches, before.matching_answer_incorrect_matches) ?? '';
  return {
    ...matchesOf(answers, given.answers ?? before.answers, distractors, before.matches ?? [], next),
    matching_answer_incorrect_matches: distractors,
  };
}

/** Values have as many decimals as their variable. */
function scaledAnswers(answers: readonly StoredAnswer[], variables: NonNullable<QuestionData['variables']>): StoredAnswer[] {
  const scales = new Map(variables.map((one) => [one.name, one.scale]));
  const scaled = (name: string, value: string) => {
    const scale = scales.get(name);
    return scale === undefined || value.trim() === '' || !Number.isFinite(Number(value)) ? value : Number(value).toFixed(scale);
  };
  return answers.map((one) => ({ ...one, variables: one.variables?.map(({ name, value }) => ({ name, value: scaled(name, value) })) }));
}

function calculatedAfter(given: QuestionGiven, before: QuestionData, answers: readonly StoredAnswer[]): Partial<QuestionData> {
  const variables = given.variables?.map((one) => ({ ...one, scale: Math.min(10, Math.max(0, one.scale ?? 0)) })) ?? before.variables ?? [];
  const tolerance = given.answer_tolerance === undefined ? before.answer_tolerance : given.answer_tolerance;
  const places = given.formula_decimal_places === undefined ? before.formula_decimal_places : given.formula_decimal_places;
  return {
    variables,
    formulas: given.formulas?.map((one) => (typeof one === 'string' ? { formula: one } : one)) ?? before.formulas ?? [],
    answer_tolerance: toleranceOf(tolerance),
    formula_decimal_places: Math.min(10, Math.max(0, places ?? 0)),
    answers: scaledAnswers(answers, variables),
  };
}

/** The key of a question after a write. */
function dataAfter(type: string, given: QuestionGiven, before: QuestionData, next: PartIds): QuestionData {
  const answers = storedAnswers(type, given.answers ?? before.answers, next);
  return {
    answers,
    ...commentsAfter(given, before),
    ...(type === 'missing_word_question' && { text_after_answers: kept(given.text_after_answers, before.text_after_answers) ?? '' }),
    ...(type === 'matching_question' && matchingAfter(given, before, answers, next)),
    ...(type === 'calculated_question' && calculatedAfter(given, before, answers)),
    ...(type === 'multiple_answers_question' && before.incorrect_dock !== undefined && { incorrect_dock: before.incorrect_dock }),
  };
}

/**
 * Name, type, text, points and key after a write; fields that are not sent keep their values, and `answers` replaces the whole set.
 * @param next gives random ids for answers and matches
 * @param origin of this host, which is removed from links
 * @throws Problem 400 by field
 */
export function storedQuestion(given: QuestionGiven, before: Before = nothing, next: PartIds, origin: string): Before {
  checkLimits(given);
  const question_type = given.question_type || before.question_type;
  const text = given.question_text;
  return {
    question_name: given.question_name === undefined ? before.question_name : given.question_name || nothing.question_name,
    question_type,
    question_text: text === undefined ? before.question_text : sanitise(withoutHost(text || nothing.question_text, origin)),
    points_possible:
      question_type === 'text_only_question'
        ? 0
        : given.points_possible === undefined
          ? before.points_possible
          : (given.points_possible ?? 0),
    data: dataAfter(question_type, given, before.data, next),
  };
}
