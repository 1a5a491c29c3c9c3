// The lines of the CSV files (reference 04 §8). Pure.

import { csvLine } from '@carrel/shared/csv/writer';
import { htmlToText } from '../../html/plain';
import type { CountedQuestion } from '../quiz_statistics/choices_made';
import { alphaOfChoices, type CountedAttempts, hasOneRightChoice, itemFigures } from '../quiz_statistics/question_statistics';
import type { AttemptWork } from '../quiz_statistics/read';
import type { QuestionTally } from '../quiz_statistics/tally';
import { answerText } from './answer_text';

type Cell = string | number | null;

/** Who has made an attempt. */
export interface ReportedAttempt {
  readonly user_id: number;
  readonly name: string;
  readonly sis_user_id: string | null;
  /** JSON: name, id and SIS id of each. */
  readonly sections: string;
  readonly attempt: number;
  readonly finished_at: string | null;
  readonly score: number | null;
}

export interface ReportColumns {
  readonly questions: readonly CountedQuestion[];
  /** Anonymous surveys name no one. */
  readonly isAnonymous: boolean;
  readonly showsSisIds: boolean;
}

const titleOf = ({ question_text }: CountedQuestion): string => htmlToText(question_text).replace(/\s+/g, ' ');
const identity = ['name', 'id', 'sis_id', 'section', 'section_id', 'section_sis_id'];

export const attemptHead = ({ questions, isAnonymous }: ReportColumns): string =>
  csvLine([
    ...(isAnonymous ? [] : identity),
    'submitted',
    'attempt',
    ...questions.flatMap((one): Cell[] => [`${one.id}: ${titleOf(one)}`, one.points]),
    'n correct',
    'n incorrect',
    'score',
  ]);

function identityCells({ name, user_id, sis_user_id, sections }: ReportedAttempt, showsSisIds: boolean): Cell[] {
  const all = JSON.parse(sections) as [name: string, id: number, sis_id: string | null][];
  const joined = (values: readonly (string | number | null)[]) => values.map((one) => one ?? '').join(', ');
  return [
    name,
    user_id,
    showsSisIds ? sis_user_id : '',
    joined(all.map(([section]) => section)),
    joined(all.map(([, id]) => id)),
    showsSisIds ? joined(all.map(([, , sis_id]) => sis_id)) : '',
  ];
}

/** Questions that the attempt did not present are blank. */
export function attemptLine(attempt: ReportedAttempt, { results, given }: AttemptWork, columns: ReportColumns): string {
  const byQuestion = new Map(results.map((one) => [one.question_id, one]));
  return csvLine([
    ...(columns.isAnonymous ? [] : identityCells(attempt, columns.showsSisIds)),
    attempt.finished_at,
    attempt.attempt,
    ...columns.questions.flatMap((one): Cell[] => {
      const result = byQuestion.get(one.id);
      return result ? [answerText(one, given.get(one.id) ?? null), result.points] : ['', ''];
    }),
    results.filter(({ correct }) => correct === true).length,
    results.filter(({ correct }) => correct === false).length,
    attempt.score,
  ]);
}

const itemColumns = [
  ['Answered Student Count', 'answered_student_count'],
  ['Top Student Count', 'top_student_count'],
  ['Middle Student Count', 'middle_student_count'],
  ['Bottom Student Count', 'bottom_student_count'],
  ['Correct Student Count', 'correct_student_count'],
  ['Incorrect Student Count', 'incorrect_student_count'],
  ['Correct Student Ratio', 'correct_student_ratio'],
  ['Incorrect Student Ratio', 'incorrect_student_ratio'],
  ['Correct Top Student Count', 'correct_top_student_count'],
  ['Correct Middle Student Count', 'correct_middle_student_count'],
  ['Correct Bottom Student Count', 'correct_bottom_student_count'],
  ['Variance', 'variance'],
  ['Standard Deviation', 'stdev'],
  ['Difficulty Index', 'difficulty_index'],
  ['Alpha', 'alpha'],
] as const;

/** A line for each question with one right choice; the point biserials of the wrong ones come last. */
export function itemLines(tallies: readonly QuestionTally[], attempts: CountedAttempts): string {
  const alpha = alphaOfChoices(tallies, attempts);
  const items = tallies
    .filter(hasOneRightChoice)
    .map((tally) => ({ question: tally.question, figures: itemFigures(tally, attempts, alpha) }));
  const distractors = Math.max(0, ...items.map(({ figures }) => figures.point_biserials.filter((one) => one.distractor).length));
  const head = [
    'Question Id',
    'Question Title',
    ...itemColumns.map(([title]) => title),
    'Point Biserial of Correct',
    ...Array.from({ length: distractors }, (_, nth) => `Point Biserial of Distractor ${nth + 2}`),
  ];
  const lines = items.map(({ question, figures }) => [
    question.id,
    titleOf(question),
    ...itemColumns.map(([, name]) => figures[name]),
    figures.point_biserials.find((one) => one.correct)?.point_biserial ?? null,
    ...figures.point_biserials.filter((one) => one.distractor).map((one) => one.point_biserial),
  ]);
  return [head, ...lines].map(csvLine).join('');
}
