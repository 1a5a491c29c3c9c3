// Answers as clients send them, as they are stored, and as they are returned (reference 04 §5.3).

import { lookUp } from '@carrel/shared/wire/look_up';
import type { StoredAnswer } from '../../quiz_questions/table';
import { decimalOf, decimalText } from '../scoring/decimal';

/** By blank, or by the id of the left item. Null was cleared. */
export type AnswerMap = Readonly<Record<string, string | number | null>>;

/** Of categories in New Quizzes: lists by their ids. */
type ListMap = Readonly<Record<string, string | number | readonly string[]>>;

/** A choice is an id, several are ids, a text or number is a text, blanks and matches are a map. Null means none. */
export type SavedAnswer = null | boolean | number | string | readonly (number | string)[] | AnswerMap | ListMap;

export interface AnsweredQuestion {
  readonly question_type: string;
  readonly answers: readonly StoredAnswer[];
  readonly matches?: readonly { readonly match_id: number }[];
}

/** `merges` means that parts of the stored answer that are not in this one stay. */
export type ReadAnswer = { readonly answer: SavedAnswer; readonly merges?: true } | { readonly error: string };

/** Bytes of a text answer. */
const longestText = 16 * 1024;

const error = (message: string) => ({ error: message });
const isCleared = (given: unknown) => given === null || given === undefined || given === '';

const integerOf = (given: unknown): number | undefined => {
  const text = typeof given === 'number' ? String(given) : typeof given === 'string' ? given.trim() : '';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
};

const isMapping = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/** A map with the keys 0, 1, … is how forms send a list. */
function listOfAnswers(given: unknown): readonly unknown[] | undefined {
  if (Array.isArray(given)) return given;
  if (!isMapping(given)) return undefined;
  const entries = Object.entries(given);
  return entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key)) ? entries.map(([, value]) => value) : undefined;
}

const notInteger = error('Parameter must be of type Integer.');
const unknownAnswer = (given: unknown) => error(`Unknown answer '${String(given).slice(0, 50)}'`);
const tooLong = error('Text is too long.');
const isTooLong = (text: string) => new TextEncoder().encode(text).length > longestText;

function readChoice({ answers }: AnsweredQuestion, given: unknown): ReadAnswer {
  const id = integerOf(given);
  if (id === undefined) return notInteger;
  return answers.some((answer) => answer.id === id) ? { answer: id } : unknownAnswer(id);
}

function readSeveral({ answers }: AnsweredQuestion, given: unknown): ReadAnswer {
  const list = listOfAnswers(given);
  if (!list) return error('Selection must be of type Array.');
  const ids: number[] = [];
  for (const one of list) {
    if (isCleared(one)) continue;
    const id = integerOf(one);
    if (id === undefined) return notInteger;
    if (!answers.some((answer) => answer.id === id)) return unknownAnswer(id);
    ids.push(id);
  }
  return { answer: [...new Set(ids)].sort((a, b) => a - b) };
}

function readText(_: AnsweredQuestion, given: unknown): ReadAnswer {
  if (typeof given === 'object') return error('Parameter must be of type String.');
  const text = String(given);
  return isTooLong(text) ? tooLong : { answer: text };
}

function readNumber(_: AnsweredQuestion, given: unknown): ReadAnswer {
  const number = decimalOf(given);
  return number ? { answer: decimalText(number) } : error('Parameter must be a valid decimal.');
}

const blanksOf = ({ answers }: AnsweredQuestion) => new Set(answers.flatMap(({ blank_id }) => blank_id ?? []));

const readBlanks =
  (
    readOne: (
      question: AnsweredQuestion,
      blank: string,
      given: unknown,
    ) => { readonly value: string | number } | { readonly error: string },
  ) =>
  (question: AnsweredQuestion, given: unknown): ReadAnswer => {
    if (!isMapping(given)) return error('Answer must be of type Hash.');
    const blanks = blanksOf(question);
    const read = new Map<string, string | number | null>();
    for (const [blank, value] of Object.entries(given)) {
      if (!blanks.has(blank)) return error(`Unknown variable '${blank.slice(0, 50)}'.`);
      if (isCleared(value)) {
        read.set(blank, null);
        continue;
      }
      const one = readOne(question, blank, value);
      if ('error' in one) return one;
      read.set(blank, one.value);
    }
    return { answer: Object.fromEntries(read), merges: true };
  };

