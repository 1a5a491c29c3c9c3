// Counts the answers of attempts to one question. Attempts are numbers, so that the answers of many attempts need little memory.

import type { SavedAnswer } from '../quiz_submissions/answers/saved_answer';
import { isBlankAnswer } from '../quiz_submissions/scoring/score_question';
import type { QuestionResult } from '../quiz_submissions/table';
import { type AnsweredPart, type CountedQuestion, choicesMade, partsOfQuestion, unanswered } from './choices_made';

/** Growing lists of the numbers of attempts. */
export interface QuestionTally {
  readonly question: CountedQuestion;
  readonly parts: readonly AnsweredPart[];
  readonly presented: number[];
  /** With an answer that is not blank. */
  readonly answered: number[];
  /** With an answer to every part. */
  readonly complete: number[];
  readonly results: ReadonlyMap<QuestionResult['correct'], number[]>;
  /** By part and id of the answer. */
  readonly chosen: readonly Map<string, number[]>[];
  /** Points of each attempt in `presented`. */
  readonly points: number[];
}

const outcomes = [true, false, 'partial', 'undefined', 'defined', 'no_score'] as const;

export function emptyTally(question: CountedQuestion): QuestionTally {
  const parts = partsOfQuestion(question);
  return {
    question,
    parts,
    presented: [],
    answered: [],
    complete: [],
    results: new Map(outcomes.map((one) => [one, []])),
    chosen: parts.map(() => new Map()),
    points: [],
  };
}

/** @param attempt its number, which grows from call to call */
export function countAnswer(tally: QuestionTally, attempt: number, result: QuestionResult, given: SavedAnswer): void {
  tally.presented.push(attempt);
  tally.points.push(result.points);
  tally.results.get(result.correct)?.push(attempt);
  const chosen = choicesMade(tally.question, tally.parts, given);
  for (const [part, ids] of chosen.entries()) {
    const counts = tally.chosen[part];
    for (const id of ids) {
      const those = counts?.get(id);
      if (those) those.push(attempt);
      else counts?.set(id, [attempt]);
    }
  }
  if (isBlankAnswer(given)) return;
  tally.answered.push(attempt);
  if (chosen.every((ids) => !ids.includes(unanswered))) tally.complete.push(attempt);
}

/** The attempts with a result. */
export const attemptsWith = ({ results }: QuestionTally, ...wanted: readonly QuestionResult['correct'][]): readonly number[] =>
  wanted.flatMap((one) => results.get(one) ?? []);
