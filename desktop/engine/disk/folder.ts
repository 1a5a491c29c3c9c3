// The study folder as a whole: which account it belongs to, and whether it is still the folder that was chosen.

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { t } from '../../language/texts';
import type { UserStore } from '../store/user';
import { inside, sentinel } from './inside';

/** The folder is missing, or another one is in its place: its files must not count as deleted. */
export class FolderMissing extends Error {
  override readonly name = 'FolderMissing';
  constructor(readonly folder: string) {
    super(t('why.folderMissing', { folder }));
  }
}

/** The folder contains the courses of another user or another server. */
export class FolderOfAnother extends Error {
  override readonly name = 'FolderOfAnother';
  constructor(folder: string) {
    super(t('why.folderOfAnother', { folder }));
  }
}

/** The store has lost which folder belongs to the account, so the user has to choose it again. */
export class RecordsLost extends Error {
  override readonly name = 'RecordsLost';
  constructor(readonly path: string) {
    super(t('why.recordsLost', { path }));
  }
}

interface Mark {
  readonly folder: string;
  readonly owner: string;
}

export const studyFolderOf = (user: UserStore): string | undefined => user.setting('folder');

/** Chooses the folder for the courses. A folder that was moved is recognised by its marker file and keeps its agreed tree. */
export function chooseFolder(user: UserStore, folder: string, owner: string): void {
  mkdirSync(folder, { recursive: true });
  const found = markOf(folder);
  if (found && found.owner !== owner) throw new FolderOfAnother(folder);
  const mark = found?.folder ?? randomUUID();
  if (found === undefined) {
    const path = inside(folder, sentinel);
    mkdirSync(dirname(path), { recursive: true });
    // Written to another name and renamed: an incomplete marker would look like that of another folder.
    writeFileSync(`${path}.new`, JSON.stringify({ folder: mark, owner } satisfies Mark));
    renameSync(`${path}.new`, path);
  }
  if (mark !== user.setting('folder_mark')) user.forgetFolder();
  user.set('folder', folder);
  user.set('folder_mark', mark);
}

export function checkFolder(user: UserStore): string {
  const folder = studyFolderOf(user);
  if (folder === undefined) throw new RecordsLost(join(dirname(user.workFolder), 'user.db'));
  const mark = markOf(folder);
  if (mark === undefined || mark.folder !== user.setting('folder_mark')) throw new FolderMissing(folder);
  return folder;
}

function markOf(folder: string): Mark | undefined {
  const path = inside(folder, sentinel);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Mark;
  } catch {
    return undefined;
  }
}
