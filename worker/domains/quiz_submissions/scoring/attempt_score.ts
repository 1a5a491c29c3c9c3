// The score of an attempt from the results of its questions, with what graders changed (reference 04 §4.6, §6).

import type { QuestionResult } from '../table';

export type AttemptState = 'complete' | 'pending_review';

interface ScoredQuiz {
  readonly quiz_type: 'practice_quiz' | 'assignment' | 'graded_survey' | 'survey';
  /** Those of the quiz when the attempt started. */
  readonly quiz_points_possible: number;
}

/** A turned-in graded survey is worth all of its points. @param fudge points that a grader added or took */
export function scoreOfAttempt(quiz: ScoredQuiz, results: readonly QuestionResult[], fudge: number): number {
  if (quiz.quiz_type === 'graded_survey') return quiz.quiz_points_possible;
  // Sums of binary fractions such as 0.1 would show digits that no one entered.
  const sum = results.reduce((total, { points }) => total + points, fudge);
  return Number(sum.toPrecision(12));
}

/** The answers of a survey wait for no one. */
export function stateOfAttempt({ quiz_type }: Pick<ScoredQuiz, 'quiz_type'>, results: readonly QuestionResult[]): AttemptState {
  const isSurvey = quiz_type === 'survey' || quiz_type === 'graded_survey';
  return !isSurvey && results.some(({ correct }) => correct === 'undefined') ? 'pending_review' : 'complete';
}

/** What a grader enters for a question. */
export interface ManualResult {
  /** Null takes the score away again. */
  readonly score?: number | null;
  /** An empty text removes the comment. */
  readonly comment?: string;
}

/** Results with what a grader entered, by question id. Other questions stay as they are. */
export function withManualResults(results: readonly QuestionResult[], manual: ReadonlyMap<number, ManualResult>): QuestionResult[] {
  return results.map((result) => {
    const entered = manual.get(result.question_id);
    if (!entered) return result;
    const { comment: before, ...rest } = result;
    const comment = entered.comment ?? before;
    const said = comment === undefined || comment === '' ? {} : { comment };
    if (entered.score === undefined) return { ...rest, ...said };
    if (entered.score === null) return { ...rest, correct: 'undefined', points: 0, ...said };
    return { ...rest, correct: result.correct === 'undefined' ? 'defined' : result.correct, points: entered.score, ...said };
  });
}

/** The fudge points that make the score of an attempt a given one. */
export const fudgeFor = (results: readonly QuestionResult[], score: number): number =>
  Number((score - results.reduce((total, { points }) => total + points, 0)).toPrecision(12));
