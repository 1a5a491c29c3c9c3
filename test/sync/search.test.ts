// Searching the desk's data: by the beginnings of words, in titles and texts, by course and kind, without the server.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cache, openCache } from '@carrel/desktop/engine/store/cache';
import { WordsOfFiles } from '@carrel/desktop/engine/sync/index_files';
import { WordReader } from '@carrel/desktop/engine/text/extract/reader';
import { usualReading } from '@carrel/desktop/engine/text/extract/worker_path';
import type { Change } from '@carrel/shared/sync/protocol';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { archive, pdf, picture, scanned } from '../support/demo/documents';
import { aFakeCourse, setContent } from './support/course';
import { FakeServer } from './support/fake_server';
import { Student } from './support/student';

let home: string;
let cache: Cache;
const path = () => join(home, 'cache.db');

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'carrel-search-'));
  cache = openCache(path());
});
afterEach(() => {
  cache.close();
  rmSync(home, { recursive: true, force: true });
});

let pages = 0;
const result = (changes: readonly Change[]) => cache.apply({ epoch: 'one', cursor: `${++pages}`, has_more: false, changes });
const upsert = (kind: Change['kind'], id: number, resource: Record<string, unknown>, course_id?: number): Change => ({
  kind,
  id,
  op: 'upsert',
  resource: { id, ...resource },
  ...(course_id !== undefined && { course_id }),
});
const find = (text: string, more: Partial<Parameters<Cache['find']>[0]> = {}) =>
  cache.find({ text, course_id: null, kind: null, limit: 60, ...more });
const keys = (text: string, more = {}) => find(text, more).found.map(({ kind, id }) => `${kind} ${id}`);

const library = () =>
  result([
    upsert('course', 1, { name: 'Marine Biology', course_code: 'BIO', syllabus_body: '<p>Wear boots</p>' }, 1),
    upsert(
      'page',
      10,
      { page_id: 10, title: 'Tides', body: '<p>The Müller table&nbsp;of <b>currents</b><script>secretword</script></p>' },
      1,
    ),
    upsert('page', 11, { page_id: 11, title: 'Notebook', body: '<p>Write about the tides daily.</p>' }, 1),
    upsert('assignment', 12, { name: 'Tide report', description: '<p>Two pages</p>' }, 2),
    upsert('discussion_topic', 13, { title: 'Stones', message: '<p>What?</p>', discussion_subentry_count: 1 }, 1),
    upsert('discussion_topic', 14, { title: 'Harbour', message: '<p>At two</p>', is_announcement: true }, 1),
    upsert('file', 15, { display_name: 'lecture_04-tides.pdf' }, 1),
    upsert('planner_note', 16, { title: 'Return the book', details: 'about Tidal pools', todo_date: '2026-11-20T00:00:00Z' }),
    upsert('conversation', 17, { subject: '', participants: [{ id: 1, name: 'Ben' }], last_message: 'low water at nine' }),
  ]);

test('by the beginnings of words, titles first, ignoring accents', () => {
  library();
  expect(keys('tid').sort()).toEqual(['assignment 12', 'file 15', 'note 16', 'page 10', 'page 11']);
  expect(keys('tides')[0]).toBe('page 10');
  const titles = find('tid').found.map(({ title }) => title.map(([part]) => part).join(''));
  expect(titles.sort()).toEqual(['Notebook', 'Return the book', 'Tide report', 'Tides', 'lecture_04-tides.pdf']);
  expect(keys('muller curr')).toEqual(['page 10']);
  expect(keys('MÜLLER')).toEqual(['page 10']);
  expect(keys('"the tides"')).toEqual(['page 11']);
  expect(keys('boots')).toEqual(['course 1']);
  expect(keys('secretword')).toEqual([]);
  for (const nothing of ['', '  ', '*', '"', '() AND', "';--", 'NEAR(']) expect(Array.isArray(keys(nothing))).toBe(true);
  const [hit] = find('currents').found;
  expect(hit?.excerpt.filter(([, isHit]) => isHit)).toEqual([['currents', true]]);
  expect(hit?.title).toEqual([['Tides', false]]);
});

