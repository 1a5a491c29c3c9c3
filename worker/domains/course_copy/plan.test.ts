// The order of a course copy.

import { expect, test } from 'vitest';
import { copyPlanOf, type Inventory } from './plan';

const inventory: Inventory = {
  external_tool: [{ id: 120 }],
  folder: [
    { id: 3, depth: 1, parent_folder_id: 1 },
    { id: 1, depth: 0, parent_folder_id: null },
    { id: 2, depth: 2, parent_folder_id: 3 },
  ],
  file: [
    { id: 10, folder_id: 2 },
    { id: 11, folder_id: 1 },
    { id: 12, folder_id: 1 },
  ],
  assignment_group: [{ id: 20 }, { id: 21 }],
  grading_standard: [{ id: 25 }, { id: 26 }],
  assignment: [
    // Of an account, so it is not copied.
    { id: 30, assignment_group_id: 20, grading_standard_id: 7 },
    { id: 31, assignment_group_id: 21, grading_standard_id: 25, document_id: 12 },
    { id: 32, assignment_group_id: 21, grading_standard_id: null },
  ],
  quiz: [
    { id: 90, assignment_id: 30 },
    { id: 91, assignment_id: null },
  ],
  question_bank: [
    { id: 97, outcome_ids: '[7]' },
    { id: 98, outcome_ids: '[98]' },
  ],
  quiz_group: [
    { id: 93, quiz_id: 91, question_bank_id: null },
    { id: 94, quiz_id: 90, question_bank_id: 97 },
  ],
  quiz_question: [
    { id: 95, quiz_id: 90, question_bank_id: null, file_ids: [12] },
    { id: 96, quiz_id: 91, question_bank_id: null },
    { id: 99, quiz_id: null, question_bank_id: 97 },
    { id: 100, quiz_id: null, question_bank_id: 98 },
  ],
  new_quiz_item: [
    { id: 110, new_quiz_id: 32, question_bank_id: 98, entry_bank_id: null },
    { id: 111, new_quiz_id: 32, question_bank_id: null, entry_bank_id: 97 },
  ],
  learning_outcome: [{ id: 97 }, { id: 98 }],
  outcome_group: [{ id: 99 }],
  // The second outcome is one of an account.
  rubric: [{ id: 25, outcome_ids: '[97,7]' }, { id: 26 }],
  rubric_association: [
    { id: 35, rubric_id: 25, association_type: 'Assignment', association_id: 31 },
    { id: 36, rubric_id: 26, association_type: 'Course', association_id: 1 },
  ],
  page: [{ id: 40, file_ids: [12] }, { id: 41 }],
  discussion_topic: [
    { id: 50, assignment_id: 31, attachment_id: null, is_announcement: false },
    { id: 51, assignment_id: null, attachment_id: 11, is_announcement: true },
  ],
  calendar_event: [{ id: 60 }],
  module: [{ id: 70 }],
  module_item: [
    { id: 80, module_id: 70, type: 'File', content_id: 10 },
    { id: 81, module_id: 70, type: 'Discussion', content_id: 50 },
    { id: 82, module_id: 70, type: 'SubHeader', content_id: null },
  ],
};

const result = (choice: Parameters<typeof copyPlanOf>[1]) =>
  copyPlanOf(inventory, choice).map((step) => ('kind' in step ? `${step.does} ${step.kind} ${step.ids.join(',')}` : step.does));

test('everything is copied in an order in which references and parent folders come first, and texts and settings last', () => {
  expect(result({})).toEqual([
    'copy external_tool 120',
    'copy folder 1',
    'copy folder 3',
    'copy folder 2',
    'copy file 10,11,12',
    'copy assignment_group 20,21',
    'copy grading_standard 25,26',
    'copy learning_outcome 97,98',
    'copy outcome_group 99',
    'copy rubric 25,26',
    'copy assignment 30,31,32',
    'copy question_bank 97,98',
    'copy quiz 90,91',
    'copy quiz_group 93,94',
    'copy quiz_question 95,96,99,100',
    'copy page 40,41',
    'copy discussion_topic 50,51',
    'copy calendar_event 60',
    'copy module 70',
    'copy module_item 80,81,82',
    'copy new_quiz_item 110,111',
    'copy rubric_association 35,36',
    'texts learning_outcome 97,98',
    'texts assignment 30,31,32',
    'texts quiz 90,91',
    'texts quiz_question 95,96,99,100',
    'texts new_quiz_item 110,111',
    'texts page 40,41',
    'texts discussion_topic 50,51',
    'texts calendar_event 60',
    'refer assignment_group 20,21',
    'refer module 70',
    'refer outcome_group 99',
    'refer learning_outcome 97,98',
    'refer question_bank 97,98',
    'refer quiz_question 95,96,99,100',
    'refer new_quiz_item 110,111',
    'settings',
    'syllabus',
  ]);
});

test('copying a module also copies its items, a graded topic its assignment with group, grading standard, rubric with its outcomes and document, a file its folders, and HTML its files', () => {
  expect(result({ whole: ['module'], settings: false, syllabus: false })).toEqual([
    'copy folder 1',
    'copy folder 3',
    'copy folder 2',
    'copy file 10,12',
    'copy assignment_group 21',
    'copy grading_standard 25',
    'copy learning_outcome 97',
    'copy rubric 25',
    'copy assignment 31',
    'copy discussion_topic 50',
    'copy module 70',
    'copy module_item 80,81,82',
    'copy rubric_association 35',
    'texts learning_outcome 97',
    'texts assignment 31',
    'texts discussion_topic 50',
    'refer assignment_group 21',
    'refer module 70',
    'refer learning_outcome 97',
  ]);
  expect(result({ items: { page: [40] } })).toEqual(['copy folder 1', 'copy file 12', 'copy page 40', 'texts page 40']);
  expect(result({ items: { quiz: [90] }, settings: false, syllabus: false })).toEqual([
    'copy folder 1',
    'copy file 12',
    'copy assignment_group 20',
    'copy assignment 30',
    'copy question_bank 97',
    'copy quiz 90',
    'copy quiz_group 94',
    'copy quiz_question 95,99',
    'texts assignment 30',
    'texts quiz 90',
    'texts quiz_question 95,99',
    'refer assignment_group 20',
    'refer question_bank 97',
    'refer quiz_question 95,99',
  ]);
  expect(result({ items: { assignment: [32] }, settings: false, syllabus: false })).toEqual([
    'copy assignment_group 21',
    'copy learning_outcome 98',
    'copy assignment 32',
    'copy question_bank 97,98',
    'copy quiz_question 99,100',
    'copy new_quiz_item 110,111',
    'texts learning_outcome 98',
    'texts assignment 32',
    'texts quiz_question 99,100',
    'texts new_quiz_item 110,111',
    'refer assignment_group 21',
    'refer learning_outcome 98',
    'refer question_bank 97,98',
    'refer quiz_question 99,100',
    'refer new_quiz_item 110,111',
  ]);
  expect(result({ whole: ['rubric'] })).toEqual([
    'copy learning_outcome 97',
    'copy rubric 25,26',
    'copy rubric_association 36',
    'texts learning_outcome 97',
    'refer learning_outcome 97',
  ]);
  expect(result({ whole: ['announcement'] })).toEqual([
    'copy folder 1',
    'copy file 11',
    'copy discussion_topic 51',
    'texts discussion_topic 51',
  ]);
});
