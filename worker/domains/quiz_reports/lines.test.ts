import { expect, test } from 'vitest';
import { emptyTally } from '../quiz_statistics/tally';
import { attemptHead, attemptLine, itemLines } from './lines';

const question = { id: 5, question_type: 'short_answer_question', question_text: '<p>=1+1, is?</p>', points: 2, data: { answers: [] } };
const person = {
  user_id: 9,
  name: '=cmd',
  sis_user_id: 'S1',
  sections: '[["One",3,"x"],["Two",4,null]]',
  attempt: 2,
  finished_at: '2026-09-01T08:00:00Z',
  score: 2,
};
const work = { results: [{ question_id: 5, correct: true as const, points: 2 }], given: new Map([[5, '=HYPERLINK(1)']]) };
const columns = { questions: [question, { ...question, id: 6 }], isAnonymous: false, showsSisIds: true };

test('a student has two cells for each question, and formulas are marked', () => {
  expect(attemptHead(columns)).toBe(
    'name,id,sis_id,section,section_id,section_sis_id,submitted,attempt,"5: =1+1, is?",2,"6: =1+1, is?",2,n correct,n incorrect,score\r\n',
  );
  expect(attemptLine(person, work, columns)).toBe(`'=cmd,9,S1,"One, Two","3, 4","x, ",2026-09-01T08:00:00Z,2,'=HYPERLINK(1),2,,,1,0,2\r\n`);
});

test('SIS ids are only for those who may read them, and names not in anonymous surveys', () => {
  expect(attemptLine(person, work, { ...columns, showsSisIds: false })).toContain(`'=cmd,9,,"One, Two","3, 4",,2026`);
  expect(attemptHead({ ...columns, isAnonymous: true })).toMatch(/^submitted,attempt,/);
  expect(attemptLine(person, work, { ...columns, isAnonymous: true })).toMatch(/^2026-09-01T08:00:00Z,2,/);
});

test('the item analysis has the questions with one right choice', () => {
  const answers = [
    { id: 1, weight: 100, text: 'A' },
    { id: 2, weight: 0, text: 'B' },
    { id: 3, weight: 0, text: 'C' },
  ];
  const tallies = [emptyTally({ ...question, id: 7, question_type: 'true_false_question', data: { answers } }), emptyTally(question)];
  const [head, line, ...rest] = itemLines(tallies, { scores: [] }).split('\r\n');
  expect(head).toMatch(
    /^Question Id,Question Title,Answered Student Count,.*,Point Biserial of Correct,Point Biserial of Distractor 2,Point Biserial of Distractor 3$/,
  );
  expect(line).toMatch(/^7,"'=1\+1, is\?",0,0,/);
  expect(rest).toEqual(['']);
});