test('by course and by kind, with all kinds counted', () => {
  library();
  expect(keys('tid', { course_id: 2 })).toEqual(['assignment 12']);
  expect(keys('tid', { kind: 'file' })).toEqual(['file 15']);
  expect(find('tid', { kind: 'file' }).kinds).toMatchObject({ page: 2, assignment: 1, file: 1, note: 1, discussion: 0 });
});

test('replies and messages are found as their discussion and conversation', () => {
  library();
  for (const thread of cache.threads.stale())
    cache.keepThread(
      thread,
      thread.kind === 'conversation'
        ? { messages: [{ id: 1, author_id: 1, created_at: '', body: 'Bring the blue notebook' }] }
        : { view: [{ id: 1, created_at: '', message: '<p>A crab</p>', replies: [{ id: 2, created_at: '', message: 'under kelp' }] }] },
    );
  expect(keys('kelp')).toEqual(['discussion 13']);
  expect(keys('blue')).toEqual(['message 17']);
  result([upsert('discussion_topic', 13, { title: 'Stones and shells', message: '', discussion_subentry_count: 1 }, 1)]);
  expect(keys('shells kelp')).toEqual(['discussion 13']);
});

test('changed, deleted and removed items are found in their current state; a restart changes nothing', () => {
  library();
  result([
    upsert('page', 11, { page_id: 11, title: 'Diary', body: '' }, 1),
    { kind: 'assignment', id: 12, op: 'delete', course_id: 2 },
    { kind: 'file', id: 15, op: 'delete', course_id: 1, withheld: { why: 'hidden' } },
  ]);
  expect(keys('tid').sort()).toEqual(['file 15', 'note 16', 'page 10']);
  cache.close();
  cache = openCache(path());
  expect(keys('diary')).toEqual(['page 11']);
  result([{ kind: 'course', id: 1, op: 'delete', course_id: 1 }]);
  expect(keys('tid')).toEqual(['note 16']);
  cache.reset();
  expect(keys('tid')).toEqual([]);
});

test('10,000 documents: all matches are counted, one page of them is returned', () => {
  result(
    Array.from({ length: 10_000 }, (_, at) =>
      upsert('page', at, { page_id: at, title: `Leaf ${at}`, body: `<p>of the herbarium, sheet ${at % 97}</p>` }, at % 5),
    ),
  );
  const { kinds, found } = find('herb', { limit: 60 });
  expect([kinds.page, found.length]).toEqual([10_000, 60]);
  expect(find('herbarium', { course_id: 3 }).kinds.page).toBe(2000);
  expect(keys('leaf 4242')).toEqual(['page 4242']);
});

