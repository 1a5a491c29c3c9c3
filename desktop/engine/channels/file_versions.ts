// Earlier versions of the user's own files and of files in courses that the user teaches. The server keeps them for 30 days; nothing is
// stored here, so listing them needs a connection.

import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { Channel, ChannelParams, ChannelResult } from '../../contract/channels';
import type { FileVersionCard, FileVersionsView } from '../../contract/file_versions';
import { t } from '../../language/texts';
import type { Workspace } from '../accounts/workspace';
import { checkFolder } from '../disk/folder';
import { placeBeside } from '../disk/place_beside';
import type { FileJson } from '../model/resources';
import { downloadFile } from '../server/download';
import { pagesOf } from '../server/paged';
import { Declined, Offline, Troubled } from '../server/session';
import { placeOfFile } from '../views/file_reading';
import { fileViews, mayRestore } from '../views/files';

interface VersionJson {
  readonly id: number;
  readonly display_name: string;
  readonly size: number;
  readonly sha256: string;
  readonly updated_at: string | null;
  readonly replaced_at: string | null;
}

/** The user is waiting. */
const asking = { tries: 1, patience: 15_000 };
const addressOf = (id: number): string => `/api/sync/v1/files/${id}/versions`;

export const isUnreached = (problem: unknown): boolean => problem instanceof Offline || problem instanceof Troubled;

/** Null if the desk does not know the file. */
export async function fileVersions(workspace: Workspace, id: number): Promise<FileVersionsView | null> {
  const { cache } = workspace;
  const file = cache.get<FileJson>('file', id);
  const course_id = cache.courseIdOf('file', id) ?? 0;
  const at = placeOfFile(cache, course_id);
  if (!file || !at) return null;
  const view: FileVersionsView = {
    id,
    course_id,
    title: file.display_name,
    course_name: at.name ?? '',
    asked: 'not told',
    current: { version: null, size: file.size, saved_at: file.modified_at ?? file.updated_at ?? null },
    is_edited: isEdited(workspace, course_id, id),
    earlier: [],
  };
  if (!mayRestore(cache, course_id, workspace.account.user_id)) return view;
  try {
    return { ...view, asked: 'told', current: await currentOf(workspace, id), earlier: await earlierOf(workspace, id) };
  } catch (problem) {
    if (problem instanceof Declined) return view;
    if (isUnreached(problem)) return { ...view, asked: 'not reached' };
    throw problem;
  }
}

async function currentOf({ session }: Workspace, id: number): Promise<FileVersionsView['current']> {
  const { version, size, modified_at, updated_at } = await session.json<FileJson>(`/api/v1/files/${id}`, asking);
  return { version: typeof version === 'number' ? version : null, size, saved_at: modified_at ?? updated_at ?? null };
}

async function earlierOf({ session }: Workspace, id: number): Promise<FileVersionCard[]> {
  const found: FileVersionCard[] = [];
  for await (const page of pagesOf<VersionJson>(session, `${addressOf(id)}?per_page=100`, asking))
    for (const { id, display_name, size, sha256, updated_at, replaced_at } of page)
      found.push({ id, name: display_name, size, sha256, saved_at: updated_at, replaced_at });
  return found;
}

function isEdited({ cache, user, account, downloading, failed }: Workspace, course_id: number, id: number): boolean {
  const view = fileViews({ cache, user, account, downloading, failed }, course_id).find((one) => one.id === id);
  return view?.state === 'edited' || view?.state === 'conflict';
}

/**
 * Gives the file on the server the bytes of the version; the current bytes become an earlier version. The next sync downloads the
 * file.
 * @param current the version that the user saw as the current one; null: any
 */
export async function restoreVersion(
  { session }: Workspace,
  { id, version_id, current }: ChannelParams<'file.version_restore'>,
): Promise<void> {
  const headers = { 'idempotency-key': randomUUID(), ...(current !== null && { 'if-match': `"${current}"` }) };
  await session.json(`${addressOf(id)}/${version_id}/restore`, { ...asking, tries: 2, method: 'POST', headers }).catch(explain);
}

/** Saves the version beside the file, under a name with the day on which it was replaced. */
async function saveVersion({ session, user }: Workspace, { id, version }: ChannelParams<'file.version_save'>): Promise<string> {
  const path = user.rows().get(`file:${id}`)?.path;
  if (path === undefined) throw new Error(t('files.notYetHere'));
  const day = (version.replaced_at ?? version.saved_at ?? '').slice(0, 10);
  const staged = `version-${version.id}-${process.pid}.part`;
  const stage = (file: string) => fetchVersion(session, id, version, { folder: dirname(file), name: staged }).catch(explain);
  return placeBeside({ root: checkFolder(user), path, staged, stage, mark: t('fileVersions.mark', { day }), from: 1 });
}

/** Verifies the hash. */
export async function fetchVersion(
  session: Workspace['session'],
  id: number,
  { id: version_id, name: path, size, sha256: hash }: FileVersionCard,
  to: { readonly folder: string; readonly name: string },
): Promise<void> {
  const wanted = { path, hash, size, available: true, generated: false };
  await downloadFile({ session, ...to, url: `${addressOf(id)}/${version_id}/download`, wanted });
}

function explain(problem: unknown): never {
  if (isUnreached(problem)) throw new Offline(t('fileVersions.offline'));
  if (problem instanceof Declined && problem.status === 412) throw new Error(t('fileVersions.changed'));
  if (problem instanceof Declined && problem.status === 404) throw new Error(t('fileVersions.gone'));
  throw problem;
}

type VersionChannel = Extract<Channel, `file.version${string}`>;
type Channels = { readonly [C in VersionChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

interface Around {
  readonly here: () => Workspace;
  readonly changed: () => void;
  readonly syncSoon: () => void;
}

export const fileVersionChannels = ({ here, changed, syncSoon }: Around): Channels => ({
  'file.versions': async ({ id }) => fileVersions(here(), id),
  'file.version_restore': async (given) => {
    await restoreVersion(here(), given);
    syncSoon();
    return null;
  },
  'file.version_save': async (given) => {
    const file = await saveVersion(here(), given);
    changed();
    syncSoon();
    return { file };
  },
});
