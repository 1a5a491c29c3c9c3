// How the answers of each type of question are stored: one rule per type, from what clients send or from what was stored before.

import { sanitise } from '@carrel/shared/html/sanitise';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { StoredAnswer } from '../table';
import type { AnswerGiven } from './input';

type Unnumbered = Omit<StoredAnswer, 'id' | 'match_id'>;

/** An answer of a question, as sent or as stored before. */
export type AnyAnswer = AnswerGiven | StoredAnswer;
type Names = keyof AnswerGiven;

const memberOf = (given: AnyAnswer, ...names: Names[]): unknown =>
  names
    .map((name) => lookUp<unknown>(given as Record<string, unknown>, name))
    .find((value) => value !== undefined && value !== null && value !== '');

const textOf = (given: AnyAnswer, ...names: Names[]): string => {
  const value = memberOf(given, ...names);
  return value === undefined ? '' : String(value);
};
const htmlOf = (given: AnyAnswer, ...names: Names[]): string => sanitise(textOf(given, ...names));
const numberOf = (given: AnyAnswer, ...names: Names[]): number => Number(memberOf(given, ...names) ?? 0);

const optionalHtml = <K extends string>(name: K, html: string) => (html === '' ? {} : ({ [name]: html } as Record<K, string>));

/** A number, or a percentage such as `5%`; anything else is none. */
export function toleranceOf(given: unknown): number | string {
  const text = String(given ?? '').trim();
  if (/^(\d{1,9}(\.\d{0,9})?|\.\d{1,9})\s*%$/.test(text)) return text.replace(/\s+/, '');
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : 0;
}

const commentsOf = (given: AnyAnswer) => ({
  comments: textOf(given, 'answer_comment', 'answer_comments', 'comments'),
  ...optionalHtml('comments_html', htmlOf(given, 'answer_comment_html', 'answer_comments_html', 'comments_html')),
});

const weightOf = (given: AnyAnswer, otherwise: 0 | 100): number => {
  const weight = memberOf(given, 'answer_weight', 'weight');
  return weight === undefined ? otherwise : Number(weight) > 0 ? 100 : 0;
};

const plain = (given: AnyAnswer) => ({ text: textOf(given, 'answer_text', 'text'), ...commentsOf(given) });
const choice = (given: AnyAnswer): Unnumbered => ({
  ...plain(given),
  ...optionalHtml('html', htmlOf(given, 'answer_html', 'html')),
  weight: weightOf(given, 0),
});

function numerical(given: AnyAnswer): Unnumbered {
  const common = { ...plain(given), weight: 100 };
  switch (memberOf(given, 'numerical_answer_type')) {
    case 'exact_answer':
      return {
        ...common,
        numerical_answer_type: 'exact_answer',
        exact: numberOf(given, 'answer_exact', 'exact'),
        margin: toleranceOf(memberOf(given, 'answer_error_margin', 'margin')),
      };
    case 'precision_answer':
      return {
        ...common,
        numerical_answer_type: 'precision_answer',
        approximate: numberOf(given, 'answer_approximate', 'approximate'),
        precision: Math.min(16, Math.max(1, Math.round(numberOf(given, 'answer_precision', 'precision')))),
      };
    default:
      return {
        ...common,
        numerical_answer_type: 'range_answer',
        start: numberOf(given, 'answer_range_start', 'start'),
        end: numberOf(given, 'answer_range_end', 'end'),
      };
  }
}

function matching(given: AnyAnswer): Unnumbered {
  const left = textOf(given, 'answer_match_left', 'left', 'answer_text', 'text');
  return {
    text: left,
    left,
    ...optionalHtml('left_html', htmlOf(given, 'answer_match_left_html', 'left_html')),
    right: textOf(given, 'answer_match_right', 'right'),
    ...commentsOf(given),
    ...optionalHtml('html', htmlOf(given, 'answer_html', 'html')),
    weight: 100,
  };
}

const calculated = (given: AnyAnswer): Unnumbered => ({
  weight: 100,
  answer: numberOf(given, 'answer_text', 'answer', 'text'),
  variables: (given.variables ?? []).map(({ name, value }) => ({ name, value: String(value) })),
});

