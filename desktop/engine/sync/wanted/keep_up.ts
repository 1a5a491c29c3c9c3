// Updates the wanted tree after single changes: the cost grows with the number of changes, not with the number of files.

import { ownNames } from '../../model/local_paths';
import { localName, uniqueName } from '../../model/names';
import { keyOfPlace, place } from '../../model/places';
import type { AssignmentJson, FileJson, FolderJson, PageJson, SubmissionJson } from '../../model/resources';
import { courseNodes, foldersOf, templateSetting, usualTemplate } from '../../model/template';
import { fold, type Key, lastOf, type Path, type Wanted } from '../../model/trees';
import type { Cache } from '../../store/cache';
import type { KeptDocument } from '../../store/kept_documents';
import type { TouchedItem } from '../../store/lately';
import type { UserStore } from '../../store/user';
import { wantText } from './texts';
import { declaredHashOf, type Growing, leafOf, mineKey, type SyncAccount, templateWordsOf, wantedFile } from './wanted';

/** The wanted tree, and what it is made of. */
interface Keeping {
  readonly wanted: Growing;
  readonly cache: Cache;
  readonly user: UserStore;
  readonly account: SyncAccount;
}

/**
 * Returns the keys that have changed; undefined if more than single files and texts have changed: then everything has to be
 * derived again, and `wanted` cannot be used any more.
 */
export function keepUp(
  wanted: Growing,
  touched: readonly TouchedItem[],
  cache: Cache,
  user: UserStore,
  account: SyncAccount,
): Set<Key> | undefined {
  const keeping = { wanted, cache, user, account };
  const texts = refreshTexts(touched, keeping);
  const files = texts && keepUpFiles(new Set(touched.flatMap(({ kind, id }) => (kind === 'file' ? [id] : []))), keeping);
  if (!files) return undefined;
  return new Set([...files.changed, ...renderAgain(new Set([...texts, ...files.linking]), keeping)]);
}

/** Applies everything but files. Returns the texts whose content has changed. */
function refreshTexts(touched: readonly TouchedItem[], keeping: Keeping): ReadonlySet<Key> | undefined {
  const texts = new Set<Key>();
  for (const { kind, id } of touched) {
    const text = refreshes.get(kind)?.(id, keeping);
    if (text === 'more') return undefined;
    if (text !== undefined) texts.add(text);
  }
  return texts;
}

interface KeptFiles {
  readonly changed: ReadonlySet<Key>;
  /** Texts that link to a file whose path has changed. */
  readonly linking: ReadonlySet<Key>;
}

function keepUpFiles(touched: ReadonlySet<number>, { wanted, cache, user }: Keeping): KeptFiles | undefined {
  const changed = new Set<Key>();
  const placed: { readonly key: Key; readonly file: FileJson; readonly parent: Key }[] = [];
  const gone: Key[] = [];
  // Older files choose their names first.
  for (const id of [...touched].sort((a, b) => a - b)) {
    const key = `file:${id}`;
    const file = cache.get<FileJson>('file', id);
    const parent = file && parentOf(file, wanted, cache);
    if (parent === 'more') return undefined;
    if (file && parent !== undefined) placed.push({ key, file, parent });
    else gone.push(key);
  }
  const before = new Map([...gone, ...placed.map(({ key }) => key)].map((key) => [key, wanted.paths.get(key)]));
  // Removed files free names for new ones.
  for (const key of gone) if (drop(wanted, key)) changed.add(key);
  for (const { key, file, parent } of placed) {
    const node = wanted.nodes.get(key);
    if (node?.parent !== parent || node.name !== file.display_name) unplace(wanted, key);
  }
  for (const { key, file, parent } of placed) if (take(wanted, key, file, parent, user)) changed.add(key);
  const moved = [...before].filter(([key, path]) => wanted.paths.get(key) !== path);
  return { changed, linking: new Set(moved.flatMap(([key]) => [...(wanted.linking.get(key) ?? [])])) };
}

