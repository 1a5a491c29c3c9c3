// A question of an attempt at a New Quiz as its student, or a grader, sees it: never with more of its key than the results show.

import { NewQuizSessionItem } from '@carrel/shared/resources/new_quiz';
import { cut } from '@carrel/shared/resources/resource';
import { lookUp } from '@carrel/shared/wire/look_up';
import { withHost } from '../../../html/addresses';
import { shownAnswer } from '../../quiz_submissions/answers/saved_answer';
import { interactionSlugOf, type Mapping } from '../../quiz_submissions/interactions/parts';
import { feedbackOnItem, rightResponse, shownInteraction, textOfItem } from '../../quiz_submissions/interactions/shown_item';
import { attemptQuestionJson } from '../../quiz_submissions/question_json';
import type { AttemptQuestion } from '../../quiz_submissions/reading';
import type { QuestionResult } from '../../quiz_submissions/table';
import { presentedItemId } from './drawn_items';

/** What the caller may see besides the question. */
export interface ItemView {
  readonly points: boolean;
  readonly response: boolean;
  readonly correctness: boolean;
  readonly awarded: boolean;
  readonly key: boolean;
  readonly feedback: boolean;
}

/** Of a running attempt. */
export const takersView: ItemView = { points: true, response: true, correctness: false, awarded: false, key: false, feedback: false };
export const gradersView: ItemView = { points: true, response: true, correctness: true, awarded: true, key: true, feedback: true };

/** The questions of an attempt, without the texts that they are about. */
export const questionsIn = (all: readonly AttemptQuestion[]): readonly AttemptQuestion[] =>
  all.filter(({ presented }) => !presented.is_stimulus);

const textIn = (entry: Mapping, name: string): string => String(lookUp(entry, name) ?? '');

function stimulusOf({ presented }: AttemptQuestion, all: readonly AttemptQuestion[], origin: string) {
  const { stimulus_id } = presented;
  const entry =
    stimulus_id === undefined ? undefined : all.find((one) => one.presented.id === presentedItemId(stimulus_id))?.content.data.item;
  return entry
    ? {
        title: textIn(entry, 'title'),
        body: withHost(textIn(entry, 'body'), origin),
        instructions: withHost(textIn(entry, 'instructions'), origin),
        source_url: (entry.source_url as string | null | undefined) ?? null,
        orientation: textIn(entry, 'orientation'),
      }
    : null;
}

/** A question of a bank has its classic type, and answers by their ids. */
function bankQuestion(question: AttemptQuestion, all: readonly AttemptQuestion[], origin: string, showsKeys: boolean) {
  const showing = { quiz_id: 0, origin, isBrief: false, results: undefined, showsKeys };
  const {
    question_text = '',
    answers = [],
    matches,
  } = attemptQuestionJson(question, all, showing) as {
    question_text?: string;
    answers?: readonly { readonly id: number; readonly weight?: number }[];
    matches?: unknown;
  };
  const { question_type, data } = question.content;
  return {
    entry_type: 'BankEntry',
    item_body: question_text,
    interaction_type_slug: question_type,
    interaction_data: { answers: answers.map(({ weight: _, ...rest }) => rest), ...(matches !== undefined && { matches }) },
    calculator_type: 'none',
    response: shownAnswer({ question_type, answers: data.answers, matches: data.matches }, question.answer),
    correct_response: showsKeys && answers.length > 0 ? answers.filter(({ weight }) => weight === 100).map(({ id }) => id) : undefined,
    feedback: [],
  };
}

function ownQuestion(question: AttemptQuestion, entry: Mapping, origin: string, result: QuestionResult | undefined) {
  const { presented, answer } = question;
  return {
    entry_type: 'Item',
    item_body: withHost(textOfItem(entry, presented.variant), origin),
    interaction_type_slug: interactionSlugOf(entry),
    interaction_data: shownInteraction(entry, presented.shown),
    calculator_type: String(entry.calculator_type ?? 'none'),
    response: answer,
    correct_response: rightResponse(entry, presented.variant),
    feedback: feedbackOnItem(entry, result?.correct, answer),
  };
}

/** @param question one of `all`, what the attempt presents in order @param results once the attempt is complete */
export function sessionItemJson(
  question: AttemptQuestion,
  all: readonly AttemptQuestion[],
  origin: string,
  view: ItemView,
  results: readonly QuestionResult[] | undefined,
) {
  const { presented, content, flagged } = question;
  const result = results?.find((one) => one.question_id === presented.id);
  const entry = content.data.item;
  const shown = entry ? ownQuestion(question, entry, origin, result) : bankQuestion(question, all, origin, view.key);
  return cut(NewQuizSessionItem, {
    ...shown,
    position: questionsIn(all).indexOf(question) + 1,
    points_possible: view.points ? presented.points : undefined,
    stimulus: stimulusOf(question, all, origin),
    flagged,
    response: view.response ? shown.response : undefined,
    correct: view.correctness ? result?.correct : undefined,
    points: view.awarded && view.correctness ? result?.points : undefined,
    comment: view.feedback ? result?.comment : undefined,
    correct_response: view.key ? shown.correct_response : undefined,
    feedback: view.feedback ? shown.feedback : undefined,
  });
}
