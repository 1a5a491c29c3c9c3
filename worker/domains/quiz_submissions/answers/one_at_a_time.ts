// Which questions of a running attempt its student may read and answer, where a quiz shows one question at a time. Places count from 1.

import type { QuizRow } from '../../quizzes/json';
import { isPlaceOpen, mayGoTo } from '../interactions/taken_new_quiz';

type Quiz = Pick<QuizRow, 'one_question_at_a_time' | 'cant_go_back'>;

const presentation = ({ one_question_at_a_time, cant_go_back }: Quiz) => ({
  one_at_a_time_type: one_question_at_a_time ? ('question' as const) : ('none' as const),
  allow_backtracking: !cant_go_back,
});

/** @param reached the last place that was shown */
export const isQuestionOpen = (quiz: Quiz, reached: number, place: number): boolean => isPlaceOpen(presentation(quiz), reached, place);

/** The following question, or one that is still shown. */
export const canGoTo = (quiz: Quiz, reached: number, place: number): boolean => mayGoTo(presentation(quiz), reached, place);

/** A question that was left for good. Those ahead can be answered, because clients that know the questions do so unseen. */
export const isGoneBy = (quiz: Quiz, reached: number, place: number): boolean => place < reached && !isQuestionOpen(quiz, reached, place);
