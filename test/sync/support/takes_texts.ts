// What the fake server needs for authors: pages and assignments with versions, conditional updates, and the upload of an image.

import { createHash } from 'node:crypto';
import type { Kind } from '@carrel/shared/sync/protocol';
import type { FakeCourse } from './course';
import type { FakeServer } from './fake_server';
import type { FakeReply } from './fake_writes';

type Json = Record<string, unknown>;

interface Item {
  readonly kind: 'page' | 'assignment';
  readonly id: number;
}

const fields = ['title', 'body', 'name', 'description', 'published', 'points_possible', 'due_at', 'unlock_at', 'lock_at'];
const versionOf = (item: Json): string =>
  createHash('sha1')
    .update(JSON.stringify(fields.map((name) => item[name])))
    .digest('hex');

export function takesTexts(server: FakeServer, course: FakeCourse) {
  let refusal: string | undefined;
  const requests: { readonly method: string; readonly given: Json; readonly status: number }[] = [];
  const change = ({ kind, id }: Item, more: Json) => {
    const after = { ...server.get(kind, id), ...more };
    server.change(kind, id, { ...more, version: versionOf(after) });
  };
  const at = new RegExp(`^/api/v1/courses/${course.id}/(page|assignment)s(?:/(?:page_id:)?(\\d+))?$`);

  function reply(method: string, kind: Item['kind'], id: number | undefined, given: Json, match: string | undefined): FakeReply {
    if (refusal !== undefined) return { status: 403, body: { message: refusal } };
    const sent = (given.wiki_page ?? given.assignment) as Json;
    if (method === 'POST') {
      const made = course.page(String(sent.title), String(sent.body), { published: sent.published });
      change({ kind: 'page', id: made }, {});
      return { status: 200, body: server.get('page', made) };
    }
    if (id === undefined || !server.has(kind, id)) return { status: 404, body: { message: `${kind} not found` } };
    const there = server.get(kind as Kind, id);
    if (match !== undefined && match !== `"${there.version}"`)
      return { status: 412, body: { message: 'the precondition failed', current: { id, ...there }, copy: null } };
    change({ kind, id }, sent);
    return { status: 200, body: { id, ...server.get(kind, id) } };
  }

  const others = server.besides;
  server.besides = (asked, body) => {
    const { pathname } = new URL(asked.path, server.url);
    if (pathname === `/api/v1/courses/${course.id}/files`)
      return { status: 200, body: { upload_url: `${server.url}/api/v1/bytes`, upload_params: { key: 'k' } } };
    if (pathname === '/api/v1/bytes')
      return { status: 201, body: { id: server.id(), size: 11, display_name: 'shore.png', folder_id: null } };
    const found = at.exec(pathname);
    if (!found) return others(asked, body);
    const [, kind, id] = found;
    const given = JSON.parse(body) as Json;
    const match = asked.headers['if-match'];
    const made = reply(asked.method, kind as Item['kind'], id === undefined ? undefined : Number(id), given, match as string | undefined);
    requests.push({ method: asked.method, given, status: made.status });
    return made;
  };
  return {
    /** The requests that took effect or were refused, without repeated ones. */
    requests,
    /** Gives the caller the right to change it. */
    give: (item: Item) => change(item, {}),
    change,
    refuse: (why: string | undefined) => {
      refusal = why;
    },
  };
}
