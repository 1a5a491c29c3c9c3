// What a student must never find in a response before it is theirs: correct answers, comments, access codes and filters. Every value that must stay
// secret contains the mark, and every key that tells the right answer is listed.

import { expect } from 'vitest';
import type { Answer, Client } from './client';

/** Part of each secret text of a quiz. */
export const secretMark = 'QUIZ-SECRET';

export const secretText = (what: string): string => `${secretMark} ${what}`;

const secretKeys = new Set([
  'weight',
  'comments',
  'comments_html',
  'correct_comments',
  'incorrect_comments',
  'neutral_comments',
  'correct_comments_html',
  'incorrect_comments_html',
  'neutral_comments_html',
  'exact',
  'margin',
  'approximate',
  'right',
  'matching_answer_incorrect_matches',
  'formulas',
  'answer_tolerance',
  'access_code',
  'student_access_code',
  'scoring_data',
  'answer_feedback',
]);

function keysWithin(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysWithin)];
}

/** A request without parameters. */
export function askPlainly(client: Client, method: string, path: string): Promise<Answer> {
  if (method === 'GET') return client.get(path);
  if (method === 'DELETE') return client.del(path);
  return method === 'POST' ? client.post(path, {}) : method === 'PATCH' ? client.patch(path, {}) : client.put(path, {});
}

/** Checks that a response to a student contains no secret of a quiz, in its body or headers. */
export function expectNoQuizSecrets(
  answer: { readonly body: unknown; readonly headers: { forEach(each: (value: string, name: string) => void): void } },
  where = '',
): void {
  const found = keysWithin(answer.body).filter((key) => secretKeys.has(key));
  expect(found, where).toEqual([]);
  const headers: string[] = [];
  answer.headers.forEach((value) => {
    headers.push(value);
  });
  expect(`${JSON.stringify(answer.body)} ${headers.join(' ')}`, where).not.toContain(secretMark);
}

/** One question of every type, whose keys and comments are secret. */
export const questionsOfEveryType = (): readonly (Record<string, unknown> & { question_type: string })[] => {
  const comments = {
    correct_comments: secretText('correct'),
    incorrect_comments: secretText('incorrect'),
    neutral_comments: secretText('neutral'),
  };
  const choices = [
    { answer_text: 'One', answer_weight: 100, answer_comments: secretText('choice') },
    { answer_text: 'Two', answer_weight: 0, answer_comments: secretText('choice') },
  ];
  const question = (question_type: string, rest: object = {}) => ({
    question_type,
    question_name: question_type,
    question_text: `<p>${question_type}</p>`,
    points_possible: 2,
    ...comments,
    ...rest,
  });
  return [
    question('multiple_choice_question', { answers: choices }),
    question('true_false_question', { answers: choices }),
    question('missing_word_question', { answers: choices, text_after_answers: 'after' }),
    question('multiple_answers_question', { answers: choices }),
    question('short_answer_question', { answers: [{ answer_text: secretText('short answer') }] }),
    question('fill_in_multiple_blanks_question', {
      question_text: '<p>[a] and [b]</p>',
      answers: ['a', 'b'].map((blank_id) => ({ answer_text: secretText('blank'), blank_id })),
    }),
    question('multiple_dropdowns_question', {
      question_text: '<p>[a]</p>',
      answers: choices.map((one) => ({ ...one, blank_id: 'a' })),
    }),
    question('matching_question', {
      answers: [
        { answer_match_left: 'Paris', answer_match_right: 'France' },
        { answer_match_left: 'Rome', answer_match_right: 'Italy' },
      ],
      matching_answer_incorrect_matches: 'Spain',
    }),
    question('numerical_question', { answers: [{ numerical_answer_type: 'exact_answer', answer_exact: 4, answer_error_margin: 0 }] }),
    question('calculated_question', {
      question_text: '<p>Twice [x]</p>',
      formulas: [`x*2 ${secretMark}`],
      variables: [{ name: 'x', min: 1, max: 9, scale: 0 }],
      answer_tolerance: '0',
      answers: [
        { answer_text: '2', variables: [{ name: 'x', value: '1' }] },
        { answer_text: '4', variables: [{ name: 'x', value: '2' }] },
      ],
    }),
    question('essay_question'),
    question('file_upload_question'),
    question('text_only_question'),
  ];
};

