// Packages, books and shares give no one more than they may see and change elsewhere.

import { env, SELF } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { expireExports } from '@carrel/worker/domains/content_exports/forget';
import { exportContent } from '@carrel/worker/domains/content_exports/job';
import { migrateContent } from '@carrel/worker/domains/content_migrations/job';
import { copyCourse } from '@carrel/worker/domains/course_copy/job';
import { writeBook } from '@carrel/worker/domains/epub_exports/job';
import type { Platform } from '@carrel/worker/platform';
import { beforeAll, expect, test, vi } from 'vitest';
import { as, ground, ok } from '../support/api';
import { aCourse, aCourseOfTwoSections, type Person } from '../support/ground';
import { zipped } from '../support/sis';
import { sendContent } from '../support/upload';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;
const platform = env as unknown as Platform;

let scene: Awaited<ReturnType<typeof aCourseOfTwoSections>>;
let other: Awaited<ReturnType<typeof aCourse>>;
let at: string;
let secret: Told;

beforeAll(async () => {
  scene = await aCourseOfTwoSections(ground);
  other = await aCourse(ground);
  at = `/courses/${scene.course.id}`;
  secret = ok(
    await as(scene.teacher).post(`${at}/discussion_topics`, {
      title: 'First section only',
      message: 'x',
      published: true,
      is_announcement: true,
      specific_sections: `${scene.course.section_id}`,
    }),
  );
});

const work = (told: Told): number => Number(told.progress_url.split('/').at(-1));

test('staff of one section cannot take content of another section out of the course', async () => {
  const { teacher, limited } = scene;
  ok(await as(limited).get(`${at}/discussion_topics/${secret.id}`), 401);
  const exports = `${at}/content_exports`;
  for (const export_type of ['common_cartridge', 'qti']) ok(await as(limited).post(exports, { export_type }), 401);
  ok(
    await as(limited).post('/users/self/content_shares', {
      content_type: 'discussion_topic',
      content_id: secret.id,
      receiver_ids: [other.teacher.id],
    }),
    400,
  );
  const made = ok(await as(teacher).post(exports, { export_type: 'common_cartridge' }));
  await exportContent({ job: 'content_export', progress_id: work(made) }, platform);
  await vi.waitFor(async () => expect(ok(await as(teacher).get(`/progress/${work(made)}`)).workflow_state).toBe('completed'));
  ok(await as(limited).get(`${exports}/${made.id}`), 404);
  expect(ok(await as(limited).get(exports))).toEqual([]);
  const target = await ground.course();
  await ground.enroll(target, limited, 'teacher');
  const settings = { content_export_id: made.id };
  ok(await as(limited).post(`/courses/${target.id}/content_migrations`, { migration_type: 'canvas_cartridge_importer', settings }), 404);
});

test('staff of one section see no book of a colleague', async () => {
  const { teacher, ta, limited } = scene;
  const admin = await ground.admin();
  ok(await as(admin).put(`${at}/features/flags/epub_export`, { state: 'on' }));
  const book = ok(await as(teacher).post(`${at}/epub_exports`), 201).epub_export;
  await writeBook({ job: 'epub_export', progress_id: work(book) }, platform);
  ok(await as(ta).get(`${at}/epub_exports/${book.id}`));
  ok(await as(limited).get(`${at}/epub_exports/${book.id}`), 404);
});

test('a reader keeps one book of a course', async () => {
  const { student } = scene;
  const books = `${at}/epub_exports`;
  const written = async (): Promise<Told> => {
    const { id, progress_url } = ok(await as(student).post(books), 201).epub_export;
    await writeBook({ job: 'epub_export', progress_id: work({ progress_url }) }, platform);
    return ok(await as(student).get(`${books}/${id}`)).epub_export;
  };
  const first = await written();
  expect((await SELF.fetch(first.attachment.url)).status).toBe(200);
  const second = await written();
  expect((await SELF.fetch(second.attachment.url)).status).toBe(200);
  expect((await SELF.fetch(first.attachment.url)).status).not.toBe(200);
  expect(ok(await as(student).get(`${books}/${first.id}`)).epub_export.permissions.download).toBe(false);
});

