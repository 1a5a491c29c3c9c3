// Problems that users report, and the pages on which those who run the service read them.

import { SELF } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
beforeAll(async () => {
  scene = await aCourse(ground);
});

async function page(path: string, person?: Person) {
  const headers = { Accept: 'text/html', ...(person && { Cookie: `carrel_session=${await ground.session(person)}` }) };
  const response = await SELF.fetch(`${base}${path}`, { headers, redirect: 'manual' });
  noteRoute(response.headers, response.status);
  return response;
}

test('a user reports a problem, which those who run the service read', async () => {
  const { student, teacher } = scene;
  const error = {
    subject: ' <b>Nothing</b> works ',
    url: 'javascript:alert(1)',
    email: 'sam@example.edu',
    comments: 'I clicked.\nThen it failed.',
    http_env: { userAgent: 'Browser <1>', nested: { a: 1 } },
  };
  const { logged, id } = ok(within(await as(student).post('/error_reports', { error }, { json: true }), 3));
  expect(logged).toBe(true);
  const form = ok(await as(teacher).post('/error_reports', { error: { subject: 'x'.repeat(300), http_env: { HTTP_REFERER: 'here' } } }));
  expect(form.id).toBeGreaterThan(id);

  const admin = await ground.admin();
  const shown = await page(`/error_reports/${id}`, admin);
  expect(shown.status).toBe(200);
  const html = await shown.text();
  for (const words of ['&#60;b&#62;Nothing&#60;/b&#62; works', 'sam@example.edu', 'I clicked.\nThen it failed.', 'Browser &#60;1&#62;'])
    expect(html).toContain(words);
  expect(html).not.toContain('href="javascript:');
  const list = await (await page('/error_reports', admin)).text();
  expect(list.indexOf(`/error_reports/${form.id}"`)).toBeLessThan(list.indexOf(`/error_reports/${id}"`));
  expect(list).toContain('x'.repeat(255));
  expect(list).not.toContain('x'.repeat(256));
  expect((await page('/error_reports/88888888', admin)).status).toBe(404);
});

test('a report without a subject is refused, and the pages are for no one else', async () => {
  const { student, teacher } = scene;
  for (const given of [{}, { error: {} }, { error: { subject: '  ' } }]) {
    const refused = await as(student).post('/error_reports', given, { json: true });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('subject');
  }
  ok(await as().post('/error_reports', { error: { subject: 'x' } }), 401);
  const { id } = ok(await as(student).post('/error_reports', { error: { subject: 'Mine' } }));
  for (const path of ['/error_reports', `/error_reports/${id}`]) {
    for (const person of [student, teacher]) expect((await page(path, person)).status).toBe(404);
    expect((await page(path)).headers.get('location')).toContain('/login');
  }
});
