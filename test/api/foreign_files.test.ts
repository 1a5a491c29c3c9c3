// File ids in request bodies: a file is used only where the caller may use it, and its address is returned only to its readers.

import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';

type Scene = Awaited<ReturnType<typeof aCourse>>;

const assigned = async ({ course, teacher }: Scene) => {
  const assignment = { name: 'Essay', published: true, submission_types: ['online_upload'] };
  return ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201) as { id: number };
};

const path = ({ course }: Scene, task: { id: number }, person: Person | string = '', rest = '') => {
  const all = `/courses/${course.id}/assignments/${task.id}/submissions`;
  return person === '' ? all : `${all}/${typeof person === 'string' ? person : person.id}${rest}`;
};

test('a comment accepts only files that its author uploaded for comments on that submission', async () => {
  const scene = await aCourse(ground);
  const { student, student2, teacher, ta } = scene;
  const root = await ground.admin();
  const task = await assigned(scene);
  const noteFor = (from: Person, of: Person, name = 'note.txt') => upload(from, path(scene, task, of, '/comments/files'), { name });
  const foreign = [
    await upload(root, '/users/self/files', { name: 'passwords.csv' }),
    await upload(student2, path(scene, task, 'self', '/files'), { name: 'work.txt' }),
    await noteFor(student2, student2),
    await noteFor(ta, student),
    { id: 99_999_999 },
  ];
  const own = await upload(teacher, '/users/self/files', { name: 'mine.txt' });
  const other = await noteFor(teacher, student2);
  const good = await noteFor(teacher, student);
  const refusal = (parameter: string) => ({ errors: [{ message: expect.stringContaining(parameter) }] });
  const single = path(scene, task, student);
  for (const { id } of [...foreign, own, other]) {
    const file_ids = [good.id, id];
    expect(ok(within(await as(teacher).put(single, { comment: { file_ids } }), 3), 400)).toMatchObject(refusal('comment[file_ids]'));
    const grade_data = { [student.id]: { file_ids } };
    const bulk = as(teacher).post(path(scene, task, 'update_grades'), { grade_data });
    expect(ok(await bulk, 400)).toMatchObject(refusal(`grade_data[${student.id}][file_ids]`));
    const all = as(teacher).post(`/courses/${scene.course.id}/submissions/update_grades`, { grade_data: { [task.id]: grade_data } });
    expect(ok(await all, 400)).toMatchObject(refusal('[file_ids]'));
    if (id !== other.id && id !== good.id)
      ok(await as(student).put(path(scene, task, 'self'), { comment: { text_comment: 'x', file_ids: [id] } }), 400);
  }
  expect(ok(await as(teacher).get(single, { include: ['submission_comments'] })).submission_comments).toEqual([]);
  ok(within(await as(teacher).post(path(scene, task, 'update_grades'), { grade_data: { [student.id]: { file_ids: [good.id] } } }), 3));
  const [said] = ok(await as(student).get(single, { include: ['submission_comments'] })).submission_comments;
  expect(said.attachments).toMatchObject([{ id: good.id }]);
});

test("a comment that names another user's file returns nothing of it", async () => {
  const scene = await aCourse(ground);
  const { student, teacher } = scene;
  const root = await ground.admin();
  const task = await assigned(scene);
  const secret = await upload(root, '/users/self/files', { name: 'passwords.csv' });
  const single = path(scene, task, student);
  const { submission_comments } = ok(await as(teacher).put(single, { comment: { text_comment: 'x' } }));
  await env.DB.prepare('update submission_comments set attachment_ids = ? where id = ?')
    .bind(`[${secret.id}]`, submission_comments[0].id)
    .run();
  const answers = [
    await as(student).get(single, { include: ['submission_comments'] }),
    await as(teacher).put(`${single}/comments/${submission_comments[0].id}`, { comment: 'y' }),
  ];
  for (const answer of answers) {
    expect(ok(answer)).toBeTruthy();
    expect(JSON.stringify(answer.body)).not.toContain(secret.uuid);
  }
});

test("a grader submits files that they uploaded for it, and none of the student's own", async () => {
  const scene = await aCourse(ground);
  const { student, teacher } = scene;
  const task = await assigned(scene);
  const hands = (file_ids: number[]) =>
    as(teacher).post(path(scene, task), { submission: { submission_type: 'online_upload', user_id: student.id, file_ids } });
  const diary = await upload(student, '/users/self/files', { name: 'diary.txt' });
  ok(await hands([diary.id]), 400);
  const scan = await upload(teacher, path(scene, task, student, '/files'), { name: 'scan.txt' });
  expect(ok(await hands([scan.id, diary.id]), 201).attachments).toMatchObject([{ id: scan.id }]);
});

