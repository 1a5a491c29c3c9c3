// Uploads one local file under the condition that the server still has the state of the plan. The step is stored before it is sent; its
// result is adopted after the next feed request (own_steps.ts).

import { inside } from '../../disk/inside';
import { yourCopy } from '../../model/names';
import { asNoted, isSameStamp, type SeenFile, type Stamp } from '../../model/ports';
import type { FileJson } from '../../model/resources';
import { type Key, type Path, parentOf } from '../../model/trees';
import { Unsteady } from '../../server/multipart';
import { pagesOf } from '../../server/paged';
import { Declined, type Session } from '../../server/session';
import { uploadFile } from '../../server/upload';
import { uploadingName } from '../../server/upload_name';
import { during, expectUnchanged, fileNow, ifMatch, learn, type Pushing, Stale, uploadName } from './checks';
import { serverFolderAt } from './server_folders';

/** One file, with its path here and its target on the server. */
interface Load {
  readonly seen: SeenFile;
  readonly into: number;
  readonly name: string;
  readonly conflict: string;
  /** The idempotency key. */
  readonly id: string;
  /** The same step was begun before, and had no response. */
  readonly isAgain: boolean;
}

/** @param over the file that it replaces; without it the name has to be free */
export async function sendFile(path: Path, around: Pushing, over?: Key): Promise<void> {
  const { user, disk } = around;
  const old = over === undefined ? undefined : await expectUnchanged(over, around);
  const seen = await disk.hash(path);
  const stamp = around.stamps.get(path);
  // A confirmed plan is sent exactly as the user saw it; other files are sent as they are now, if they are still the same file.
  const isSame = (one: Stamp, other: Stamp) => (around.isAgreed ? isSameStamp(one, other) : one.inode === other.inode);
  if (!seen || !stamp || !isSame(seen.stamp, stamp)) throw new Stale('why.changed', path);
  const into = old?.folder_id ?? (await serverFolderAt(parentOf(path), around));
  const name = old?.display_name ?? uploadName(path);
  const noted = { ...seen, stamp: asNoted(seen.stamp, user.now()) };
  const step = { path, folder: into, name, seen: noted, conflict: yourCopy(name, around.today) };
  const begun = user.steps.begin(
    over === undefined || !old
      ? { do: 'add' as const, there: path, ...step }
      : { do: 'replace' as const, key: over, uuid: old.uuid, version: old.version, there: user.rows().get(over)?.wanted ?? path, ...step },
  );
  const { id, isAgain } = begun;
  const load = { seen, into, name, conflict: begun.intended.conflict, id, isAgain };
  const sent = during<Arrived>(user.steps, begun.id, () => (old ? replace(old, load, around) : add(load, around)));
  const { isCopy = false, ...told } = await sent.catch((problem: unknown) => {
    // An earlier attempt may have arrived: the server is checked before the current bytes are sent.
    throw problem instanceof Unsteady ? new Stale('why.changed', path) : problem;
  });
  user.steps.done(begun.id, { id: told.id, uuid: told.uuid, isCopy });
  learn('file', told.id, { ...told, sha256: seen.hash }, around);
  // On some servers a replaced file gets a new id, and the old one is deleted.
  if (old && old.id !== told.id && around.session.isForgetful) learn('file', old.id, await fileNow(old.id, around), around);
}

async function add(load: Load, around: Pushing): Promise<Arrived> {
  const { session, isAgreed = false } = around;
  if (session.isForgetful) {
    const there = load.isAgain || isAgreed ? await namedThere(load.into, load.name, session) : [];
    // Sent before to a server without idempotency keys, and no response: sending it again would create a second file.
    const arrived = load.isAgain ? there.find(({ size }) => size === load.seen.stamp.size) : undefined;
    if (arrived) return arrived;
    if (isAgreed && there.length > 0) throw new Stale('why.takenThere', load.name);
    return transfer(load, around, { on_duplicate: 'rename' });
  }
  return transfer(load, around, { on_duplicate: 'rename' }, { 'if-none-match': '*' });
}

