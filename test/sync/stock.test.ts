// What other servers do that ours does not, each case in its own course: one scene, synced three times, and no case
// stops the others.

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SyncReport } from '@carrel/desktop/engine/sync/engine';
import { linkIn } from '@carrel/desktop/engine/text/links';
import { courseCards, moduleViews } from '@carrel/desktop/engine/views/courses';
import { workView } from '@carrel/desktop/engine/views/work';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { type FakeRequest, FakeServer, type ServerFault } from './support/fake_server';
import { type Lists, withoutFeed } from './support/lists';
import { Student } from './support/student';
import { takesFiles } from './support/takes_files';

interface Scene {
  readonly server: FakeServer;
  readonly lists: Lists;
  readonly course: FakeCourse;
  /** Another host, which stores the bytes. */
  readonly store: { readonly url: string; readonly heard: IncomingMessage['headers'][]; takes?: () => string };
  fault(matches: (asked: FakeRequest) => boolean, what: ServerFault | ((asked: FakeRequest) => ServerFault | undefined)): void;
}

interface Case {
  readonly that: string;
  readonly arrange: (scene: Scene) => void;
  /** What changes between the first and the second sync. */
  readonly change?: (scene: Scene, student: Student) => void;
  readonly expects: (student: Student, scene: Scene, reports: readonly SyncReport[]) => void;
}

const bytesOf = (_scene: Scene, id: number) => (asked: FakeRequest) => asked.path.startsWith(`/files/${id}/`);
const listOf = (scene: Scene, what: string) => (asked: FakeRequest) => asked.path.startsWith(`/api/v1/courses/${scene.course.id}/${what}`);
const nameOf = ({ that }: Case) => that.replaceAll(/\W+/g, ' ').trim();
const inCourse = (student: Student, one: Case, ...names: string[]) => student.read(nameOf(one), ...names);
const page = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<!DOCTYPE html><title>Log in</title>' };