/** A student's folder, and ways to hide a course file from that student. */
async function shutFile() {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const at = `/courses/${course.id}`;
  const folder = ok(await as(teacher).post(`${at}/folders`, { name: 'Answers' }));
  const file = await upload(teacher, `${at}/files`, { name: 'answers.txt', parent_folder_id: folder.id } as never);
  const own = ok(await as(student).get('/users/self/folders/root'));
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'Later' } }));
  ok(await as(teacher).post(`${at}/modules/${module.id}/items`, { module_item: { type: 'File', content_id: file.id } }));
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { published: true } }));
  const setting = (address: string) => (given: object) => async () => ok(await as(teacher).put(address, given));
  const [setModule, setFile] = [setting(`${at}/modules/${module.id}`), setting(`/files/${file.id}`)];
  const [setFolder, setTab] = [setting(`/folders/${folder.id}`), setting(`${at}/tabs/files`)];
  const later = '2099-01-01T00:00:00Z';
  const ways: Record<string, readonly [shut: () => Promise<unknown>, open: () => Promise<unknown>]> = {
    'a module': [setModule({ module: { unlock_at: later } }), setModule({ module: { unlock_at: '2020-01-01T00:00:00Z' } })],
    'its lock': [setFile({ locked: true }), setFile({ locked: false })],
    'its dates': [setFile({ unlock_at: later }), setFile({ unlock_at: '' })],
    'being hidden': [setFile({ hidden: true }), setFile({ hidden: false })],
    'its folder': [setFolder({ locked: true }), setFolder({ locked: false })],
    'its hidden folder': [setFolder({ hidden: true }), setFolder({ hidden: false })],
    'the tab': [setTab({ hidden: true }), setTab({ hidden: false })],
  };
  return { ...scene, folder, file, own, ways };
}

test('a file that the caller may not download cannot be copied', async () => {
  const { folder, file, own, student, teacher, ways } = await shutFile();
  const copyFile = () => as(student).post(`/folders/${own.id}/copy_file`, { source_file_id: file.id, on_duplicate: 'rename' });
  const copyFolder = () => as(student).post(`/folders/${own.id}/copy_folder`, { source_folder_id: folder.id });
  for (const [name, [shut, open]] of Object.entries(ways)) {
    ok(within(await copyFile(), 3));
    ok(await copyFolder(), 401);
    await shut();
    const found = (await copyFile()).status;
    expect({ [name]: found }).toEqual({ [name]: 401 });
    ok(await as(teacher).post(`/folders/${folder.id}/copy_file`, { source_file_id: file.id, on_duplicate: 'rename' }));
    await open();
  }
});

test("a group's avatar is a file of that group, and no other file returns its address there", async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const root = await ground.admin();
  const secret = await upload(root, '/users/self/files', { name: 'passwords.csv' });
  const category = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Projects' }));
  const inSet = `/group_categories/${category.id}/groups`;
  const makings = [
    await as(student).post('/groups', { name: 'Chess', avatar_id: secret.id }),
    await as(teacher).post(inSet, { name: 'One', avatar_id: secret.id }),
    await as(student).post(`/courses/${course.id}/groups`, { name: 'Two', avatar_id: secret.id }),
  ];
  for (const made of makings) expect(ok(made).avatar_url).toBeNull();
  const group = makings[1]?.body;
  ok(await as(teacher).put(`/groups/${group.id}`, { members: [student.id] }));
  const picture = await upload(student, `/groups/${group.id}/files`, { name: 'logo.png' });
  const show = async (avatar_id: number) => ok(within(await as(teacher).put(`/groups/${group.id}`, { avatar_id }), 3)).avatar_url;
  expect(await show(secret.id)).toBeNull();
  expect(await show(picture.id)).toContain(picture.uuid);
  await env.DB.prepare('update groups set avatar_id = ? where id = ?').bind(secret.id, group.id).run();
  expect(ok(await as(teacher).get(`/groups/${group.id}`)).avatar_url).toBeNull();
});

test('a section-restricted assistant adds only users of their sections to a group', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const section = await ground.section(course, { name: 'Evening' });
  const assistant = await ground.person({ name: 'Sid Section' });
  await ground.enroll(course, assistant, 'ta', { section_id: section, limited: true });
  await ground.enroll(course, student2, 'student', { section_id: section });
  const category = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Projects' }));
  const group = ok(await as(teacher).post(`/group_categories/${category.id}/groups`, { name: 'One' }));
  ok(await as(teacher).put(`/groups/${group.id}`, { members: [student2.id] }));
  const members = async () => ok(await as(teacher).get(`/groups/${group.id}/users`)).map(({ id }: { id: number }) => id);
  await as(assistant).put(`/groups/${group.id}`, { members: [student.id, student2.id] });
  await as(assistant).post(`/groups/${group.id}/memberships`, { user_id: student.id });
  expect(await members()).toEqual([student2.id]);
  ok(await as(teacher).post(`/groups/${group.id}/memberships`, { user_id: student.id }));
  expect(await members()).toHaveLength(2);
});

test('a refused reservation returns no reservations of other participants', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const appointment_group = {
    context_codes: [`course_${course.id}`],
    title: 'Talks',
    publish: true,
    participant_visibility: 'private',
    new_appointments: [['2099-02-01T10:00:00Z', '2099-02-01T11:00:00Z']],
  };
  const made = ok(await as(teacher).post('/appointment_groups', { appointment_group }), 201);
  const [slot] = ok(await as(teacher).get(`/appointment_groups/${made.id}`, { include: ['appointments'] })).appointments;
  const reserve = (who: Person, body: object) => as(who).post(`/calendar_events/${slot.id}/reservations`, body);
  ok(await reserve(student2, { comments: 'about my illness' }));
  expect(ok(await reserve(student, { participant_id: student2.id }), 400)[0].reservations).toEqual([]);
  expect(ok(await reserve(teacher, { participant_id: student2.id }), 400)[0].reservations).toMatchObject([
    { comments: 'about my illness' },
  ]);
  expect(ok(await reserve(student2, {}), 400)[0].reservations).toMatchObject([{ comments: 'about my illness' }]);
});
