import { expect, it } from 'vitest';
import { packageKey } from '../../cartridge/keys';
import { packagedAssessment, packagedSettings } from './packaged_quiz';

type Rows = Parameters<typeof packagedAssessment>;
const at = { created_at: '', updated_at: '' };
const quiz = { id: 1, title: 'Quiz', time_limit: null, allowed_attempts: -1 } as Rows[1];
const group = (id: number, position: number, question_bank_id: number | null): Rows[2][number] => ({
  id,
  quiz_id: 1,
  course_id: 1,
  name: `Group ${id}`,
  pick_count: 2,
  question_points: 3,
  question_bank_id,
  position,
  workflow_state: 'active',
  ...at,
});
const question = (id: number, position: number, quiz_group_id: number | null): Rows[3][number] => ({
  id,
  course_id: 1,
  quiz_id: 1,
  question_bank_id: null,
  quiz_group_id,
  assessment_question_id: id === 11 ? 5 : null,
  position,
  root_position: position,
  question_name: `Question ${id}`,
  question_type: 'essay_question',
  question_text: 'Why?',
  points_possible: 1,
  data: { answers: [] },
  version: 1,
  regrade: null,
  workflow_state: 'active',
  ...at,
});

it('has groups and questions in order, and banks of the course by their key', () => {
  const banks = [
    { id: 30, context_type: 'Course', context_id: 1, title: 'Own' },
    { id: 31, context_type: 'Account', context_id: 4, title: 'Shared' },
  ] as const;
  const made = packagedAssessment(
    'uuid',
    quiz,
    [group(21, 2, null), group(22, 4, 30), group(23, 1, 31)],
    [question(11, 3, null), question(12, 1, 21), question(13, 2, 21)],
    banks,
  );
  const shown = made.entries.map((one) =>
    'group' in one ? [one.group.name, one.group.bank, one.group.questions.map(({ question_name }) => question_name)] : one,
  );
  expect(shown).toEqual([
    ['Group 23', { identifier: '31', context: 'account_4', isExternal: true }, []],
    ['Group 21', undefined, ['Question 12', 'Question 13']],
    { question: expect.objectContaining({ question_name: 'Question 11', bank_question: packageKey('uuid', 'question', 5) }) },
    ['Group 22', { identifier: packageKey('uuid', 'question_bank', 30), isExternal: false }, []],
  ]);
  expect(made).toMatchObject({ identifier: packageKey('uuid', 'quiz', 1), allowed_attempts: -1 });
  expect(made).not.toHaveProperty('time_limit');
});

it('has how the assignment of a quiz is graded', () => {
  const options = { hide_in_gradebook: true, anonymous_grading: false, important: 'kept' };
  const assignment = { id: 3, assignment_group_id: 4, grading_type: 'percent', options, own_post_manually: true } as unknown as Parameters<
    typeof packagedSettings
  >[2];
  const { assignment: packaged } = packagedSettings(
    'uuid',
    { ...quiz, assignment_id: 3 } as Parameters<typeof packagedSettings>[1],
    assignment,
  );
  expect(packaged).toMatchObject({ grading_type: 'percent', hide_in_gradebook: true, anonymous_grading: false, post_manually: true });
  expect(packaged).not.toHaveProperty('post_to_sis');
});
