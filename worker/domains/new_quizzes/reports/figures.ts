// The responses of students in reports about a New Quiz: each as a text, and counted by question.

import { lookUp } from '@carrel/shared/wire/look_up';
import { htmlToText } from '../../../html/plain';
import { answerText } from '../../quiz_reports/answer_text';
import type { CountedQuestion } from '../../quiz_statistics/choices_made';
import { countedPartsOfItem } from '../../quiz_statistics/item_choices';
import { meanOf } from '../../quiz_statistics/item_figures';
import { attemptsWith, type QuestionTally } from '../../quiz_statistics/tally';
import type { SavedAnswer } from '../../quiz_submissions/answers/saved_answer';
import {
  entriesIn,
  interactionDataOf,
  interactionSlugOf,
  type Mapping,
  mappingOf,
  partText,
} from '../../quiz_submissions/interactions/parts';

const textOfIds = (listed: readonly { readonly id: string; readonly text: string }[], given: unknown): string =>
  [given]
    .flat()
    .map((id) => listed.find((one) => one.id === String(id))?.text ?? String(id))
    .join(',');

function itemText(entry: Mapping, given: SavedAnswer): string {
  const slug = interactionSlugOf(entry);
  if (slug === 'essay') return htmlToText(String(given));
  if (slug === 'ordering') {
    const choices = entriesIn(interactionDataOf(entry).choices);
    return textOfIds(
      choices.map((one) => ({ id: one.id, text: htmlToText(String(one.item_body ?? '')).trim() })),
      given,
    );
  }
  if (slug === 'hot-spot') return [mappingOf(given).x, mappingOf(given).y].join(',');
  const parts = countedPartsOfItem(entry);
  const [first] = parts;
  if (!first || slug === 'numeric') return [given].flat().join(',');
  if (first.id === '') return textOfIds(first.listed, given);
  return parts
    .map(({ id, text, listed }) => {
      const value = lookUp(mappingOf(given), id);
      return `${text}=>${value === undefined ? '' : Array.isArray(value) ? textOfIds(listed, value) : textOfIds(listed, partText(value) ?? '')}`;
    })
    .join(',');
}

/** @param given null without a response */
export function responseText(question: CountedQuestion, given: SavedAnswer): string {
  if (given === null) return '';
  return question.data.item ? itemText(question.data.item, given) : answerText(question, given);
}

/** How many students gave each listed answer, by part of the question. */
const answersOf = ({ parts, chosen }: QuestionTally) =>
  parts.flatMap((part, at) => {
    const counts = chosen[at] ?? new Map<string, number[]>();
    const listed = part.listed.map(({ id, text, correct }) => ({
      part: part.text,
      id,
      text,
      correct,
      responses: counts.get(id)?.length ?? 0,
    }));
    const others = ['other', 'none'].flatMap((id) => {
      const responses = counts.get(id)?.length ?? 0;
      return responses === 0 ? [] : [{ part: part.text, id, text: '', correct: false, responses }];
    });
    return [...listed, ...others];
  });

/** The counts of a question; zero where no one has been asked it. */
export function figuresOfItem(tally: QuestionTally | undefined) {
  if (!tally) return { students: 0, responses: 0, correct: 0, partially_correct: 0, incorrect: 0, average_points: null, answers: [] };
  return {
    students: tally.presented.length,
    responses: tally.answered.length,
    correct: attemptsWith(tally, true).length,
    partially_correct: attemptsWith(tally, 'partial').length,
    incorrect: attemptsWith(tally, false).length,
    average_points: meanOf(tally.points),
    answers: answersOf(tally),
  };
}
