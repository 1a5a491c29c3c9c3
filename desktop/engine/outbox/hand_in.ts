// Submits work: checks it again, uploads its files, submits it once, and stores the receipt in the transaction that removes it from the
// outbox.

import { existsSync } from 'node:fs';
import type { AssignmentJson, SubmissionJson } from '../model/resources';
import type { Session } from '../server/session';
import { uploadBytes } from '../server/upload';
import type { Cache } from '../store/cache';
import { durably } from '../store/driver';
import type { UserStore } from '../store/user';
import { plainText } from '../text/plain_text';
import { htmlOf } from '../text/prose';
import type { Intent, WorkBody, WorkFile } from './intents';
import { HeldSubmission, holdOn } from './may_hand_in';
import { keepReceipt, sha256Of } from './receipts';
import { bytesAt } from './work_drafts';

interface Around {
  readonly session: Session;
  readonly cache: Cache;
  readonly user: UserStore;
  readonly now: () => Date;
}

type HandingIn = Extract<Intent, { readonly verb: 'hand in' }>;

export const submissionOf = (cache: Cache, { course_id, assignment_id }: Pick<WorkBody, 'course_id' | 'assignment_id'>, userId?: number) =>
  cache
    .ofCourse<SubmissionJson>('submission', course_id)
    .find((one) => one.assignment_id === assignment_id && (one.user_id === undefined || userId === undefined || one.user_id === userId));

/** Those of observed students may be in the same course. */
const ownSubmission = (cache: Cache, body: WorkBody) => submissionOf(cache, body, cache.owner === 0 ? undefined : cache.owner);

/** @throws Held if it has to wait for the user */
export async function sendSubmission({ id, attempts, body }: HandingIn, around: Around): Promise<void> {
  const { session, cache, user, now } = around;
  // A request that may have arrived is only repeated: the same key makes the same attempt, whatever has changed since.
  if (attempts === 0) {
    const hold = holdOn(cache.get<AssignmentJson>('assignment', body.assignment_id), ownSubmission(cache, body), body);
    if (hold) throw new HeldSubmission(hold);
  }
  const address = `/api/v1/courses/${body.course_id}/assignments/${body.assignment_id}/submissions`;
  const files: WorkFile[] = [];
  for (const file of body.files) {
    files.push(file.file_id === undefined ? { ...file, file_id: await send(file, `${address}/self/files`, id, around) } : file);
    // Files that were uploaded are not uploaded again after a crash.
    const known = { ...body, files: [...files, ...body.files.slice(files.length)] };
    user.prepare('UPDATE outbox SET body = ? WHERE id = ?').run(JSON.stringify(known), id);
  }
  const text = body.type === 'online_text_entry' ? htmlOf(body.text) : null;
  const submission = {
    submission_type: body.type,
    ...(text !== null && { body: text }),
    ...(body.type === 'online_url' && { url: body.url }),
    ...(body.type === 'online_upload' && { file_ids: files.map(({ file_id }) => file_id) }),
  };
  const headers = { 'idempotency-key': id };
  const made = await session.json<SubmissionJson>(address, { method: 'POST', headers, once: true, json: { submission } });
  const kept = text !== null ? (made.body ?? text) : body.type === 'online_url' ? (made.url ?? body.url) : null;
  durably(user.database, () => {
    keepReceipt(user, {
      id,
      course_id: body.course_id,
      assignment_id: body.assignment_id,
      submission_id: made.id,
      attempt: made.attempt ?? 1,
      submitted_at: made.submitted_at ?? now().toISOString(),
      work: { type: body.type, text: body.text, url: body.url, files },
      sha256: kept === null ? null : sha256Of(kept),
      // The server may clean up the markup, but it keeps the words.
      standing: text !== null && plainText(kept) !== plainText(text) ? 'differs' : 'waiting',
      token: null,
      sent_at: now().toISOString(),
    });
    user.prepare('DELETE FROM outbox WHERE id = ?').run(id);
  });
  cache.put('submission', made.id, { ...ownSubmission(cache, body), ...made }, body.course_id);
}

/** Returns the id that the server gave. @param intent of the submission, whose large files continue after a restart */
async function send({ name, size, sha256 }: WorkFile, address: string, intent: string, { session, user }: Around): Promise<number> {
  const file = bytesAt(user, sha256);
  if (!existsSync(file)) throw new HeldSubmission('no bytes');
  return (await uploadBytes({ session, user, file, name, size, sha256, address, key: `${intent}-${sha256.slice(0, 32)}` })).id;
}
