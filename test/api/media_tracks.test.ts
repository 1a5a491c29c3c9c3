// Captions of recordings: kept as a set, read by players, and copied with the recording.

import { env, SELF } from 'cloudflare:test';
import { copyCourse } from '@carrel/worker/domains/course_copy/job';
import type { Platform } from '@carrel/worker/platform';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';

let scene: Awaited<ReturnType<typeof aCourse>>;
let film: { id: number; uuid: string };
let at = '';

const srt = '1\n00:00:01,500 --> 00:00:02,000\nHello, world\n';
const recording = (name: string) => ({ name, content_type: 'video/mp4' }) as never;

beforeAll(async () => {
  scene = await aCourse(ground);
  at = `/courses/${scene.course.id}`;
  film = (await upload(scene.teacher, `${at}/files`, recording('film.mp4'))) as never;
});

async function page(path: string, person?: Person) {
  const headers = person ? { Cookie: `carrel_session=${await ground.session(person)}` } : undefined;
  const response = await SELF.fetch(`${base}${path}`, { headers, redirect: 'manual' });
  noteRoute(response.headers, response.status);
  return response;
}

const locales = (list: { locale: string }[]) => list.map(({ locale }) => locale);

test('teachers set the captions of a recording, and everyone in the course reads them', async () => {
  const { teacher, student, stranger } = scene;
  const tracks = `/media_objects/m-${film.uuid}/media_tracks`;
  const set = (given: unknown, who = teacher, on = tracks) => as(who).put(`${on}?include[]=content`, given as object, { json: true });
  const first = ok(
    within(
      await set([
        { locale: 'en', content: srt },
        { locale: 'de', kind: 'captions', content: 'WEBVTT\n\nHallo' },
      ]),
      3,
    ),
  );
  expect(first).toMatchObject([
    { locale: 'en', kind: 'subtitles', content: srt },
    { locale: 'de', kind: 'captions' },
  ]);
  // Without content a track is kept, and one that is not named is removed.
  const second = ok(await set([{ locale: 'en' }, { locale: 'fr', content: 'x' }], teacher, `/media_attachments/${film.id}/media_tracks`));
  expect(second).toMatchObject([
    { id: first[0].id, locale: 'en', content: srt },
    { locale: 'fr', content: 'x' },
  ]);
  const listed = ok(within(await as(student).get(tracks), 2));
  expect(locales(listed)).toEqual(['en', 'fr']);
  expect(Object.keys(listed[0]).sort()).toEqual(['id', 'kind', 'locale', 'url']);
  const all = ['content', 'webvtt_content', 'user_id', 'created_at', 'updated_at'];
  const [whole] = ok(within(await as(student).get(`/media_attachments/${film.id}/media_tracks`, { include: all }), 2));
  expect(whole).toMatchObject({ content: srt, user_id: teacher.id, webvtt_content: expect.stringMatching(/^WEBVTT\n\n1\n00:00:01\.500/) });
  const [shown] = ok(await as(student).get(`${at}/media_objects`));
  expect(locales(shown.media_tracks)).toEqual(['en', 'fr']);
  expect(shown.media_tracks[0].url).toBe(whole.url);
  // Players read them with the session of the browser.
  const text = await page(new URL(whole.url).pathname, student);
  expect([text.status, text.headers.get('content-type')]).toEqual([200, 'text/vtt; charset=utf-8']);
  expect(await text.text()).toContain('00:00:01.500 --> 00:00:02.000\nHello, world');
  ok(await as(teacher).get(`${base}/media_objects/m-${film.uuid}/media_tracks/88888888`), 404);

  for (const wrong of [[{ locale: 'it' }], [{ locale: '<b>', content: 'x' }], { locale: 'en' }, [{ locale: 'en', kind: 'songs' }]])
    ok(await set(wrong), 400);
  expect(locales(ok(await as(teacher).get(tracks)))).toEqual(['en', 'fr']);
  ok(await set([], student), 401);
  for (const path of [tracks, `/media_attachments/${film.id}/media_tracks`, new URL(whole.url).href]) ok(await as(stranger).get(path), 404);
  ok(await set([], stranger), 404);
  const notes = (await upload(teacher, `${at}/files`, { name: 'notes.txt', content_type: 'text/plain' } as never)) as never as {
    id: number;
  };
  ok(await as(teacher).get(`/media_attachments/${notes.id}/media_tracks`), 404);
  ok(await set([{ locale: 'en', content: 'x' }], teacher, `/media_attachments/${notes.id}/media_tracks`), 404);
});

test('a recording plays in a page, with its captions', async () => {
  const { student, stranger } = scene;
  for (const name of [`objects_iframe/m-${film.uuid}`, `attachments_iframe/${film.id}`]) {
    const played = await page(`/media_${name}`, student);
    expect(played.status).toBe(200);
    const html = await played.text();
    expect(html).toContain(`<video controls aria-label="film.mp4" src="/files/${film.id}/preview"><track kind="subtitles" srclang="en"`);
    expect((await page(`/media_${name}`)).headers.get('location')).toContain('/login');
    expect((await page(`/media_${name}`, stranger)).status).toBe(404);
  }
  for (const path of [`media_objects/m-${film.uuid}`, `media_attachments/${film.id}`]) {
    expect(ok(within(await as(student).get(`${base}/${path}/info`), 2))).toMatchObject({
      media_id: `m-${film.uuid}`,
      media_tracks: [{ locale: 'en' }, { locale: 'fr' }],
    });
    ok(await as(stranger).get(`${base}/${path}/info`), 404);
  }
});

