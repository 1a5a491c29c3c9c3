// An answer as the text of a cell.

import { lookUp } from '@carrel/shared/wire/look_up';
import { htmlToText } from '../../html/plain';
import { type CountedQuestion, partsOfQuestion } from '../quiz_statistics/choices_made';
import type { SavedAnswer } from '../quiz_submissions/answers/saved_answer';

const choiceTypes = new Set(['multiple_choice_question', 'true_false_question', 'missing_word_question', 'multiple_answers_question']);
const textOf = (all: readonly { readonly id: string; readonly text: string }[], id: unknown): string =>
  all.find((one) => one.id === String(id))?.text ?? '';

/** @param given null without an answer @returns parts are separated by commas */
export function answerText(question: CountedQuestion, given: SavedAnswer): string {
  if (given === null) return '';
  const type = question.question_type;
  const parts = partsOfQuestion(question);
  if (choiceTypes.has(type))
    return [given]
      .flat()
      .map((id) => textOf(parts[0]?.listed ?? [], id))
      .join(',');
  if (type === 'essay_question') return htmlToText(String(given));
  if (Array.isArray(given)) return given.join(',');
  if (typeof given !== 'object') return String(given);
  return parts
    .map((part) => {
      if (type === 'matching_question') {
        const match = lookUp(given as Record<string, unknown>, part.id) ?? null;
        return `${part.text}=>${match === null ? '' : textOf(part.listed, match)}`;
      }
      const one = lookUp(given as Record<string, unknown>, part.text) ?? '';
      return type === 'multiple_dropdowns_question' ? textOf(part.listed, one) : String(one);
    })
    .join(',');
}
