// Downloads: access to a file's bytes, streamed from R2.

import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { newMeter, open } from '../../../database/open';
import type { Call } from '../../../http/call';
import { notFound, unauthenticated, unauthorized } from '../../../http/problem';
import { type Reply, rawResponse } from '../../../http/reply';
import { isBound, moduleLockOf, moduleLocks } from '../../modules/locks';
import { requirementEvent } from '../../modules/progress/record';
import { module_items } from '../../modules/table';
import { ancestry, chainOfFolder, lockOf } from '../folders/ancestry';
import type { FileRow } from '../json';
import { maskedVerifier } from '../masked';
import { anonymousName } from '../names';
import { fileContextOf } from '../place';
import { isAnonymousWork } from '../policy';
import { isSigned } from '../signature';
import { files } from '../table';
import { type DownloadVerdict, evaluateConditions } from './conditions';
import { contentHeaders } from './content_headers';

/** The signed part of a temporary URL: file and expiry. */
export const addressFor = (id: number, expires_at: string) => ({ id: String(id), expires_at });

type Around = Pick<Call, 'db' | 'env' | 'me' | 'course' | 'user' | 'group' | 'tree' | 'now'>;

const refused = ({ me }: Around) => (me.isKnown ? unauthorized() : unauthenticated());

/** Without access to the context, a missing file gets the same 401 as an existing one. */
const missing = (call: Around) => (fileContextOf(call)?.reads === false ? refused(call) : notFound());

/** Reads the file and its blob, the parent folders, the modules that contain it, and whether viewing it is a requirement. */
async function load(call: Around, where: SQL) {
  const { db, course, me } = call;
  const ids = sql`select id from files where ${where}`;
  const [[file], folders, required, modules] = await db.perform([
    db.build
      .select({
        ...getTableColumns(files),
        key: sql<string>`(select key from blobs where blobs.id = ${files.blob_id})`.as('key'),
        sha256: sql<string>`(select sha256 from blobs where blobs.id = ${files.blob_id})`.as('sha256'),
        is_anonymous: sql<number>`(${files.context_id} <> ${me.id} and ${isAnonymousWork})`.as('is_anonymous'),
      })
      .from(files)
      .where(and(where, eq(files.workflow_state, 'available'))),
    ancestry(db, sql`select folder_id from files where ${where}`),
    db.build
      .select({ id: module_items.id })
      .from(module_items)
      .where(
        and(
          eq(module_items.type, 'File'),
          sql`${module_items.content_id} in (${ids})`,
          eq(module_items.workflow_state, 'active'),
          eq(module_items.requirement_type, 'must_view'),
        ),
      )
      .limit(course?.participates ? 1 : 0),
    moduleLocks('File', ids, { db, me, course: course && isBound(course) ? course : undefined }),
  ]);
  if (!file) throw missing(call);
  return { file, folders, modules, isRequired: required.length > 0 };
}

type Loaded = Awaited<ReturnType<typeof load>>;

/** The caller follows the link of a submission whose student is anonymous to them. */
const isMasked = ({ env }: Pick<Call, 'env'>, file: FileRow, verifier: unknown): boolean =>
  typeof verifier === 'string' && verifier === maskedVerifier(env.SIGNING_SECRET, file);

/** The file's uuid grants access without signing in; a lock applies to everyone who does not see all. */
async function refuse(call: Around, { file, folders, modules }: Loaded, verifier: unknown): Promise<void> {
  const { env, me, tree, now, course } = call;
  if (typeof tree.signature === 'string' && typeof tree.expires_at === 'string' && tree.expires_at > now)
    if (await isSigned(env.SIGNING_SECRET, addressFor(file.id, tree.expires_at), tree.signature)) return;
  const place = fileContextOf(call);
  const isHere = place?.context_type === file.context_type && place.context_id === file.context_id;
  if ((file.context_type === 'User' && file.context_id === me.id) || (isHere && place.seesAll)) return;
  const isOpen = file.visibility_level === 'public' || (file.visibility_level === 'institution' && me.isKnown);
  if (verifier !== file.uuid && !isMasked(call, file, verifier) && !isOpen && !(isHere && place.reads)) throw refused(call);
  const module = course && isBound(course) ? moduleLockOf(modules, 'File', file.id, now) : undefined;
  if (module || lockOf([file, ...chainOfFolder(folders, file.folder_id)], now)) throw unauthorized();
}

