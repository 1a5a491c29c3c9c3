// What the upload steps share: the place, the checks before each step, and the handling of responses.

import { type MessageKey, t } from '../../../language/texts';
import type { Disk, Stamp } from '../../model/ports';
import type { FileJson, FolderJson } from '../../model/resources';
import { type Key, lastOf, type Path } from '../../model/trees';
import { withVersion } from '../../server/canvas/version';
import { Declined, type Session } from '../../server/session';
import type { Transfers } from '../../server/transfer_rules';
import type { Cache } from '../../store/cache';
import type { OwnSteps } from '../../store/own_steps';
import type { UserStore } from '../../store/user';
import type { SyncProgress } from '../request';

export interface Pushing {
  readonly session: Session;
  readonly cache: Cache;
  readonly user: UserStore;
  readonly disk: Disk;
  readonly root: string;
  readonly transfers?: Transfers;
  /** Of a large file. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  /** `/api/v1/users/self` or `/api/v1/courses/7`. */
  readonly address: string;
  /** The course; missing for the user's own files. */
  readonly place?: number;
  readonly home: Path;
  /** Folders of the server by their paths here; new ones are added. */
  readonly folders: Map<Path, number>;
  readonly stamps: ReadonlyMap<Path, Stamp>;
  /** Inodes of the local folders that are synced themselves. */
  readonly inodes?: ReadonlyMap<Path, string>;
  /** Its folders are synced themselves, by steps of their own. */
  readonly keepsFolders?: boolean;
  /** A plan that the user has confirmed: no file gets another name, and conflicts are reported. */
  readonly isAgreed?: boolean;
  /** The date in the name of a conflict copy, `YYYY-MM-DD`. */
  readonly today: string;
}

/** The server's state differs from the plan. The next plan uses the new state. */
export class Stale extends Error {
  override readonly name = 'Stale';
  constructor(
    readonly code: Extract<MessageKey, `why.${string}`>,
    readonly where: string,
  ) {
    super(t(code, { where }));
  }
}

export const keyIdOf = (key: Key): number => Number(key.slice(key.indexOf(':') + 1));

/** Some disks decompose characters; other devices should not see that. */
export const uploadName = (path: Path): string => lastOf(path).normalize('NFC');

/** The header that makes the server refuse a step if the file or folder has changed; none for a server that does not check it. */
export const ifMatch = ({ version }: Pick<FileJson, 'version'>, { isForgetful }: Session): Readonly<Record<string, string>> | undefined =>
  typeof version === 'number' && !isForgetful ? { 'if-match': `"${version}"` } : undefined;

/** @throws Stale if the server refused the step because of its current state */
export async function unlessChanged<T>(step: Promise<T>, where: string): Promise<T> {
  return step.catch((problem: unknown) => {
    throw problem instanceof Declined && problem.status === 412 ? new Stale('why.changedThere', where) : problem;
  });
}

/**
 * A step that the server refused is dropped. Any other failure keeps it, because the request may have reached the server. So do 404 and
 * 412, which can mean that the step was done before and the response was lost.
 */
export async function during<T>(steps: OwnSteps, id: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (problem) {
    const isRefused = problem instanceof Declined && problem.status !== 404 && problem.status !== 412;
    if (isRefused || problem instanceof Stale) steps.drop(id);
    throw problem;
  }
}

/** Lists are only requested later, and have no hashes: until then the cache contains the server's response. */
export function learn(
  kind: 'file' | 'folder',
  id: number,
  result: FileJson | FolderJson | undefined,
  { session, cache, place }: Pick<Pushing, 'session' | 'cache' | 'place'>,
): void {
  if (!session.isForgetful) return;
  const known = cache.get<FileJson>(kind, id);
  const file =
    result && kind === 'file'
      ? withVersion({ ...result }, 'sha256' in result && result.sha256 ? { ...result } : known && { ...known })
      : result;
  cache.put(kind, id, file && { ...file }, place);
}

/** Undefined if it was deleted or replaced. */
export const fileNow = async (id: number, { session }: Pick<Pushing, 'session'>): Promise<FileJson | undefined> => {
  const now = await session.json<FileJson>(`/api/v1/files/${id}`).catch((problem: unknown) => {
    if (problem instanceof Declined && problem.status === 404) return undefined;
    throw problem;
  });
  return now?.id === id ? now : undefined;
};

/** A change that another device made since the feed was read is not overwritten: it is downloaded first. */
export async function expectUnchanged(key: Key, { session, cache }: Pick<Pushing, 'session' | 'cache'>): Promise<FileJson> {
  const known = cache.get<FileJson>('file', keyIdOf(key));
  if (!known) throw new Stale('why.goneThere', key);
  const now = await fileNow(known.id, { session });
  if (!now) throw new Stale('why.goneThere', known.display_name);
  const isSame =
    now.size === known.size &&
    now.updated_at === known.updated_at &&
    now.display_name === known.display_name &&
    now.folder_id === known.folder_id &&
    isSameIfKnown(now.uuid, known.uuid) &&
    isSameIfKnown(now.sha256, known.sha256);
  if (!isSame) throw new Stale('why.changedThere', known.display_name);
  return now;
}

const isSameIfKnown = (now: string | undefined, known: string | undefined): boolean =>
  now === undefined || known === undefined || now === known;

export async function expectFolder(id: number, { session, cache }: Pushing): Promise<FolderJson> {
  const known = cache.get<FolderJson>('folder', id);
  if (!known) throw new Stale('why.goneThere', `${id}`);
  const now = await session.json<FolderJson>(`/api/v1/folders/${id}`).catch((problem: unknown) => {
    if (problem instanceof Declined && problem.status === 404) throw new Stale('why.goneThere', known.name);
    throw problem;
  });
  if (now.name === known.name && now.parent_folder_id === known.parent_folder_id) return now;
  throw new Stale('why.changedThere', known.name);
}