/** Renders texts again if their documents are outdated. Returns those that differ. */
function renderAgain(texts: ReadonlySet<Key>, { wanted, cache }: Keeping): ReadonlySet<Key> {
  const changed = new Set<Key>();
  const fresh = new Map<Key, KeptDocument>();
  for (const key of texts) {
    if (!wanted.paths.has(key)) continue;
    const then = wanted.tree.get(key);
    const known = cache.documents.of(key);
    const document = wantText(key, wanted, known);
    if (document !== known) fresh.set(key, document);
    const now = wanted.tree.get(key);
    const leaf = wanted.leaves.get(key);
    if (now && leaf) wanted.leaves.set(key, { ...leaf, size: now.size });
    if (!isSame(then, now)) changed.add(key);
  }
  if (texts.size > 0) cache.documents.keep(fresh);
  return changed;
}

/** Returns the key of the text whose content has changed; `more` if other paths have changed as well. */
type Refresh = (id: number, keeping: Keeping) => Key | 'more' | undefined;

/**
 * By kind, all that the folder is made of but files. Adding, removing or renaming a text also changes the paths of others, so that
 * everything is derived again.
 */
const refreshes: ReadonlyMap<string, Refresh> = new Map<string, Refresh>([
  ['page', refreshPage],
  ['assignment', refreshAssignment],
  ['submission', refreshSubmission],
  ['folder', (id, { wanted, cache }) => (isWhereItWas(id, wanted, cache) ? undefined : 'more')],
  ['course', (id, keeping) => (isNamedAsBefore(id, keeping) ? undefined : 'more')],
  ['group', (id, keeping) => (isNamedAsBefore(-id, keeping) ? undefined : 'more')],
]);

function refreshPage(id: number, { wanted: { texts }, cache }: Keeping): Key | 'more' | undefined {
  const key = `page:${id}`;
  const text = texts.get(key);
  const page = cache.get<PageJson>('page', id);
  if (!text && typeof page?.body !== 'string') return undefined;
  if (!text?.page || typeof page?.body !== 'string' || page.title !== text.page.title || page.url !== text.page.url) return 'more';
  texts.set(key, { ...text, page });
  return key;
}

function refreshAssignment(id: number, { wanted: { texts }, cache }: Keeping): Key | 'more' | undefined {
  const key = `assignment:${id}`;
  const text = texts.get(key);
  const assignment = cache.get<AssignmentJson>('assignment', id);
  if (!text && !assignment) return undefined;
  if (!text?.assignment || !assignment || assignment.name !== text.assignment.name) return 'more';
  texts.set(key, { ...text, assignment });
  return key;
}

function refreshSubmission(id: number, { wanted: { texts }, cache, account }: Keeping): Key | 'more' | undefined {
  const submission = cache.get<SubmissionJson>('submission', id);
  if (!submission) return 'more';
  if (submission.user_id !== undefined && submission.user_id !== account.user_id) return undefined;
  const key = `assignment:${submission.assignment_id}`;
  const text = texts.get(key);
  if (text) texts.set(key, { ...text, submission });
  return text && key;
}

/** The feed repeats a folder with every file that is added to it or removed from it. */
function isWhereItWas(id: number, { nodes }: Growing, cache: Cache): boolean {
  const folder = cache.get<FolderJson>('folder', id);
  const node = nodes.get(`folder:${id}`);
  if (!folder || folder.for_submissions) return false;
  // The root folder of a course has the course's own node.
  if (folder.parent_folder_id === null) return node === undefined;
  if (node?.name !== folder.name) return false;
  const above = `folder:${folder.parent_folder_id}`;
  const home = cache.courseIdOf('folder', id);
  return node.parent === (nodes.has(above) ? above : home === null ? mineKey : keyOfPlace(home));
}

/** Of courses and groups only the name matters here, and the other fields that the template uses. */
function isNamedAsBefore(id: number, { wanted: { nodes }, cache, user, account }: Keeping): boolean {
  const now = place(cache, id);
  if (now?.name === undefined) return !nodes.has(keyOfPlace(id));
  const folders = foldersOf(user.setting(templateSetting) ?? usualTemplate, templateWordsOf({ ...now, name: now.name }, account));
  return courseNodes(keyOfPlace(id), now.name, folders).every(({ key, parent, name, title }) => {
    const node = nodes.get(key);
    return node?.parent === parent && node.name === name && node.title === title;
  });
}

