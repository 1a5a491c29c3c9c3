// Files of unsent messages and replies, stored under their hash. Those of messages are uploaded before the text, those of replies together
// with it.

import { existsSync, openAsBlob } from 'node:fs';
import type { ServerRequest } from '../server/asking';
import type { Session } from '../server/session';
import { patienceFor } from '../server/transfer_rules';
import { uploadFile } from '../server/upload';
import type { UserStore } from '../store/user';
import type { Intent, WorkFile } from './intents';
import { HeldSubmission } from './may_hand_in';
import { bytesAt, forgetBytes } from './work_drafts';

type Letter = Extract<Intent, { readonly verb: 'write' | 'compose' }>;

/** Intents that carry files of their own. */
type Carrying = Letter | Extract<Intent, { readonly verb: 'reply' }>;

export const carriesFiles = (intent: Intent): intent is Carrying => isMessage(intent) || intent.verb === 'reply';

export const isMessage = (intent: Intent): intent is Letter => intent.verb === 'write' || intent.verb === 'compose';

/** The folder that Canvas uses for attachments of messages. */
const folder = 'conversation attachments';

/** Returns the message with the ids that the server gave to its files. Files that were uploaded are not uploaded again after a crash. */
export async function sendFiles<L extends Letter>(message: L, session: Session, user: UserStore): Promise<L> {
  const { id, body } = message;
  const files: WorkFile[] = [];
  for (const file of body.files ?? []) {
    files.push(file.file_id === undefined ? { ...file, file_id: await send(file, id, session, user) } : file);
    const known = { ...body, files: [...files, ...(body.files ?? []).slice(files.length)] };
    user.prepare('UPDATE outbox SET body = ? WHERE id = ?').run(JSON.stringify(known), id);
  }
  return { ...message, body: { ...body, files } };
}

async function send({ name, size, sha256 }: WorkFile, letter: string, session: Session, user: UserStore): Promise<number> {
  const file = bytesAt(user, sha256);
  if (!existsSync(file)) throw new HeldSubmission('no bytes');
  // Another message may have a file of the same name; neither replaces the other.
  const more = { parent_folder_path: folder, on_duplicate: 'rename' };
  const key = `${letter}-${sha256.slice(0, 32)}`;
  return (await uploadFile({ session, user, file, name, size, sha256, address: '/api/v1/users/self/files', more, key })).id;
}

/** A discussion entry with its file in one request, which is the only way to attach one. */
export async function messageRequest(message: string, files: readonly WorkFile[] | undefined, user: UserStore): Promise<ServerRequest> {
  const [file] = files ?? [];
  if (!file) return { json: { message } };
  const path = bytesAt(user, file.sha256);
  if (!existsSync(path)) throw new HeldSubmission('no bytes');
  const form = new FormData();
  form.append('message', message);
  form.append('attachment', await openAsBlob(path), file.name);
  return { form, tries: 2, patience: patienceFor(file.size) };
}

/** Called when the server has the message, or when the user takes it back. */
export async function forgetFiles({ body }: Carrying, user: UserStore): Promise<void> {
  for (const { sha256 } of body.files ?? []) await forgetBytes(user, sha256);
}
