// What the fake server needs to receive files in parts: begin, parts with their hashes, completion with the hash of the whole.

import { createHash } from 'node:crypto';
import type { FakeRequest, FakeServer } from './fake_server';
import type { FakeReply } from './fake_writes';

interface FakeUpload {
  readonly id: number;
  readonly uuid: string;
  readonly size: number;
  readonly sha256: string;
  readonly parts: Map<number, string>;
  file?: FakeReply;
}

const address = '/api/sync/v1/uploads';

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

/** @param shelf receives the whole files @returns the uploads by number */
export function takesParts(
  server: FakeServer,
  shelf: { arrive(uuid: string, whole: string): FakeReply },
  part_size: number,
): Map<number, FakeUpload> {
  const uploads = new Map<number, FakeUpload>();
  const others = server.besides;
  const missing = { status: 404, body: { message: 'The specified resource does not exist.' } };
  const told = ({ id, size, sha256, parts, file }: FakeUpload): FakeReply => ({
    status: 200,
    body: {
      id,
      workflow_state: file ? 'complete' : 'open',
      size,
      sha256,
      part_size,
      part_count: Math.ceil(size / part_size),
      parts: [...parts.keys()].map((number) => ({ number })),
    },
  });
  const begin = ({ uuid, size, sha256 }: { uuid: string; size: number; sha256: string }): FakeReply => {
    const known = [...uploads.values()].find((one) => one.uuid === uuid);
    const upload = known ?? { id: server.id(), uuid, size, sha256, parts: new Map() };
    uploads.set(upload.id, upload);
    return told(upload);
  };
  const complete = (upload: FakeUpload): FakeReply => {
    const { parts, size, sha256, uuid } = upload;
    const numbers = Array.from({ length: Math.ceil(size / part_size) }, (_, at) => at + 1);
    const lacking = numbers.filter((number) => !parts.has(number));
    if (lacking.length > 0) return { status: 409, body: { message: 'parts are missing', missing: lacking } };
    const whole = numbers.map((number) => parts.get(number)).join('');
    if (hashOf(whole) !== sha256) return { status: 422, body: { message: 'different' } };
    upload.file ??= shelf.arrive(uuid, whole);
    return upload.file;
  };
  const onUpload = (upload: FakeUpload, { method, path }: FakeRequest, body: string): FakeReply => {
    const { pathname, searchParams } = new URL(path, server.url);
    if (pathname.endsWith('/complete')) return complete(upload);
    if (method === 'DELETE') uploads.delete(upload.id);
    const [, part] = /\/parts\/(\d+)$/.exec(pathname) ?? [];
    if (part === undefined) return told(upload);
    if (hashOf(body) !== searchParams.get('sha256')) return { status: 422, body: { message: 'different' } };
    upload.parts.set(Number(part), body);
    return { status: 201, body: {} };
  };
  /** The same ticket, with the offer. */
  const offering = (asked: FakeRequest, body: string): FakeReply | undefined => {
    const reply = others(asked, body);
    const isTicket = asked.method === 'POST' && asked.path.endsWith('/files') && JSON.parse(body).in_parts === true;
    if (!isTicket || reply?.status !== 200) return reply;
    return { status: 200, body: { ...(reply.body as object), parts_url: `${server.url}${address}` } };
  };
  server.besides = (asked, body) => {
    if (asked.path === address) return begin(JSON.parse(body));
    if (!asked.path.startsWith(`${address}/`)) return offering(asked, body);
    const upload = uploads.get(Number(asked.path.slice(address.length + 1).split('/')[0]));
    return upload ? onUpload(upload, asked, body) : missing;
  };
  return uploads;
}
