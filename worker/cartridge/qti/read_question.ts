// Reads an item of QTI 1.2 as a question. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { QuestionData } from '../../domains/quiz_questions/table';
import type { XmlElement } from '../xml/read';
import { type Item, itemOf, questionTextOf, textWithBlanks } from './item';
import { questionTypeOf } from './question_type';
import { answerReaders, dockOf } from './read_answers';
import type { Rich } from './texts';
import type { PackageIssue, QtiQuestion } from './types';
import { missingWordBlank } from './write_question';

const numberIn = (text: string | undefined): number | undefined =>
  text === undefined || text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Math.max(0, Number(text));

const pointsOf = ({ fields }: Item): number =>
  numberIn(fields.get('points_possible')) ?? numberIn(fields.get('qmd_weighting')) ?? numberIn(fields.get('cc_weighting')) ?? 1;

const kinds = [
  ['neutral', ['general_fb']],
  ['correct', ['correct_fb']],
  ['incorrect', ['general_incorrect_fb', 'incorrect_fb']],
] as const;

const first = (feedback: ReadonlyMap<string, Rich>, idents: readonly string[]): Rich | undefined =>
  idents.map((ident) => feedback.get(ident)).find((one) => one !== undefined);

/** Feedback that a writer names otherwise, and shows when the whole question is right. */
const onCorrect = ({ conditions, feedback }: Item, type: string): Rich | undefined =>
  /choice|true_false|short_answer/.test(type)
    ? first(
        feedback,
        conditions.filter(({ score = 0 }) => score > 0).flatMap(({ shows }) => shows.filter((one) => !/^\d+_fb$/.test(one))),
      )
    : undefined;

function commentsOf(item: Item, type: string): Partial<QuestionData> {
  const found = kinds.flatMap(([kind, idents]) => {
    const rich = first(item.feedback, idents) ?? (kind === 'correct' ? onCorrect(item, type) : undefined);
    return [...(rich?.text ? [[`${kind}_comments`, rich.text]] : []), ...(rich?.html ? [[`${kind}_comments_html`, rich.html]] : [])];
  });
  return Object.fromEntries(found);
}

/** A drop-down that was a missing word becomes one again. */
function asMissingWord(question: QtiQuestion): QtiQuestion {
  const field = ` [${missingWordBlank}] `;
  const at = question.question_text.indexOf(field);
  const { answers, ...data } = question.data;
  return {
    ...question,
    question_type: 'missing_word_question',
    question_text: at < 0 ? question.question_text : question.question_text.slice(0, at),
    data: {
      ...data,
      answers: answers.map(({ blank_id: _, ...one }) => one),
      text_after_answers: at < 0 ? '' : question.question_text.slice(at + field.length),
    },
  };
}

const scored = ['multiple_choice', 'true_false', 'multiple_answers', 'short_answer', 'numerical', 'matching'].map(
  (one) => `${one}_question`,
);

function warningsOf(item: Item, type: string, { answers }: QuestionData, title: string): PackageIssue[] {
  const warn = (message: string): PackageIssue => ({ type: 'warning', message: `The question "${title}" ${message}` });
  const isWithoutKey = scored.includes(type) && !answers.some(({ weight }) => weight > 0);
  const isPattern = item.conditions.some(({ tests }) => tests.some(({ name }) => name === 'varsubstring'));
  return [
    ...(isWithoutKey ? [warn('has no correct answer.')] : []),
    ...(isPattern ? [warn('accepts parts of a text; only whole texts are compared here.')] : []),
  ];
}

/** Typed blanks of other writers are in the text where their fields are. */
const textOf = (item: Item, type: string): string =>
  type === 'fill_in_multiple_blanks_question' && item.responses.every(({ kind }) => kind !== 'response_lid')
    ? textWithBlanks(item)
    : questionTextOf(item);

/** A question of an unknown type keeps its text, and is reported. */
export function readQuestion(element: XmlElement): { readonly question: QtiQuestion; readonly issues: readonly PackageIssue[] } {
  const item = itemOf(element);
  const { type, named } = questionTypeOf(item);
  const title = element.attributes.title || 'Question';
  const question_type = type ?? 'text_only_question';
  const { answers, ...rest } = (lookUp(answerReaders, question_type) ?? (() => ({ answers: [] })))(item);
  const bank = item.fields.get('assessment_question_identifierref');
  const incorrect_dock = question_type === 'multiple_answers_question' ? dockOf(item, pointsOf(item)) : undefined;
  const question: QtiQuestion = {
    identifier: element.attributes.ident ?? '',
    question_name: title,
    question_type,
    question_text: textOf(item, question_type),
    points_possible: question_type === 'text_only_question' ? 0 : pointsOf(item),
    data: { ...rest, ...commentsOf(item, question_type), ...(incorrect_dock !== undefined && { incorrect_dock }), answers },
    ...(bank === undefined || bank === '' ? {} : { bank_question: bank }),
  };
  const issues: PackageIssue[] =
    type === undefined
      ? [{ type: 'warning', message: `The question "${title}" has the unknown type "${named ?? ''}"; only its text was imported.` }]
      : warningsOf(item, question_type, question.data, title);
  return { question: item.fields.get('original_question_type') === 'missing_word_question' ? asMissingWord(question) : question, issues };
}
