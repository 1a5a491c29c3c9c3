// What to keep on this computer: which choice, kind or size decides about a file, and what a changed choice does to the folder.

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readArguments } from '@carrel/desktop/cli/arguments';
import { choiceLines, chooseByWords } from '@carrel/desktop/cli/choose';
import type { Against, Choices } from '@carrel/desktop/contract/choices';
import { choose, lookAtChoices, wantFile } from '@carrel/desktop/engine/channels/choices';
import { type ChoiceLeaf, everything, reasonAgainst, remark, withFile } from '@carrel/desktop/engine/model/choices';
import { fileGroupOf } from '@carrel/desktop/engine/model/file_groups';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { Student } from './support/student';

const leaf = (more: Partial<ChoiceLeaf> = {}): ChoiceLeaf => ({
  key: 'file:1',
  name: 'a.pdf',
  size: 100,
  group: 'documents',
  above: ['folder:2', 'folder:1', 'course:1'],
  available: true,
  ...more,
});
const chosen = (more: Partial<Choices>): Choices => ({ ...everything, ...more });

const cases: readonly [says: string, choices: Choices, leaf: ChoiceLeaf, expected: Against | undefined][] = [
  ['without a choice, everything is kept', everything, leaf(), undefined],
  ['its course is deselected', chosen({ marks: { 'course:1': false } }), leaf(), 'course'],
  ['a parent folder is deselected', chosen({ marks: { 'folder:1': false } }), leaf(), 'folder'],
  ['the nearest choice decides', chosen({ marks: { 'course:1': false, 'folder:1': true } }), leaf(), undefined],
  ['its kind is deselected', chosen({ without: ['documents'] }), leaf(), 'kind'],
  ['it is too large', chosen({ largest: 99 }), leaf(), 'size'],
  ['it is exactly as large as allowed', chosen({ largest: 100 }), leaf(), undefined],
  ['selecting its folder does not override the size limit', chosen({ largest: 99, marks: { 'folder:1': true } }), leaf(), 'size'],
  [
    'selecting the file itself overrides everything',
    chosen({ largest: 9, without: ['documents'], marks: { 'course:1': false, 'file:1': true } }),
    leaf(),
    undefined,
  ],
  ['a page has no kind or size', chosen({ largest: 9, without: ['other'] }), leaf({ key: 'page:1', group: null }), undefined],
  ['a page follows its course', chosen({ marks: { 'course:1': false } }), leaf({ key: 'page:1', group: null }), 'course'],
];

test.each(cases)('%s', (_says, choices, of, expected) => expect(reasonAgainst(of, choices)).toBe(expected));

test('switching a folder also switches what is in it, and stores no choice that equals the course’s', () => {
  const leaves = [leaf(), leaf({ key: 'file:2', above: ['folder:1', 'course:1'] }), leaf({ key: 'file:3', above: ['course:1'] })];
  const mark = (before: Choices, place: string, wanted: boolean, unwanted: string[] = []) =>
    remark({ choices: before, again: [] }, place, wanted, leaves, new Set(unwanted));
  const off = mark(everything, 'folder:1', false).choices;
  expect(off.marks).toEqual({ 'folder:1': false });
  expect(mark(off, 'folder:2', true).choices.marks).toEqual({ 'folder:1': false, 'folder:2': true });
  expect(mark(off, 'folder:1', true).choices.marks).toEqual({});
  expect(mark(chosen({ marks: { 'folder:2': true, 'file:2': true, 'folder:1': false } }), 'course:1', false).choices.marks).toEqual({
    'course:1': false,
  });
  expect(mark(everything, 'course:1', true, ['file:2', 'file:9'])).toEqual({ choices: everything, again: ['file:2'] });
});

test('opening a file on demand stores a choice only if the file is deselected', () => {
  expect(withFile(everything, leaf(), 'file:1', true).marks).toEqual({});
  const small = withFile(chosen({ largest: 9 }), leaf(), 'file:1', true);
  expect(small.marks).toEqual({ 'file:1': true });
  expect(withFile(small, leaf(), 'file:1', false).marks).toEqual({});
});

test.each([
  ['Lecture.PPTX', '', 'slides'],
  ['README', 'text/plain', 'other'],
  ['no ending', 'video/mp4', 'video'],
  ['notes.tar.gz', 'application/gzip', 'archives'],
  ['lab.ipynb', 'application/json', 'code'],
])('%s (%s) is one of the %s', (name, type, group) => expect(fileGroupOf(name, type)).toBe(group));

