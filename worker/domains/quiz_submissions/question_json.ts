// A question of an attempt as its student, or a grader, sees it: never with more of its key than its results show (reference 04 §3.2, §5.2).

import { lookUp } from '@carrel/shared/wire/look_up';
import { withHost } from '../../html/addresses';
import { when } from '../../http/when';
import type { StoredAnswer } from '../quiz_questions/table';
import { shownAnswer } from './answers/saved_answer';
import type { AttemptQuestion } from './reading';
import type { QuestionResult } from './table';

/** Types whose answers are choices; the answers of the others are keys. */
const choices = new Set([
  'multiple_choice_question',
  'true_false_question',
  'missing_word_question',
  'multiple_answers_question',
  'multiple_dropdowns_question',
  'matching_question',
]);

const inOrder = (answers: readonly StoredAnswer[], order: readonly number[] | undefined): readonly StoredAnswer[] => {
  if (!order) return answers;
  const places = new Map(order.map((id, place) => [id, place]));
  return [...answers].sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
};

function shownChoices({ presented, content }: AttemptQuestion, origin: string, showsKeys: boolean) {
  const { question_type: type, data } = content;
  if (!choices.has(type)) return undefined;
  return inOrder(data.answers, presented.order).map(({ id, text, html, blank_id, weight, left, left_html }) => ({
    id,
    text: type === 'matching_question' ? (left ?? text) : text,
    html: withHost(type === 'matching_question' ? (left_html ?? html) : html, origin),
    blank_id: type === 'multiple_dropdowns_question' ? blank_id : undefined,
    weight: when(showsKeys, weight),
  }));
}

/** The text with the values that this attempt has for its variables. */
export function textOfQuestion({ presented, content }: Pick<AttemptQuestion, 'presented' | 'content'>): string {
  const variant = content.data.answers.find(({ id }) => id === presented.variant);
  if (!variant?.variables) return content.question_text;
  const values: Readonly<Record<string, string>> = Object.fromEntries(variant.variables.map(({ name, value }) => [name, value]));
  return content.question_text.replace(/\[([^[\]]{1,100})\]/g, (whole, name: string) => lookUp(values, name.trim()) ?? whole);
}

/** Texts of the right side, by text so that their order says nothing. */
const shownMatches = ({ content }: AttemptQuestion) =>
  content.question_type === 'matching_question'
    ? [...(content.data.matches ?? [])].sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.match_id - b.match_id))
    : undefined;

export interface Showing {
  readonly quiz_id: number;
  readonly origin: string;
  /** Only which question it is and what was saved, where questions are shown one at a time. */
  readonly isBrief: boolean;
  /** Once the attempt is complete and its results are shown. */
  readonly results: readonly QuestionResult[] | undefined;
  readonly showsKeys: boolean;
}

/** @param question one of `all`, the questions of the attempt in order */
export function attemptQuestionJson(question: AttemptQuestion, all: readonly AttemptQuestion[], showing: Showing) {
  const { presented, content, answer, flagged } = question;
  const asked = { question_type: content.question_type, answers: content.data.answers, matches: content.data.matches };
  const base = { id: presented.id, quiz_id: showing.quiz_id, flagged, answer: shownAnswer(asked, answer) };
  if (showing.isBrief) return base;
  const place = all.indexOf(question);
  const isSpacer = content.question_type === 'text_only_question';
  const number = all.slice(0, place + 1).filter((one) => one.content.question_type !== 'text_only_question').length;
  const result = showing.results?.find((one) => one.question_id === presented.id);
  return {
    ...base,
    position: place + 1,
    quiz_group_id: presented.quiz_group_id,
    assessment_question_id: null,
    question_name: isSpacer ? 'Spacer' : `Question ${number}`,
    question_type: content.question_type,
    question_text: withHost(textOfQuestion(question), showing.origin),
    answers: shownChoices(question, showing.origin, showing.showsKeys),
    matches: shownMatches(question),
    correct: result?.correct,
    points: result?.points,
    comment: result?.comment,
  };
}