/** Records that a student has viewed a file that a module requires. */
function noteView(call: Call, { id }: FileRow): void {
  const { course } = call;
  if (!course) return;
  call.afterwards(async () => {
    // A database session of its own, because the request's meter must not count this work.
    const db = open(call.env.DB, newMeter(), 'first-primary');
    const then: (() => Promise<unknown>)[] = [];
    const afterwards = (work: () => Promise<unknown>) => void then.push(work);
    await db.perform(requirementEvent({ ...call, db, afterwards }, course, { type: 'File', content_id: id }, 'read'));
    for (const work of then) await work();
  });
}

/** Stored bytes and their name. */
export interface Stored {
  readonly key: string;
  readonly sha256: string;
  readonly size: number;
  readonly display_name: string;
  readonly content_type: string;
}

const empty = (status: number, headers: Record<string, string>) => rawResponse(new Response(null, { status, headers }));

async function answer(call: Call, file: Stored, verdict: DownloadVerdict, headers: Record<string, string>): Promise<Reply> {
  const { env, meter, request } = call;
  switch (verdict.kind) {
    case 'failed':
      return empty(412, {});
    case 'unchanged':
      return empty(304, headers);
    case 'unsatisfiable':
      return empty(416, { 'Content-Range': `bytes */${file.size}` });
    case 'whole':
    case 'range': {
      const { offset, length } = verdict.kind === 'range' ? verdict : { offset: 0, length: file.size };
      const isPart = verdict.kind === 'range';
      const all = {
        ...headers,
        'Content-Length': String(length),
        ...(isPart && { 'Content-Range': `bytes ${offset}-${offset + length - 1}/${file.size}` }),
      };
      if (request.method === 'HEAD') return empty(200, all);
      meter.r2_calls += 1;
      const object = await env.FILES.get(file.key, isPart ? { range: { offset, length } } : {});
      if (!object) throw notFound();
      return rawResponse(new Response(object.body, { status: isPart ? 206 : 200, headers: all }));
    }
  }
}

interface How {
  /** Show it in the browser, if that is safe. */
  readonly inline: boolean;
  readonly verifier?: unknown;
}

/**
 * The file that the condition finds, if the caller may download it.
 * @throws Problem 404 when missing, 401 when the caller may not read it or it is locked
 */
export async function downloadable(call: Around, where: SQL, verifier?: unknown): Promise<Loaded> {
  const loaded = await load(call, where);
  await refuse(call, loaded, verifier);
  return loaded;
}

/** Whether the caller may not know whose work it is, to which the name of the file may point. */
function hidesName(call: Around, file: Loaded['file'], verifier: unknown): boolean {
  const place = fileContextOf(call);
  const isOwn = place?.reads && place.context_type === file.context_type && place.context_id === file.context_id;
  return !isOwn && (file.is_anonymous === 1 || isMasked(call, file, verifier));
}

/** The bytes of the file that the condition finds. */
export async function serveFile(call: Call, where: SQL, { inline, verifier }: How): Promise<Reply> {
  const { file, isRequired } = await downloadable(call, where, verifier);
  const modified_at = file.modified_at ?? file.updated_at;
  if (isRequired && call.request.method === 'GET') noteView(call, file);
  const shown = hidesName(call, file, verifier) ? { ...file, display_name: anonymousName(file) } : file;
  return sendBytes(call, shown, modified_at, inline);
}

/** The bytes, or the requested range of them. */
export function sendBytes(call: Call, file: Stored, modified_at: string, inline: boolean): Promise<Reply> {
  const etag = `"${file.sha256}"`;
  const verdict = evaluateConditions(call.request.method, call.request.headers, { size: file.size, etag, modified_at });
  return answer(call, file, verdict, {
    ...contentHeaders(file, inline),
    ETag: etag,
    'Last-Modified': new Date(modified_at).toUTCString(),
  });
}
