// Attachments of messages and replies that are not in a course, and what graded students have handed in: downloaded after everything else, and kept for reading offline.

import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFile } from '../disk/durable';
import { checkFolder, studyFolderOf } from '../disk/folder';
import { inside, stagingFolder } from '../disk/inside';
import { localName, ownFolder } from '../model/names';
import type { AttachmentJson, ConversationJson, DiscussionJson, EntryJson, TopicJson } from '../model/resources';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { rowVersionOf } from './canvas/version';
import { downloadFile, WrongBytes } from './download';
import { Declined, Interrupted, type Session, Troubled } from './session';
import type { Transfers } from './transfer_rules';

/** Larger ones stay on the server and are opened there. */
const largest = 25_000_000;
const lanes = 3;
const folderOfAll = `${ownFolder}/attachments`;
/** The key under which the cache notes that all attachments are downloaded. */
const settled = 'attachments';

/** Each has a folder named by its id, with one file in it. */
export function pathOfAttachment(user: UserStore, id: number): string | undefined {
  const root = studyFolderOf(user);
  if (root === undefined) return undefined;
  const folder = inside(root, `${folderOfAll}/${id}`);
  const [name] = existsSync(folder) ? readdirSync(folder) : [];
  return name === undefined ? undefined : join(folder, name);
}

export interface Hung extends AttachmentJson {
  /** The course of the discussion that it belongs to; null for a message. */
  readonly course_id: number | null;
}

/** By id, with the files of students who are graded here. Files in a course or among the user's own files are synced as files. */
export function hungAttachments(cache: Cache): Map<number, Hung> {
  const found = new Map<number, Hung>();
  const hang = (course_id: number | null, given: readonly (AttachmentJson | undefined)[] | undefined): void => {
    for (const one of given ?? []) if (one && cache.get('file', one.id) === undefined) found.set(one.id, { ...one, course_id });
  };
  for (const { id } of cache.all<ConversationJson>('conversation'))
    for (const { attachments } of cache.threads.of<ConversationJson>('conversation', id)?.messages ?? []) hang(null, attachments);
  for (const { id, attachments } of cache.all<TopicJson>('discussion_topic')) {
    const course = cache.courseIdOf('discussion_topic', id);
    hang(course, attachments);
    const entries = (given: readonly EntryJson[] | undefined): void => {
      for (const { attachment, replies } of given ?? []) {
        hang(course, [attachment]);
        entries(replies);
      }
    };
    entries(cache.threads.of<DiscussionJson>('discussion_topic', id)?.view);
  }
  for (const { course_id, submission } of cache.students.withFiles()) {
    const { attachments, submission_history = [], submission_comments = [] } = submission;
    hang(course_id, attachments);
    for (const one of [...submission_history, ...submission_comments]) hang(course_id, one.attachments);
  }
  return found;
}

interface Fetching {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly session: Session;
  readonly transfers?: Transfers | undefined;
}

/**
 * @param isNew there are new messages or replies; otherwise only attachments that had to wait are checked
 * @returns whether any were downloaded
 */
export async function fetchAttachments({ cache, user, session, transfers }: Fetching, isNew: boolean): Promise<boolean> {
  if (!isNew && cache.noted(settled) !== undefined) return false;
  cache.note(settled, undefined);
  const root = checkFolder(user);
  const hung = hungAttachments(cache);
  const [staging, all] = [inside(root, stagingFolder), inside(root, folderOfAll)];
  for (const name of existsSync(all) ? readdirSync(all) : [])
    if (!hung.has(Number(name))) await rm(join(all, name), { recursive: true, force: true });
  const missing = [...hung.values()].filter(({ id, url, size = 0 }) => url && size <= largest && !pathOfAttachment(user, id));
  const waiting = missing[Symbol.iterator]();
  if (missing.length > 0) await mkdir(staging, { recursive: true });
  let came = 0;
  const lane = async (): Promise<void> => {
    for (const { id, display_name, size = 0, url = '' } of waiting) {
      if (transfers?.waitsFor) throw new Interrupted(transfers.waitsFor);
      const name = `attachment-${id}.part`;
      // The server reports no hash, so the bytes are identified by id and size.
      const wanted = { path: display_name, hash: rowVersionOf({ id, size }), size, available: true, generated: false };
      try {
        await downloadFile({
          session,
          folder: staging,
          name,
          url: new URL(url, session.url).href,
          wanted,
          ...(transfers && { transfers }),
        });
        await syncFile(join(staging, name));
        await mkdir(join(all, `${id}`), { recursive: true });
        await rename(join(staging, name), join(all, `${id}`, localName(display_name)));
        came++;
      } catch (problem) {
        // An attachment that cannot be downloaded stays on the server.
        if (!(problem instanceof Declined || problem instanceof Troubled || problem instanceof WrongBytes)) throw problem;
      }
    }
  };
  const endings = await Promise.allSettled(Array.from({ length: Math.min(lanes, missing.length) }, lane));
  const failed = endings.find((ending) => ending.status === 'rejected');
  if (!failed) cache.note(settled, 'here');
  else if (!(failed.reason instanceof Interrupted)) throw failed.reason;
  return came > 0;
}

/** Downloaded attachments are removed when the account signs out. */
export async function removeAttachments(root: string): Promise<void> {
  await rm(inside(root, folderOfAll), { recursive: true, force: true });
}
