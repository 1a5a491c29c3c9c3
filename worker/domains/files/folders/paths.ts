// Folder paths: root folders and special folders are created when first needed.

import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { rootNames } from '../place';
import { folders } from './table';

export interface Holder {
  readonly context_type: 'Course' | 'User' | 'Group' | 'Account';
  readonly context_id: number;
}

/** One level of a path, and the values to create a missing folder with. */
export interface FolderLevel {
  readonly name: string;
  readonly hidden?: boolean;
  readonly for_submissions?: boolean;
  /** Identifies a special folder regardless of its name. */
  readonly unique_type?: string;
}

/** Trimmed, a single level, never blank, at most 255 characters (reference 02 §8.6). */
export const folderName = (given: string): string =>
  given
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .replaceAll('/', '_')
    .trim()
    .slice(0, 255)
    .toWellFormed()
    .trim() || 'New Folder';

/** The levels of a path from a client; a leading root folder name is allowed. */
export function folderLevels(path: string, { context_type }: Holder): FolderLevel[] {
  const names = path.split('/').filter((name) => name.trim() !== '');
  const below = names[0] === rootNames[context_type] ? names.slice(1) : names;
  return below.map((name) => ({ name: folderName(name) }));
}

export const unfiled: readonly FolderLevel[] = [{ name: 'unfiled', unique_type: 'unfiled' }];
/** Whether a user's folder is the one for message attachments, by its name: clients create it through an upload's path. */
export const isForAttachments = (name: SQLWrapper): SQL => sql`lower(${name}) = 'conversation attachments'`;
export const uploadedMedia: readonly FolderLevel[] = [{ name: 'Uploaded Media', unique_type: 'media', hidden: true }];
export const iconMaker: readonly FolderLevel[] = [{ name: 'Icon Maker Icons', unique_type: 'icon maker icons', hidden: true }];
/** The folder for a student's submissions to a course, among the student's own files. */
export const submissionsIn = (course: { name: string }): readonly FolderLevel[] => [
  { name: 'Submissions', for_submissions: true, unique_type: 'submissions' },
  { name: folderName(course.name), for_submissions: true },
];

export const fullName = ({ context_type }: Holder, levels: readonly FolderLevel[]): string =>
  [rootNames[context_type], ...levels.map(({ name }) => name)].join('/');

export const heldBy = ({ context_type, context_id }: Holder): SQL =>
  and(eq(folders.context_type, context_type), eq(folders.context_id, context_id), eq(folders.workflow_state, 'visible')) as SQL;

/** A select of the id of the folder at a path. */
export const folderAt = (holder: Holder, levels: readonly FolderLevel[]): SQL =>
  sql`select id from folders where ${heldBy(holder)} and full_name = ${fullName(holder, levels)}`;

/** Creates the missing folders of a path, including the root. */
export const makePath = (db: Database, holder: Holder, levels: readonly FolderLevel[], now: string): Statement[] =>
  [undefined, ...levels].map((level, depth) => {
    const above = levels.slice(0, depth - 1);
    return db.build
      .insert(folders)
      .values({
        context_type: holder.context_type,
        context_id: holder.context_id,
        parent_folder_id: level ? sql`(${folderAt(holder, above)})` : null,
        name: level?.name ?? rootNames[holder.context_type],
        full_name: fullName(holder, levels.slice(0, depth)),
        hidden: level?.hidden ?? false,
        for_submissions: level?.for_submissions ?? false,
        unique_type: level ? level.unique_type : 'root',
        created_at: now,
        updated_at: now,
      })
      .onConflictDoNothing();
  });
