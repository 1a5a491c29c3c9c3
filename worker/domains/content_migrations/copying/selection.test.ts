// What clients select for an import.

import { describe, expect, test } from 'vitest';
import { copyChoice, importSelectionOf } from './selection';

describe('a selection', () => {
  test.each<[string, unknown, object]>([
    ['of everything', { everything: '1' }, { everything: true, whole: [], items: {} }],
    ['of whole types, by any name', { all_pages: 1, all_files: 'true' }, { whole: ['wiki_pages', 'attachments'], items: {} }],
    [
      'of items by flags; false ones are not selected',
      { assignments: { id_iab: '1', id_icd: '0' } },
      { whole: [], items: { assignments: ['iab'] } },
    ],
    ['of items by list', { modules: ['7', 8] }, { whole: [], items: { context_modules: ['7', '8'] } }],
    ['of items by a list with positions', { quizzes: { 0: '31', 1: '32' } }, { whole: [], items: { quizzes: ['31', '32'] } }],
    ['of a type that is switched off', { all_quizzes: '0', rubrics: null }, { whole: [], items: {} }],
    ['that is no tree', 'everything', {}],
  ])('%s', (_, given, expected) => expect(importSelectionOf(given)).toEqual(expected));
});

describe('the choice of a course copy', () => {
  const find = (kind: string, named: string) => (named === 'gone' ? undefined : kind.length * 100 + Number(named));

  test('is everything without a selection, except what importers skip', () => {
    expect(copyChoice(null, [], find)).toEqual({});
    expect(copyChoice({ everything: true }, ['all_course_settings', 'visibility_settings'], find)).toEqual({
      settings: false,
      keepsVisibility: true,
    });
  });

  test('has whole kinds and single items; a folder brings its files, and unknown items are ignored', () => {
    const selection = {
      whole: ['announcements', 'course_settings', 'nonsense'],
      items: { wiki_pages: ['1', 'gone'], folders: ['2'], announcements: ['3'], nonsense: ['4'] },
    };
    expect(copyChoice(selection, [], find, (folder) => [folder + 1])).toEqual({
      whole: ['announcement', 'grading_standard'],
      items: { page: [401], folder: [602], file: [603], discussion_topic: [1603] },
      settings: true,
      syllabus: false,
    });
    expect(copyChoice({ whole: ['course_settings', 'syllabus_body'] }, ['all_course_settings'], find)).toMatchObject({
      whole: [],
      settings: false,
      syllabus: true,
    });
  });
});
