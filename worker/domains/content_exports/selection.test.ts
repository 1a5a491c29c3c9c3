import { describe, expect, it } from 'vitest';
import { archiveName, archivePath, leadingWithin, selectionOf } from './selection';

describe('what a request selects', () => {
  const given = { files: [1, 2], attachments: [2, 3], folders: [4], quizzes: [5, 5] };

  it.each([
    ['zip', { files: [1, 2, 3], folders: [4] }],
    ['qti', { quizzes: [5] }],
  ] as const)('%s knows its own types only, each id once', (type, expected) => expect(selectionOf(type, given)).toEqual(expected));

  it('is everything without ids', () => {
    expect(selectionOf('zip', undefined)).toEqual({});
    expect(selectionOf('qti', { quizzes: [], files: [1] })).toEqual({});
  });
});

describe('the name of an archive', () => {
  it.each([
    ['qti', 'Physics: 101 / A', 'physics-101-a-quiz-export.zip'],
    ['zip', 'Übungen', 'übungen_export.zip'],
    ['common_cartridge', '!!', 'course-export.imscc'],
  ] as const)('%s of %s', (type, name, expected) => expect(archiveName(type, name)).toBe(expected));
});

describe('the path of a file in an archive', () => {
  it.each([
    ['course files', 'a.txt', 'a.txt'],
    ['course files/Week 1/x', 'a.txt', 'Week 1/x/a.txt'],
    ['course files/..', '..', '_/7-_'],
    ['course files/a\\b', '../../etc/passwd', 'a_b/7-.._.._etc_passwd'],
    ['my files', 'C:\\x', '7-C__x'],
  ])('%s, %s', (folder, display_name, expected) => expect(archivePath(folder, { id: 7, display_name })).toBe(expected));
});

it.each([
  [[], 10, 0],
  [[4, 4, 4], 10, 2],
  [[4, 6], 10, 2],
  [[50, 1], 10, 1],
])('of the sizes %j within %i, the first %i are taken', (sizes, most, count) => expect(leadingWithin(sizes, most)).toBe(count));
