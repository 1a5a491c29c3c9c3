import { describe, expect, it } from 'vitest';
import type { QuestionGiven } from './input';
import { storedQuestion } from './stored_question';

/** Random ids in a fixed order. */
const counting = () => {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
};
const store = (given: QuestionGiven, before?: Parameters<typeof storedQuestion>[1]) =>
  storedQuestion(given, before, counting(), 'https://canvas.test');
const dataOf = (question_type: string, given: QuestionGiven) => store({ question_type, ...given }).data;

describe('a question as it is stored', () => {
  it('has defaults', () =>
    expect(store({})).toEqual({
      question_name: 'Question',
      question_type: 'text_only_question',
      question_text: 'Question text',
      points_possible: 0,
      data: { answers: [] },
    }));

  it.each(['multiple_choice_question', 'true_false_question', 'missing_word_question'])('%s: the first is correct if none is', (type) =>
    expect(
      dataOf(type, {
        answers: [
          { answer_text: 'Yes', answer_comments: 'Right' },
          { text: 'No', weight: 0 },
        ],
      }).answers,
    ).toEqual([
      { id: 1, text: 'Yes', comments: 'Right', weight: 100 },
      { id: 2, text: 'No', comments: '', weight: 0 },
    ]),
  );

  it.each<[string, QuestionGiven, readonly object[]]>([
    [
      'multiple_answers_question',
      {
        answers: [
          { answer_text: 'A', answer_weight: 100 },
          { answer_text: 'B', answer_weight: 100, answer_html: '<b>B</b><script>x</script>' },
        ],
      },
      [{ weight: 100 }, { weight: 100, html: '<b>B</b>' }],
    ],
    ['short_answer_question', { answers: [{ answer_text: 'Rome', answer_weight: 0 }] }, [{ text: 'Rome', weight: 100 }]],
    [
      'fill_in_multiple_blanks_question',
      {
        answers: [
          { answer_text: 'red', blank_id: 'a' },
          { answer_text: 'blue', blank_id: 'b', answer_weight: 0 },
        ],
      },
      [
        { blank_id: 'a', weight: 100 },
        { blank_id: 'b', weight: 0 },
      ],
    ],
    [
      'multiple_dropdowns_question',
      { answers: ['a', 'a', 'b'].map((blank_id) => ({ answer_text: 'x', blank_id })) },
      [
        { blank_id: 'a', weight: 100 },
        { blank_id: 'a', weight: 0 },
        { blank_id: 'b', weight: 100 },
      ],
    ],
    [
      'numerical_question',
      {
        answers: [
          { numerical_answer_type: 'exact_answer', answer_exact: 3.5, answer_error_margin: '5%' },
          { numerical_answer_type: 'exact_answer', answer_exact: 8, answer_error_margin: '.5 %' },
          { numerical_answer_type: 'precision_answer', approximate: 12, precision: 2 },
          { numerical_answer_type: 'other', answer_range_start: 1, end: 4 },
        ],
      },
      [
        { numerical_answer_type: 'exact_answer', exact: 3.5, margin: '5%', weight: 100 },
        { numerical_answer_type: 'exact_answer', exact: 8, margin: '.5%', weight: 100 },
        { numerical_answer_type: 'precision_answer', approximate: 12, precision: 2 },
        { numerical_answer_type: 'range_answer', start: 1, end: 4 },
      ],
    ],
    ['essay_question', { answers: [{ answer_text: 'x' }] }, []],
    ['file_upload_question', { answers: [{ answer_text: 'x' }] }, []],
    ['text_only_question', { answers: [{ answer_text: 'x' }] }, []],
    ['a_type_of_tomorrow', { answers: [{ answer_text: 'x', answer_weight: 100 }] }, [{ text: 'x', weight: 100 }]],
  ])('%s', (type, given, expected) => expect(dataOf(type, given).answers).toMatchObject(expected));

  it('matching: equal right texts share a match, and distractors follow', () => {
    const data = dataOf('matching_question', {
      answers: [
        { answer_match_left: 'Paris', answer_match_right: 'France' },
        { answer_match_left: 'Lyon', answer_match_right: 'France' },
        { answer_match_left: 'Rome', answer_match_right: 'Italy', match_id: 77 },
      ],
      matching_answer_incorrect_matches: 'Spain\n\n Peru ',
    });
    const [paris, lyon, rome] = data.answers;
    expect([paris?.match_id === lyon?.match_id, rome?.match_id, paris?.text]).toEqual([true, 77, 'Paris']);
    expect(data.matches?.map((one) => one.text)).toEqual(['France', 'Italy', 'Spain', 'Peru']);
    expect(new Set(data.matches?.map((one) => one.match_id)).size).toBe(4);
  });

  it('calculated: values have as many decimals as their variable', () =>
    expect(
      dataOf('calculated_question', {
        formulas: ['a*2', { formula: 'b' }],
        variables: [{ name: 'a', min: 1, max: 9, scale: 2 }],
        answer_tolerance: '5 %',
        formula_decimal_places: 1,
        answers: [{ answer_text: '3', variables: [{ name: 'a', value: '1.5' }] }],
      }),
    ).toEqual({
      formulas: [{ formula: 'a*2' }, { formula: 'b' }],
      variables: [{ name: 'a', min: 1, max: 9, scale: 2 }],
      answer_tolerance: '5%',
      formula_decimal_places: 1,
      answers: [{ id: 1, weight: 100, answer: 3, variables: [{ name: 'a', value: '1.50' }] }],
    }));

  it('keeps what an update does not name, and ids of answers that are sent back', () => {
    const before = store({
      question_type: 'matching_question',
      question_name: 'Capitals',
      question_text: '<p>Match</p>',
      points_possible: 3,
      correct_comments: 'Good',
      answers: [{ id: 41, answer_match_left: 'Paris', answer_match_right: 'France' }],
      matching_answer_incorrect_matches: 'Spain',
    });
    expect(store({}, before)).toEqual(before);
    const sentBack = { answers: before.data.answers.map((one) => ({ ...one })) } as QuestionGiven;
    expect(store(sentBack, before)).toEqual(before);
    expect(store({ correct_comments: null, question_name: '' }, before)).toMatchObject({
      question_name: 'Question',
      question_text: '<p>Match</p>',
    });
    const twice = store({
      question_type: 'short_answer_question',
      answers: [
        { id: 5, text: 'a' },
        { id: 5, text: 'b' },
      ],
    });
    expect(new Set(twice.data.answers.map((one) => one.id)).size).toBe(2);
  });

  it.each<[QuestionGiven, string]>([
    [{ points_possible: -1 }, 'points_possible'],
    [{ question_text: 'x'.repeat(16_385) }, 'question_text'],
    [{ neutral_comments: 'x'.repeat(5_121) }, 'neutral_comments'],
    [{ answers: Array.from({ length: 1001 }, () => ({ text: 'x' })) }, 'answers'],
    [{ answers: [{ text: 'x'.repeat(16_385) }] }, 'answers'],
  ])('refuses values over their limits', (given, field) => expect(() => store(given)).toThrow(field));
});
