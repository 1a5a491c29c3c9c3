import { describe, expect, test } from 'vitest';
import { attemptQuestionJson, type Showing } from './question_json';
import type { AttemptQuestion } from './reading';

const question = (type: string, answers: object[], rest: object = {}, presented: object = {}) =>
  ({
    presented: { id: 7, version: 1, points: 1, quiz_group_id: null, ...presented },
    content: {
      question_name: 'Secret name',
      question_type: `${type}_question`,
      question_text: 'Compute [x] + [y].',
      data: { answers, correct_comments: 'secret', incorrect_comments: 'secret', formulas: [{ formula: 'secret' }], ...rest },
    },
    answer: null,
    flagged: false,
  }) as unknown as AttemptQuestion;
const taking: Showing = { quiz_id: 3, origin: 'https://school.test', isBrief: false, results: undefined, showsKeys: false };
const json = (one: AttemptQuestion, showing = taking) => attemptQuestionJson(one, [one], showing) as Record<string, unknown>;

describe('a question of an attempt', () => {
  const secret = { weight: 100, comments: 'secret', comments_html: 'secret' };
  test.each([
    ['multiple_choice', [{ id: 1, text: 'a', ...secret }]],
    ['multiple_answers', [{ id: 1, text: 'a', ...secret }]],
    ['multiple_dropdowns', [{ id: 1, text: 'a', blank_id: 'x', ...secret }]],
    ['matching', [{ id: 1, text: 'a', left: 'a', right: 'secret', match_id: 99_887_766, ...secret }]],
    ['short_answer', [{ id: 1, text: 'secret', ...secret }]],
    ['fill_in_multiple_blanks', [{ id: 1, text: 'secret', blank_id: 'x', ...secret }]],
    ['numerical', [{ id: 1, exact: 99_887_766, margin: 99_887_766, ...secret }]],
    ['calculated', [{ id: 1, answer: 99_887_766, ...secret }]],
  ])('%s shows nothing of its key', (type, answers) => {
    const text = JSON.stringify(json(question(type, answers)));
    expect(text).not.toMatch(/secret|weight|99887766/i);
  });

  test('answers come in the order of the attempt, matches by text', () => {
    const shuffled = question(
      'multiple_choice',
      [
        { id: 1, text: 'a' },
        { id: 2, text: 'b' },
      ],
      {},
      { order: [2, 1] },
    );
    expect((json(shuffled).answers as { id: number }[]).map(({ id }) => id)).toStrictEqual([2, 1]);
    const matching = question('matching', [{ id: 1, left: 'l' }], {
      matches: [
        { match_id: 1, text: 'b' },
        { match_id: 2, text: 'a' },
      ],
    });
    expect(json(matching).matches).toStrictEqual([
      { match_id: 2, text: 'a' },
      { match_id: 1, text: 'b' },
    ]);
  });

  test('variables have the values of the attempt', () => {
    const variants = [
      { id: 1, answer: 3, variables: [{ name: 'x', value: '1' }] },
      { id: 2, answer: 5, variables: [{ name: 'x', value: '2.0' }] },
    ];
    expect(json(question('calculated', variants, {}, { variant: 2 })).question_text).toBe('Compute 2.0 + [y].');
  });

  test('results and keys appear only when they are shown', () => {
    const one = question('multiple_choice', [{ id: 1, text: 'a', weight: 100 }]);
    const results = [{ question_id: 7, correct: true, points: 1, comment: 'Well done' }] as const;
    expect(json(one)).not.toHaveProperty('correct', true);
    expect(json(one, { ...taking, results })).toMatchObject({ correct: true, points: 1, comment: 'Well done' });
    expect(JSON.stringify(json(one, { ...taking, results }))).not.toContain('weight');
    expect(json(one, { ...taking, results, showsKeys: true }).answers).toMatchObject([{ id: 1, weight: 100 }]);
  });

  test('one at a time, only what was saved is shown', () => {
    const one = { ...question('multiple_choice', [{ id: 1, text: 'a' }]), answer: 1 };
    expect(json(one, { ...taking, isBrief: true })).toStrictEqual({ id: 7, quiz_id: 3, flagged: false, answer: 1 });
  });

  test('texts are spacers that are not counted', () => {
    const text = question('text_only', [], {}, { id: 1 });
    const first = question('essay', [], {}, { id: 2 });
    const names = [text, first].map(
      (each) => (attemptQuestionJson(each, [text, first], taking) as { question_name: string }).question_name,
    );
    expect(names).toStrictEqual(['Spacer', 'Question 1']);
  });
});
