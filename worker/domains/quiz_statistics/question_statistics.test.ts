import { describe, expect, test } from 'vitest';
import type { StoredAnswer } from '../quiz_questions/table';
import type { SavedAnswer } from '../quiz_submissions/answers/saved_answer';
import type { QuestionResult } from '../quiz_submissions/table';
import type { CountedQuestion } from './choices_made';
import { questionStatistics } from './question_statistics';
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
const numerical = question('numerical', [
  key(1, 100, { numerical_answer_type: 'exact_answer', exact: 4, margin: 0.5 }),
  key(2, 100, { numerical_answer_type: 'range_answer', start: 10, end: 20 }),
]);
const essay = question('essay', []);

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
