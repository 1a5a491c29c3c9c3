import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';
import { bytes, send, upload } from '../support/upload';

test('a teacher uploads a file to a course in three steps', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const answer = within(
    await as(teacher).post(`/courses/${course.id}/files`, { name: 'Notes on läuft.txt', size: 5, 'success_include[]': 'user' }),
    3,
  );
  const ticket = ok(answer);
  expect(ticket).toEqual({ upload_url: 'https://carrel.test/files_api', upload_params: expect.any(Object), file_param: 'file' });
  expect(Object.values(ticket.upload_params).every((value) => typeof value === 'string')).toBe(true);
  expect(ok(await as(teacher).get(`/courses/${course.id}/files`))).toEqual([]);

  const sent = await send(ticket, 'hello');
  expect(sent.status, JSON.stringify(sent.body)).toBe(201);
  expect(sent.body).toEqual({
    id: expect.any(Number),
    uuid: expect.stringMatching(/^\w{40}$/),
    folder_id: expect.any(Number),
    display_name: 'Notes on läuft.txt',
    filename: 'Notes+on+l%C3%A4uft.txt',
    upload_status: 'success',
    'content-type': 'text/plain',
    url: expect.stringContaining(`/files/${sent.body.id}/download?download_frd=1&verifier=${sent.body.uuid}`),
    size: 5,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    modified_at: expect.any(String),
    unlock_at: null,
    lock_at: null,
    locked: false,
    hidden: false,
    hidden_for_user: false,
    thumbnail_url: null,
    mime_class: 'text',
    media_entry_id: null,
    category: 'uncategorized',
    locked_for_user: false,
    visibility_level: 'inherit',
    user: expect.objectContaining({ id: teacher.id, display_name: 'Tara Teacher' }),
  });
  expect(sent.headers.get('location')).toBe(`https://carrel.test/api/v1/files/${sent.body.id}?include%5B%5D=user`);
  expect(ok(await as(teacher).get(sent.headers.get('location') as string)).user.id).toBe(teacher.id);

  const done = `/files/${sent.body.id}/create_success?uuid=${ticket.upload_params.uuid}`;
  expect(ok(await as().get(`/api/v1${done}`)).id).toBe(sent.body.id);
  expect(ok(await as().post(`/api/v1${done}`)).id).toBe(sent.body.id);
  expect((await as().get('/api/v1/files/1/create_success?uuid=wrong')).status).toBe(400);
  expect((await bytes(sent.body.url)).text).toBe('hello');
  expect(ok(await as(student).get(`/courses/${course.id}/files`)).map((file: { id: number }) => file.id)).toEqual([sent.body.id]);
});
