// What a student must never find in a response before it is theirs: correct answers, comments, access codes and filters. Every value that must stay
// secret contains the mark, and every key that tells the right answer is listed.

import { expect } from 'vitest';

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
]);

function keysWithin(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysWithin)];
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
