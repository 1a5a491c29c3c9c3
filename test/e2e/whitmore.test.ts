// Everything together: the real Worker with the demo institution, the command line, and the desk in a browser.

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileSecrets } from '@carrel/desktop/engine/accounts/account';
import { signIn } from '@carrel/desktop/engine/accounts/sign_in';
import { Workspace } from '@carrel/desktop/engine/accounts/workspace';
import { choose, lookAtChoices } from '@carrel/desktop/engine/channels/choices';
import { openDesk } from '@carrel/desktop/engine/desk';
import { decodeCredential, encodeCredential } from '@carrel/desktop/engine/server/bearer';
import { systemClock } from '@carrel/desktop/engine/server/session';
import { type Kind, kinds } from '@carrel/shared/sync/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client } from '../support/client';
import { documents } from '../support/demo/files';
import { gradedCourse } from '../support/demo/gradebook_content';
import { passwords } from '../support/demo/people';
import { must } from '../support/demo/requests';
import { uploadInThreeSteps } from '../support/three_steps';
import { carrel, runCarrel } from '../sync/support/program';
import { filesBelow } from '../sync/support/student';
import { deskRoom, moveTo } from './support/desk';
import { openWhitmore, type Whitmore } from './support/whitmore';

const room = deskRoom();
let whitmore: Whitmore;
let home: string;
let teacher: Client;
let student: Client;

beforeAll(async () => {
  whitmore = await openWhitmore();
  home = mkdtempSync(join(tmpdir(), 'carrel-e2e-'));
  teacher = whitmore.as(whitmore.people.teacher);
  student = whitmore.as(whitmore.people.student);
}, 180_000);
afterAll(async () => {
  await whitmore.close();
  rmSync(home, { recursive: true, force: true });
});

const astronomy = () => whitmore.courses[0]?.id ?? 0;
const libraries = () => whitmore.courses[3]?.id ?? 0;
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const put = (name: string, words: string, folder = 'Odd names') =>
  uploadInThreeSteps(teacher, (url, init) => fetch(url, init), `/courses/${astronomy()}/files`, {
    name,
    content_type: 'text/plain',
    bytes: new TextEncoder().encode(words),
    parent_folder_path: folder,
  });

