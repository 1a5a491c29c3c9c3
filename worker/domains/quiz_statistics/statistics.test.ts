// Tables of cases for the statistics of quizzes (reference 04 §9).

import { describe, expect, it, test } from 'vitest';
import type { StoredAnswer } from '../quiz_questions/table';
import type { SavedAnswer } from '../quiz_submissions/answers/saved_answer';
import type { QuestionResult } from '../quiz_submissions/table';
import { type CountedQuestion, choicesMade, partsOfQuestion } from './choices_made';
import { alphaOf, levelsOf, pointBiserial, varianceOf } from './item_figures';
import { questionStatistics } from './question_statistics';
import { submissionStatistics } from './submission_statistics';
import { countAnswer, emptyTally } from './tally';

const key = (id: number, weight: number, rest: Partial<StoredAnswer> = {}): StoredAnswer => ({ id, weight, text: `T${id}`, ...rest });
const question = (type: string, answers: readonly StoredAnswer[], rest: object = {}): CountedQuestion => ({
  id: 7,
  question_type: `${type}_question`,
  question_text: '<p>Why?</p>',
  points: 4,
  data: { answers, ...rest },
});

const choice = question('multiple_choice', [key(1, 100), key(2, 0), key(3, 0)]);
const several = question('multiple_answers', [key(1, 100), key(2, 100), key(3, 0)]);
const short = question('short_answer', [key(1, 100, { text: 'Paris' }), key(2, 100, { text: 'Lutetia' })]);
const blanks = question('fill_in_multiple_blanks', [
  key(1, 100, { blank_id: 'a', text: 'red' }),
  key(2, 100, { blank_id: 'b', text: 'blue' }),
]);
const dropdowns = question('multiple_dropdowns', [
  key(1, 100, { blank_id: 'a' }),
  key(2, 0, { blank_id: 'a' }),
  key(3, 100, { blank_id: 'b' }),
]);
const matching = question(
  'matching',
  [key(1, 100, { left: 'a', right: 'X', match_id: 11 }), key(2, 100, { left: 'b', right: 'Y', match_id: 12 })],
  {
    matches: [
      { match_id: 11, text: 'X' },
      { match_id: 12, text: 'Y' },
      { match_id: 13, text: 'Z' },
    ],
  },
);
const numerical = question('numerical', [
  key(1, 100, { numerical_answer_type: 'exact_answer', exact: 4, margin: 0.5 }),
  key(2, 100, { numerical_answer_type: 'range_answer', start: 10, end: 20 }),
]);
const essay = question('essay', []);

describe('which listed answers an answer is', () => {
  const cases: [string, CountedQuestion, SavedAnswer, readonly (readonly string[])[]][] = [
    ['a choice', choice, 2, [['2']]],
    ['a choice that is no longer there', choice, 9, [['other']]],
    ['no choice', choice, null, [['none']]],
    ['several choices', several, [1, 3], [['1', '3']]],
    ['no choice of several', several, [], [['none']]],
    ['an accepted text', short, ' LUTETIA', [['2']]],
    ['another text', short, 'Lyon', [['other']]],
    ['a blank text', short, '  ', [['none']]],
    ['blanks', blanks, { a: 'Red', b: 'green' }, [['1'], ['other']]],
    ['one blank', blanks, { b: 'blue' }, [['none'], ['2']]],
    ['a blank of another', blanks, { a: 'blue' }, [['other'], ['none']]],
    ['choices of blanks', dropdowns, { a: 2, b: 1 }, [['2'], ['other']]],
    ['matches', matching, { 1: 13, 2: 12 }, [['13'], ['12']]],
    ['a cleared match', matching, { 1: null }, [['none'], ['none']]],
    ['a number within the margin', numerical, '4.5', [['1']]],
    ['a number in the range', numerical, '20', [['2']]],
    ['another number', numerical, '9.99', [['other']]],
    ['no number', numerical, null, [['none']]],
    ['an essay', essay, '<p>Because</p>', []],
  ];
  it.each(cases)('%s', (_, asked, given, expected) => expect(choicesMade(asked, partsOfQuestion(asked), given)).toEqual(expected));

  test('numbers are listed with their value and margin', () => {
    expect(partsOfQuestion(numerical)[0]?.listed).toEqual([
      { id: '1', text: '4', correct: true, value: [4], margin: 0.5, is_range: false },
      { id: '2', text: '[10..20]', correct: true, value: [10, 20], margin: 0, is_range: true },
    ]);
  });

  test('a blank is named by the MD5 of its name, a left item by its id', () => {
    expect(partsOfQuestion(blanks).map(({ id, text }) => [id, text])).toEqual([
      ['0cc175b9c0f1b6a831c399e269772661', 'a'],
      ['92eb5ffee6ae2fec3ad71c777531578f', 'b'],
    ]);
    expect(partsOfQuestion(matching).map(({ id, text, listed }) => [id, text, listed.map((one) => one.correct)])).toEqual([
      ['1', 'a', [true, false, false]],
      ['2', 'b', [false, true, false]],
    ]);
  });
});

