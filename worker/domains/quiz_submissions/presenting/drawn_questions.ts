// Which questions an attempt gets, in which order, with which answers (reference 04 §3.5).

import type { StoredAnswer } from '../../quiz_questions/table';
import type { PresentedQuestion } from '../table';
import { type RandomNumber, shuffled } from './random';

export interface DrawnFrom {
  readonly id: number;
  readonly version: number;
  readonly quiz_group_id: number | null;
  /** Set for a question of a bank. */
  readonly question_bank_id: number | null;
  readonly question_type: string;
  readonly points_possible: number;
  readonly position: number;
  readonly data: { readonly answers: readonly Pick<StoredAnswer, 'id'>[] };
}

export interface DrawingGroup {
  readonly id: number;
  readonly position: number;
  readonly pick_count: number;
  readonly question_points: number;
  readonly question_bank_id: number | null;
}

const keepOrder = new Set(['true_false_question', 'matching_question', 'fill_in_multiple_blanks_question', 'calculated_question']);

export function presentedQuestion(
  question: DrawnFrom,
  points: number,
  group: number | null,
  shuffles: boolean,
  random: RandomNumber,
): PresentedQuestion {
  const { id, version, question_type, data } = question;
  const ids = data.answers.map((answer) => answer.id);
  const variant = question_type === 'calculated_question' && ids.length > 0 ? ids[Math.floor(random() * ids.length)] : undefined;
  const isShuffled = shuffles && !keepOrder.has(question_type) && ids.length > 1;
  return {
    id,
    version,
    points: question_type === 'text_only_question' ? 0 : points,
    quiz_group_id: group,
    ...(isShuffled && { order: shuffled(ids, random) }),
    ...(variant !== undefined && { variant }),
  };
}

/**
 * @param questions those of the quiz, and those of the banks of its groups
 * @returns the questions in order; no question of a bank twice
 */
export function drawnQuestions(
  { shuffle_answers }: { readonly shuffle_answers: boolean },
  questions: readonly DrawnFrom[],
  groups: readonly DrawingGroup[],
  random: RandomNumber,
): PresentedQuestion[] {
  const taken = new Set<number>();
  const present = (question: DrawnFrom, points: number, group: number | null) =>
    presentedQuestion(question, points, group, shuffle_answers, random);
  const fromGroup = (group: DrawingGroup): PresentedQuestion[] => {
    const candidates = questions.filter((one) =>
      group.question_bank_id === null
        ? one.question_bank_id === null && one.quiz_group_id === group.id
        : one.question_bank_id === group.question_bank_id && !taken.has(one.id),
    );
    const drawn = shuffled(candidates, random).slice(0, Math.max(0, group.pick_count));
    for (const { id } of drawn) taken.add(id);
    return drawn.map((one) => present(one, group.question_points, group.id));
  };
  const roots = questions.filter((one) => one.question_bank_id === null && one.quiz_group_id === null);
  return [
    ...roots.map((one) => ({ at: one.position, rank: 0, id: one.id, draw: () => [present(one, one.points_possible, null)] })),
    ...groups.map((group) => ({ at: group.position, rank: 1, id: group.id, draw: () => fromGroup(group) })),
  ]
    .sort((a, b) => a.at - b.at || a.rank - b.rank || a.id - b.id)
    .flatMap(({ draw }) => draw());
}