describe('the command line', () => {
  const run = (...words: string[]) => runCarrel(words, { store: join(home, 'cli'), cwd: home });
  const workspace = (...names: string[]) => join(home, 'Study', 'Whitmore University', ...names);
  const stamps = () =>
    filesBelow(workspace()).map((path) => {
      const { ino, mtimeNs, ctimeNs, size } = statSync(path, { bigint: true });
      return `${path} ${ino} ${mtimeNs} ${ctimeNs} ${size}`;
    });
  const hostile = ['CON.txt', 'aux', '..', 'a:b?*.txt', 'ends with a dot.', 'caf\u00e9.txt', 'cafe\u0301.txt', `${'long '.repeat(45)}.txt`];

  test('the first sync downloads every file byte for byte, whatever its name', async () => {
    for (const name of hostile) await put(name, `named ${name}`);
    const login = await run('login', '--url', whitmore.url, '--token', whitmore.people.student.token, '--folder', 'Study');
    expect(login).toMatchObject({ status: 0, err: '' });
    const { status, json } = await run('sync', '--json');
    expect({ status, ...json }).toMatchObject({ status: 0, outcome: 'complete', issues: [] });
    const here = filesBelow(workspace()).filter((path) => !/\/(Pages|Assignments)\/[^/]+\.html$/.test(path));
    const hashes = here.map((path) => sha(readFileSync(path)));
    for (const [, name, , make] of Object.values(documents).flat()) expect(hashes, name).toContain(sha(await make()));
    for (const name of hostile) expect(hashes, name).toContain(sha(new TextEncoder().encode(`named ${name}`)));
    expect(json.downloaded).toBe(here.length);
    const pictures = readdirSync(workspace('Introduction to Astronomy', 'Images')).filter((name) => /^hills at night/i.test(name));
    expect(new Set(pictures.map((name) => name.toLowerCase())).size).toBe(2);
  });

  test('the second sync is one request and touches no file', async () => {
    const before = stamps();
    expect((await run('sync', '--json')).json).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0, issues: [] });
    expect(stamps()).toEqual(before);
  });

  test('a file renamed on the server is renamed here without a download', async () => {
    const [file] = (await teacher.get(`/courses/${astronomy()}/files`, { search_term: 'Lecture 01 (recording)' })).body;
    expect((await teacher.put(`/files/${file.id}`, { name: 'First lecture.wav' })).status).toBe(200);
    const { json } = await run('sync', '--json');
    expect(json).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0, bytes: 0 });
    expect(readdirSync(workspace('Introduction to Astronomy', 'Lectures', 'Recordings'))).toEqual(['First lecture.wav']);
  });

  test('verify finds every file identical to the server', async () => {
    expect(await run('verify', '--json')).toMatchObject({ status: 0, json: { outcome: 'complete', edited: [], issues: [] } });
  });

  test('watch syncs a change by itself', async () => {
    const watching = carrel(['watch'], { store: join(home, 'cli') });
    await vi.waitFor(() => expect(watching.said()).toContain('Complete'), { timeout: 20_000 });
    const changed = Date.now();
    await put('just now.txt', 'hot off the press', 'Labs');
    await vi.waitFor(
      () => expect(readFileSync(workspace('Introduction to Astronomy', 'Labs', 'just now.txt'), 'utf8')).toBe('hot off the press'),
      {
        timeout: 20_000,
        interval: 50,
      },
    );
    expect(Date.now() - changed).toBeLessThan(10_000);
    watching.child.kill('SIGTERM');
    expect(await watching.ended).toMatchObject({ status: 0, err: '' });
  });

  test('an expired token asks for a new sign-in', async () => {
    const made = await student.post('/users/self/tokens', { token: { purpose: 'Carrel on an old computer' } });
    expect(made.status).toBe(200);
    const there = { store: join(home, 'old'), cwd: home };
    const login = await runCarrel(['login', '--url', whitmore.url, '--token', made.body.visible_token, '--folder', 'Old'], there);
    expect(login.status).toBe(0);
    expect((await student.del(`/users/self/tokens/${made.body.id}`)).status).toBe(200);
    expect(await runCarrel(['sync', '--json'], there)).toMatchObject({ status: 3, json: { outcome: 'sign in' } });
  });
});

test('the gradebook of the demo has weights, a late policy, a rubric, late, missing and excused work, two graders, and reviews of peers', async () => {
  const course = must(await teacher.get('/courses', { per_page: 50 }), 'courses').find(
    (one: { course_code: string }) => one.course_code === gradedCourse,
  );
  const at = `/courses/${course.id}`;
  const read = async (path: string, query: object = {}) => must(await teacher.get(`${at}${path}`, { per_page: 100, ...query }), path);
  const groups: { group_weight: number; rules: object }[] = await read('/assignment_groups');
  expect(groups.reduce((sum, { group_weight }) => sum + group_weight, 0)).toBe(100);
  expect(groups.some(({ rules }) => 'drop_lowest' in rules)).toBe(true);
  expect((await read('/late_policy')).late_policy.late_submission_deduction).toBeGreaterThan(0);
  type Work = {
    late: boolean;
    missing: boolean;
    excused: boolean;
    points_deducted: number | null;
    posted_at: string | null;
    score: number | null;
  };
  const work = (await teacher.pages(`${at}/students/submissions`, { student_ids: ['all'], per_page: 100 })) as Work[];
  for (const is of [
    ({ late, points_deducted }: Work) => late && (points_deducted ?? 0) > 0,
    ({ missing }: Work) => missing,
    ({ excused }: Work) => excused,
    ({ score, posted_at }: Work) => score !== null && posted_at === null,
  ])
    expect(work.filter(is).length, is.toString()).toBeGreaterThan(0);
  type Task = { id: number; moderated_grading: boolean; peer_reviews: boolean; rubric?: object[]; use_rubric_for_grading?: boolean };
  const tasks: Task[] = await read('/assignments');
  const essay = tasks.find(({ peer_reviews }) => peer_reviews);
  expect(essay?.use_rubric_for_grading && essay.rubric?.length).toBeGreaterThan(1);
  const reviews: { workflow_state: string }[] = await read(`/assignments/${essay?.id}/peer_reviews`);
  expect(reviews.map(({ workflow_state }) => workflow_state).sort()).toEqual(['assigned', 'completed']);
  const moderated = tasks.find(({ moderated_grading }) => moderated_grading);
  const graded: { provisional_grades: object[] }[] = await read(`/assignments/${moderated?.id}/submissions`, {
    include: ['provisional_grades'],
  });
  expect(graded.filter(({ provisional_grades }) => provisional_grades.length === 2)).toHaveLength(2);
  const { grades } = (await read('/enrollments', { type: ['StudentEnrollment'] }))[0];
  expect(grades.current_score).toBeGreaterThan(50);
  expect(grades.current_grade).toMatch(/\S/);
});

