// Unsubmitted work: stored at every pause with copies of its files, so that it survives a restart and the loss of the original.

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { stored } from '../store/damage';
import { durably } from '../store/driver';
import type { UserStore } from '../store/user';
import type { SubmittedWork, WorkBody, WorkFile } from './intents';

export interface StoredDraft extends SubmittedWork {
  readonly course_id: number;
  readonly assignment_id: number;
  readonly changed_at: string;
}

type Place = Pick<WorkBody, 'course_id' | 'assignment_id'>;

const columns = 'assignment_id, course_id, type, text, url, files, changed_at';
const draftOf = (row: Record<string, unknown>): StoredDraft => ({ ...row, files: stored(row.files) }) as unknown as StoredDraft;

export function drafts(user: UserStore): StoredDraft[] {
  return user.prepare(`SELECT ${columns} FROM drafts ORDER BY changed_at`).all().map(draftOf);
}

export function draftAt(user: UserStore, assignmentId: number): StoredDraft | undefined {
  const row = user.prepare(`SELECT ${columns} FROM drafts WHERE assignment_id = ?`).get(assignmentId);
  return row && draftOf(row);
}

/** Within a transaction of the caller. */
export function keepDraft(user: UserStore, { course_id, assignment_id, type, text, url, files }: SubmittedWork & Place, now: Date): void {
  // Without the ids that the server gave: they cannot be used for another attempt.
  const own = files.map(({ name, size, sha256 }) => ({ name, size, sha256 }));
  user
    .prepare(`INSERT OR REPLACE INTO drafts (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
    .run(assignment_id, course_id, type, text, url, JSON.stringify(own), now.toISOString());
}

export const dropDraft = (user: UserStore, assignmentId: number): unknown =>
  user.prepare('DELETE FROM drafts WHERE assignment_id = ?').run(assignmentId);

/** The draft, or an empty one of the kind. */
export function changeDraft(user: UserStore, place: Place, change: Partial<SubmittedWork> & Pick<SubmittedWork, 'type'>, now: Date): void {
  durably(user.database, () => {
    const before = draftAt(user, place.assignment_id) ?? { text: '', url: '', files: [] };
    keepDraft(user, { ...before, ...place, ...change }, now);
  });
}

export const bytesAt = (user: UserStore, sha256: string): string => join(user.workFolder, sha256);

/** Copies the bytes of a file to the store, under their hash. */
export async function takeFile(user: UserStore, path: string, name = basename(path)): Promise<WorkFile> {
  mkdirSync(user.workFolder, { recursive: true, mode: 0o700 });
  const arriving = join(user.workFolder, `.${randomUUID()}`);
  const hash = createHash('sha256');
  try {
    await pipeline(
      createReadStream(path),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(arriving, { mode: 0o600, flush: true }),
    );
    const sha256 = hash.digest('hex');
    const { size } = await stat(arriving);
    await rename(arriving, bytesAt(user, sha256));
    return { name, size, sha256 };
  } finally {
    await rm(arriving, { force: true });
  }
}

/** Removes bytes that no draft, pending submission or receipt uses. */
export async function forgetBytes(user: UserStore, sha256: string): Promise<void> {
  const spoken = [
    'SELECT files AS said FROM drafts',
    'SELECT words AS said FROM written',
    'SELECT body AS said FROM outbox',
    'SELECT work AS said FROM receipts',
    'SELECT answer AS said FROM quiz_answers',
  ];
  const isSpokenOf = spoken.some((sql) =>
    user
      .prepare(sql)
      .all()
      .some(({ said }) => String(said).includes(sha256)),
  );
  if (!isSpokenOf && existsSync(bytesAt(user, sha256))) await rm(bytesAt(user, sha256), { force: true });
}
