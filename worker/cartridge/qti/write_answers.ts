// The responses and the scoring of each type of question in QTI 1.2. Pure.

import type { QuestionData, StoredAnswer } from '../../domains/quiz_questions/table';
import type { XmlElement } from '../xml/read';
import { xml } from '../xml/write';
import { decimal, halfDigit, marginWidth } from './numbers';
import { material, spaces } from './texts';

export interface WrittenAnswers {
  readonly responses: readonly XmlElement[];
  /** When the question is answered correctly, with the share of its points in percent. */
  readonly scoring: readonly { readonly when: readonly XmlElement[]; readonly score: string; readonly adds?: boolean }[];
  /** When the comment of an answer is shown. */
  readonly commentOn?: (answer: StoredAnswer) => readonly XmlElement[];
  readonly extension?: XmlElement;
}

const varequal = (respident: string, value: string | number) => xml('varequal', { respident, ...spaces(String(value)) }, value);

const label = (ident: string | number, content: XmlElement) => xml('response_label', { ident }, content);
const choices = (ident: string, rcardinality: 'Single' | 'Multiple', labels: readonly XmlElement[], title?: string) =>
  xml(
    'response_lid',
    { ident, rcardinality },
    title === undefined ? undefined : material({ text: title }),
    xml('render_choice', {}, labels),
  );

const answerLabel = (answer: StoredAnswer) => label(answer.id, material({ text: answer.text, html: answer.html }));
const share = (parts: number): string => (100 / Math.max(1, parts)).toFixed(2);
const isCorrect = ({ weight }: StoredAnswer) => weight > 0;

const fib = (attributes: Readonly<Record<string, string>> = {}) =>
  xml(
    'response_str',
    { ident: 'response1', rcardinality: 'Single' },
    xml('render_fib', attributes, xml('response_label', { ident: 'answer1', rshuffle: 'No' })),
  );

const oneOf = ({ answers }: QuestionData): WrittenAnswers => ({
  responses: [choices('response1', 'Single', answers.map(answerLabel))],
  scoring: answers.filter(isCorrect).map(({ id }) => ({ when: [varequal('response1', id)], score: '100' })),
  commentOn: ({ id }) => [varequal('response1', id)],
});

const severalOf = ({ answers }: QuestionData): WrittenAnswers => ({
  responses: [choices('response1', 'Multiple', answers.map(answerLabel))],
  scoring: [
    {
      when: [
        xml(
          'and',
          {},
          answers.map((one) => (isCorrect(one) ? varequal('response1', one.id) : xml('not', {}, varequal('response1', one.id)))),
        ),
      ],
      score: '100',
    },
  ],
  commentOn: ({ id }) => [varequal('response1', id)],
});

const shortAnswer = ({ answers }: QuestionData): WrittenAnswers => ({
  responses: [fib()],
  scoring: [{ when: answers.map(({ text = '' }) => varequal('response1', text)), score: '100' }],
  commentOn: ({ text = '' }) => [varequal('response1', text)],
});

const responseOf = (answer: StoredAnswer) => `response_${answer.blank_id ?? ''}`;

function blanks({ answers }: QuestionData): WrittenAnswers {
  const groups = [...Map.groupBy(answers, (one) => one.blank_id ?? '')];
  return {
    responses: groups.map(([blank, those]) =>
      xml('response_lid', { ident: `response_${blank}` }, material({ text: blank }), xml('render_choice', {}, those.map(answerLabel))),
    ),
    scoring: groups.flatMap(([blank, those]) => {
      const right = those.filter(isCorrect);
      return right.length === 0
        ? []
        : [{ when: right.map(({ id }) => varequal(`response_${blank}`, id)), score: share(groups.length), adds: true }];
    }),
    commentOn: (answer) => [varequal(responseOf(answer), answer.id)],
  };
}

function matching({ answers, matches = [] }: QuestionData): WrittenAnswers {
  const labels = matches.map(({ match_id, text }) => label(match_id, material({ text })));
  return {
    responses: answers.map((one) =>
      xml(
        'response_lid',
        { ident: `response_${one.id}` },
        material({ text: one.left ?? one.text, html: one.left_html ?? one.html }),
        xml('render_choice', {}, labels),
      ),
    ),
    scoring: answers.map((one) => ({
      when: [varequal(`response_${one.id}`, one.match_id ?? '')],
      score: share(answers.length),
      adds: true,
    })),
    commentOn: (one) => [xml('not', {}, varequal(`response_${one.id}`, one.match_id ?? ''))],
  };
}

const bound = (name: string, value: number | undefined) => xml(name, { respident: 'response1' }, value ?? 0);

function inInterval(answer: StoredAnswer): XmlElement[] {
  if (answer.numerical_answer_type === 'exact_answer') {
    const exact = answer.exact ?? 0;
    const margin = marginWidth(exact, answer.margin);
    const within = xml('and', {}, bound('vargte', decimal(exact - margin)), bound('varlte', decimal(exact + margin)));
    return [xml('or', {}, varequal('response1', exact), within)];
  }
  if (answer.numerical_answer_type === 'precision_answer') {
    const { approximate = 0, precision = 1 } = answer;
    const half = halfDigit(approximate, precision);
    const within = xml('and', {}, bound('vargt', decimal(approximate - half)), bound('varlte', decimal(approximate + half)));
    return [xml('or', {}, varequal('response1', approximate), within)];
  }
  return [bound('vargte', answer.start), bound('varlte', answer.end)];
}

const numerical = ({ answers }: QuestionData): WrittenAnswers => ({
  responses: [fib({ fibtype: 'Decimal' })],
  scoring: answers.map((one) => ({ when: inInterval(one), score: '100' })),
  commentOn: inInterval,
});

const calculated = ({ answers, ...data }: QuestionData): WrittenAnswers => ({
  responses: [fib({ fibtype: 'Decimal' })],
  scoring: [
    { when: [xml('other')], score: '100' },
    { when: [xml('not', {}, xml('other'))], score: '0' },
  ],
  extension: xml(
    'itemproc_extension',
    {},
    xml(
      'calculated',
      {},
      xml('answer_tolerance', {}, data.answer_tolerance ?? 0),
      xml(
        'formulas',
        { decimal_places: data.formula_decimal_places ?? 0 },
        (data.formulas ?? []).map(({ formula }) => xml('formula', {}, formula)),
      ),
      xml(
        'vars',
        {},
        (data.variables ?? []).map(({ name, min, max, scale }) => xml('var', { name, scale }, xml('min', {}, min), xml('max', {}, max))),
      ),
      xml(
        'var_sets',
        {},
        answers.map((one) =>
          xml(
            'var_set',
            { ident: one.id },
            (one.variables ?? []).map(({ name, value }) => xml('var', { name }, value)),
            xml('answer', {}, one.answer ?? 0),
          ),
        ),
      ),
    ),
  ),
});

const openText: WrittenAnswers = { responses: [fib()], scoring: [] };
const nothing: WrittenAnswers = { responses: [], scoring: [] };

/** How the answers of each type are written. */
export const answerWriters: Readonly<Record<string, (data: QuestionData) => WrittenAnswers>> = {
  multiple_choice_question: oneOf,
  true_false_question: oneOf,
  multiple_answers_question: severalOf,
  short_answer_question: shortAnswer,
  fill_in_multiple_blanks_question: blanks,
  multiple_dropdowns_question: blanks,
  matching_question: matching,
  numerical_question: numerical,
  calculated_question: calculated,
  essay_question: () => openText,
  file_upload_question: () => nothing,
  text_only_question: () => nothing,
};
