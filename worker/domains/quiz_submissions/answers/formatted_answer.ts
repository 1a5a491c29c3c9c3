// How a number is displayed while a student types it (reference 04 §5.1).

import { decimalOf, decimalText, toDecimals, toSignificant } from '../scoring/decimal';
import type { AnsweredQuestion } from './saved_answer';

/** Four decimals, or 16 significant digits if the question has an answer by precision. @returns the text itself unless it is a number */
export function formattedAnswer({ question_type, answers }: AnsweredQuestion, given: string): string | number {
  const number = question_type === 'numerical_question' ? decimalOf(given) : undefined;
  if (!number) return given;
  const isPrecise = answers.some(({ numerical_answer_type }) => numerical_answer_type === 'precision_answer');
  return Number(decimalText(isPrecise ? toSignificant(number, 16) : toDecimals(number, 4)));
}