test("signing in on the server's page gives the desk a token that it renews, and revokes on sign-out", { timeout: 60_000 }, async () => {
  let place = { store: '', folder: '' };
  const visited = await room.serve((given) => {
    place = given;
    return openDesk({ ...given, isManual: true });
  });
  const page = await visited.visit('#/today', { now: undefined });
  await page.getByLabel('Server address').fill(whitmore.url);
  const [provider] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
  await provider.getByLabel('Login').fill('maya.fischer@whitmore.example');
  await provider.getByLabel('Password').fill(passwords.student);
  await provider.keyboard.press('Enter');
  await provider.getByRole('heading', { name: 'Carrel desk' }).waitFor();
  await provider.getByRole('button', { name: 'Allow', exact: true }).click();
  await provider.getByRole('heading', { name: 'You are signed in' }).waitFor();
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();

  const { id = '' } = (await visited.desk['account.current'](undefined)) ?? {};
  const kept = join(place.store, id, 'token');
  const { refresh } = decodeCredential(readFileSync(kept, 'utf8'));
  await visited.desk.close();
  // As after an hour: the access token has expired, but the refresh token has not.
  writeFileSync(kept, encodeCredential({ token: 'spent', refresh }));
  const there = { store: place.store, cwd: home };
  expect((await runCarrel(['sync', '--json'], there)).json).toMatchObject({ outcome: 'complete', issues: [] });
  const fresh = decodeCredential(readFileSync(kept, 'utf8'));
  expect(fresh.refresh?.token).not.toBe(refresh?.token);
  expect((await runCarrel(['logout', '--json'], there)).json).toMatchObject({ outcome: 'signed out', unsent: 0 });
  const gone = await fetch(`${whitmore.url}/api/v1/users/self`, { headers: { authorization: `Bearer ${fresh.token}` } });
  expect(gone.status).toBe(401);
});

const isFeed = (address: unknown) => new URL(String(address)).pathname.startsWith('/api/sync/');
const withoutFeed: typeof fetch = async (address, init) =>
  isFeed(address) ? new Response('<h1>Page not found</h1>', { status: 404 }) : fetch(address as URL, init);

