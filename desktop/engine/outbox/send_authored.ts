// Sends one text of an author: only if it is still what they began with, and once. Its images are uploaded before it.

import { existsSync } from 'node:fs';
import type { AuthoredBase, AuthoredPlace } from '../../contract/authoring';
import { type AuthoredJson, authoredIdOf, baseOf, isSameText, isStill, mergedAlone, requestOfText } from '../authoring/authored';
import { unsentImages, withSentImages } from '../authoring/images';
import type { AssignmentJson, PageJson } from '../model/resources';
import { Declined, type Session } from '../server/session';
import { uploadFile } from '../server/upload';
import type { Cache } from '../store/cache';
import { type AuthoredIntent, storeText, textIsSent } from './authored_texts';
import type { IntentQueue } from './intent_queue';
import type { AuthoredBody, WorkFile } from './intents';
import { HeldSubmission } from './may_hand_in';
import { bytesAt, forgetBytes } from './work_drafts';

interface Around {
  readonly session: Session;
  readonly cache: Cache;
  readonly queue: IntentQueue;
}

const listOf = ({ kind, course_id }: AuthoredPlace): string => `/api/v1/courses/${course_id}/${kind}s`;
const addressOf = (place: AuthoredPlace): string => `${listOf(place)}/${place.kind === 'page' ? 'page_id:' : ''}${place.id}`;

/** How often a text is merged and sent again in one sync: others may keep changing it. */
const mostMerges = 3;

/** @throws HeldSubmission if it has to wait for the author */
export async function sendAuthored(given: AuthoredIntent, around: Around): Promise<void> {
  let intent = given;
  for (let nth = 0; ; nth++) {
    const there = await send(intent, around, nth > 0);
    if (!there) break;
    intent = resolved(intent, there, around, nth < mostMerges) ?? intent;
    if (isSameText(intent.body.text, baseOf(there))) {
      finish(intent, there, around);
      break;
    }
  }
  for (const { sha256 } of given.body.files ?? []) await forgetBytes(around.queue.user, sha256);
}

/** @returns what is there, if it is not what the author began with */
async function send(given: AuthoredIntent, around: Around, isMerged: boolean): Promise<AuthoredJson | undefined> {
  const { session, cache, queue } = around;
  const { base } = given.body;
  // Without versions the desk compares itself. A request that may have arrived is only repeated.
  if (base !== null && base.version === null && (given.attempts === 0 || isMerged)) {
    const there = await session.json<AuthoredJson>(addressOf(given.body));
    if (!isStill(base, baseOf(there))) return there;
  }
  const intent = await withImages(given, around);
  const { body, id } = intent;
  const json = requestOfText(body.kind, body.text, base);
  // A merged text is another request, and has another base.
  const version = base?.version;
  const headers: Readonly<Record<string, string>> =
    version == null ? { 'idempotency-key': id } : { 'idempotency-key': `${id}-${version}`, 'if-match': `"${version}"` };
  try {
    const made = await session.json<AuthoredJson>(base === null ? listOf(body) : addressOf(body), {
      method: base === null ? 'POST' : 'PUT',
      headers,
      once: base === null,
      json,
    });
    keep(made, body, cache);
    textIsSent(queue, intent, baseOf(made), authoredIdOf(made));
    return undefined;
  } catch (problem) {
    const there = problem instanceof Declined && problem.status === 412 ? currentIn(problem.body) : undefined;
    if (!there) throw problem;
    return there;
  }
}

/** Merges what the others have changed. @throws HeldSubmission where the author has to decide */
function resolved(intent: AuthoredIntent, there: AuthoredJson, { cache, queue }: Around, mayMerge: boolean): AuthoredIntent | undefined {
  const { body } = intent;
  keep(there, body, cache);
  const now = baseOf(there);
  const began: AuthoredBase = body.base ?? now;
  if (isSameText(body.text, now)) return undefined;
  const alone = mayMerge ? mergedAlone(began, body.text, now) : undefined;
  if (!alone) {
    storeText(queue.user, intent, { ...body, meanwhile: { ...now, who: editorOf(there), at: there.updated_at ?? null } });
    throw new HeldSubmission('changed meanwhile');
  }
  const { meanwhile: _decided, ...rest } = body;
  const merged: AuthoredBody = { ...rest, text: alone, base: now };
  storeText(queue.user, intent, merged);
  return { ...intent, body: merged };
}

const finish = (intent: AuthoredIntent, there: AuthoredJson, { queue }: Around): void =>
  textIsSent(queue, intent, baseOf(there), authoredIdOf(there));

const editorOf = (item: AuthoredJson): string | null => ('page_id' in item ? (item.last_edited_by?.display_name ?? null) : null);

/** A response may have fewer fields than the feed, which sends the whole again. */
function keep(item: AuthoredJson, { kind, course_id }: AuthoredPlace, cache: Cache): void {
  const id = authoredIdOf(item);
  const known = cache.get<PageJson | AssignmentJson>(kind, id);
  cache.put(kind, id, { ...known, ...item }, course_id);
}

/** Images that were uploaded are not uploaded again after a crash. */
async function withImages(intent: AuthoredIntent, { session, queue: { user } }: Around): Promise<AuthoredIntent> {
  const { id, body } = intent;
  const wanted = new Set(unsentImages(body.text.html));
  if (wanted.size === 0) return intent;
  const files = [...new Map((body.files ?? []).map((file) => [file.sha256, file])).values()].filter(({ sha256 }) => wanted.has(sha256));
  if (files.length < wanted.size) throw new HeldSubmission('no bytes');
  const sent: WorkFile[] = [];
  for (const [at, file] of files.entries()) {
    const { name, size, sha256 } = file;
    const upload = { session, user, file: bytesAt(user, sha256), name, size, sha256, key: `${id}-${sha256.slice(0, 32)}` };
    if (file.file_id === undefined && !existsSync(upload.file)) throw new HeldSubmission('no bytes');
    // Another image may have the same name; neither replaces the other.
    const more = { parent_folder_path: 'Uploaded Media', on_duplicate: 'rename' };
    const address = `/api/v1/courses/${body.course_id}/files`;
    const file_id = file.file_id ?? (await uploadFile({ ...upload, address, more })).id;
    sent.push({ ...file, file_id });
    storeText(user, intent, { ...body, files: [...sent, ...files.slice(at + 1)] });
  }
  const address = new Map(sent.map(({ sha256, file_id }) => [sha256, `/courses/${body.course_id}/files/${file_id}/preview`]));
  return { ...intent, body: { ...body, files: sent, text: { ...body.text, html: withSentImages(body.text.html, address) } } };
}

/** The state in a 412. */
function currentIn(body: string): AuthoredJson | undefined {
  try {
    const { current } = JSON.parse(body) as { current?: AuthoredJson | null };
    return current && 'id' in current ? current : undefined;
  } catch {
    // Another answer with this status: it is a plain refusal.
    return undefined;
  }
}
