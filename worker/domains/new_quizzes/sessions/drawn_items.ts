// What an attempt at a New Quiz presents, in which order: items, the texts that they are about, and questions drawn from banks.

import { presentedItem } from '../../quiz_submissions/interactions/presented_item';
import { type DrawnFrom, presentedQuestion } from '../../quiz_submissions/presenting/drawn_questions';
import { type RandomNumber, shuffled } from '../../quiz_submissions/presenting/random';
import type { PresentedQuestion } from '../../quiz_submissions/table';
import type { new_quiz_items } from '../table';

export type DrawingItem = Pick<
  typeof new_quiz_items.$inferSelect,
  | 'id'
  | 'version'
  | 'position'
  | 'points_possible'
  | 'entry_type'
  | 'entry'
  | 'properties'
  | 'question_bank_id'
  | 'bank_question_id'
  | 'stimulus_quiz_entry_id'
>;

interface Settings {
  readonly shuffle_answers: boolean;
  readonly shuffle_questions: boolean;
  /** For students who get fewer wrong choices. */
  readonly reducesChoices: boolean;
}

/** The presented id of an item. */
export const presentedItemId = (item_id: number): number => -item_id;

/** Items that belong to the same text are together, at the place of the first; others are alone. */
function unitsOf(items: readonly DrawingItem[]): (readonly DrawingItem[])[] {
  const stimuli = new Set(items.filter(({ entry_type }) => entry_type === 'Stimulus').map(({ id }) => id));
  const units = new Map<number, DrawingItem[]>();
  for (const item of items) {
    const { stimulus_quiz_entry_id: stimulus } = item;
    const unit = stimulus !== null && stimuli.has(stimulus) ? stimulus : item.id;
    units.set(unit, [...(units.get(unit) ?? []), item]);
  }
  return [...units.values()];
}

/**
 * @param items in their order
 * @param banked questions of the banks that items name
 * @returns no question of a bank twice
 */
export function drawnItems(
  settings: Settings,
  items: readonly DrawingItem[],
  banked: readonly DrawnFrom[],
  random: RandomNumber,
): PresentedQuestion[] {
  const taken = new Set(items.flatMap(({ bank_question_id: id }) => id ?? []));
  const fromBank = (questions: readonly DrawnFrom[], item: DrawingItem, most: number): PresentedQuestion[] => {
    const drawn = shuffled(questions, random).slice(0, most);
    for (const { id } of drawn) taken.add(id);
    return drawn.map((one) => ({
      ...presentedQuestion(one, item.points_possible, null, settings.shuffle_answers, random),
      item_id: item.id,
    }));
  };
  const present = (item: DrawingItem): PresentedQuestion[] => {
    if (item.entry_type === 'BankEntry')
      return fromBank(
        banked.filter(({ id }) => id === item.bank_question_id),
        item,
        1,
      );
    if (item.entry_type === 'Bank') {
      const free = banked.filter((one) => one.question_bank_id === item.question_bank_id && !taken.has(one.id));
      return fromBank(free, item, Number(item.properties.sample_num ?? 1));
    }
    if (item.entry_type === 'Stimulus') return [];
    const { shuffle_answers: shuffles, reducesChoices } = settings;
    return [
      {
        id: presentedItemId(item.id),
        version: item.version,
        points: item.points_possible,
        quiz_group_id: null,
        item_id: item.id,
        ...presentedItem(item.entry, { shuffles, reducesChoices }, random),
      },
    ];
  };
  const presentUnit = (unit: readonly DrawingItem[]): PresentedQuestion[] => {
    const stimulus = unit.find(({ entry_type }) => entry_type === 'Stimulus');
    const questions = unit.flatMap(present);
    if (!stimulus || questions.length === 0) return questions;
    const text = {
      id: presentedItemId(stimulus.id),
      version: stimulus.version,
      points: 0,
      quiz_group_id: null,
      is_stimulus: true as const,
    };
    return [text, ...questions.map((one) => ({ ...one, stimulus_id: stimulus.id }))];
  };
  const units = unitsOf(items);
  return (settings.shuffle_questions ? shuffled(units, random) : units).flatMap(presentUnit);
}
