// A teacher publishes a course folder: a plan that changes nothing, and then exactly that plan.

import { mkdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readArguments } from '@carrel/desktop/cli/arguments';
import { publishByWords } from '@carrel/desktop/cli/publish';
import { onlyTeaches } from '@carrel/desktop/engine/model/teaching';
import { planPublishing, publish, publishState, switchPublishing } from '@carrel/desktop/engine/sync/uploads/publish';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { colons } from '../support/systems';
import { aFakeCourse, type FakeCourse, setContent } from './support/course';
import { FakeServer } from './support/fake_server';
import { withoutFeed } from './support/lists';
import { Student } from './support/student';
import { takesFiles } from './support/takes_files';

let server: FakeServer;
let course: FakeCourse;
let files: ReturnType<typeof takesFiles>;
let teacher: Student;
let plan: number;

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  files = takesFiles(server, course.id);
  plan = course.file('plan.txt', 'the plan');
  course.file('old.txt', 'old');
  course.file('moving.txt', 'moving', course.folder('Week 1'));
  course.page('Welcome', '<p>Hello</p>');
  const enrollment = server.id();
  server.put('enrollment', enrollment, { id: enrollment, type: 'TeacherEnrollment', user_id: 7, course_id: course.id }, course.id);
  const module = server.id();
  server.put(
    'module',
    module,
    { id: module, name: 'Week 1', position: 1, items: [{ id: 1, type: 'File', title: 'plan', content_id: plan }] },
    course.id,
  );
  teacher = await Student.at(server);
  await teacher.sync();
});
afterEach(async () => {
  await teacher.leave();
  await server.stop();
});

const on = () => switchPublishing(teacher.study, course.id, true);
const at = (...names: string[]) => teacher.path('Algebra', ...names);
const write = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
// One of the changed files has a colon in its name.
beforeEach(colons);

const before = { 'plan.txt': 'the plan', 'old.txt': 'old', 'Week 1/moving.txt': 'moving' };

function changeAll(): void {
  write('plan.txt', 'a better plan');
  write('Week 2/new.txt', 'new');
  write('Pages/mine.html', 'not a file of the course');
  write('a:b.txt', 'no name');
  unlinkSync(at('old.txt'));
  mkdirSync(at('Week 2'), { recursive: true });
  renameSync(at('Week 1', 'moving.txt'), at('Week 2', 'moved.txt'));
}

test('nothing is uploaded until the plan is confirmed; then everything is', async () => {
  on();
  changeAll();
  const planned = await planPublishing(teacher.study, course.id);
  expect(planned.changes.map(({ do: verb, path, from, modules }) => [verb, path, ...(from ? [from] : []), ...modules])).toEqual([
    ['add', 'Week 2/new.txt'],
    ['replace', 'plan.txt', 'Week 1'],
    ['rename', 'Week 2/moved.txt', 'Week 1/moving.txt'],
    ['delete', 'old.txt'],
    ['refuse', 'a:b.txt'],
  ]);
  expect(files.tree()).toEqual(before);
  await teacher.sync();
  expect(files.tree()).toEqual(before);
  expect(await publish(teacher.study, course.id, planned.id)).toEqual({ instead: null, sent: 4, issues: [] });
  expect(files.tree()).toEqual({ 'plan.txt': 'a better plan', 'Week 2/new.txt': 'new', 'Week 2/moved.txt': 'moving' });
  expect((await planPublishing(teacher.study, course.id)).changes.map(({ do: verb }) => verb)).toEqual(['refuse']);
  expect(await teacher.sync()).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0 });
});

test('an outdated plan is not carried out, whichever side has changed', async () => {
  on();
  write('plan.txt', 'a better plan');
  const first = await planPublishing(teacher.study, course.id);
  write('plan.txt', 'the best plan');
  const stale = await publish(teacher.study, course.id, first.id);
  expect(stale).toMatchObject({ sent: 0, instead: { changes: [{ do: 'replace', path: 'plan.txt' }] } });
  expect(files.tree()).toEqual(before);
  // Another teacher was faster: their version is not overwritten, and the next plan starts from it.
  setContent(server, plan, 'the plan of another');
  expect(await publish(teacher.study, course.id, stale.instead?.id ?? '')).toMatchObject({ sent: 0 });
  expect(files.tree()['plan.txt']).toBe('the plan of another');
  const changes = (await planPublishing(teacher.study, course.id)).changes;
  expect(changes.map(({ do: verb, path }) => `${verb} ${path}`)).toEqual([expect.stringMatching(/^add plan \(your copy .*\)\.txt$/)]);
});

test('users who do not teach the course cannot publish, and without two-way sync files are only downloaded', async () => {
  expect(publishState(teacher.study, course.id)).toEqual({ can: true, on: false });
  await expect(planPublishing(teacher.study, course.id)).rejects.toThrow('Two-way sync is off');
  unlinkSync(at('old.txt'));
  await teacher.sync();
  expect(teacher.study.user.unwanted().size).toBe(1);
  const other = aFakeCourse(server, 'Botany');
  await teacher.sync();
  expect(publishState(teacher.study, other.id).can).toBe(false);
  expect(() => switchPublishing(teacher.study, other.id, true)).toThrow('do not teach');
  expect([course.id, other.id].map((id) => onlyTeaches(teacher.study.cache, id, 7))).toEqual([true, false]);
});