/** The folder of the file; undefined if it is in none that is kept here. */
function parentOf({ id, folder_id }: FileJson, { nodes }: Growing, cache: Cache): Key | 'more' | undefined {
  const place = cache.courseIdOf('file', id);
  const home = place === null ? mineKey : keyOfPlace(place);
  if (!nodes.has(home)) return undefined;
  if (nodes.has(`folder:${folder_id}`)) return `folder:${folder_id}`;
  if (place !== null) return home;
  // Some folders of the user are not kept: those for submissions.
  const folder = folder_id === null ? undefined : cache.get<FolderJson>('folder', folder_id);
  return folder?.parent_folder_id === null && !folder.for_submissions ? home : 'more';
}

function take(wanted: Growing, key: Key, file: FileJson, parent: Key, user: UserStore): boolean {
  const { nodes, tree, paths, leaves, mine, below } = wanted;
  const node = { key, parent, name: file.display_name, kind: 'leaf' as const };
  if (!paths.has(key)) {
    const path = nameIn(wanted, node, user);
    // A folder in a cycle of parents has no path, so its files have none either.
    if (path === undefined) return drop(wanted, key);
    paths.set(key, path);
  }
  nodes.set(key, node);
  const siblings = below.get(parent) ?? new Set();
  below.set(parent, siblings.add(key));
  const path = paths.get(key);
  const hash = declaredHashOf(file);
  const now = path !== undefined && hash ? wantedFile(file, hash, path) : undefined;
  const old = tree.get(key);
  if (old && old.path !== now?.path) wanted.places?.remove(old.path, key);
  if (now) {
    tree.set(key, now);
    wanted.places?.add(now.path, key);
    const leaf = leafOf(node, now, file['content-type'], nodes, new Map());
    leaves.set(key, leaf);
    if (leaf.above.includes(mineKey)) mine.add(key);
    else mine.delete(key);
  } else {
    tree.delete(key);
    leaves.delete(key);
    mine.delete(key);
  }
  return !isSame(old, now);
}

/** As in a full derivation: a name that was derived before stays, unless a neighbour has it now. */
function nameIn(
  { nodes, below, paths }: Growing,
  { key, parent, name }: { key: Key; parent: Key; name: string },
  user: UserStore,
): Path | undefined {
  const folder = paths.get(parent);
  if (folder === undefined) return undefined;
  const taken = new Set<Path>();
  for (const sibling of below.get(parent) ?? []) {
    const path = sibling === key ? undefined : paths.get(sibling);
    if (path !== undefined) taken.add(fold(lastOf(path)));
  }
  for (const own of ownNames(nodes.get(parent))) taken.add(fold(own));
  const known = user.names().get(key);
  const isKept = known?.server_name === name && known.parent === parent && !taken.has(fold(known.local_name));
  const local = isKept ? known.local_name : uniqueName(localName(name), Number(key.slice(key.indexOf(':') + 1)), taken);
  if (!isKept) user.keepNames([{ key, parent, server_name: name, local_name: local }]);
  return `${folder}/${local}`;
}

function unplace({ nodes, below, paths }: Growing, key: Key): void {
  below.get(nodes.get(key)?.parent ?? '')?.delete(key);
  paths.delete(key);
}

/** Returns whether it was wanted. */
function drop(wanted: Growing, key: Key): boolean {
  const old = wanted.tree.get(key);
  unplace(wanted, key);
  wanted.nodes.delete(key);
  wanted.tree.delete(key);
  wanted.leaves.delete(key);
  wanted.mine.delete(key);
  if (old) wanted.places?.remove(old.path, key);
  return old !== undefined;
}

const isSame = (a: Wanted | undefined, b: Wanted | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.path === b.path &&
    a.hash === b.hash &&
    a.uuid === b.uuid &&
    a.size === b.size &&
    a.available === b.available &&
    a.modified?.getTime() === b.modified?.getTime());
