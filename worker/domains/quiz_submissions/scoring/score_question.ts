// What an answer to a question is worth (reference 04 §6). Answers are in the form that `savedAnswer` returns.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { StoredAnswer } from '../../quiz_questions/table';
import type { AnswerMap } from '../answers/saved_answer';
import { isScoredByHand, partsOfItem, type ScoredParts } from '../interactions/item_parts';
import type { Mapping } from '../interactions/parts';
import type { QuestionResult } from '../table';
import { addDecimals, compareDecimals, type Decimal, decimalOf, marginOf, negated, toSignificant } from './decimal';

/** A question as an attempt has it. */
export interface ScoredQuestion {
  readonly id: number;
  readonly question_type: string;
  readonly points: number;
  readonly answers: readonly StoredAnswer[];
  /** Of calculated questions: the answer whose variables the attempt has. */
  readonly variant?: number;
  readonly answer_tolerance?: number | string;
  /** Points that each wrong choice costs instead of its share, in imported questions. */
  readonly incorrect_dock?: number;
  /** The question of a New Quiz. */
  readonly item?: Mapping;
}

const isRight = (answer: StoredAnswer | undefined): boolean => answer?.weight === 100;
const oneOf = (right: boolean): ScoredParts => ({ total: 1, right: right ? 1 : 0, wrong: 0 });
/** Texts are compared without case and outer blanks. */
export const foldedText = (text: unknown) =>
  String(text ?? '')
    .trim()
    .toLowerCase();
const asMap = (given: unknown): AnswerMap =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as AnswerMap) : {};
const count = <T>(all: Iterable<T>, fits: (one: T) => boolean) => [...all].filter(fits).length;

const blanksOf = ({ answers }: ScoredQuestion) => new Set(answers.flatMap(({ blank_id }) => blank_id ?? []));

/** Whether a value is an exact answer, within its margin. */
function isWithin(value: Decimal, exact: Decimal, margin: number | string | undefined): boolean {
  const around = marginOf(margin, exact);
  return compareDecimals(value, addDecimals(exact, negated(around))) >= 0 && compareDecimals(value, addDecimals(exact, around)) <= 0;
}

/** Whether a number is one of the accepted ones. */
export function fitsNumber(value: Decimal, key: StoredAnswer): boolean {
  const { numerical_answer_type: type } = key;
  if (type === 'exact_answer') {
    const exact = decimalOf(key.exact);
    return exact !== undefined && isWithin(value, exact, key.margin);
  }
  if (type === 'precision_answer') {
    const approximate = decimalOf(key.approximate);
    const digits = Math.min(Math.max(Math.trunc(key.precision ?? 1), 1), 16);
    return approximate !== undefined && compareDecimals(toSignificant(value, digits), toSignificant(approximate, digits)) === 0;
  }
  const [start, end] = [decimalOf(key.start), decimalOf(key.end)];
  if (!start || !end) return false;
  const [low, high] = compareDecimals(start, end) <= 0 ? [start, end] : [end, start];
  return compareDecimals(value, low) >= 0 && compareDecimals(value, high) <= 0;
}

function numericalParts({ answers }: ScoredQuestion, given: unknown): ScoredParts {
  const value = decimalOf(given);
  return oneOf(value !== undefined && answers.some((key) => fitsNumber(value, key)));
}

function calculatedParts({ answers, variant, answer_tolerance }: ScoredQuestion, given: unknown): ScoredParts {
  const [value, exact] = [decimalOf(given), decimalOf(answers.find(({ id }) => id === variant)?.answer)];
  return oneOf(value !== undefined && exact !== undefined && isWithin(value, exact, answer_tolerance));
}

function choiceParts({ answers }: ScoredQuestion, given: unknown): ScoredParts {
  return oneOf(isRight(answers.find(({ id }) => id === given)));
}

function textParts({ answers }: ScoredQuestion, given: unknown): ScoredParts {
  const text = foldedText(given);
  return oneOf(text !== '' && answers.some((key) => foldedText(key.text) === text));
}