const readBlank = readBlanks((_, _blank, given) => {
  if (typeof given === 'object') return error('Parameter must be of type String.');
  const text = String(given);
  return isTooLong(text) ? tooLong : { value: text };
});

const readDropdown = readBlanks(({ answers }, blank, given) => {
  const id = integerOf(given);
  if (id === undefined) return notInteger;
  return answers.some((answer) => answer.id === id && answer.blank_id === blank) ? { value: id } : unknownAnswer(id);
});

function readMatches(question: AnsweredQuestion, given: unknown): ReadAnswer {
  const list = listOfAnswers(given);
  if (!list) return error('Answer must be of type Array.');
  const read: Record<string, number | null> = {};
  for (const entry of list) {
    if (!isMapping(entry))
      return error(`Answer entry must be of type Hash, got '${typeof entry === 'object' ? 'Array' : String(entry).slice(0, 50)}'.`);
    const one = readMatch(question, entry);
    if ('error' in one) return one;
    read[String(one.left)] = one.match;
  }
  return { answer: read, merges: true };
}

function readMatch({ answers, matches = [] }: AnsweredQuestion, entry: Record<string, unknown>) {
  if (isCleared(entry.answer_id)) return error("Missing parameter 'answer_id'.");
  if (entry.match_id === undefined) return error("Missing parameter 'match_id'.");
  const left = integerOf(entry.answer_id);
  if (left === undefined) return notInteger;
  if (!answers.some((answer) => answer.id === left)) return unknownAnswer(left);
  if (isCleared(entry.match_id)) return { left, match: null };
  const match = integerOf(entry.match_id);
  if (match === undefined) return notInteger;
  return matches.some(({ match_id }) => match_id === match) ? { left, match } : error(`Unknown match '${match}'.`);
}

function readFiles(_: AnsweredQuestion, given: unknown): ReadAnswer {
  const list = listOfAnswers(given) ?? [given];
  const ids = list.filter((one) => !isCleared(one)).map(integerOf);
  return ids.every((id) => id !== undefined) ? { answer: [...new Set(ids)] } : notInteger;
}

interface AnswerKind {
  readonly read: (question: AnsweredQuestion, given: unknown) => ReadAnswer;
  /** The value of a question without an answer. */
  readonly none: SavedAnswer;
}

const kinds = new Map<string, AnswerKind>([
  ['multiple_choice_question', { read: readChoice, none: null }],
  ['true_false_question', { read: readChoice, none: null }],
  ['missing_word_question', { read: readChoice, none: null }],
  ['multiple_answers_question', { read: readSeveral, none: [] }],
  ['short_answer_question', { read: readText, none: null }],
  ['essay_question', { read: readText, none: null }],
  ['fill_in_multiple_blanks_question', { read: readBlank, none: null }],
  ['multiple_dropdowns_question', { read: readDropdown, none: null }],
  ['matching_question', { read: readMatches, none: null }],
  ['numerical_question', { read: readNumber, none: null }],
  ['calculated_question', { read: readNumber, none: null }],
  ['file_upload_question', { read: readFiles, none: [] }],
]);

/** Reads what a client sent. An empty value clears the answer; a question that takes no answer keeps none. */
export function savedAnswer(question: AnsweredQuestion, given: unknown): ReadAnswer {
  const kind = kinds.get(question.question_type);
  if (!kind) return { answer: null };
  const isEmptyList = Array.isArray(given) && given.length === 0;
  return isCleared(given) || isEmptyList ? { answer: kind.none } : kind.read(question, given);
}

const asMap = (saved: SavedAnswer | undefined): AnswerMap => (isMapping(saved) ? (saved as AnswerMap) : {});

/** What a client receives for a stored answer: all blanks and all left items, and numbers as numbers. */
export function shownAnswer(question: AnsweredQuestion, saved: SavedAnswer | undefined): unknown {
  const { question_type: type, answers } = question;
  if (type === 'fill_in_multiple_blanks_question' || type === 'multiple_dropdowns_question') {
    const map = asMap(saved);
    return Object.fromEntries([...blanksOf(question)].map((blank) => [blank, lookUp(map, blank) ?? null]));
  }
  if (type === 'matching_question') {
    const map = asMap(saved);
    return answers.map(({ id }) => ({ answer_id: id, match_id: lookUp(map, String(id)) ?? null }));
  }
  if (type === 'numerical_question' || type === 'calculated_question') return typeof saved === 'string' ? Number(saved) : null;
  return saved ?? kinds.get(type)?.none ?? null;
}