test('without the feed, as on a Canvas server, list-by-list sync brings the same', { timeout: 60_000 }, async () => {
  const { token } = whitmore.people.student;
  const kept = async (name: string, how: typeof fetch) => {
    const store = join(home, name);
    const signedIn = await signIn({
      store,
      secrets: fileSecrets(store),
      url: whitmore.url,
      token,
      folder: join(home, `${name} files`),
      clock: systemClock,
    });
    const study = new Workspace({ store, signedIn, token, http: how });
    const report = await study.sync();
    const places = [null, ...study.cache.held('course', null).keys(), ...[...study.cache.held('group', null).keys()].map((id) => -id)];
    const idsOf = (kind: Kind) => new Set(places.flatMap((place) => [...study.cache.held(kind, place).keys()]));
    const things = kinds.map((kind) => [kind, [...idsOf(kind)].sort((a, b) => a - b)] as const);
    const { way } = study;
    const again = await study.sync();
    await study.close();
    return { way, things: new Map(things), report, again, files: filesBelow(join(home, `${name} files`, 'Whitmore University')).length };
  };
  // Requesting a user's folders creates their root folder, which the feed then includes.
  const [listed, fed] = [await kept('listed', withoutFeed), await kept('fed', fetch)];
  expect([fed.way, listed.way]).toEqual(['feed', 'lists']);
  expect(listed.report).toMatchObject({ outcome: 'complete', issues: [], downloaded: fed.report.downloaded });
  expect(listed.again).toMatchObject({ outcome: 'complete', issues: [], downloaded: 0, unchanged: fed.again.unchanged });
  expect(listed.files).toBe(fed.files);
  // The desk shows other users only as authors, and no peer reviews, quizzes, outcomes and polls.
  const ofQuizzes = ['quiz', 'quiz_submission', 'new_quiz_session'];
  const shownElsewhere = ['peer_review', ...ofQuizzes, 'outcome_group', 'outcome_link', 'outcome_result', 'poll_session'];
  const others = ['user', 'group_membership', 'submission', ...shownElsewhere];
  const alike = kinds.filter((kind) => !others.includes(kind));
  for (const kind of alike) expect([kind, listed.things.get(kind)]).toEqual([kind, fed.things.get(kind)]);
  // Lists also include submissions that were never submitted.
  expect(listed.things.get('submission')).toEqual(expect.arrayContaining(fed.things.get('submission') ?? []));
});

test('personal files are uploaded, and changes from another device are downloaded, with or without the feed', {
  timeout: 60_000,
}, async () => {
  const { token } = whitmore.people.student;
  const device = async (name: string, http = fetch) => {
    const [store, folder] = [join(home, name), join(home, `${name} files`)];
    const signedIn = await signIn({ store, secrets: fileSecrets(store), url: whitmore.url, token, folder, clock: systemClock });
    const study = new Workspace({ store, signedIn, token, http });
    await study.ask();
    for (const node of lookAtChoices(study).nodes.filter(({ key, depth }) => depth === 0 && key !== 'mine:1'))
      choose(study, lookAtChoices(study, { mark: { key: node.key, wanted: false } }));
    return {
      my: (...names: string[]) => join(folder, 'My files', ...names),
      files: () => filesBelow(join(folder, 'My files')).map((path) => path.slice(join(folder, 'My files').length + 1)),
      sync: async () => expect(await study.sync()).toMatchObject({ outcome: 'complete', issues: [] }),
      rests: async () => expect(await study.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, issues: [] }),
      close: () => study.close(),
    };
  };
  const one = await device('one');
  mkdirSync(one.my('thesis', 'notes'), { recursive: true });
  writeFileSync(one.my('thesis', 'plan.txt'), 'the plan');
  writeFileSync(one.my('thesis', 'notes', 'cafe\u0301.txt'), 'a note');
  await one.sync();
  await one.rests();
  const two = await device('two', withoutFeed);
  await two.sync();
  expect(two.files().map((name) => name.normalize('NFC'))).toEqual(['thesis/notes/caf\u00e9.txt', 'thesis/plan.txt']);
  writeFileSync(two.my('thesis', 'plan.txt'), 'a better plan');
  renameSync(two.my('thesis', 'notes'), two.my('notes'));
  await two.sync();
  await two.rests();
  writeFileSync(one.my('thesis', 'plan.txt'), 'another plan');
  await one.sync();
  await one.rests();
  await two.sync();
  // Each keeps the spelling of its own disk.
  const names = (device: typeof one) => device.files().map((name) => name.normalize('NFC'));
  expect(names(one)).toEqual(names(two));
  expect(one.files()).toHaveLength(3);
  unlinkSync(one.my(one.files().find((name) => name.startsWith('notes/')) ?? ''));
  writeFileSync(one.my('last.txt'), 'the last');
  await one.sync();
  const asked = (await student.get('/users/self/files')).body as { display_name: string }[];
  expect(asked.map(({ display_name }) => display_name)).toContain('last.txt');
  expect(asked.map(({ display_name }) => display_name.normalize('NFC'))).not.toContain('caf\u00e9.txt');
  await Promise.all([one.close(), two.close()]);
});

