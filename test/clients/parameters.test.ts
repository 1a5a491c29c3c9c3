// Parameters that `fetch` cannot send, such as a body with GET: over real connections.

import { request } from 'node:http';
import { expect, inject, test } from 'vitest';

const { url, casts } = inject('started');
const { course, teacher } = casts.courses;

function send(path: string, type: string, body: string): Promise<{ names: string[]; link: string }> {
  const headers = { Authorization: `Bearer ${teacher.token}`, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) };
  return new Promise((settle, fail) => {
    const asking = request(`${url}${path}`, { method: 'GET', headers }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      expect(answer.statusCode).toBe(200);
      const list = JSON.parse(Buffer.concat(parts).toString()) as { name: string }[];
      settle({ names: list.map(({ name }) => name), link: String(answer.headers.link) });
    });
    asking.once('error', fail);
    asking.end(body);
  });
}

test('parameters in the body of a GET are read, and the linked pages belong to the same list', async () => {
  const path = `/api/v1/courses/${course.id}/users`;
  for (const [type, body] of [
    ['application/json', JSON.stringify({ enrollment_type: ['teacher'], per_page: 1 })],
    ['application/x-www-form-urlencoded', 'enrollment_type[]=teacher&per_page=1'],
  ] as const) {
    const { names, link } = await send(path, type, body);
    expect(names, type).toEqual([teacher.name]);
    expect(link).toContain(`<${url}${path}?enrollment_type%5B%5D=teacher&page=1&per_page=1>`);
  }
  // The query takes precedence, as over the body of a write.
  expect((await send(`${path}?enrollment_type[]=teacher`, 'application/json', '{"enrollment_type":["student"]}')).names).toEqual([
    teacher.name,
  ]);
});

test('an address with double slashes reaches the service unchanged', async () => {
  const { link } = await send(`//api/v1/courses/${course.id}/users`, 'application/json', '{}');
  expect(link).toContain(`<${url}/api/v1/courses/`);
});