/** One item of a New Quiz of every type, whose keys and feedback are secret. */
export const newQuizItemsOfEveryType = (): readonly { entry: Record<string, unknown> & { interaction_type_slug: string } }[] => {
  const choices = ['a', 'b', 'c'].map((id, at) => ({ id, position: at + 1, item_body: `<p>Choice ${id}</p>` }));
  const item = (interaction_type_slug: string, interaction_data: unknown, scoring_algorithm: string, value: unknown, more: object = {}) => {
    const { rest, ...entry } = more as { rest?: object };
    return {
      entry_type: 'Item',
      points_possible: 2,
      entry: {
        title: interaction_type_slug,
        item_body: `<p>${interaction_type_slug}</p>`,
        feedback: { neutral: secretText('neutral'), correct: secretText('correct') },
        interaction_type_slug,
        interaction_data,
        scoring_algorithm,
        scoring_data: { value, ...rest },
        ...entry,
      },
    };
  };
  return [
    item('true-false', { true_choice: 'True', false_choice: 'False' }, 'Equivalence', true),
    item('choice', { choices }, 'Equivalence', 'b', { answer_feedback: { a: secretText('choice') } }),
    item('choice', { choices }, 'VaryPointsByAnswer', 'b', {
      rest: {
        values: [
          { value: 'a', points: 0 },
          { value: 'b', points: 2 },
        ],
      },
      properties: { vary_points_by_answer: true },
    }),
    item('multi-answer', { choices }, 'PartialScore', ['a', 'b']),
    item(
      'matching',
      { questions: [{ id: '1', item_body: 'Paris' }], answers: ['France', 'Spain'] },
      'PartialDeep',
      { 1: 'France' },
      {
        rest: { edit_data: { matches: [{ question_id: '1', question_body: 'Paris', answer_body: 'France' }], distractors: ['Spain'] } },
      },
    ),
    item(
      'categorization',
      {
        categories: { x: { id: 'x', item_body: 'Fruit' } },
        distractors: { p: { id: 'p', item_body: 'Pear' }, q: { id: 'q', item_body: 'Quartz' } },
        category_order: ['x'],
      },
      'Categorization',
      [{ id: 'x', scoring_data: { value: ['p'] }, scoring_algorithm: 'AllOrNothing' }],
      { rest: { score_method: 'all_or_nothing' } },
    ),
    item('ordering', { choices: { a: { id: 'a', item_body: 'First' }, b: { id: 'b', item_body: 'Second' } } }, 'DeepEquals', ['a', 'b']),
    item('numeric', {}, 'Numeric', [
      { id: '1', type: 'exactResponse', value: '4' },
      { id: '2', type: 'marginOfError', value: '4', margin: '5', margin_type: 'percent' },
      { id: '3', type: 'withinARange', start: 1, end: 2 },
      { id: '4', type: 'preciseResponse', value: '3.14', precision: '2', precision_type: 'decimals' },
    ]),
    item('formula', {}, 'Numeric', {
      formula: `x + 1 ${secretMark}`,
      numeric: { type: 'marginOfError', margin: '0', margin_type: 'absolute' },
      variables: [{ name: 'x', min: '1', max: '9', precision: 0 }],
      generated_solutions: [{ inputs: [{ name: 'x', value: '2' }], output: '3' }],
    }),
    item(
      'rich-fill-blank',
      {
        blanks: [
          { id: 'o', answer_type: 'openEntry' },
          { id: 'd', answer_type: 'dropdown', choices },
          { id: 'w', answer_type: 'wordbank' },
        ],
        word_bank_choices: [{ id: 'k', item_body: 'Word' }],
        reuse_word_bank_choices: false,
      },
      'MultipleMethods',
      [
        {
          id: 'o',
          scoring_data: { value: secretText('blank'), edit_distance: 1, ignore_case: true },
          scoring_algorithm: 'TextCloseEnough',
        },
        { id: 'd', scoring_data: { value: 'a' }, scoring_algorithm: 'Equivalence' },
        { id: 'w', scoring_data: { value: 'k' }, scoring_algorithm: 'Equivalence' },
      ],
      { item_body: '<p><span id="blank_o"></span> <span id="blank_d"></span> <span id="blank_w"></span></p>' },
    ),
    item('hot-spot', { image_url: 'https://images.example/map.png' }, 'HotSpot', {
      type: 'square',
      coordinates: [
        { x: 0.1, y: 0.1 },
        { x: 0.5, y: 0.5 },
      ],
    }),
    item('essay', { rce: true, word_limit_enabled: true, word_limit_min: '1', word_limit_max: '90' }, 'None', secretText('notes')),
    item('file-upload', { files_count: '2', restrict_count: true }, 'None', '', {
      properties: { allowed_types: '.pdf', restrict_types: true },
    }),
  ];
};