test('the command line shows the plan with its id, and publishes it by the id', async () => {
  const say = (...words: string[]) => publishByWords(teacher.study, readArguments(['publish', ...words], '/'));
  expect((await say('on', 'Algebra')).lines[0]).toContain('Two-way sync is on');
  changeAll();
  const { lines, plan: planned } = await say('alg');
  expect(lines).toEqual([
    'To Algebra:',
    '  new: Week 2/new.txt (3 bytes)',
    '  new version: plan.txt (13 bytes; in Week 1)',
    '  moved: Week 2/moved.txt (from Week 1/moving.txt)',
    '  DELETED: old.txt',
    '  cannot be published: a:b.txt (rename it first)',
    `Publish exactly this: carrel publish "Algebra" --plan ${planned?.id}`,
  ]);
  expect((await say('Algebra', '--plan', 'another')).lines[0]).toContain('The changes are different now');
  expect((await say('Algebra', '--plan', planned?.id ?? '')).lines).toEqual(['4 changes published to Algebra.']);
  await expect(say('Chemistry')).rejects.toThrow('There is no course Chemistry');
});

describe('to a server without the feed', () => {
  let lists: ReturnType<typeof withoutFeed>;
  beforeEach(async () => {
    await teacher.leave();
    lists = withoutFeed(server);
    teacher = await Student.at(server);
    await teacher.sync();
    on();
  });
  const planned = async () => {
    const { id, changes } = await planPublishing(teacher.study, course.id);
    return { id, changes: changes.map(({ do: verb, path }) => `${verb} ${path}`) };
  };
  const isWrite = ({ method }: { method: string }) => method !== 'GET';

  test('it works as with the feed: first the plan, then exactly that plan, and then nothing is left', async () => {
    changeAll();
    const { id, changes } = await planned();
    expect(changes).toEqual(['add Week 2/new.txt', 'replace plan.txt', 'rename Week 2/moved.txt', 'delete old.txt', 'refuse a:b.txt']);
    expect(server.asked.filter(isWrite)).toEqual([]);
    expect(await publish(teacher.study, course.id, id)).toEqual({ instead: null, sent: 4, issues: [] });
    expect(files.tree()).toEqual({ 'plan.txt': 'a better plan', 'Week 2/new.txt': 'new', 'Week 2/moved.txt': 'moving' });
    expect((await planned()).changes).toEqual(['refuse a:b.txt']);
    expect(await teacher.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    expect(Object.keys(teacher.tree()).filter((path) => /your copy|Removed/.test(path))).toEqual([]);
  });

  test('what has changed since the plan stays as it is, with a reason; the rest is sent', async () => {
    changeAll();
    const { id } = await planned();
    // Others made changes between the plan and its steps.
    setContent(server, plan, 'the plan of another');
    course.file('new.txt', 'of another', course.folder('Week 2'));
    server.change('file', Number(server.all('file').find(({ display_name }) => display_name === 'old.txt')?.id), { updated_at: null });
    const done = await publish(teacher.study, course.id, id);
    expect(done).toMatchObject({ instead: null, sent: 1 });
    expect(done.issues.map(({ where, why }) => `${where}: ${why}`)).toEqual([
      expect.stringMatching(/new\.txt: the server now has another file named new\.txt/),
      expect.stringMatching(/plan\.txt: plan\.txt has changed on the server/),
      expect.stringMatching(/old\.txt: old\.txt has changed on the server/),
    ]);
    expect(files.tree()).toMatchObject({ 'plan.txt': 'the plan of another', 'Week 2/new.txt': 'of another', 'old.txt': 'old' });
  });

  test('a program that crashes in between does nothing twice', async () => {
    changeAll();
    for (const where of ['/bytes', '/bytes', '/folders', '/files/']) {
      const { id } = await planned();
      // The request is carried out and its response never arrives; the program does not continue.
      server.fault = (asked) => {
        if (!isWrite(asked) || !asked.path.includes(where)) return undefined;
        server.fault = () => ({ status: 503 });
        return 'unanswered';
      };
      await publish(teacher.study, course.id, id).catch(() => undefined);
      server.fault = () => undefined;
      await teacher.restart();
    }
    const { id } = await planned();
    await publish(teacher.study, course.id, id);
    expect(files.tree()).toEqual({ 'plan.txt': 'a better plan', 'Week 2/new.txt': 'new', 'Week 2/moved.txt': 'moving' });
    expect(Object.keys(teacher.tree()).filter((path) => /your copy|Removed/.test(path))).toEqual([]);
  });

  test('nothing is compared while the server does not show all files', async () => {
    lists.shut.add(`/api/v1/courses/${course.id}/files`);
    await expect(planPublishing(teacher.study, course.id)).rejects.toThrow('does not currently show all files');
  });
});