test('a locked recording keeps its captions', async () => {
  const { teacher, student } = scene;
  const locked = (await upload(teacher, `${at}/files`, recording('locked.mp4'))) as never as typeof film;
  const tracks = `/media_attachments/${locked.id}/media_tracks`;
  const [track] = ok(await as(teacher).put(tracks, [{ locale: 'en', content: 'SECRET' }], { json: true }));
  ok(await as(teacher).put(`/files/${locked.id}`, { locked: true }));
  for (const path of [tracks, `${tracks}?only[]=names`, track.url]) ok(await as(student).get(path), 401);
  expect((await page(`/media_attachments_iframe/${locked.id}`, student)).status).toBe(401);
  expect(locales(ok(await as(teacher).get(tracks)))).toEqual(['en']);
});

test('a copied recording has the title and the captions of the original', async () => {
  const { teacher } = scene;
  const original = (await upload(teacher, `${at}/files`, recording('original.mp4'))) as never as typeof film;
  ok(await as(teacher).put(`/media_attachments/${original.id}`, { user_entered_title: 'Lecture' }));
  ok(await as(teacher).put(`/media_attachments/${original.id}/media_tracks`, [{ locale: 'en', content: srt }], { json: true }));
  const folder = ok(await as(teacher).post(`${at}/folders`, { name: 'Copies' }));
  const copy = ok(await as(teacher).post(`/folders/${folder.id}/copy_file`, { source_file_id: original.id }));
  const [track] = ok(await as(teacher).get(`/media_attachments/${copy.id}/media_tracks`, { include: ['content'] }));
  expect(track).toMatchObject({ locale: 'en', content: srt });
  const [shown] = ok(await as(teacher).get(`${at}/media_attachments`, { search_term: 'Lecture', sort: 'created_at', order: 'desc' }));
  expect(shown).toMatchObject({ attachment_id: copy.id, user_entered_title: 'Lecture' });
  // The sets are separate from now on.
  ok(await as(teacher).put(`/media_attachments/${original.id}/media_tracks`, [], { json: true }));
  expect(ok(await as(teacher).get(`/media_attachments/${original.id}/media_tracks`))).toEqual([]);
  expect(locales(ok(await as(teacher).get(`/media_attachments/${copy.id}/media_tracks`)))).toEqual(['en']);
});

test('a recording that is copied to a course again has the title and the captions of today', async () => {
  const { teacher } = scene;
  const [from, to] = [await ground.course(), await ground.course()];
  for (const course of [from, to]) await ground.enroll(course, teacher, 'teacher');
  const talk = (await upload(teacher, `/courses/${from.id}/files`, recording('talk.mp4'))) as never as typeof film;
  const set = async (...given: object[]) => ok(await as(teacher).put(`/media_attachments/${talk.id}/media_tracks`, given, { json: true }));
  const copied = async () => {
    const begun = ok(await as(teacher).post(`/courses/${to.id}/course_copy`, { source_course: from.id }));
    for (let state = ''; state !== 'completed'; ) {
      await copyCourse({ job: 'course_copy', ids: [begun.id] }, env as unknown as Platform);
      state = ok(await as(teacher).get(`/courses/${to.id}/course_copy/${begun.id}`)).workflow_state;
    }
    const [copy] = ok(await as(teacher).get(`/courses/${to.id}/media_attachments`));
    const tracks = ok(await as(teacher).get(`/media_attachments/${copy.attachment_id}/media_tracks`, { include: ['content'] }));
    return [copy.user_entered_title, ...tracks.map((one: { locale: string; content: string }) => `${one.locale} ${one.content}`)];
  };
  await set({ locale: 'en', content: 'one' }, { locale: 'de', content: 'eins' });
  expect(await copied()).toEqual([null, 'en one', 'de eins']);
  await set({ locale: 'en', content: 'two' }, { locale: 'fr', content: 'un' });
  ok(await as(teacher).put(`/media_attachments/${talk.id}`, { user_entered_title: 'Talk' }));
  expect(await copied()).toEqual(['Talk', 'en two', 'fr un']);
  await set();
  expect(await copied()).toEqual(['Talk']);
});

test('GraphQL has the captions of a recording that was handed in', async () => {
  const { teacher, student } = scene;
  const talk = (await upload(teacher, `${at}/files`, recording('talk.mp4'))) as never as typeof film;
  const media_comment_id = `m-${talk.uuid}`;
  ok(await as(teacher).put(`/media_objects/${media_comment_id}/media_tracks`, [{ locale: 'en', content: srt }], { json: true }));
  const assignment = { name: 'Say it', published: true, submission_types: ['media_recording'] };
  const { id } = ok(await as(teacher).post(`${at}/assignments`, { assignment }), 201);
  const submission = { submission_type: 'media_recording', media_comment_id, media_comment_type: 'video' };
  ok(await as(student).post(`${at}/assignments/${id}/submissions`, { submission }), 201);
  const query = `{ submission(assignmentId: "${id}", userId: "${student.id}") { mediaObject { mediaTracks { locale kind content } } } }`;
  const { data } = ok(await as(student).post(`${base}/api/graphql`, { query }, { json: true }));
  expect(data.submission.mediaObject.mediaTracks).toEqual([{ locale: 'en', kind: 'subtitles', content: srt }]);
});