const inBlank = (given: AnyAnswer, otherwise: 0 | 100): Unnumbered => ({
  ...plain(given),
  blank_id: textOf(given, 'blank_id'),
  weight: weightOf(given, otherwise),
});

/** If none of the answers is correct, the first is. */
function withOneCorrect<A extends Unnumbered>(answers: readonly A[]): readonly A[] {
  const [first, ...rest] = answers;
  return !first || answers.some((one) => one.weight === 100) ? answers : [{ ...first, weight: 100 }, ...rest];
}

function correctInEachBlank<A extends Unnumbered>(answers: readonly A[]): readonly A[] {
  const lacking = new Set(answers.map((one) => one.blank_id));
  for (const one of answers) if (one.weight === 100) lacking.delete(one.blank_id);
  return answers.map((one) => (lacking.delete(one.blank_id) ? { ...one, weight: 100 } : one));
}

interface Rule {
  /** One answer, without its ids. */
  readonly stored: (given: AnyAnswer) => Unnumbered;
  /** The whole set. */
  readonly all?: <A extends Unnumbered>(answers: readonly A[]) => readonly A[];
}

const chosen: Rule = { stored: choice, all: withOneCorrect };

const rules: Readonly<Record<string, Rule | null>> = {
  multiple_choice_question: chosen,
  true_false_question: chosen,
  missing_word_question: chosen,
  multiple_answers_question: chosen,
  short_answer_question: { stored: (given) => ({ ...plain(given), weight: 100 }) },
  fill_in_multiple_blanks_question: { stored: (given) => inBlank(given, 100) },
  multiple_dropdowns_question: { stored: (given) => inBlank(given, 0), all: correctInEachBlank },
  matching_question: { stored: matching },
  numerical_question: { stored: numerical },
  calculated_question: { stored: calculated },
  essay_question: null,
  file_upload_question: null,
  text_only_question: null,
};

/** A random integer below 10000. */
export type PartIds = () => number;

/** An id that is not used yet: the given one, or a random one. */
function freshId(given: unknown, used: Set<number>, next: PartIds): number {
  const asked = Number(given);
  let id = given !== undefined && Number.isSafeInteger(asked) && asked > 0 ? asked : next();
  while (used.has(id)) id = next();
  used.add(id);
  return id;
}

/**
 * The answers of a question as they are stored. Types without answers have none; those of an unknown type are kept like choices.
 * @param next gives random ids; it must give more than there are answers
 */
export function storedAnswers(type: string, given: readonly AnyAnswer[], next: PartIds): StoredAnswer[] {
  const rule = lookUp(rules, type);
  if (rule === null) return [];
  const { stored, all } = rule ?? { stored: choice, all: undefined };
  const used = new Set<number>();
  const numbered = given.map((one) => ({ id: freshId(memberOf(one, 'id'), used, next), ...stored(one) }));
  return [...(all ? all(numbered) : numbered)];
}

/** The matches of a matching question: every right text, then the distractors. Equal texts share an id, which they keep from before. */
export function matchesOf(
  answers: readonly StoredAnswer[],
  given: readonly AnyAnswer[],
  distractors: string,
  before: readonly { readonly match_id: number; readonly text: string }[],
  next: PartIds,
) {
  const ids = new Map<string, number>();
  const used = new Set<number>();
  const known = new Map(before.map((one) => [one.text, one.match_id]));
  const wrong = distractors
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const rights = answers.map((one, at) => ({ text: one.right ?? '', asked: given[at] && memberOf(given[at], 'match_id') }));
  for (const { text, asked } of [...rights, ...wrong.map((line) => ({ text: line, asked: undefined }))])
    if (!ids.has(text)) ids.set(text, freshId(asked ?? known.get(text), used, next));
  return {
    matches: [...ids].map(([text, match_id]) => ({ match_id, text })),
    answers: answers.map((one) => ({ ...one, match_id: ids.get(one.right ?? '') })),
  };
}
