// The desk with its real engine and a loopback server: downloaded data stays when the server stops, and changes made offline arrive once.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDesk } from '@carrel/desktop/engine/desk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse } from '../sync/support/course';
import { FakeServer } from '../sync/support/fake_server';
import { deskRoom, fixedNow, moveTo } from './support/desk';

const room = deskRoom();
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="teal"/></svg>';

let server: FakeServer;
let course: FakeCourse;
let page: number;
let image: number;

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server, 'Marine Biology');
  image = course.file('tide zones.svg', drawing, course.folder('Images'));
  course.file('safety.txt', 'Never turn your back to the sea.');
  const other = course.page('Field notebook', '<p>Write on the right-hand page.</p>');
  const body = `<p>Twice a day.</p><img src="${server.url}/courses/${course.id}/files/${image}/preview" alt="Zones">
    <a href="${server.url}/courses/${course.id}/pages/field-notebook">notebook</a><script>document.body.dataset.ran = 'yes'</script>`;
  page = course.page('Tide lines', body);
  expect(other).not.toBe(page);
  course.assignment('Lab report', { due_at: '2026-11-20T20:00:00Z', description: '<p>Two pages are enough.</p>' });
});
afterEach(() => server.stop());

const signedIn = async () => {
  const visited = await room.serve(({ store, folder }) =>
    openDesk({ store, folder, clock: { now: () => fixedNow, sleep: pause, random: Math.random } }),
  );
  const desk = await visited.visit();
  await desk.getByLabel('Server address').fill(server.url);
  await desk.getByLabel('Access token').fill(server.token);
  await desk.getByRole('button', { name: 'Sign in' }).click();
  await desk.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
  await expect.poll(() => visited.desk['sync.status'](undefined).then(({ phase }) => phase), { timeout: 20_000 }).toBe('idle');
  return { ...visited, page: desk, go: (at: string) => moveTo(desk, at) };
};
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(20, milliseconds)));

test('a wrong token is refused with the server’s reason', async () => {
  const { visit } = await room.serve(({ store, folder }) => openDesk({ store, folder }));
  const desk = await visit();
  await desk.getByLabel('Server address').fill(server.url);
  await desk.getByLabel('Access token').fill('wrong');
  await desk.getByRole('button', { name: 'Sign in' }).click();
  await desk.getByRole('alert').waitFor();
  expect(await desk.getByRole('heading', { name: 'Sign in to your server' }).isVisible()).toBe(true);
});

test('a course appears on the desk and in the folder', async () => {
  const { page: desk, go, folder } = await signedIn();
  await desk.getByText('Lab report').waitFor();
  await go('#/courses');
  await desk.getByRole('link', { name: 'Marine Biology' }).click();
  await desk.getByRole('tab', { name: 'Files' }).click();
  await desk.locator('.file', { hasText: 'tide zones.svg' }).getByText('On this computer').waitFor();
  expect(existsSync(join(folder, 'Test University', 'Marine Biology', 'Images', 'tide zones.svg'))).toBe(true);
});

test('with the server stopped everything can be read and edited; with the server back the edits arrive once', async () => {
  const { page: desk, go, desk: engine } = await signedIn();
  const port = Number(new URL(server.url).port);
  await server.stop();
  await engine['sync.now'](undefined);
  await desk.getByText('You see what is on this computer').waitFor({ timeout: 20_000 });

  await desk.reload();
  await go(`#/read/page/${course.id}/${page}`);
  const text = desk.frameLocator('iframe');
  await text.getByText('Twice a day.').waitFor();
  expect(await text.locator('body').getAttribute('data-ran')).toBeNull();
  await expect.poll(() => text.getByAltText('Zones').evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(40);
  await text.getByRole('link', { name: 'notebook' }).click();
  await desk.frameLocator('iframe').getByText('Write on the right-hand page.').waitFor();

  await go('#/today');
  await desk.getByRole('button', { name: 'Add a note', exact: true }).click();
  await desk.getByLabel('Title', { exact: true }).fill('Written on the train');
  await desk.getByRole('button', { name: 'Save' }).click();
  const note = desk.locator('.entry', { hasText: 'Written on the train' });
  await note.getByText('Saved, not sent yet').waitFor();
  await desk.getByRole('checkbox', { name: 'Done: Lab report' }).click();
  await desk.locator('.entry[data-done=true]', { hasText: 'Lab report' }).waitFor();

  await server.start(port);
  await desk.keyboard.press('r');
  await note.getByText('Saved, not sent yet').waitFor({ state: 'detached', timeout: 20_000 });
  expect(server.all('planner_note').map(({ title }) => title)).toEqual(['Written on the train']);
  expect(server.all('planner_override').map(({ marked_complete }) => marked_complete)).toEqual([true]);
});

test('a change on the server appears on an open page', async () => {
  const { page: desk, go } = await signedIn();
  await go(`#/read/page/${course.id}/${page}`);
  await desk.frameLocator('iframe').getByText('Twice a day.').waitFor();
  server.change('page', page, { body: '<p>Thrice a day.</p>' });
  server.nudge();
  await desk.frameLocator('iframe').getByText('Thrice a day.').waitFor({ timeout: 15_000 });
});

test('with an expired token everything stays readable, and the user is asked to sign in', async () => {
  const { page: desk } = await signedIn();
  server.token = 'another-token';
  await desk.keyboard.press('r');
  await desk.getByText('The server no longer accepts your token.').waitFor({ timeout: 15_000 });
  expect(await desk.getByText('Lab report').isVisible()).toBe(true);
  await desk.getByRole('link', { name: 'Sign in again', exact: true }).click();
  await desk.getByLabel(/A new access token/).fill('another-token');
  await desk.getByRole('button', { name: 'Sign in again' }).click();
  await desk.getByText('Last checked').waitFor({ timeout: 15_000 });
});