describe('in the folder', () => {
  let server: FakeServer;
  let algebra: FakeCourse;
  let student: Student;
  let ids: { plan: number; week: number; big: number; film: number };

  beforeEach(async () => {
    server = await new FakeServer().start();
    algebra = aFakeCourse(server);
    const week = algebra.folder('Week 1');
    ids = {
      week,
      plan: algebra.file('plan.txt', 'the plan'),
      big: algebra.file('big.pdf', 'B'.repeat(5000), week),
      film: algebra.file('film.mp4', 'a film', week),
    };
    algebra.page('Welcome', '<p>Hello</p>');
    aFakeCourse(server, 'Botany').file('leaf.txt', 'a leaf');
    student = await Student.at(server);
    await student.sync();
  });
  afterEach(async () => {
    await student.leave();
    await server.stop();
  });

  const say = (...words: string[]) => {
    const { view, isChanged } = chooseByWords(student.study, readArguments(['choose', ...words], '/'));
    return choiceLines(view, isChanged);
  };
  const tree = () => Object.keys(student.tree()).sort();

  test('a deselected course is removed from the disk except for edited files, and deleted nowhere else', async () => {
    writeFileSync(student.path('Algebra', 'plan.txt'), 'my plan');
    await student.sync();
    expect(say('off', 'algebra')).toEqual(
      expect.arrayContaining([
        '[ ] Algebra  0 of 4 files, 0 bytes of 6.2 kB',
        expect.stringMatching(/removes 3 files .* from this computer/),
        'One file that you have changed stays in its folder.',
      ]),
    );
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, requests: 1 });
    expect(tree()).toEqual(['Algebra/plan.txt', 'Botany/leaf.txt']);
    expect(student.study.user.unwanted().size).toBe(0);
    expect(await student.sync()).toMatchObject({ outcome: 'complete', requests: 1 });
    say('on', 'Algebra');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 3 });
    expect(tree()).toEqual([
      'Algebra/Pages/Welcome.html',
      'Algebra/Week 1/big.pdf',
      'Algebra/Week 1/film.mp4',
      expect.stringMatching(/^Algebra\/plan \(your copy .*\)\.txt$/),
      'Algebra/plan.txt',
      'Botany/leaf.txt',
    ]);
  });

  test('folders, kinds and sizes are deselected; a file opened on demand is downloaded anyway', async () => {
    say('--largest', '4kB', '--without', 'video');
    await student.sync();
    expect(existsSync(student.path('Algebra', 'Week 1'))).toBe(false);
    wantFile(student.study, `file:${ids.big}`, true);
    await student.sync();
    expect(tree()).toContain('Algebra/Week 1/big.pdf');
    wantFile(student.study, `file:${ids.big}`, false);
    say('--largest', 'any', '--without', 'nothing');
    await student.sync();
    expect(tree()).toEqual(['Algebra/Pages/Welcome.html', 'Algebra/Week 1/film.mp4', 'Algebra/plan.txt', 'Botany/leaf.txt']);
    say('off', 'Algebra/Week 1', 'Botany');
    await student.sync();
    expect(tree()).toEqual(['Algebra/Pages/Welcome.html', 'Algebra/plan.txt']);
    // Selecting the folder again also restores what was deselected in it.
    say('on', 'Algebra/Week 1');
    await student.sync();
    expect(tree()).toContain('Algebra/Week 1/big.pdf');
  });

  test('a course whose folder was deleted by hand is downloaded when it is selected again', async () => {
    rmSync(student.path('Algebra'), { recursive: true });
    await student.sync();
    expect(tree()).toEqual(['Botany/leaf.txt']);
    expect(say('on', 'Algebra')[0]).toBe('[x] Algebra  4 of 4 files, 6.2 kB of 6.2 kB');
    await student.sync();
    expect(tree()).toHaveLength(5);
  });

  test('what the teacher removes from a kept course goes to “Removed by teacher”, whatever else is deselected', async () => {
    say('off', 'Algebra/Week 1');
    server.remove('file', ids.plan);
    server.remove('file', ids.big);
    await student.sync();
    expect(tree()).toEqual([
      'Algebra/Pages/Welcome.html',
      'Algebra/Removed by teacher/Week 1/big.pdf',
      'Algebra/Removed by teacher/plan.txt',
      'Botany/leaf.txt',
    ]);
  });

  test('the preview shows what would change, and changes nothing', async () => {
    const before = lookAtChoices(student.study);
    expect(before).toMatchObject({ all: { files: 5 }, kept: { files: 5 }, leaves: { files: 0 }, comes: { files: 0 } });
    expect(before.nodes.map(({ name, depth, state }) => [name, depth, state])).toEqual([
      ['Algebra', 0, 'on'],
      ['Pages', 1, 'on'],
      ['Week 1', 1, 'on'],
      ['Botany', 0, 'on'],
    ]);
    const draft = lookAtChoices(student.study, { draft: before, mark: { key: `folder:${ids.week}`, wanted: false } });
    expect(draft).toMatchObject({ leaves: { files: 2 }, comes: { files: 0 }, stays: 0 });
    expect(draft.nodes[0]).toMatchObject({ name: 'Algebra', state: 'part' });
    expect(lookAtChoices(student.study)).toEqual(before);
    choose(student.study, draft);
    expect(await student.sync()).toMatchObject({ requests: 1, unchanged: 3 });
  });

  test('unknown arguments are refused', () => {
    for (const words of [['off', 'Chemistry'], ['on'], ['out', 'Algebra'], ['--largest', 'huge'], ['--without', 'cats']])
      expect(() => say(...words)).toThrow();
  });
});
