// What the fake server needs to receive submissions: uploads in three steps, attempts, and signed receipts.

import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { FakeCourse } from './course';
import type { FakeServer } from './fake_server';

type Json = Record<string, unknown>;

export interface Attempt {
  readonly attempt: number;
  readonly submission_type: string;
  readonly body: string | null;
  readonly url: string | null;
  readonly files: readonly { readonly id: number; readonly name: string; readonly text: string }[];
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** @returns the attempts that have arrived, by assignment */
export function takesWork(server: FakeServer, course: FakeCourse) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const arrived = new Map<number, Attempt[]>();
  const uploads = new Map<number, { id: number; name: string; text: string }>();
  const refusals = new Map<number, { status: number; body: Json }>();
  let signs = true;
  server.words.set('/.well-known/jwks', { keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] });

  const submissionId = (assignment: number) => assignment + 1_000_000;
  const receipt = (id: number, nth: number) => {
    const assignment = id - 1_000_000;
    const found = arrived.get(assignment)?.[nth - 1];
    if (!found || !signs) return { status: 404, body: { message: 'The specified resource does not exist.' } };
    const words = found.body ?? found.url;
    const claims = {
      aud: 'receipt',
      submission_id: id,
      course_id: course.id,
      assignment_id: assignment,
      attempt: nth,
      submitted_at: '2026-11-20T09:00:00Z',
      submission_type: found.submission_type,
      sha256: words === null ? null : hashOf(words),
      files: found.files.map((file) => ({ id: file.id, name: file.name, size: file.text.length, sha256: hashOf(file.text) })),
    };
    const signed = `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
    return { status: 200, body: { receipt: `${signed}.${signature}` } };
  };

  server.besides = ({ method, path, headers }, body) => {
    const { pathname, searchParams } = new URL(path, server.url);
    const [, id] = /^\/api\/sync\/v1\/receipts\/(\d+)$/.exec(pathname) ?? [];
    if (id !== undefined) return receipt(Number(id), Number(searchParams.get('attempt')));
    if (pathname === '/upload' && headers['content-type']?.startsWith('multipart/form-data')) {
      const uuid = Number(/name="uuid"\r\n\r\n(\d+)/.exec(body)?.[1]);
      const [, name = '', text = ''] = /filename="([^"]*)"\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n--/.exec(body) ?? [];
      uploads.set(uuid, { id: uuid, name, text });
      return { status: 201, body: { id: uuid, display_name: name } };
    }
    const [, at, files] = /\/assignments\/(\d+)\/submissions(\/self\/files)?$/.exec(pathname) ?? [];
    if (at === undefined || method !== 'POST') return undefined;
    const assignment = Number(at);
    const refusal = refusals.get(assignment);
    if (refusal) return refusal;
    if (files)
      return {
        status: 200,
        body: { upload_url: `${server.url}/upload`, upload_params: { uuid: String(server.id()) }, file_param: 'file' },
      };
    const { submission } = JSON.parse(body) as {
      submission: { submission_type: string; body?: string; url?: string; file_ids?: number[] };
    };
    const made: Attempt = {
      attempt: (arrived.get(assignment)?.length ?? 0) + 1,
      submission_type: submission.submission_type,
      body: submission.body ?? null,
      url: submission.url ?? null,
      files: (submission.file_ids ?? []).map((one) => uploads.get(one) ?? { id: one, name: '?', text: '?' }),
    };
    arrived.set(assignment, [...(arrived.get(assignment) ?? []), made]);
    const { files: _, ...told } = made;
    const resource = {
      ...told,
      id: submissionId(assignment),
      assignment_id: assignment,
      user_id: 7,
      workflow_state: 'submitted',
      submitted_at: '2026-11-20T09:00:00Z',
    };
    server.put('submission', resource.id, resource, course.id);
    return { status: 201, body: resource };
  };

  return {
    /** The bytes of a ticket have arrived in another way. */
    arrive: (uuid: string, text: string) => {
      const file = { id: Number(uuid), name: 'in parts', text };
      uploads.set(file.id, file);
      return { status: 201, body: { id: file.id, display_name: file.name, size: text.length } };
    },
    arrivedAt: (assignment: number): readonly Attempt[] => arrived.get(assignment) ?? [],
    refuse: (assignment: number, status: number, body: Json) => refusals.set(assignment, { status, body }),
    relent: (assignment: number) => refusals.delete(assignment),
    signsNothing: () => {
      signs = false;
    },
  };
}
