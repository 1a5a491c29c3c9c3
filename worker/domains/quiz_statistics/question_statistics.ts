// The statistics of a question by its type, from counted answers (reference 04 §9).

import { type AnsweredPart, type ListedAnswer, somethingElse, unanswered } from './choices_made';
import { alphaOf, type Level, levelsOf, pointBiserial, varianceOf } from './item_figures';
import { attemptsWith, type QuestionTally } from './tally';

/** The attempts that a tally counts, by their numbers. */
export interface CountedAttempts {
  readonly scores: readonly number[];
  /** Undefined where the students are anonymous. */
  readonly students?: readonly { readonly id: number; readonly name: string }[];
}

const choiceTypes = new Set(['multiple_choice_question', 'true_false_question', 'missing_word_question']);
const inSeveralParts = new Set(['fill_in_multiple_blanks_question', 'multiple_dropdowns_question', 'matching_question']);
const scoredByPoints = new Set(['essay_question', 'file_upload_question', 'calculated_question']);

/** Whether the figures of a strong and a weak question apply. */
export const hasOneRightChoice = ({ question }: QuestionTally): boolean => choiceTypes.has(question.question_type);

/** Text between questions is not answered. */
export const isAnswerable = ({ question }: QuestionTally): boolean => question.question_type !== 'text_only_question';

const scoresOf = (numbers: readonly number[], { scores }: CountedAttempts): number[] => numbers.map((one) => scores[one] ?? 0);

function namesOf(numbers: readonly number[], { students }: CountedAttempts) {
  if (!students) return { user_names: [] };
  const those = [...new Set(numbers)].flatMap((one) => students[one] ?? []);
  const once = [...new Map(those.map((one) => [one.id, one.name]))];
  return { user_ids: once.map(([id]) => id), user_names: once.map(([, name]) => name) };
}

/** With what is in no list and with missing answers, if there are any. */
function answersOf({ listed }: AnsweredPart, chosen: ReadonlyMap<string, readonly number[]> | undefined, attempts: CountedAttempts) {
  const also: readonly ListedAnswer[] = [
    { id: somethingElse, text: 'Something Else', correct: false },
    { id: unanswered, text: 'No Answer', correct: false },
  ];
  return [...listed, ...also.filter(({ id }) => chosen?.has(id))].map((one) => {
    const those = chosen?.get(one.id) ?? [];
    return { ...one, responses: those.length, ...namesOf(those, attempts) };
  });
}

function countByLevel(numbers: readonly number[], attempts: CountedAttempts, levelOf: (score: number) => Level): Record<Level, number> {
  const counts = { top: 0, middle: 0, bottom: 0 };
  for (const score of scoresOf(numbers, attempts)) counts[levelOf(score)] += 1;
  return counts;
}

/** Figures of a question with one right choice, among the students who answered it. */
export function itemFigures(tally: QuestionTally, attempts: CountedAttempts, alpha: number | null) {
  const { answered, parts, chosen } = tally;
  const scores = scoresOf(answered, attempts);
  const levelOf = levelsOf(scores);
  const there = new Set(answered);
  const right = attemptsWith(tally, true).filter((one) => there.has(one));
  const [all, correct] = [countByLevel(answered, attempts, levelOf), countByLevel(right, attempts, levelOf)];
  const ratio = answered.length === 0 ? 0 : right.length / answered.length;
  const variance = varianceOf(scores);
  return {
    answered_student_count: answered.length,
    top_student_count: all.top,
    middle_student_count: all.middle,
    bottom_student_count: all.bottom,
    correct_student_count: right.length,
    incorrect_student_count: answered.length - right.length,
    correct_student_ratio: ratio,
    incorrect_student_ratio: answered.length === 0 ? 0 : 1 - ratio,
    correct_top_student_count: correct.top,
    correct_middle_student_count: correct.middle,
    correct_bottom_student_count: correct.bottom,
    variance,
    stdev: Math.sqrt(variance),
    difficulty_index: ratio,
    alpha,
    point_biserials: (parts[0]?.listed ?? []).map((one) => {
      const choosers = new Set(chosen[0]?.get(one.id));
      const [those, others] = [answered.filter((nth) => choosers.has(nth)), answered.filter((nth) => !choosers.has(nth))];
      return {
        answer_id: Number(one.id),
        point_biserial: pointBiserial(scoresOf(those, attempts), scoresOf(others, attempts)),
        correct: one.correct,
        distractor: !one.correct,
      };
    }),
  };
}

/** How many attempts have how many points; null for those that wait for a grader. */
function pointDistribution(tally: QuestionTally) {
  const waiting = new Set(attemptsWith(tally, 'undefined'));
  const counts = new Map<number | null, number>();
  for (const [place, attempt] of tally.presented.entries()) {
    const score = waiting.has(attempt) ? null : (tally.points[place] ?? 0);
    counts.set(score, (counts.get(score) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => (a ?? -1) - (b ?? -1)).map(([score, count]) => ({ score, count }));
}

function scoredFigures(tally: QuestionTally) {
  const isCalculated = tally.question.question_type === 'calculated_question';
  return {
    graded: tally.presented.length - attemptsWith(tally, 'undefined').length,
    full_credit: tally.points.filter((points) => points > 0 && points >= tally.question.points).length,
    ...(isCalculated && { incorrect: attemptsWith(tally, false).length }),
    point_distribution: pointDistribution(tally),
  };
}

const rightAndWrong = (tally: QuestionTally) => ({
  answered: tally.complete.length,
  correct: attemptsWith(tally, true).length,
  partially_correct: attemptsWith(tally, 'partial').length,
  incorrect: attemptsWith(tally, false).length,
});

function figuresOf(tally: QuestionTally, attempts: CountedAttempts, alpha: number | null): object {
  const { parts, chosen, question } = tally;
  const type = question.question_type;
  if (inSeveralParts.has(type)) {
    const sets = parts.map((part, at) => ({ id: part.id, text: part.text, answers: answersOf(part, chosen[at], attempts) }));
    return { ...rightAndWrong(tally), answer_sets: sets };
  }
  const answers = parts.flatMap((part, at) => answersOf(part, chosen[at], attempts));
  if (hasOneRightChoice(tally)) return { answers, ...itemFigures(tally, attempts, alpha) };
  if (scoredByPoints.has(type)) return { answers, ...scoredFigures(tally) };
  if (type === 'multiple_answers_question') return { answers, ...rightAndWrong(tally) };
  return { answers, full_credit: attemptsWith(tally, true).length };
}

/** Of the questions with one right choice, for all of them together. */
export const alphaOfChoices = (tallies: readonly QuestionTally[], { scores }: CountedAttempts): number | null =>
  alphaOf(
    tallies.filter(hasOneRightChoice).map(({ points }) => varianceOf(points)),
    scores,
  );

/** @param tallies in the order of the questions */
export function questionStatistics(tallies: readonly QuestionTally[], attempts: CountedAttempts) {
  const alpha = alphaOfChoices(tallies, attempts);
  return tallies.filter(isAnswerable).map((tally, place) => ({
    id: String(tally.question.id),
    question_type: tally.question.question_type,
    question_text: tally.question.question_text,
    position: place + 1,
    responses: tally.answered.length,
    ...figuresOf(tally, attempts, alpha),
  }));
}