describe('levels of students', () => {
  it.each([
    ['ten different scores', [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 'tttmmmmbbb'],
    ['a tie at the border of the top', [10, 9, 8, 8, 6, 5, 4, 3, 2, 1], 'ttttmmmbbb'],
    ['a tie at the border of the middle', [10, 9, 8, 7, 6, 5, 4, 4, 2, 1], 'tttmmmmmbb'],
    ['equal scores', [5, 5, 5, 5], 'tttt'],
    ['one student', [5], 'm'],
    ['two students', [5, 4], 'tb'],
  ])('%s', (_, scores, expected) => {
    const levelOf = levelsOf(scores);
    expect(scores.map((score) => levelOf(score)[0]).join('')).toBe(expected);
  });
});

describe('figures', () => {
  it.each([
    [[10, 8], [4, 2], 6 / Math.sqrt(10) / 2],
    [[4, 2], [10, 8], -6 / Math.sqrt(10) / 2],
    [[5, 5], [5, 5], null],
    [[], [1, 2], null],
    [[1, 2], [], null],
  ])('the point biserial of %j and %j is %s', (chosen, others, expected) => {
    const value = pointBiserial(chosen, others);
    if (expected === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(expected, 12);
  });

  test('the variance is that of the population', () => {
    expect(varianceOf([2, 4, 4, 4, 5, 5, 7, 9])).toBe(4);
    expect(varianceOf([])).toBe(0);
  });

  test('alpha needs 16 attempts and two questions', () => {
    const scores = Array.from({ length: 16 }, (_, nth) => (nth % 2) * 2);
    // Two questions that agree always.
    expect(alphaOf([0.25, 0.25], scores)).toBeCloseTo(1, 12);
    expect(alphaOf([0.5, 0.5], scores)).toBe(0);
    expect(alphaOf([0.25, 0.25], scores.slice(1))).toBeNull();
    expect(alphaOf([1], scores)).toBeNull();
    expect(alphaOf([0, 0], scores.fill(3))).toBeNull();
  });
});

type Given = readonly [given: SavedAnswer, correct: QuestionResult['correct'], points: number];

/** The statistics of one question; the students are a, b, c, …, with falling scores. */
function statisticsOf(asked: CountedQuestion, given: readonly Given[], isAnonymous = false) {
  const tally = emptyTally(asked);
  for (const [nth, [answer, correct, points]] of given.entries())
    countAnswer(tally, nth, { question_id: asked.id, correct, points }, answer);
  const students = given.map((_, nth) => ({ id: 100 + nth, name: String.fromCharCode(97 + nth) }));
  const scores = given.map((_, nth) => 10 - nth);
  return questionStatistics([tally], { scores, students: isAnonymous ? undefined : students })[0] as Record<string, unknown>;
}

describe('statistics of a question', () => {
  test('a choice has its students, levels and point biserials', () => {
    const shown = statisticsOf(choice, [
      [1, true, 4],
      [1, true, 4],
      [2, false, 0],
      [null, false, 0],
    ]);
    expect(shown).toMatchObject({
      id: '7',
      question_type: 'multiple_choice_question',
      position: 1,
      responses: 3,
      answered_student_count: 3,
      top_student_count: 1,
      middle_student_count: 1,
      bottom_student_count: 1,
      correct_student_count: 2,
      incorrect_student_count: 1,
      correct_top_student_count: 1,
      correct_middle_student_count: 1,
      correct_bottom_student_count: 0,
      correct_student_ratio: 2 / 3,
      difficulty_index: 2 / 3,
      variance: 2 / 3,
      alpha: null,
    });
    expect(shown.answers).toEqual([
      { id: '1', text: 'T1', correct: true, responses: 2, user_ids: [100, 101], user_names: ['a', 'b'] },
      { id: '2', text: 'T2', correct: false, responses: 1, user_ids: [102], user_names: ['c'] },
      { id: '3', text: 'T3', correct: false, responses: 0, user_ids: [], user_names: [] },
      { id: 'none', text: 'No Answer', correct: false, responses: 1, user_ids: [103], user_names: ['d'] },
    ]);
    expect(shown.point_biserials).toEqual([
      { answer_id: 1, point_biserial: expect.closeTo(0.866, 3), correct: true, distractor: false },
      { answer_id: 2, point_biserial: expect.closeTo(-0.866, 3), correct: false, distractor: true },
      { answer_id: 3, point_biserial: null, correct: false, distractor: true },
    ]);
  });

  test('parts have answer sets', () => {
    const shown = statisticsOf(blanks, [
      [{ a: 'red', b: 'blue' }, true, 4],
      [{ a: 'red' }, 'partial', 2],
      [{ a: 'x', b: 'y' }, false, 0],
    ]);
    expect(shown).toMatchObject({ responses: 3, answered: 2, correct: 1, partially_correct: 1, incorrect: 1 });
    const sets = shown.answer_sets as { text: string; answers: { id: string; responses: number }[] }[];
    expect(sets.map(({ text, answers }) => [text, answers.map(({ id, responses }) => `${id}:${responses}`)])).toEqual([
      ['a', ['1:2', 'other:1']],
      ['b', ['2:1', 'other:1', 'none:1']],
    ]);
    expect(shown).not.toHaveProperty('answers');
  });

  test('answers that are scored by hand have a distribution of points', () => {
    const shown = statisticsOf(essay, [
      ['x', 'defined', 4],
      ['x', 'defined', 2],
      ['x', 'undefined', 0],
      [null, false, 0],
    ]);
    expect(shown).toMatchObject({ responses: 3, graded: 3, full_credit: 1, answers: [] });
    expect(shown.point_distribution).toEqual([
      { score: null, count: 1 },
      { score: 0, count: 1 },
      { score: 2, count: 1 },
      { score: 4, count: 1 },
    ]);
  });

  test.each([
    [several, [[1, 2], true, 4], { correct: 1, partially_correct: 0, answered: 1 }],
    [short, ['paris', true, 4], { full_credit: 1, responses: 1 }],
    [numerical, ['4', true, 4], { full_credit: 1, responses: 1 }],
    [question('calculated', [key(1, 100, { answer: 3 })]), ['5', false, 0], { graded: 1, full_credit: 0, incorrect: 1 }],
  ] as [CountedQuestion, Given, object][])('%#', (asked, given, expected) => expect(statisticsOf(asked, [given])).toMatchObject(expected));

  test('anonymous students have no names and ids', () => {
    expect(statisticsOf(choice, [[1, true, 4]], true).answers).toMatchObject([{ responses: 1, user_names: [] }, {}, {}]);
    expect(JSON.stringify(statisticsOf(choice, [[1, true, 4]], true))).not.toContain('user_ids');
  });

  test('text between questions has no statistics, and without attempts counts are zero', () => {
    expect(statisticsOf(question('text_only', []), [])).toBeUndefined();
    expect(statisticsOf(choice, [])).toMatchObject({ responses: 0, correct_student_ratio: 0, variance: 0, top_student_count: 0 });
  });
});

describe('statistics of attempts', () => {
  const one = (user_id: number, score: number, rest: object = {}) => ({
    user_id,
    score,
    points_possible: 8,
    duration: 60,
    right: 1,
    wrong: 2,
    ...rest,
  });

  test('percents are rounded down, and students are counted once', () => {
    expect(submissionStatistics([one(1, 8), one(1, 7.9, { duration: 120 }), one(2, 2, { right: 4, duration: null })])).toEqual({
      scores: { 25: 1, 98: 1, 100: 1 },
      score_average: expect.closeTo(5.966, 2),
      score_high: 8,
      score_low: 2,
      score_stdev: expect.closeTo(2.805, 3),
      correct_count_average: 2,
      incorrect_count_average: 2,
      duration_average: 90,
      unique_count: 2,
    });
  });

  test('without attempts and without points there are no averages and percents', () => {
    expect(submissionStatistics([])).toEqual({
      scores: {},
      score_average: null,
      score_high: null,
      score_low: null,
      score_stdev: null,
      correct_count_average: null,
      incorrect_count_average: null,
      duration_average: null,
      unique_count: 0,
    });
    expect(submissionStatistics([one(1, 3, { points_possible: 0 })]).scores).toEqual({});
  });
});
