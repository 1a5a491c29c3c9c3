// Files of letters on their way: their bytes lie here under their hash, and go up before the words.

import { existsSync } from 'node:fs';
import { bytesAt, forgetBytes } from './drafts';
import type { Intent, WorkFile } from './intents';
import { Held } from './may_hand_in';
import type { Session } from './remote';
import type { UserStore } from './store/user';
import { upload } from './upload';

export type Letter = Extract<Intent, { readonly verb: 'write' | 'compose' }>;

export const isLetter = (intent: Intent): intent is Letter => intent.verb === 'write' || intent.verb === 'compose';

/** Where a Canvas server looks for what may hang on a letter. */
const folder = 'conversation attachments';

/** Returns the letter with the ids that the server gave to its files. What has arrived is not sent again after a crash. */
export async function sendFiles<L extends Letter>(letter: L, session: Session, user: UserStore): Promise<L> {
  const { id, body } = letter;
  const files: WorkFile[] = [];
  for (const file of body.files ?? []) {
    files.push(file.file_id === undefined ? { ...file, file_id: await send(file, id, session, user) } : file);
    const known = { ...body, files: [...files, ...(body.files ?? []).slice(files.length)] };
    user.prepare('UPDATE outbox SET body = ? WHERE id = ?').run(JSON.stringify(known), id);
  }
  return { ...letter, body: { ...body, files } };
}

async function send({ name, size, sha256 }: WorkFile, letter: string, session: Session, user: UserStore): Promise<number> {
  const file = bytesAt(user, sha256);
  if (!existsSync(file)) throw new Held('no bytes');
  // Another letter may carry a file of the same name: neither takes the place of the other.
  const more = { parent_folder_path: folder, on_duplicate: 'rename' };
  const key = `${letter}-${sha256.slice(0, 32)}`;
  return (await upload({ session, file, name, size, address: '/api/v1/users/self/files', more, key })).id;
}

/** When it has arrived, or was taken back. */
export async function forgetFiles(letter: Letter, user: UserStore): Promise<void> {
  for (const { sha256 } of letter.body.files ?? []) await forgetBytes(user, sha256);
}