test('who may no longer export content shares it with no one else, and its package ends with the export', async () => {
  const leaver = await ground.person({ name: 'Lea Ver' });
  const seat = await ground.enroll(scene.course, leaver, 'teacher');
  const essay = ok(await as(scene.teacher).post(`${at}/assignments`, { assignment: { name: 'Essay' } }), 201);
  const given = { content_type: 'assignment', content_id: essay.id, receiver_ids: [other.teacher.id] };
  const shares = '/users/self/content_shares';
  const sent = ok(await as(leaver).post(shares, given), 201);
  const more = { receiver_ids: [other.designer.id] };
  ok(await as(leaver).post(`${shares}/${sent.id}/add_users`, more));
  await ground.end(seat);
  ok(await as(leaver).post(`${shares}/${sent.id}/add_users`, { receiver_ids: [other.ta.id] }), 403);
  const { id } = sent.content_export;
  await exportContent({ job: 'content_export', progress_id: work(sent.content_export) }, platform);
  const received = async () => (ok(await as(other.teacher).get(`${shares}/received`)) as Told[])[0].content_export.attachment?.url;
  await expect.poll(received).toBeTruthy();
  const address = await received();
  const expire = () => expireExports(open(env.DB, newMeter(), 'first-primary'), '2026-11-23T08:00:00Z');
  const age = (created_at: string) => env.DB.prepare('update content_exports set created_at = ? where id = ?').bind(created_at, id).run();
  await age('2026-06-23T08:00:00Z');
  await expire();
  expect((await SELF.fetch(address)).status).toBe(200);
  await age('2026-05-27T09:00:00Z');
  await expire();
  expect((await SELF.fetch(address)).status).not.toBe(200);
});

async function imported(who: Person, course: number, files: Record<string, string>): Promise<Told> {
  const bytes = new Uint8Array(zipped(files));
  const address = `/courses/${course}/content_migrations`;
  const begun = ok(
    await as(who).post(address, {
      migration_type: 'canvas_cartridge_importer',
      pre_attachment: { name: 'package.imscc', size: bytes.length },
    }),
  );
  await sendContent(begun.pre_attachment, bytes);
  for (let n = 0; n < 50; n += 1) {
    const it = ok(await as(who).get(`${address}/${begun.id}`));
    if (it.workflow_state === 'completed' || it.workflow_state === 'failed') return it;
    await migrateContent({ job: 'content_migration', ids: [it.id] }, platform);
  }
  throw new Error('not ended');
}
const manifest = (resources = '') =>
  `<?xml version="1.0"?><manifest identifier="m"><metadata><schema>IMS Common Cartridge</schema><schemaversion>1.1.0</schemaversion></metadata><organizations/><resources>${resources}</resources></manifest>`;

const settingsPackage = {
  'imsmanifest.xml': manifest(),
  'course_settings/canvas_export.txt': 'x',
  'course_settings/course_settings.xml': '<course identifier="c"><is_public>true</is_public><license>public_domain</license></course>',
  'course_settings/late_policy.xml':
    '<late_policy identifier="l"><late_submission_deduction_enabled>true</late_submission_deduction_enabled><late_submission_deduction>50.0</late_submission_deduction></late_policy>',
};

