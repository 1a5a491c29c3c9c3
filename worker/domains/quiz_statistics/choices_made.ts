// Which of the listed answers to a question an answer is, so that statistics can count them (reference 04 §9).

import { lookUp } from '@carrel/shared/wire/look_up';
import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { QuestionData, StoredAnswer } from '../quiz_questions/table';
import type { AnswerMap, SavedAnswer } from '../quiz_submissions/answers/saved_answer';
import { decimalOf } from '../quiz_submissions/scoring/decimal';
import { fitsNumber, foldedText, isBlankAnswer } from '../quiz_submissions/scoring/score_question';
import { countedPartsOfItem } from './item_choices';

/** A question of a quiz as its newest attempts got it. */
export interface CountedQuestion {
  readonly id: number;
  readonly question_type: string;
  readonly question_text: string;
  readonly points: number;
  readonly data: QuestionData;
}

/** An answer that statistics list. */
export interface ListedAnswer {
  readonly id: string;
  readonly text: string;
  readonly correct: boolean;
  /** Of numerical questions: the exact value, or both ends of a range. */
  readonly value?: readonly number[];
  readonly margin?: number;
  readonly is_range?: boolean;
}

/** A blank, a left item, or the whole question. */
export interface AnsweredPart {
  readonly id: string;
  readonly text: string;
  readonly listed: readonly ListedAnswer[];
}

/** The ids of what is not in the list of answers. */
export const somethingElse = 'other';
export const unanswered = 'none';

const whole = (listed: readonly ListedAnswer[]): AnsweredPart[] => [{ id: '', text: '', listed }];
const isRight = ({ weight }: StoredAnswer) => weight === 100;
const plain = (answer: StoredAnswer): ListedAnswer => ({ id: String(answer.id), text: answer.text ?? '', correct: isRight(answer) });

function numerical(answer: StoredAnswer): ListedAnswer {
  const { numerical_answer_type: type, exact, approximate, precision, start = 0, end = 0 } = answer;
  const base = { id: String(answer.id), correct: true };
  if (type === 'precision_answer')
    return { ...base, text: `${approximate} (${precision})`, value: [approximate ?? 0], margin: 0, is_range: false };
  if (type !== 'exact_answer') return { ...base, text: `[${start}..${end}]`, value: [start, end], margin: 0, is_range: true };
  const margin = Number.parseFloat(String(answer.margin ?? 0)) || 0;
  return { ...base, text: String(exact), value: [exact ?? 0], margin, is_range: false };
}

/** By blank, in the order of the answers. */
function blanks({ data }: CountedQuestion): AnsweredPart[] {
  const names = [...new Set(data.answers.flatMap(({ blank_id }) => blank_id ?? []))];
  return names.map((text) => ({
    id: bytesToHex(md5(utf8ToBytes(text))),
    text,
    listed: data.answers.filter(({ blank_id }) => blank_id === text).map(plain),
  }));
}

const leftItems = ({ data }: CountedQuestion): AnsweredPart[] =>
  data.answers.map((answer) => ({
    id: String(answer.id),
    text: answer.left ?? answer.text ?? '',
    listed: (data.matches ?? []).map(({ match_id, text }) => ({
      id: String(match_id),
      text,
      correct: match_id === answer.match_id || foldedText(text) === foldedText(answer.right),
    })),
  }));

const mapOfAnswer = (given: SavedAnswer): AnswerMap =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as AnswerMap) : {};

interface Countable {
  readonly parts: (question: CountedQuestion) => AnsweredPart[];
  /** The ids of the listed answers, for each part. */
  readonly chosen: (question: CountedQuestion, parts: readonly AnsweredPart[], given: SavedAnswer) => readonly (readonly string[])[];
}

const listedOr = ({ listed }: AnsweredPart | { readonly listed: readonly ListedAnswer[] }, id: string): string =>
  listed.some((one) => one.id === id) ? id : somethingElse;

const choice: Countable = {
  parts: ({ data }) => whole(data.answers.map(plain)),
  chosen: (_, [part], given) => {
    if (isBlankAnswer(given)) return [[unanswered]];
    const ids = (Array.isArray(given) ? given : [given]).map((id) => listedOr(part ?? { listed: [] }, String(id)));
    return [[...new Set(ids)]];
  },
};

const byText = (part: AnsweredPart, given: unknown): string =>
  part.listed.find(({ text }) => foldedText(text) === foldedText(given))?.id ?? somethingElse;

const text: Countable = {
  parts: ({ data }) => whole(data.answers.map((one) => ({ ...plain(one), correct: true }))),
  chosen: (_, parts, given) => parts.map((part) => [foldedText(given) === '' ? unanswered : byText(part, given)]),
};

const number: Countable = {
  parts: ({ data }) => whole(data.answers.map(numerical)),
  chosen: ({ data }, _, given) => {
    if (isBlankAnswer(given)) return [[unanswered]];
    const value = decimalOf(given);
    const fitting = value && data.answers.find((one) => fitsNumber(value, one));
    return [[fitting ? String(fitting.id) : somethingElse]];
  },
};

/** One answer for each part of the question. @param key of the part in the answer */
const inParts = (
  parts: Countable['parts'],
  key: (part: AnsweredPart) => string,
  find: (part: AnsweredPart, given: string | number) => string,
): Countable => ({
  parts,
  chosen: (_, all, given) => {
    const map = mapOfAnswer(given);
    return all.map((part) => {
      const one = lookUp(map, key(part)) ?? null;
      return [one === null || foldedText(one) === '' ? unanswered : find(part, one)];
    });
  },
});

const countable = new Map<string, Countable>([
  ['multiple_choice_question', choice],
  ['true_false_question', choice],
  ['missing_word_question', choice],
  ['multiple_answers_question', choice],
  ['short_answer_question', text],
  ['numerical_question', number],
  ['fill_in_multiple_blanks_question', inParts(blanks, (part) => part.text, byText)],
  [
    'multiple_dropdowns_question',
    inParts(
      blanks,
      (part) => part.text,
      (part, id) => listedOr(part, String(id)),
    ),
  ],
  [
    'matching_question',
    inParts(
      leftItems,
      (part) => part.id,
      (part, id) => listedOr(part, String(id)),
    ),
  ],
]);

/** The question of a New Quiz. */
const itemParts = ({ data }: CountedQuestion) => (data.item ? countedPartsOfItem(data.item) : undefined);

/** What statistics list: the answers of each part; none for questions that are answered freely. */
export const partsOfQuestion = (question: CountedQuestion): readonly AnsweredPart[] =>
  itemParts(question)?.map(({ id, text: name, listed }) => ({ id, text: name, listed })) ??
  countable.get(question.question_type)?.parts(question) ??
  [];

/**
 * The ids of the listed answers that were given, for each part.
 * @param parts as `partsOfQuestion` returns them
 */
export function choicesMade(question: CountedQuestion, parts: readonly AnsweredPart[], given: SavedAnswer): readonly (readonly string[])[] {
  const ofItem = itemParts(question);
  if (!ofItem) return countable.get(question.question_type)?.chosen(question, parts, given) ?? [];
  return ofItem.map(({ chosen }) => {
    const ids = chosen(given).map((id) => id ?? somethingElse);
    return ids.length === 0 ? [unanswered] : ids;
  });
}