const cases: readonly Case[] = [
  {
    that: 'redirects to another host for bytes',
    arrange(scene) {
      const id = scene.course.file('a.txt', 'A');
      scene.fault(bytesOf(scene, id), { status: 302, headers: { location: `${scene.store.url}/a` } });
    },
    expects(student, { store }) {
      expect(inCourse(student, this, 'a.txt')).toBe('from the store');
      expect(new Set(store.heard.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
    },
  },
  {
    that: 'refuses the address of a file together with a token',
    arrange(scene) {
      const id = scene.course.file('a.txt', 'A');
      const headers = { 'www-authenticate': 'Bearer realm="canvas-lms"' };
      scene.fault((asked) => bytesOf(scene, id)(asked) && asked.headers.authorization !== undefined, {
        status: 401,
        headers,
        body: '{"status":"unauthenticated"}',
      });
    },
    expects(student) {
      expect(inCourse(student, this, 'a.txt')).toBe('A');
    },
  },
  {
    that: 'shows a sign-in page when the address of a file has expired',
    arrange(scene) {
      const { server, course } = scene;
      const [fresh, open] = [course.file('fresh.txt', 'fresh'), course.file('open.txt', 'open')];
      for (const id of [fresh, open]) {
        const url = String(server.get('file', id).url);
        server.change('file', id, { url: `${url}&old=1` });
        scene.fault((asked) => bytesOf(scene, id)(asked) && asked.path.includes('old=1'), page);
      }
      const good = (id: number) => String(server.get('file', id).url).replace('&old=1', '');
      const result = { ...server.get('file', fresh), url: good(fresh) };
      scene.fault(({ path }) => path === `/api/v1/files/${fresh}`, { status: 200, body: JSON.stringify(result) });
      server.words.set(`/api/v1/files/${open}/public_url`, { public_url: good(open) });
    },
    expects(student) {
      expect(inCourse(student, this, 'fresh.txt')).toBe('fresh');
      expect(inCourse(student, this, 'open.txt')).toBe('open');
    },
  },
  {
    that: 'reports a wrong size for its files or none',
    arrange({ server, course }) {
      server.change('file', course.file('more.txt', 'more than that'), { size: 3 });
      server.change('file', course.file('none.txt', 'some'), { size: null });
    },
    expects(student) {
      expect([inCourse(student, this, 'more.txt'), inCourse(student, this, 'none.txt')]).toEqual(['more than that', 'some']);
    },
  },
  {
    that: 'gives no address for locked files',
    arrange({ server, course }) {
      server.change('file', course.file('shut.txt', 'shut'), { url: '', locked_for_user: true });
      course.file('open.txt', 'open');
    },
    expects(student, _, reports) {
      expect(inCourse(student, this, 'open.txt')).toBe('open');
      expect(reports.flatMap(({ issues }) => issues).filter(({ where }) => where.includes('shut.txt'))).toEqual([]);
    },
  },
  {
    that: 'has files with the same name in one folder',
    arrange({ course }) {
      course.file('a.txt', 'first');
      course.file('a.txt', 'second');
    },
    expects(student) {
      const found = Object.entries(student.tree()).filter(([path]) => path.startsWith(nameOf(this)));
      expect(found.map(([, text]) => text).sort()).toEqual(['first', 'second']);
    },
  },
  {
    that: 'sends rows that are null or have no name',
    arrange(scene) {
      const { course, server } = scene;
      const id = course.file('named.txt', 'named');
      const { sha256, display_name, ...row } = server.get('file', id);
      const broken = JSON.stringify([
        null,
        {},
        [],
        { id: 'x' },
        { ...row, display_name: null, filename: 'file+name.txt', updated_at: null },
      ]);
      scene.fault(listOf(scene, 'files'), { status: 200, body: broken });
      scene.fault(listOf(scene, 'modules'), { status: 200, body: '[{"id":987,"name":null,"position":1,"items":[null,{}]}]' });
    },
    expects(student) {
      expect(inCourse(student, this, 'file+name.txt')).toBe('named');
      expect(student.study.cache.get('module', 987)).toMatchObject({ name: '987', items: [] });
    },
  },
  {
    that: 'shows no list of files although modules and pages link to them',
    arrange({ server, course, lists }) {
      const [led, linked, hidden] = [course.file('led.txt', 'led'), course.file('linked.txt', 'linked'), course.file('hidden.txt', 'h')];
      lists.shut.add(`/api/v1/courses/${course.id}/files`);
      lists.shut.add(`/api/v1/courses/${course.id}/folders`);
      course.page(
        'Links',
        `<a href="${server.url}/courses/${course.id}/files/${linked}/download?wrap=1">it</a> <img src="/courses/1/files/${hidden}/preview">`,
      );
      const items = [{ id: 5, type: 'File', title: 'led', content_id: led }];
      const module = server.id();
      server.put('module', module, { id: module, name: 'Week 1', position: 1, items }, course.id);
    },
    expects(student, { course, server }) {
      const found = Object.keys(student.tree()).filter((path) => path.startsWith(nameOf(this)) && path.endsWith('.txt'));
      expect(found).toEqual([`${nameOf(this)}/led.txt`, `${nameOf(this)}/linked.txt`]);
      // One by one, but not in every sync.
      expect(server.asked.filter(({ path }) => path.startsWith(`/api/v1/courses/${course.id}/files/`))).toHaveLength(0);
    },
  },
  {
    that: 'shows no list of pages although modules link to them',
    arrange({ server, course, lists }) {
      const id = course.page('Reading', '<p>Read this.</p>');
      server.words.set(`/api/v1/courses/${course.id}/pages/reading`, server.get('page', id));
      lists.shut.add(`/api/v1/courses/${course.id}/pages`);
      const module = server.id();
      const items = [{ id: 6, type: 'Page', title: 'Reading', page_url: 'reading' }];
      server.put('module', module, { id: module, name: 'Week 1', position: 1, items }, course.id);
    },
    expects(student) {
      expect(inCourse(student, this, 'Pages', 'Reading.html')).toContain('Read this.');
    },
  },
  {
    that: 'closes a course by date',
    arrange({ course }) {
      course.file('a.txt', 'A');
    },
    change({ server, course, lists }) {
      server.put('course', course.id, { id: course.id, access_restricted_by_date: true }, course.id);
      for (const what of ['files', 'folders', 'modules', 'assignments']) lists.shut.add(`/api/v1/courses/${course.id}/${what}`);
    },
    expects(student, { course, server }) {
      expect(inCourse(student, this, 'a.txt')).toBe('A');
      expect(student.study.cache.get('course', course.id)).toMatchObject({ name: nameOf(this), access_restricted_by_date: true });
      expect(courseCards(student.study).find(({ id }) => id === course.id)).toMatchObject({
        is_shut: true,
        file_count: 1,
      });
      expect(server.asked.filter(listOf({ course } as Scene, ''))).toEqual([]);
    },
  },
  {
    that: 'no longer lists a concluded course and refuses it',
    arrange({ server, course }) {
      course.file('a.txt', 'A');
      const id = server.id();
      server.put(
        'enrollment',
        id,
        { id, type: 'StudentEnrollment', user_id: 7, course_id: course.id, enrollment_state: 'completed' },
        course.id,
      );
    },
    change({ course, lists }) {
      lists.unlisted.add(`course:${course.id}`);
      lists.shut.add(`/api/v1/courses/${course.id}`);
    },
    expects(student) {
      expect(inCourse(student, this, 'a.txt')).toBe('A');
    },
  },
  {
    that: 'fails in one course only',
    arrange(scene) {
      scene.course.file('a.txt', 'A');
    },
    change(scene) {
      scene.fault(listOf(scene, ''), { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' });
    },
    expects(student, { course, server }, reports) {
      expect(inCourse(student, this, 'a.txt')).toBe('A');
      expect(reports.at(-1)?.outcome).toBe('complete with issues');
      // About two lists, each tried five times; the rest of the course waits.
      const asked = new Set(server.asked.filter(listOf({ course } as Scene, '')).map(({ path }) => path));
      expect(asked.size).toBeLessThanOrEqual(4);
    },
  },
  {
    that: 'fails once in the middle of a list',
    arrange(scene) {
      scene.course.file('a.txt', 'A');
      let nth = 0;
      const cut = { status: 200, headers: { 'content-length': '1000', connection: 'close' }, body: '[{"id":' };
      scene.fault(listOf(scene, 'files'), () => (nth++ === 0 ? cut : undefined));
    },
    expects(student) {
      expect(inCourse(student, this, 'a.txt')).toBe('A');
    },
  },
  {
    that: 'throttles requests for a while',
    arrange(scene) {
      scene.course.file('a.txt', 'A');
      let nth = 0;
      const enough = { status: 403, headers: { 'content-type': 'text/plain' }, body: '403 Forbidden (Rate Limit Exceeded)\n' };
      scene.fault(listOf(scene, 'f'), () => (nth++ < 3 ? enough : undefined));
    },
    expects(student) {
      expect(inCourse(student, this, 'a.txt')).toBe('A');
    },
  },
  {
    that: 'is one of several, each with its own ids',
    arrange({ server, course }) {
      const id = 10_000_000_000_123;
      const file = {
        id,
        folder_id: course.root,
        display_name: 'far.txt',
        size: 3,
        url: `${server.url}/files/${id}/download?verifier=v${id}`,
      };
      server.put('file', id, file, course.id);
      server.bytes.set(id, Buffer.from('far'));
      course.page('Far', `<a href="/courses/${course.id}/files/1~123">far</a>`);
    },
    expects(student, { server }) {
      expect(inCourse(student, this, 'far.txt')).toBe('far');
      expect(linkIn('/courses/1~5/files/1~123', server.url)).toEqual({ kind: 'file', id: 10_000_000_000_123 });
      expect(inCourse(student, this, 'Pages', 'Far.html')).toContain('../far.txt');
    },
  },
  {
    that: 'receives bytes on another host and has the file once that is confirmed',
    arrange({ server, store }) {
      const mine = takesFiles(server);
      const { besides } = server;
      const ticket = { upload_url: `${store.url}/upload`, upload_params: {}, file_param: 'file' };
      server.besides = (asked, body) =>
        asked.method === 'POST' && asked.path.endsWith('/files') ? { status: 200, body: ticket } : besides(asked, body);
      store.takes = () => {
        const id = mine.file('mine.txt', 'mine');
        server.words.set(`/api/v1/files/${id}/create_success`, server.get('file', id));
        // By its name on the server.
        return `https://inside.example.edu/api/v1/files/${id}/create_success?uuid=1`;
      };
    },
    change(_, { folder }) {
      mkdirSync(join(folder, 'My files'), { recursive: true });
      writeFileSync(join(folder, 'My files', 'mine.txt'), 'mine');
    },
    expects(student, { server }, reports) {
      const there = server.all('file').filter(({ display_name }) => display_name === 'mine.txt');
      expect(there).toHaveLength(1);
      expect(student.study.user.rows().has(`file:${there[0]?.id}`)).toBe(true);
      expect(reports.flatMap(({ issues }) => issues).filter(({ what }) => what.startsWith('send'))).toEqual([]);
    },
  },
  {
    that: 'has quizzes and tools that open on its own page',
    arrange({ server, course }) {
      const html_url = `${server.url}/courses/${course.id}/modules/items/7`;
      course.assignment('Quiz', { submission_types: ['online_quiz'], html_url });
      course.assignment('Essay', { html_url });
      const items = [
        { id: 7, type: 'Quiz', title: 'Quiz', content_id: 1, html_url },
        { id: 8, type: 'ExternalTool', title: 'Tool', content_id: 2, external_url: 'https://tool.example/launch', html_url },
        { id: 9, type: 'ExternalUrl', title: 'Elsewhere', external_url: 'https://elsewhere.example/', html_url },
      ];
      const module = server.id();
      server.put('module', module, { id: module, name: 'Week 1', position: 1, items }, course.id);
    },
    expects(student, { server, course }) {
      const there = `${server.url}/courses/${course.id}/modules/items/7`;
      const { study } = student;
      const [shown] = moduleViews(study, course.id);
      expect(shown?.items.map(({ external_url }) => external_url)).toEqual([there, there, 'https://elsewhere.example/']);
      const [quiz, essay] = server.allIn('assignment', course.id).map(({ id }) => workView(study, course.id, Number(id)));
      expect([quiz?.on_server, essay?.on_server]).toEqual([there, undefined]);
    },
  },
  {
    that: 'contains kinds that the desk does not know',
    arrange({ server }) {
      const id = server.id();
      server.put('planner_override', id, { id, plannable_type: 'sub_assignment', plannable_id: 5, marked_complete: true });
    },
    expects(student, _, reports) {
      expect(student.study.cache.all('planner_override')).toHaveLength(1);
      expect(reports[0]?.outcome).toMatch(/^complete/);
    },
  },
];

describe('a stock server that', () => {
  const scenes = new Map<Case, Scene>();
  const faults: { matches: (asked: FakeRequest) => boolean; what: ServerFault | ((asked: FakeRequest) => ServerFault | undefined) }[] = [];
  const heard: IncomingMessage['headers'][] = [];
  const reports: SyncReport[] = [];
  let [server, student, elsewhere]: [FakeServer?, Student?, Server?] = [];

  beforeAll(async () => {
    const fake = await new FakeServer().start();
    server = fake;
    const store: Scene['store'] = { url: '', heard };
    const host = createServer((request, response) => {
      heard.push(request.headers);
      if (request.method === 'GET') return response.end('from the store');
      request.resume().on('end', () => response.writeHead(303, { location: store.takes?.() }).end());
    });
    elsewhere = host;
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    Object.assign(store, { url: `http://localhost:${(host.address() as AddressInfo).port}` });
    const lists = withoutFeed(fake);
    lists.perPage = 100;
    for (const one of cases) {
      const course = aFakeCourse(fake, nameOf(one));
      const scene: Scene = { server: fake, lists, course, store, fault: (matches, what) => faults.push({ matches, what }) };
      scenes.set(one, scene);
      one.arrange(scene);
    }
    fake.fault = (asked) => {
      for (const { matches, what } of faults) {
        const fault = matches(asked) ? (typeof what === 'function' ? what(asked) : what) : undefined;
        if (fault) return fault;
      }
      return undefined;
    };
    student = await Student.at(fake);
    reports.push(await student.sync());
    for (const [one, scene] of scenes) one.change?.(scene, student);
    for (let nth = 0; nth < 3; nth++) {
      fake.count();
      reports.push(await student.study.sync({ isThorough: nth < 2 }));
    }
  });
  afterAll(async () => {
    await student?.leave();
    elsewhere?.closeAllConnections();
    elsewhere?.close();
    await server?.stop();
  });

  test.each(cases.map((one) => [one.that, one] as const))('%s', (_, one) => {
    one.expects(student as Student, scenes.get(one) as Scene, reports);
  });
});
