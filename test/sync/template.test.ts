// The folder template: the path that it gives a course, and that folders move with everything in them, without a download.

import { mkdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersOf, templateLevels } from '@carrel/desktop/engine/model/template';
import { relocations } from '@carrel/desktop/engine/sync/relocate';
import { chooseTemplate, templateView } from '@carrel/desktop/engine/views/template';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { filesBelow, Student } from './support/student';

const algebra = { institution: 'Uni', course: 'Algebra', course_code: 'MA 101', term: 'Autumn 2026' };

test.each([
  ['{institution}/{course}', algebra, 'Uni/Algebra'],
  ['{term}/{course_code} {course}', algebra, 'Autumn 2026/MA 101 Algebra'],
  ['{term}/{course_code} {course}', { ...algebra, course_code: '', term: '' }, 'Other/Algebra'],
  ['Study \\ {course}', algebra, 'Study/Algebra'],
  ['{course_code}', { ...algebra, course_code: ' ' }, 'Other'],
])('%s for %o gives %s', (template, words, expected) => expect(foldersOf(template, words).join('/')).toBe(expected));

test.each(['', '{term}', '{course}/{term}', '{term}//{course}', '/{course}', '{teacher}/{course}', 'a/b/c/d/e/{course}'])(
  '“%s” is refused',
  (template) => expect(() => templateLevels(template)).toThrow(),
);

test('folders move as a whole, unless they would be inside themselves', () => {
  const before = { 'course:1': 'Uni/A', 'course:2': 'Uni/B', 'course:3': 'C', 'course:4': 'D/D' };
  const now = new Map([
    ['course:1', 'Autumn/A'],
    ['course:2', 'Uni/B'],
    ['course:3', 'C/C'],
    ['course:4', 'D'],
    ['course:5', 'E'],
  ]);
  expect(relocations(before, now)).toEqual([{ from: 'Uni/A', to: 'Autumn/A' }]);
});

describe('in the folder', () => {
  let server: FakeServer;
  let course: FakeCourse;
  let student: Student;
  let plan: number;

  beforeEach(async () => {
    server = await new FakeServer().start();
    course = aFakeCourse(server);
    plan = course.file('plan.txt', 'the plan');
    course.file('a.txt', 'A', course.folder('Week 1'));
    course.page('Welcome', '<p>Hello</p>');
    student = await Student.at(server);
    await student.sync();
    writeFileSync(student.path('Algebra', 'my notes.txt'), 'mine');
    writeFileSync(student.path('Algebra', 'plan.txt'), 'my plan');
  });
  afterEach(async () => {
    await student.leave();
    await server.stop();
  });

  const all = () =>
    filesBelow(student.folder)
      .map((path) => path.slice(student.folder.length + 1))
      .filter((path) => !path.startsWith('.carrel'));
  const moved = ['Pages/Welcome.html', 'Week 1/a.txt', 'my notes.txt', 'plan.txt'];

  test('a new template moves every course with the user’s own files and edits, and downloads nothing', async () => {
    expect(templateView(student.study, '{term}/{course_code} {course}').courses).toEqual([
      { from: 'Test University/Algebra', to: 'Autumn/ALG Algebra' },
    ]);
    chooseTemplate(student.study, '{term}/{course_code} {course}');
    server.count();
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, requests: 1 });
    expect(all()).toEqual(moved.map((path) => `Autumn/ALG Algebra/${path}`));
    server.remove('file', plan);
    await student.sync();
    expect(all()).toContain('Autumn/ALG Algebra/Removed by teacher/plan.txt');
    // Removed files move, too.
    chooseTemplate(student.study, '{course}');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    expect(all()).toContain('Algebra/Removed by teacher/plan.txt');
    expect([...student.study.user.removed().values()]).toEqual(['Algebra/Removed by teacher/plan.txt']);
    expect(await student.sync()).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0 });
  });

  test('a course that is renamed keeps the user’s files in its folder', async () => {
    server.change('course', course.id, { name: 'Linear Algebra' });
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    expect(all()).toEqual(moved.map((path) => `Test University/Linear Algebra/${path}`));
  });

  test('killed between the move and its record, the next start finds where the folder is', async () => {
    const to = join(student.folder, 'Algebra');
    chooseTemplate(student.study, '{course}');
    student.study.user.set('relocating', JSON.stringify({ from: 'Test University/Algebra', to: 'Algebra' }));
    renameSync(student.path('Algebra'), to);
    unlinkSync(join(to, 'Week 1', 'a.txt'));
    await student.restart();
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    expect(all()).toEqual(moved.filter((path) => path !== 'Week 1/a.txt').map((path) => `Algebra/${path}`));
    // A file that the user deleted meanwhile is still known as deleted.
    expect(student.study.user.unwanted().size).toBe(1);
  });

  test('if a folder of that name already exists, files move one by one and nothing in it is lost', async () => {
    mkdirSync(join(student.folder, 'Algebra'));
    writeFileSync(join(student.folder, 'Algebra', 'plan.txt'), 'another of mine');
    chooseTemplate(student.study, '{course}');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    expect(all()).toEqual([
      'Algebra/Pages/Welcome.html',
      'Algebra/Week 1/a.txt',
      expect.stringMatching(/^Algebra\/plan \(your copy .*\)\.txt$/),
      'Algebra/plan.txt',
      'Test University/Algebra/my notes.txt',
    ]);
  });
});