function blankParts(question: ScoredQuestion, given: unknown): ScoredParts {
  const texts = asMap(given);
  const fits = (blank: string) => {
    const text = foldedText(lookUp(texts, blank));
    return text !== '' && question.answers.some((key) => key.blank_id === blank && isRight(key) && foldedText(key.text) === text);
  };
  const blanks = blanksOf(question);
  return { total: blanks.size, right: count(blanks, fits), wrong: 0 };
}

function dropdownParts(question: ScoredQuestion, given: unknown): ScoredParts {
  const chosen = asMap(given);
  const fits = (blank: string) =>
    question.answers.some((key) => key.blank_id === blank && key.id === lookUp(chosen, blank) && isRight(key));
  const blanks = blanksOf(question);
  return { total: blanks.size, right: count(blanks, fits), wrong: 0 };
}

function severalParts({ answers }: ScoredQuestion, given: unknown): ScoredParts {
  const chosen = new Set<unknown>(Array.isArray(given) ? given : []);
  const ofThese = answers.filter(({ id }) => chosen.has(id));
  return { total: count(answers, isRight), right: count(ofThese, isRight), wrong: count(ofThese, (key) => !isRight(key)) };
}

/** A match counts for every left item that has the same right text. */
function matchingParts({ answers }: ScoredQuestion, given: unknown): ScoredParts {
  const chosen = asMap(given);
  const fits = (key: StoredAnswer) => {
    const match = lookUp(chosen, String(key.id));
    if (match === undefined || match === null) return false;
    return match === key.match_id || answers.some((other) => other.match_id === match && foldedText(other.right) === foldedText(key.right));
  };
  return { total: answers.length, right: count(answers, fits), wrong: 0 };
}

const partsOf = new Map<string, (question: ScoredQuestion, given: unknown) => ScoredParts>([
  ['multiple_choice_question', choiceParts],
  ['true_false_question', choiceParts],
  ['missing_word_question', choiceParts],
  ['short_answer_question', textParts],
  ['fill_in_multiple_blanks_question', blankParts],
  ['multiple_dropdowns_question', dropdownParts],
  ['multiple_answers_question', severalParts],
  ['matching_question', matchingParts],
  ['numerical_question', numericalParts],
  ['calculated_question', calculatedParts],
]);

const gradedByHand = new Set(['essay_question', 'file_upload_question']);

/** Whether nothing was answered: a cleared answer is like none. */
export const isBlankAnswer = (given: unknown): boolean =>
  given === null ||
  given === undefined ||
  given === '' ||
  (Array.isArray(given) && given.length === 0) ||
  (typeof given === 'object' && !Array.isArray(given) && Object.values(given).every((part) => part === null || part === ''));

function pointsOf({ total, right, wrong, points: own }: ScoredParts, { points, incorrect_dock }: ScoredQuestion): number {
  if (own !== undefined) return own;
  if (total === 0) return 0;
  const lost = incorrect_dock === undefined ? 0 : incorrect_dock * wrong;
  const counted = incorrect_dock === undefined ? right - wrong : right;
  return Math.max(0, (counted * points) / total - lost);
}

const partsOfQuestion = (question: ScoredQuestion, given: unknown): ScoredParts =>
  question.item
    ? partsOfItem(question.item, given, question.variant)
    : (partsOf.get(question.question_type)?.(question, given) ?? { total: 0, right: 0, wrong: 0 });

/** @param given null or undefined without an answer */
export function scoreQuestion(question: ScoredQuestion, given: unknown): QuestionResult {
  const question_id = question.id;
  if (question.item ? isScoredByHand(question.item) : gradedByHand.has(question.question_type))
    return isBlankAnswer(given) ? { question_id, correct: false, points: 0 } : { question_id, correct: 'undefined', points: 0 };
  const parts = partsOfQuestion(question, given);
  const { total, right, wrong } = parts;
  if (total === 0) return { question_id, correct: 'no_score', points: 0 };
  const points = pointsOf(parts, question);
  if (right === total && wrong === 0) return { question_id, correct: true, points };
  return { question_id, correct: right - wrong > 0 || (parts.points ?? 0) > 0 ? 'partial' : false, points };
}
