import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuestionData, StoredAnswer } from '../../domains/quiz_questions/table';
import { readQti } from './read';
import type { QtiAssessment, QtiBank, QtiQuestion } from './types';
import { writeAssessment, writeBank } from './write';

const question = (question_type: string, data: QuestionData, others: Partial<QtiQuestion> = {}): QtiQuestion => ({
  identifier: 'q1',
  question_name: 'Question',
  question_type,
  question_text: '<p>What &amp; <em>why</em>?</p>',
  points_possible: question_type === 'text_only_question' ? 0 : 2.5,
  data,
  ...others,
});
const quiz = (...questions: readonly QtiQuestion[]): QtiAssessment => ({
  identifier: 'g1',
  title: 'A & B "<quiz>"',
  entries: questions.map((one) => ({ question: one })),
});
const roundTrip = (given: QtiQuestion) => readQti(writeAssessment(quiz(given)));

const choices: readonly StoredAnswer[] = [
  { id: 4211, text: 'Rome', comments: 'Yes', weight: 100 },
  { id: 77, text: ' Paris ', comments: '', weight: 0, html: '<b>Paris</b>', comments_html: '<i>No</i>' },
  { id: 3, text: 'x < y & "z"\nnext', comments: '', weight: 0 },
];
const blanks: readonly StoredAnswer[] = [
  { id: 10, text: 'red', comments: '', weight: 100, blank_id: 'colour' },
  { id: 11, text: 'crimson', comments: 'Also', weight: 100, blank_id: 'colour' },
  { id: 12, text: 'dog', comments: '', weight: 100, blank_id: 'an animal' },
  { id: 13, text: 'cat', comments: '', weight: 0, blank_id: 'an animal' },
];
const number = (id: number, more: Partial<StoredAnswer>): StoredAnswer => ({ id, text: '', comments: '', weight: 100, ...more });

describe('a question is the same after it is written and read', () => {
  it.each<[string, QuestionData]>([
    ['multiple_choice_question', { answers: choices }],
    [
      'true_false_question',
      {
        answers: [
          { id: 1, text: 'True', comments: '', weight: 0 },
          { id: 2, text: 'False', comments: 'Indeed', weight: 100 },
        ],
      },
    ],
    ['multiple_answers_question', { answers: [...choices, { id: 9, text: 'Oslo', comments: '', weight: 100 }], correct_comments: 'Good' }],
    ['multiple_answers_question', { answers: [...choices, { id: 9, text: 'Oslo', comments: '', weight: 100 }], incorrect_dock: 0.75 }],
    [
      'short_answer_question',
      {
        answers: [
          { id: 8, text: 'colour', comments: 'British', weight: 100 },
          { id: 9, text: ' color', comments: '', comments_html: '<p>American</p>', weight: 100 },
        ],
      },
    ],
    ['fill_in_multiple_blanks_question', { answers: blanks }],
    ['multiple_dropdowns_question', { answers: blanks }],
    ['missing_word_question', { answers: choices, text_after_answers: 'is the capital.' }],
    ['missing_word_question', { answers: choices, text_after_answers: '' }],
    [
      'matching_question',
      {
        answers: [
          { id: 5, text: 'Paris', left: 'Paris', right: 'France', comments: 'A', weight: 100, match_id: 501 },
          { id: 6, text: 'Lyon', left: 'Lyon', left_html: '<b>Lyon</b>', right: 'France', comments: '', weight: 100, match_id: 501 },
          { id: 7, text: 'Rome', left: 'Rome', right: 'Italy', comments: '', weight: 100, match_id: 502 },
        ],
        matches: [
          { match_id: 501, text: 'France' },
          { match_id: 502, text: 'Italy' },
          { match_id: 503, text: 'Peru' },
          { match_id: 504, text: 'Chile' },
        ],
        matching_answer_incorrect_matches: 'Peru\nChile',
      },
    ],
    [
      'numerical_question',
      {
        answers: [
          number(1, { numerical_answer_type: 'exact_answer', exact: 3.5, margin: 0.1 }),
          number(2, { numerical_answer_type: 'exact_answer', exact: -7, margin: 0, comments: 'Cold' }),
          number(3, { numerical_answer_type: 'exact_answer', exact: 200, margin: '5%' }),
          number(4, { numerical_answer_type: 'range_answer', start: -1.25, end: 4 }),
          number(5, { numerical_answer_type: 'precision_answer', approximate: 12.345, precision: 3 }),
          number(6, { numerical_answer_type: 'precision_answer', approximate: 0, precision: 2 }),
          number(7, { numerical_answer_type: 'precision_answer', approximate: -0.00123, precision: 2 }),
        ],
      },
    ],
    [
      'calculated_question',
      {
        answers: [
          { id: 1, weight: 100, answer: 12.5, variables: [{ name: 'x', value: '2.50' }] },
          { id: 2, weight: 100, answer: -3, variables: [{ name: 'x', value: '0.00' }] },
        ],
        variables: [{ name: 'x', min: -1, max: 9.5, scale: 2 }],
        formulas: [{ formula: 'a = x * 2' }, { formula: 'a < 5' }],
        answer_tolerance: '5%',
        formula_decimal_places: 2,
      },
    ],
    ['calculated_question', { answers: [], variables: [], formulas: [], answer_tolerance: 0.01, formula_decimal_places: 0 }],
    [
      'essay_question',
      { answers: [], correct_comments: 'Thanks', neutral_comments_html: '<p>Will be read</p>', neutral_comments: 'Other' },
    ],
    ['file_upload_question', { answers: [] }],
    ['text_only_question', { answers: [], neutral_comments: 'Note' }],
  ])('%s', (type, data) => {
    const given = question(type, data);
    expect(roundTrip(given)).toEqual({ assessments: [quiz(given)], banks: [], questions: [], issues: [] });
  });

  it('with every comment, points and the question of a bank that it is from', () => {
    const given = question(
      'multiple_choice_question',
      {
        answers: choices,
        correct_comments: 'Right',
        correct_comments_html: '<b>Right</b>',
        incorrect_comments: 'Wrong',
        incorrect_comments_html: '<i>not the same</i>',
        neutral_comments: 'Neither',
      },
      { bank_question: 'b7', points_possible: 0, question_name: 'Name "1"' },
    );
    expect(roundTrip(given).assessments).toEqual([quiz(given)]);
  });

  it('whatever its texts are', () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { minLength: 3, maxLength: 3 }),
        fc.nat(1e6),
        ([text = '', name = '', comment = ''], points) => {
          // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of them
          const kept = (one: string) => one.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
          const answers = [{ id: 1, text: kept(text), comments: kept(comment), weight: 100 }];
          const given = question(
            'multiple_choice_question',
            { answers },
            { question_name: `q${kept(name)}`, points_possible: points / 100 },
          );
          expect(roundTrip(given).assessments).toEqual([quiz(given)]);
        },
      ),
    ));

  it('whatever its exact answer and margin are', () =>
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.nat(1e6), fc.nat(4), (exact, margin, places) => {
        const answers = [number(1, { numerical_answer_type: 'exact_answer', exact: exact / 10 ** places, margin: margin / 10 ** places })];
        const given = question('numerical_question', { answers });
        expect(roundTrip(given).assessments).toEqual([quiz(given)]);
      }),
    ));

  it('whatever its significant digits are', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: 1, max: 10 }),
        (value, power, precision) => {
          const answers = [
            number(1, { numerical_answer_type: 'precision_answer', approximate: Number(`${value}e${power}`) + 0, precision }),
          ];
          const given = question('numerical_question', { answers });
          expect(roundTrip(given).assessments).toEqual([quiz(given)]);
        },
      ),
    ));
});

