// Access to a desk on loopback, and the files it serves.

import { request } from 'node:http';
import { join } from 'node:path';
import { serveDesk } from '@carrel/desktop/hosts/web/main';
import { describe, expect, test } from 'vitest';
import { deskRoom, type Visited } from './support/desk';
import type { RunningLibrary } from './support/library';

const room = deskRoom();

const cookieOf = async ({ url, origin }: Visited<RunningLibrary>) => {
  const key = /#key=(.*)$/.exec(url)?.[1];
  const entered = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  return entered.headers.get('set-cookie') ?? '';
};

const ask = (origin: string, cookie: string, channel: string, given: unknown = null, headers: Record<string, string> = {}) =>
  fetch(`${origin}/channel/${channel}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookie.split(';')[0] ?? '', ...headers },
    body: JSON.stringify(given),
  });

/** `fetch` cannot set the Host header. */
const withHost = (origin: string, path: string, host: string) =>
  new Promise<number>((resolve, reject) => {
    request(`${origin}${path}`, { headers: { host } }, (response) => resolve(response.resume().statusCode ?? 0))
      .on('error', reject)
      .end();
  });

describe('access', () => {
  test('nothing is returned without the cookie', async () => {
    const { origin, desk } = await room.library();
    expect((await ask(origin, '', 'courses.list')).status).toBe(401);
    expect((await fetch(`${origin}/files/702`)).status).toBe(401);
    expect((await fetch(`${origin}/notices`)).status).toBe(401);
    expect((await fetch(`${origin}/attach/11/304?name=a.txt`, { method: 'POST', body: 'A' })).status).toBe(401);
    expect(desk.asked).toEqual([]);
  });

  test('the key is exchanged for a cookie that scripts and other sites cannot use', async () => {
    const visited = await room.library();
    const cookie = await cookieOf(visited);
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict; Path=\//);
    expect(cookie).not.toContain(visited.url.split('=')[1]);
    expect((await ask(visited.origin, cookie, 'courses.list')).status).toBe(200);
  });

  test('a page uploads the bytes of files, and cannot name local paths', async () => {
    const visited = await room.library();
    const cookie = await cookieOf(visited);
    const given = { course_id: 11, id: 304, name: 'passwd', path: '/etc/passwd' };
    expect((await ask(visited.origin, cookie, 'work.attach', given)).status).toBe(400);
    expect(visited.desk.asked).not.toContain('work.attach');
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    const sent = (address: string) => fetch(`${visited.origin}/attach/${address}`, { method: 'POST', headers, body: 'A' });
    expect((await sent(`11/304?name=${encodeURIComponent('../../a.txt')}`)).status).toBe(200);
    expect(visited.desk.given.get('work.attach')).toMatchObject({ course_id: 11, id: 304, name: 'a.txt' });
    expect((await sent('11/x?name=a.txt')).status).toBe(404);
    expect((await sent('11/304')).status).toBe(404);
  });

  test('a wrong key is refused', async () => {
    const { origin } = await room.library();
    const entered = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"key":"x"}',
    });
    expect(entered.status).toBe(401);
    expect(entered.headers.get('set-cookie')).toBeNull();
  });

  test('other origins and other host names are refused, with or without the cookie', async () => {
    const visited = await room.library();
    const cookie = await cookieOf(visited);
    const { origin } = visited;
    expect((await ask(origin, cookie, 'courses.list', null, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await ask(origin, cookie, 'courses.list', null, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await withHost(origin, '/', 'evil.example')).toBe(403);
    expect(await withHost(origin, '/', new URL(origin).host)).toBe(200);
  });

  test('only JSON for a known channel is accepted', async () => {
    const visited = await room.library();
    const cookie = await cookieOf(visited);
    expect((await ask(visited.origin, cookie, 'close')).status).toBe(404);
    expect((await ask(visited.origin, cookie, 'toString')).status).toBe(404);
    expect((await ask(visited.origin, cookie, 'courses.list', null, { 'content-type': 'text/plain' })).status).toBe(400);
  });

  test('an occupied port is reported', async () => {
    const { origin, desk, folder } = await room.library();
    const port = Number(new URL(origin).port);
    const second = serveDesk({ port, store: join(folder, '..', 'second'), desk });
    await expect(second).rejects.toThrow(/^Port \d+ is taken\. Choose another for the desk: DESK_PORT=/);
  });
});

describe('served files', () => {
  test('a file of the study folder is served by its id, sandboxed', async () => {
    const visited = await room.library();
    const cookie = await cookieOf(visited);
    const image = await fetch(`${visited.origin}/files/702`, { headers: { cookie } });
    expect(image.status).toBe(200);
    expect(image.headers.get('content-type')).toBe('image/svg+xml');
    expect(image.headers.get('x-content-type-options')).toBe('nosniff');
    expect(image.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    const part = await fetch(`${visited.origin}/files/702`, { headers: { cookie, range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, '<svg']);
  });

  test('a path outside of the folder is refused', async () => {
    const visited = await room.library();
    const cookie = await cookieOf(visited);
    expect((await fetch(`${visited.origin}/files/724`, { headers: { cookie } })).status).toBe(404);
    expect(await (await ask(visited.origin, cookie, 'file.open', { id: 724 })).json()).toEqual({ answer: null });
    expect(await withHost(visited.origin, '/../../package.json', new URL(visited.origin).host)).toBe(404);
    expect(await withHost(visited.origin, '/assets/..%2f..%2fpackage.json', new URL(visited.origin).host)).toBe(404);
  });

  test('the UI has a policy that allows no foreign scripts', async () => {
    const { origin } = await room.library();
    const page = await fetch(origin);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});
