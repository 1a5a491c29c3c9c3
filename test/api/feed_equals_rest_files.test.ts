// The feed agrees with GET requests while files and folders change.

import { expect, test } from 'vitest';
import { as } from '../support/api';
import { sendContent, upload } from '../support/upload';
import { aWatchedCourse, wrote } from '../support/watched_course';

test('in a course: created in a folder, copied with a folder, with usage rights, with a new verifier', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'observer']);
  const { at, teacher, admin } = scene;
  const folder = wrote(await as(teacher).post(`${at}/folders`, { name: 'Week 1' }));
  const inner = wrote(await as(teacher).post(`/folders/${folder.id}/folders`, { name: 'Inner' }));
  await scene.agree('a folder below a folder');
  const ticket = wrote(await as(teacher).post(`/folders/${inner.id}/files`, { name: 'a.txt', size: 1 }));
  const { body: file } = await sendContent(ticket, 'a');
  await scene.agree('a file in it');
  wrote(await as(teacher).post(`/files/${file.id}`, { include: ['user'] }));
  const other = wrote(await as(teacher).post(`${at}/folders`, { name: 'Week 2' }));
  wrote(await as(teacher).post(`/folders/${other.id}/copy_folder`, { source_folder_id: folder.id }));
  await scene.agree('a folder copied');
  wrote(await as(admin).post(`/files/${file.id}/reset_verifier`));
  await scene.agree('a new verifier');
  const rights = { use_justification: 'own_copyright', legal_copyright: '(C) 2026' };
  wrote(await as(teacher).put(`${at}/usage_rights`, { folder_ids: [folder.id], usage_rights: rights, publish: true }));
  await scene.agree('usage rights');
  wrote(await as(teacher).del(`${at}/usage_rights`, { file_ids: [file.id] }));
  await scene.agree('usage rights removed');
  wrote(await as(teacher).put(`/folders/${folder.id}`, { hidden: true }));
  await scene.agree('a hidden folder');
  expect(scene.seenBy('student').has(`file ${file.id}`)).toBe(false);
  wrote(await as(teacher).put(`/folders/${folder.id}`, { hidden: false, name: 'Week 1, again', parent_folder_id: other.id }));
  await scene.agree('a folder moved and renamed');
  wrote(await as(teacher).put(`/folders/${other.id}`, { locked: true }));
  await scene.agree('the folder above locked');
  wrote(await as(teacher).put(`/folders/${folder.id}`, { parent_folder_id: folder.parent_folder_id }));
  await scene.agree('a folder moved out of a locked one');
  expect(scene.seenBy('student').has(`file ${file.id}`)).toBe(true);
  wrote(await as(teacher).put(`/files/${file.id}`, { parent_folder_id: other.id }));
  await scene.agree('a file moved into a locked folder');
  expect(scene.seenBy('student').has(`file ${file.id}`)).toBe(false);
  wrote(await as(teacher).del(`/folders/${other.id}`, { force: true }));
  await scene.agree('a folder deleted with its content');
});

test('attached to a topic, submitted', async () => {
  const scene = await aWatchedCourse(['teacher', 'student']);
  const { at, teacher, student, admin } = scene;
  const form = new FormData();
  for (const [name, value] of Object.entries({ title: 'With a file', published: 'true' })) form.set(name, value);
  form.set('attachment', new File(['some text'], 'notes.txt', { type: 'text/plain' }));
  const [hung] = wrote(await as(teacher).post(`${at}/discussion_topics`, form)).attachments;
  const essay = wrote(
    await as(teacher).post(`${at}/assignments`, {
      assignment: { name: 'Essay', published: true, points_possible: 1, submission_types: ['online_upload'] },
    }),
  );
  const work = `${at}/assignments/${essay.id}/submissions`;
  const { body: mine } = await sendContent(wrote(await as(student).post(`${work}/self/files`, { name: 'essay.txt', size: 1 })), 'a');
  wrote(await as(student).post(work, { submission: { submission_type: 'online_upload', file_ids: [mine.id] } }));
  await scene.agree('an attachment of a topic, a submitted file');
  wrote(await as(admin).put(`/files/${hung.id}`, { name: 'renamed.txt' }));
  await scene.agree('the file of the topic renamed');
  wrote(await as(admin).post(`/files/${mine.id}/reset_verifier`));
  await scene.agree('a new verifier for a submitted file');
});

test('personal files', async () => {
  const scene = await aWatchedCourse(['student', 'stranger']);
  const { student, admin } = scene;
  const folder = wrote(await as(student).post('/users/self/folders', { name: 'Mine' }));
  await scene.agree('a folder');
  const file = await upload(student, '/users/self/files', { name: 'a.txt', parent_folder_id: folder.id } as never, 'a');
  await scene.agree('a file');
  const usage_rights = { use_justification: 'own_copyright' };
  wrote(await as(student).put('/users/self/usage_rights', { file_ids: [file.id], usage_rights }));
  await scene.agree('usage rights');
  wrote(await as(student).del('/users/self/usage_rights', { file_ids: [file.id] }));
  wrote(await as(student).put(`/folders/${folder.id}`, { name: 'Still mine', locked: true }));
  await scene.agree('usage rights removed, a folder locked');
  const newer = await upload(
    student,
    '/users/self/files',
    { name: 'a.txt', parent_folder_id: folder.id, on_duplicate: 'overwrite' } as never,
    'b',
  );
  await scene.agree('a file replaced');
  const [version] = wrote(await as(student).get(`/api/sync/v1/files/${newer.id}/versions`));
  wrote(await as(student).post(`/api/sync/v1/files/${newer.id}/versions/${version.id}/restore`));
  await scene.agree('an earlier version restored');
  wrote(await as(admin).put(`/users/${student.id}`, { user: { name: 'Sam Renamed' } }));
  await scene.agree('a user renamed');
});