test('a student signs in, reads, goes offline, keeps working, and the edits are sent once online', { timeout: 90_000 }, async () => {
  const visited = await room.serve(({ store, folder }) => openDesk({ store, folder }));
  // The demo's dates are relative to today.
  const page = await visited.visit('#/today', { now: undefined });
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.setDefaultTimeout(30_000);

  await page.getByLabel('Server address').fill(whitmore.url);
  await page.getByLabel('Access token').fill(whitmore.people.student.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Essay: what is a planet?' }).waitFor();
  await page.getByText('Up to date').first().waitFor({ timeout: 30_000 });

  await moveTo(page, '#/courses');
  expect(await page.locator('.book').count()).toBe(4);
  await page.getByRole('link', { name: 'A History of Libraries' }).click();
  await page.getByRole('link', { name: 'The carrel', exact: true }).click();
  await readsTheCarrel(page);
  // The module requires viewing it, and the server's confirmation is shown.
  await moveTo(page, `#/courses/${libraries()}/modules`);
  await page.locator('.item', { hasText: 'The carrel' }).getByText('Met: Viewed').waitFor();
  const [places] = (await student.get(`/courses/${libraries()}/modules`, { include: ['items'] })).body;
  expect(places).toMatchObject({ state: 'started', items: [{ title: 'The carrel', completion_requirement: { completed: true } }, {}, {}] });

  await moveTo(page, '#/announcements');
  await page.getByRole('link', { name: 'Visit to the special collections' }).click();
  await page.frameLocator('iframe').getByText('Meet at the north door').waitFor();
  await expect.poll(() => announcementState(student), { timeout: 20_000 }).toBe('read');

  await moveTo(page, `#/courses/${astronomy()}/grades`);
  await page.locator('.facts').getByText('90%').waitFor();
  await moveTo(page, `#/courses/${astronomy()}/files`);
  await opensTheMeasurements(page);

  await whitmore.stop();
  await visited.desk['sync.now'](undefined);
  await page.getByText('You see what is on this computer').waitFor({ timeout: 20_000 });
  await page.reload();
  await moveTo(page, `#/courses/${libraries()}/modules`);
  await page.getByRole('link', { name: 'The carrel', exact: true }).click();
  await readsTheCarrel(page);
  await moveTo(page, `#/courses/${libraries()}/modules`);
  await page.getByRole('button', { name: 'Mark as done: Catalogues before cards' }).click();
  await page.getByText('Saved, not sent yet').waitFor();
  await moveTo(page, `#/courses/${astronomy()}/files`);
  await opensTheMeasurements(page);
  const japanese = (await visited.desk['courses.list'](undefined)).find(({ course_code }) => course_code === 'JPN 101')?.id ?? 0;
  await readsWhatPeopleSaid(page, japanese);
  await moveTo(page, '#/today');
  await page.getByRole('button', { name: 'Close: The main library is shut on Saturday' }).click();
  await page.getByRole('button', { name: 'Add a note', exact: true }).click();
  await page.getByLabel('Title', { exact: true }).fill('Written on the train');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.entry', { hasText: 'Written on the train' }).getByText('Saved, not sent yet').waitFor();
  await page.getByRole('checkbox', { name: 'Done: Essay: what is a planet?' }).click();
  await page.locator('.entry[data-done=true]', { hasText: 'Essay: what is a planet?' }).waitFor();

  const essay = await handsIn(page);
  await moveTo(page, '#/today');

  await whitmore.start();
  await page.keyboard.press('r');
  await page.getByText('Saved, not sent yet').first().waitFor({ state: 'detached', timeout: 30_000 });
  const notes = (await student.get('/planner_notes')).body as { title: string }[];
  expect(notes.filter(({ title }) => title === 'Written on the train')).toHaveLength(1);
  expect((await student.get('/accounts/self/users/self/account_notifications')).body).toEqual([]);
  const topics = (await student.get(`/courses/${japanese}/discussion_topics`)).body as { id: number }[];
  const views = await Promise.all(topics.map(({ id }) => student.get(`/courses/${japanese}/discussion_topics/${id}/view`)));
  expect(JSON.stringify(views.map(({ body }) => body)).split('Answered on the train')).toHaveLength(2);
  const overrides = (await student.get('/planner/overrides')).body as { plannable_type: string; marked_complete: boolean }[];
  expect(overrides.filter(({ plannable_type }) => plannable_type === 'assignment')).toMatchObject([{ marked_complete: true }]);
  await moveTo(page, essay);
  await page.getByText('Signed receipt').waitFor();
  const [, course, assignment] = /(\d+)\/(\d+)$/.exec(essay) ?? [];
  const handed = (await student.get(`/courses/${course}/assignments/${assignment}/submissions/self`)).body;
  expect(handed).toMatchObject({ attempt: 1, attachments: [{ display_name: 'planet.txt' }] });
  expect(handed.attachments).toHaveLength(1);
  await moveTo(page, `#/courses/${libraries()}/modules`);
  await page.locator('.module-state', { hasText: '2 of 2 met' }).getByText('Completed').waitFor();
  expect(problems).toEqual([]);
});

async function readsTheCarrel(page: Page) {
  const text = page.frameLocator('iframe');
  await text.getByText('To study one needs a place of one’s own').or(text.getByText('The idea is older than the word')).first().waitFor();
  await expect
    .poll(() => text.getByAltText('Hills under a starry sky').evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(640);
}

/** Discussions with replies, and conversations, found by their words; a reply waits in the outbox. */
async function readsWhatPeopleSaid(page: Page, course: number) {
  await moveTo(page, `#/courses/${course}/discussions`);
  await page.locator('.letter a').first().click();
  await page.getByRole('article').first().waitFor();
  await page.getByLabel('Your reply', { exact: true }).fill('Answered on the train');
  await page.keyboard.press('Control+Enter');
  await page
    .getByRole('article', { name: /^Sam|^[A-Z]/ })
    .getByText('Saved, not sent yet')
    .waitFor();
  await moveTo(page, '#/inbox');
  await page.locator('.letter a').first().click();
  await page.locator('.message').first().waitFor();
  await moveTo(page, '#/search/carrel');
  await page.locator('.hit').first().waitFor();
}

/** Submits a file for the essay while offline. Returns the essay's address. */
async function handsIn(page: Page) {
  await page.getByRole('link', { name: 'Essay: what is a planet?' }).click();
  const work = page.getByRole('region', { name: 'Your work' });
  const bytes = Buffer.from('Whatever clears its orbit, & nothing “less”.');
  await work.getByText('Files', { exact: true }).click();
  await work.getByLabel('Choose files').setInputFiles({ name: 'planet.txt', mimeType: 'text/plain', buffer: bytes });
  await work.getByText('planet.txt').waitFor();
  await work.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
  await work.getByText('Waiting to be sent').waitFor();
  return new URL(page.url()).hash;
}

async function opensTheMeasurements(page: Page) {
  await page.getByRole('link', { name: 'transit measurements.csv', exact: true }).click();
  await page.frameLocator('iframe').getByRole('columnheader', { name: 'brightness' }).waitFor();
}

async function announcementState(client: Client) {
  const [only] = (await client.get(`/courses/${libraries()}/discussion_topics`, { only_announcements: true })).body;
  return only.read_state;
}
