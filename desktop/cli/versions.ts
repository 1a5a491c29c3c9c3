// `carrel versions`: earlier versions of a file that the server keeps, and how to have one back.

import { linkSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { FileVersionCard, FileVersionsView } from '../contract/file_versions';
import type { Workspace } from '../engine/accounts/workspace';
import { fetchVersion, fileVersions, restoreVersion } from '../engine/channels/file_versions';
import { studyFolderOf } from '../engine/disk/folder';
import { fold, lastOf, type Path } from '../engine/model/trees';
import { Offline } from '../engine/server/session';
import type { SyncReport } from '../engine/sync/engine';
import { size } from '../language/amounts';
import { t } from '../language/texts';
import { type Arguments, Misused } from './arguments';
import { dateAndTimeText } from './words';

type Given = Pick<Arguments, 'json' | 'words' | 'restore' | 'to'>;
type Say = (line: string) => void;

/** @throws Offline, Misused */
export async function versionsByWords(workspace: Workspace, given: Given, say: Say): Promise<SyncReport['outcome']> {
  const { json, restore, to, words } = given;
  const [wanted, ...more] = words;
  if (wanted === undefined || more.length > 0 || (to !== undefined && restore === undefined)) throw new Misused(t('cli.sayVersions'));
  // A file that was saved here and not sent yet becomes an earlier version itself.
  if (restore !== undefined && to === undefined) await workspace.sync();
  const { path, view } = await lookUp(workspace, wanted);
  if (restore === undefined) {
    if (json) say(JSON.stringify({ path, current: view.current, versions: view.earlier }));
    else for (const line of linesOf(path, view)) say(line);
    return 'complete';
  }
  const version = view.earlier.find(({ id }) => String(id) === restore);
  if (!version) throw new Error(t('why.noSuchVersion', { path, number: restore }));
  if (to !== undefined) {
    const file = await saveTo(workspace, view, version, to);
    say(json ? JSON.stringify({ outcome: 'saved', path, version: version.id, file }) : t('fileVersions.saved', { where: file }));
    return 'complete';
  }
  await restoreVersion(workspace, { id: view.id, version_id: version.id, current: view.current.version });
  const { outcome } = await workspace.sync();
  const when = version.saved_at ? dateAndTimeText(version.saved_at) : '';
  say(json ? JSON.stringify({ outcome: 'restored', path, version: version.id, sync: outcome }) : t('cli.versionRestored', { path, when }));
  return outcome;
}

async function lookUp(study: Workspace, words: string): Promise<{ readonly path: Path; readonly view: FileVersionsView }> {
  const found = fileAt(study, words);
  if (!found) throw new Error(t('why.noSuchFile', { words }));
  const view = await fileVersions(study, found.id);
  if (view?.asked === 'not reached') throw new Offline(t('fileVersions.offline'));
  if (view?.asked !== 'told') throw new Error(t('fileVersions.notTold'));
  return { path: found.path, view };
}

/** By its path in the study folder, or by the end of that where only one file has it. */
function fileAt({ user }: Workspace, words: string): { readonly id: number; readonly path: Path } | undefined {
  const root = studyFolderOf(user);
  const inRoot = root !== undefined && isAbsolute(words) ? relative(root, words) : words;
  const wanted = fold(inRoot.replaceAll(sep, '/').replace(/^\.\//, ''));
  const files = [...user.rows()].flatMap(([key, { path }]) => (key.startsWith('file:') ? [{ id: Number(key.slice(5)), path }] : []));
  const ending = files.filter(({ path }) => fold(path).endsWith(`/${wanted}`));
  return files.find(({ path }) => fold(path) === wanted) ?? (ending.length === 1 ? ending[0] : undefined);
}

const linesOf = (path: Path, { current, earlier }: FileVersionsView): string[] => [
  t('cli.versionsOf', { path, when: current.saved_at ? dateAndTimeText(current.saved_at) : '', size: size(current.size) }),
  ...earlier.map(
    ({ id, saved_at, replaced_at, size: bytes }) =>
      `${String(id).padStart(7)}  ${t('cli.versionLine', { saved: whenOf(saved_at), replaced: whenOf(replaced_at), size: size(bytes) })}`,
  ),
  earlier.length === 0 ? t('versions.none') : t('cli.versionsHowTo'),
];

const whenOf = (at: string | null): string => (at === null ? '' : dateAndTimeText(at));

/** @param to a file that is not there yet, or a folder */
async function saveTo({ session }: Workspace, { id, title }: FileVersionsView, version: FileVersionCard, to: string): Promise<string> {
  const file = statSync(to, { throwIfNoEntry: false })?.isDirectory() ? join(to, lastOf(title)) : to;
  if (statSync(file, { throwIfNoEntry: false })) throw new Error(t('why.placeTaken', { where: file }));
  const part = { folder: dirname(file), name: `.${basename(file)}-${process.pid}.part` };
  try {
    await fetchVersion(session, id, version, part);
    // A link never replaces a file that has appeared there meanwhile.
    linkSync(join(part.folder, part.name), file);
  } finally {
    rmSync(join(part.folder, part.name), { force: true });
  }
  return file;
}