describe('the text of files', () => {
  const office = (files: Record<string, string>) => Buffer.from(archive(files));
  const found = (student: Student, text: string) =>
    student.study.cache
      .find({ text, course_id: null, kind: null, limit: 60 })
      .found.map(({ title, page }) => `${title.map(([part]) => part).join('')}${page === null ? '' : `, ${page}`}`);

  test('is read page by page in a thread; a damaged or hostile file stops nothing, and is not retried for ever', async () => {
    const server = await new FakeServer().start();
    const course = aFakeCourse(server);
    let slides = course.file(
      'slides.pdf',
      Buffer.from(await pdf('Tides', [['low water'], ['the moon pulls'], ['the bathy-\nmetric chart']])),
    );
    course.file('notes.md', '# Plankton\n\nsmall drifters');
    course.file('lab.ipynb', JSON.stringify({ cells: [{ source: ['salinity = 35'], outputs: [{ text: 'brackish' }] }] }));
    course.file('essay.docx', office({ 'word/document.xml': '<w:p><w:t>lime</w:t><w:t>stone</w:t></w:p><w:p><w:t>cliffs</w:t></w:p>' }));
    const slide = (word: string) => `<p:sld><a:p><a:t>${word}</a:t></a:p></p:sld>`;
    course.file('talk.pptx', office({ 'ppt/slides/slide10.xml': slide('dunes'), 'ppt/slides/slide2.xml': slide('marsh') }));
    course.file('letter.odt', office({ 'content.xml': '<text:p>heather</text:p>', 'styles.xml': '<x>unseen</x>' }));
    course.file('broken.pdf', '%PDF-1.7 nothing follows');
    course.file('broken.docx', 'PK no archive');
    const loop = course.file('loop.pdf', Buffer.from('%PDF-1.4\ntrailer << /Root 1 0 R /Prev 0 >>\nstartxref\n0\n%%EOF'));
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(20_000_000) });
    course.file('bomb.docx', Buffer.from(bomb));
    const student = await Student.at(server);
    expect((await student.sync()).outcome).toBe('complete');
    const told: string[] = [];
    const { cache, user } = student.study;
    const words = new WordsOfFiles({ cache, user, reading: usualReading(), onFound: () => told.push('found') });
    await words.run();
    expect(words.waiting).toBe(0);
    expect(told.length).toBeGreaterThan(0);

    expect(found(student, 'moon')).toEqual(['slides.pdf, 2']);
    expect(found(student, 'bathymetric')).toEqual(['slides.pdf, 3']);
    // All its pages match by its name, and it is one result.
    expect(found(student, 'slides')).toEqual(['slides.pdf']);
    expect(student.study.cache.find({ text: 'slides', course_id: null, kind: null, limit: 60 }).kinds.file).toBe(1);
    expect(found(student, 'drifters')).toEqual(['notes.md']);
    expect(found(student, 'salinity brackish')).toEqual(['lab.ipynb']);
    expect(found(student, 'limestone cliffs')).toEqual(['essay.docx']);
    expect(found(student, 'dunes')).toEqual(['talk.pptx, 2']);
    expect(found(student, 'heather')).toEqual(['letter.odt']);
    expect(found(student, 'unseen')).toEqual([]);
    const [hit] = student.study.cache.find({ text: 'moon', course_id: null, kind: null, limit: 60 }).found;
    expect(hit?.excerpt).toContainEqual(['moon', true]);

    // Without changes no thread is started; a new name or new bytes are found, the old ones are not.
    const before = cache.words.read();
    const none = new WordsOfFiles({ cache, user, reading: { program: '/nowhere.js', data: '' } });
    await none.run();
    expect(cache.words.read()).toEqual(before);
    server.change('file', slides, { display_name: 'Low water.pdf' });
    setContent(server, loop, await pdf('Loop', [['seagrass']]).then(Buffer.from));
    await student.sync();
    expect(found(student, 'moon')).toEqual(['Low water.pdf, 2']);
    await words.run();
    expect(found(student, 'seagrass')).toEqual(['loop.pdf, 1']);
    const pagesOf = () => cache.news.unseen().find(({ what, of_id }) => what === 'file replaced' && of_id === slides)?.pages;
    const newer = [['low water'], ['the sun pulls'], ['the bathy-\nmetric chart'], ['spring tides']];
    setContent(server, slides, await pdf('Tides', newer).then(Buffer.from));
    await student.sync();
    expect(pagesOf()).toBeUndefined();
    await words.run();
    expect(pagesOf()).toEqual({ changed: [2], added: 1, removed: 0 });
    // A page without text is compared by its image.
    const shots = (...seeds: number[]) => scanned(seeds.map((seed) => picture(seed, 32, 24))).then((bytes) => Buffer.from(bytes) as Buffer);
    const scan = course.file('scan.pdf', await shots(1, 2, 3));
    await student.sync();
    await words.run();
    setContent(server, scan, await shots(1, 4, 3));
    await student.sync();
    await words.run();
    expect(cache.news.unseen().find(({ of_id }) => of_id === scan)?.pages).toEqual({ changed: [2], added: 0, removed: 0 });
    // Some servers store a newer version as another file with the same name.
    server.remove('file', slides);
    slides = course.file('Low water.pdf', Buffer.from(await pdf('Tides', newer.toSpliced(1, 0, ['slack water']))));
    await student.sync();
    await words.run();
    // Queued with files that were not read before.
    expect(pagesOf()).toEqual({ changed: [2], added: 2, removed: 0 });
    expect(cache.news.unseen().filter(({ title }) => title === 'Low water.pdf')).toHaveLength(2);
    setContent(server, slides, await pdf('Tides', [['neap tides']]).then(Buffer.from));
    await student.sync();
    await words.run();
    expect(found(student, 'moon')).toEqual([]);
    expect(found(student, 'neap')).toEqual(['Low water.pdf, 1']);

    // The cache starts over, and texts stay indexed; a deleted file takes its text with it.
    cache.reset();
    await student.sync();
    expect(found(student, 'neap')).toEqual(['Low water.pdf, 1']);
    server.remove('file', slides);
    await student.sync();
    await words.run();
    expect(found(student, 'neap')).toEqual([]);
    expect(cache.words.read().has(slides)).toBe(false);
    await words.close();
    await student.leave();
    await server.stop();
  });

  test('is read by one thread for all accounts: one file at a time, and stopping one account does not stop the others', async () => {
    const servers = await Promise.all([new FakeServer().start(), new FakeServer().start()]);
    const students = await Promise.all(
      servers.map(async (server) => {
        const course = aFakeCourse(server);
        for (const name of ['a.txt', 'b.txt', 'c.txt']) course.file(name, 'reeds');
        const student = await Student.at(server);
        await student.sync();
        return student;
      }),
    );
    const home = students[0]?.home ?? '';
    const [program, log] = [join(home, 'thread.mjs'), join(home, 'log')];
    writeFileSync(log, '');
    writeFileSync(
      program,
      `import { parentPort } from 'node:worker_threads'; import { appendFileSync } from 'node:fs';
       parentPort.on('message', () => {
         appendFileSync(${JSON.stringify(log)}, 'begun ');
         setTimeout(() => { appendFileSync(${JSON.stringify(log)}, 'ended '); parentPort.postMessage({ pages: ['reeds'] }); }, 5);
       });`,
    );
    const reader = new WordReader({ program, data: '' });
    const all = students.map(({ study: { cache, user } }) => new WordsOfFiles({ cache, user, reading: reader }));
    await Promise.all(all.map((words) => words.run()));
    expect(readFileSync(log, 'utf8')).toBe('begun ended '.repeat(6));
    for (const { study } of students) study.cache.forgetWords([...study.cache.words.read().keys()]);
    const [one, two] = all;
    const running = [two?.run(), one?.run()];
    await one?.close();
    await Promise.all(running);
    expect([...(students[1]?.study.cache.words.read().values() ?? [])].map(({ isWhole }) => isWhole)).toEqual([true, true, true]);
    await two?.close();
    for (const student of students) await student.leave();
    for (const server of servers) await server.stop();
  });

  test('a file that crashes or blocks the thread is given up after two attempts, and the next is read; an interrupted file is read later', async () => {
    const server = await new FakeServer().start();
    const course = aFakeCourse(server);
    course.file('a.txt', 'x');
    course.file('second.txt', 'reeds');
    const student = await Student.at(server);
    await student.sync();
    const { cache, user } = student.study;
    const home = student.home;
    const program = join(home, 'thread.mjs');
    const silent = "parentPort.on('message', () => {});";
    const dying =
      "parentPort.on('message', ({ path }) => path.endsWith('a.txt') ? process.exit(3) : parentPort.postMessage({ pages: ['reeds'] }));";
    const run = async (code: string, longest = 60_000) => {
      writeFileSync(program, `import { parentPort } from 'node:worker_threads'; ${code}`);
      const words = new WordsOfFiles({ cache, user, reading: { program, data: '', longest } });
      await words.run();
      await words.close();
      return [...cache.words.read().values()].map(({ tries, isWhole }) => [tries, isWhole]);
    };
    const stopped = new WordsOfFiles({ cache, user, reading: { program, data: '' } });
    writeFileSync(program, `import { parentPort } from 'node:worker_threads'; ${silent}`);
    const stopping = stopped.run();
    await stopped.close();
    await stopping;
    expect([...cache.words.read().values()].every(({ tries, isWhole }) => tries === 0 && !isWhole)).toBe(true);
    expect(await run(silent, 20)).toEqual([
      [1, false],
      [1, false],
    ]);
    const ended = [
      [2, false],
      [2, true],
    ];
    expect(await run(dying)).toEqual(ended);
    expect(await run('throw new Error("not asked any more")')).toEqual(ended);
    expect(found(student, 'reeds')).toEqual(['second.txt']);
    await student.leave();
    await server.stop();
  });
});