describe('a quiz', () => {
  const essay = question('essay_question', { answers: [] }, { identifier: 'e' });
  const whole: QtiAssessment = {
    identifier: 'g9',
    title: 'Groups',
    time_limit: 30,
    allowed_attempts: -1,
    entries: [
      { question: essay },
      { group: { identifier: 's1', name: 'Own', pick_count: 1, question_points: 1.5, questions: [essay, essay] } },
      { reference: 'b4' },
      {
        group: {
          identifier: 's2',
          name: 'Drawn',
          pick_count: 3,
          question_points: 2,
          bank: { identifier: 'bank1', isExternal: false },
          questions: [],
        },
      },
      {
        group: {
          identifier: 's3',
          name: 'From elsewhere',
          pick_count: 0,
          question_points: 0,
          bank: { identifier: '17', context: 'account_1', isExternal: true },
          questions: [],
        },
      },
    ],
  };

  it('keeps its groups, their banks, the order and its limits', () => expect(readQti(writeAssessment(whole)).assessments).toEqual([whole]));

  it('a bank keeps its questions', () => {
    const bank: QtiBank = {
      identifier: 'bank1',
      title: 'All & more',
      questions: [essay, question('short_answer_question', { answers: [] })],
    };
    expect(readQti(writeBank(bank))).toMatchObject({ banks: [bank], assessments: [] });
  });

  it('is read when it is empty', () =>
    expect(readQti(writeAssessment(quiz()))).toEqual({ assessments: [quiz()], banks: [], questions: [], issues: [] }));
});

describe('how Canvas expects it', () => {
  const text = writeAssessment(
    quiz(
      question('multiple_answers_question', { answers: choices }),
      question('missing_word_question', { answers: choices, text_after_answers: 'end' }),
      question('a_type_of_tomorrow', { answers: choices }),
    ),
  );

  it.each([
    '<varequal respident="response1">4211</varequal>',
    '<fieldentry>multiple_dropdowns_question</fieldentry>',
    '[drop1] end',
    '<response_lid ident="response_drop1">',
    '<fieldentry>4211,77,3</fieldentry>',
    'linkrefid="4211_fb"',
    '<section ident="root_section">',
    '<fieldentry>a_type_of_tomorrow</fieldentry>',
  ])('%s', (part) => expect(text).toContain(part));
});