test('an import or a copy changes the settings of a course only for those who may change them', async () => {
  const { course, teacher, ta, designer } = other;
  const here = `/courses/${course.id}`;
  ok(await as(ta).put(here, { course: { is_public: true } }), 401);
  const state = async () => {
    const { is_public, license } = ok(await as(teacher).get(here));
    const { status } = await as(teacher).get(`${here}/late_policy`);
    return { is_public, license, hasPolicy: status === 200 };
  };
  const before = await state();
  expect(before).toEqual({ is_public: false, license: 'private', hasPolicy: false });
  const told = await imported(ta, course.id, settingsPackage);
  expect(await state()).toEqual(before);
  const issues = ok(await as(ta).get(`${here}/content_migrations/${told.id}/migration_issues`)) as Told[];
  expect(issues.map(({ description }) => description)).toEqual([
    'The settings of the course were not imported, because you may not change them.',
  ]);
  // Designers set up a course, and do not grade.
  await imported(designer, course.id, settingsPackage);
  expect(await state()).toEqual({ is_public: true, license: 'public_domain', hasPolicy: false });
  await imported(teacher, course.id, settingsPackage);
  expect(await state()).toEqual({ is_public: true, license: 'public_domain', hasPolicy: true });
  const target = await ground.course();
  await ground.enroll(target, ta, 'ta');
  const copied = ok(await as(ta).post(`/courses/${target.id}/course_copy`, { source_course: course.id }));
  await copyCourse({ job: 'course_copy', ids: [copied.id] }, platform);
  const admin = await ground.admin();
  await vi.waitFor(async () =>
    expect(ok(await as(ta).get(`/courses/${target.id}/course_copy/${copied.id}`)).workflow_state).toBe('completed'),
  );
  expect(ok(await as(admin).get(`/courses/${target.id}`))).toMatchObject({ is_public: false, license: 'private' });
});

test('the package of an import is for who imported it and who may read its questions', async () => {
  const { course, teacher, ta } = other;
  const admin = await ground.admin();
  const off = { enabled: false, explicit: true };
  const permissions = { manage_assignments_add: off, manage_assignments_edit: off };
  const made = { label: 'Content only', base_role_type: 'TaEnrollment', permissions };
  const role = ok(await as(admin).post('/accounts/1/roles', made, { json: true }));
  const helper = await ground.person({ name: 'Hal Per' });
  const enrollment = { user_id: helper.id, role_id: role.id, type: 'TaEnrollment', enrollment_state: 'active' };
  ok(await as(admin).post(`/courses/${course.id}/enrollments`, { enrollment }));
  const { id } = await imported(teacher, course.id, { 'imsmanifest.xml': manifest() });
  const single = `/courses/${course.id}/content_migrations/${id}`;
  for (const who of [teacher, ta]) expect(ok(await as(who).get(single)).attachment?.url).toBeTruthy();
  expect(ok(await as(helper).get(single)).attachment).toBeUndefined();
});

test('an archive of the files of a course is not imported by who has left it', async () => {
  const leaver = await ground.person({ name: 'Leo Ver' });
  const seat = await ground.enroll(scene.course, leaver, 'student');
  const made = ok(await as(leaver).post(`${at}/content_exports`, { export_type: 'zip' }));
  await exportContent({ job: 'content_export', progress_id: work(made) }, platform);
  await vi.waitFor(async () => expect(ok(await as(leaver).get(`/progress/${work(made)}`)).workflow_state).toBe('completed'));
  const folder_id = ok(await as(leaver).get('/users/self/folders/root')).id;
  const wanted = { migration_type: 'zip_file_importer', settings: { content_export_id: made.id, folder_id } };
  const own = '/users/self/content_migrations';
  ok(await as(leaver).post(own, { ...wanted, do_not_run: true }));
  await ground.end(seat);
  ok(await as(leaver).post(own, wanted), 404);
});

test('a small package that names one document many times is refused', async () => {
  const { course, teacher } = other;
  const document = `<topic xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imsdt_v1p1"><title>T</title><text>${'<p>x</p>'.repeat(20_000)}</text></topic>`;
  const resources = Array.from(
    { length: 2000 },
    (_, nth) => `<resource identifier="t${nth}" type="imsdt_xmlv1p1"><file href="t.xml"/></resource>`,
  );
  const told = await imported(teacher, course.id, { 'imsmanifest.xml': manifest(resources.join('')), 't.xml': document });
  expect(told.workflow_state).toBe('failed');
  const issues = ok(await as(teacher).get(`/courses/${course.id}/content_migrations/${told.id}/migration_issues`)) as Told[];
  expect(issues.map(({ description }) => description)).toEqual(['the documents of the package are too large']);
});