async function replace(old: FileJson, load: Load, around: Pushing): Promise<Arrived> {
  const condition = ifMatch(old, around.session);
  return condition ? transfer(load, around, { on_duplicate: 'overwrite' }, condition) : replaceAside(old, load, around);
}

/**
 * For servers that do not check versions: the bytes are uploaded under another name, and renamed over the old file only if that
 * has not changed. Between this check and the rename, another device can still change it.
 */
async function replaceAside(old: FileJson, load: Load, around: Pushing): Promise<FileJson> {
  const { session, isAgreed } = around;
  const name = uploadingName(load.name, load.id);
  const arrived = load.isAgain && session.isForgetful ? await namedThere(load.into, name, session) : [];
  const aside =
    arrived.find(({ size }) => size === load.seen.stamp.size) ?? (await transfer({ ...load, name }, around, { on_duplicate: 'rename' }));
  const rename = (to: string, on_duplicate: 'overwrite' | 'rename') =>
    session.json<FileJson>(`/api/v1/files/${aside.id}`, { method: 'PUT', json: { name: to, on_duplicate } });
  try {
    await expectUnchanged(`file:${old.id}`, around);
  } catch (problem) {
    if (!(problem instanceof Stale)) throw problem;
    if (!isAgreed) return rename(load.conflict, 'rename');
    await session.ask(`/api/v1/files/${aside.id}`, { method: 'DELETE' });
    throw problem;
  }
  return rename(load.name, 'overwrite');
}

/** `isCopy`: stored as a conflict copy. */
type Arrived = FileJson & { readonly isCopy?: boolean };

async function transfer(
  { seen, into, name, conflict, id, isAgain }: Load,
  around: Pushing,
  more: Readonly<Record<string, unknown>>,
  condition: Readonly<Record<string, string>> = {},
): Promise<Arrived> {
  const { session, user, root, transfers, isAgreed, onProgress } = around;
  const { size } = seen.stamp;
  const isChecked = Object.keys(condition).length > 0;
  const sent = uploadFile({
    session,
    user,
    file: inside(root, seen.path),
    name,
    size,
    sha256: seen.hash,
    address: `/api/v1/folders/${into}/files`,
    more: { ...more, ...(isChecked && !isAgreed && { conflict_name: conflict }) },
    key: id,
    headers: condition,
    onTicket: ({ upload_params: { uuid } }) => {
      if (uuid !== undefined && !session.isForgetful) user.steps.expect(id, uuid);
    },
    transfers,
    onBytes: (bytes) => onProgress?.({ done: 0, total: 1, bytes_done: bytes, bytes_total: size }),
  });
  return sent.catch((problem: unknown) => {
    // The key has returned a ticket that has expired since: the next plan uses a new key.
    if (isAgain && !session.isForgetful && problem instanceof Declined && problem.status === 400) throw new Stale('why.changed', name);
    if (!(problem instanceof Declined) || problem.status !== 412) throw problem;
    const copy = copyIn(problem.body);
    if (copy) return { ...copy, isCopy: true };
    throw new Stale('if-match' in condition ? 'why.changedThere' : 'why.takenThere', name);
  });
}

/** The server stored the bytes as a conflict copy. */
function copyIn(body: string): FileJson | undefined {
  try {
    const { copy } = JSON.parse(body) as { copy?: FileJson | null };
    return copy ?? undefined;
  } catch {
    return undefined;
  }
}

async function namedThere(folder: number, name: string, session: Session): Promise<FileJson[]> {
  // The server refuses a shorter term.
  const search = new URLSearchParams({ per_page: '100', ...(name.length > 1 && { search_term: name }) });
  const found: FileJson[] = [];
  for await (const page of pagesOf<FileJson>(session, `/api/v1/folders/${folder}/files?${search}`))
    found.push(...page.filter(({ display_name }) => display_name === name));
  return found;
}
