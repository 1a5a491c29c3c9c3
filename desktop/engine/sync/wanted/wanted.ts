// The files that belong in the folder, derived from the cache: files in their folders, pages and assignments as texts.

import type { ChoiceLeaf } from '../../model/choices';
import { fileGroupOf } from '../../model/file_groups';
import { type Node, naming } from '../../model/local_paths';
import { assignmentsFolder, myFilesFolder, pagesFolder, submissionsFolder } from '../../model/names';
import type { PathIndex } from '../../model/path_index';
import { type CourseOrGroup, keyOfPlace, places } from '../../model/places';
import type { AssignmentJson, CourseJson, FileJson, FolderJson, PageJson, SubmissionJson } from '../../model/resources';
import { slice } from '../../model/slices';
import { courseNodes, foldersOf, type TemplateWords, templateLevels, templateSetting, usualTemplate } from '../../model/template';
import { type Key, type Path, parsedDate, type Wanted } from '../../model/trees';
import type { Cache } from '../../store/cache';
import { gradedInFolders } from '../../store/kept_choices';
import type { UserStore } from '../../store/user';
import { type TextLibrary, type WantedText, writeDown, writer } from './texts';

export interface SyncAccount {
  readonly base: string;
  readonly user_id: number;
  readonly institution: string;
}

export interface WantedTree {
  readonly tree: ReadonlyMap<Key, Wanted>;
  /** The HTML of a page or an assignment. */
  readonly textOf: (key: Key) => string;
  /** Courses, folders and their files, with their names on the server. */
  readonly nodes: ReadonlyMap<Key, Node>;
  /** What can be selected for sync. */
  readonly leaves: ReadonlyMap<Key, ChoiceLeaf>;
  /** The path of each node. */
  readonly paths: ReadonlyMap<Key, Path>;
  /** The user's own files, which are synced both ways. */
  readonly mine: ReadonlySet<Key>;
  /** The folder of each course, and its depth. */
  readonly homes: ReadonlyMap<Key, Path>;
  readonly depth: number;
}

/** The same, updated with single changes instead of being derived again. */
export interface Growing extends WantedTree, TextLibrary {
  readonly tree: Map<Key, Wanted>;
  readonly nodes: Map<Key, Node>;
  readonly leaves: Map<Key, ChoiceLeaf>;
  readonly paths: Map<Key, Path>;
  readonly mine: Set<Key>;
  /** The contents of each folder. */
  readonly below: Map<Key, Set<Key>>;
  /** The keys that want each path; created on first use. */
  places?: PathIndex;
}

/** Names are derived once and stored; texts are rendered only if their content has changed. Pauses between slices. */
export function* wantedTree(cache: Cache, user: UserStore, account: SyncAccount): Generator<void, Growing> {
  const template = user.setting(templateSetting) ?? usualTemplate;
  const all: Node[] = [];
  const levels = new Set<Key>();
  const files = new Map<Key, FileJson>();
  const texts = new Map<Key, WantedText>();
  const inFolders = new Set(gradedInFolders(user));
  // A course outside its dates comes as a stub without a name, and has no folder.
  for (const course of places(cache)) {
    for (const node of courseNodes(keyOfPlace(course.id), course.name, foldersOf(template, templateWordsOf(course, account)))) {
      if (!levels.has(node.key)) all.push(node);
      levels.add(node.key);
    }
    const folders = folderNodes(keyOfPlace(course.id), cache.ofCourse<FolderJson>('folder', course.id));
    all.push(...folders);
    for (const node of fileNodes(keyOfPlace(course.id), cache.ofCourse<FileJson>('file', course.id), folders, files)) all.push(node);
    all.push(...textNodes(course, cache, account.user_id, texts));
    if (inFolders.has(course.id)) all.push(submissionsNode(course.id));
    yield;
  }
  const owned = ownNodes(cache, files);
  for (const node of owned) all.push(node);
  const nodes = new Map(all.map((node) => [node.key, node]));
  yield;
  const { paths, fresh } = yield* naming(all, user.names());
  yield;
  user.keepNames(fresh);

  const tree = yield* filesAt(paths, files);
  const writing = writer(texts, paths, account.base);
  const linking = new Map<string, Set<Key>>();
  yield;
  yield* writeDown({ texts, paths, tree, linking, writing }, cache);
  const homes = new Map(all.flatMap(({ key, kind }): [Key, Path][] => (kind === 'course' ? [[key, paths.get(key) as Path]] : [])));
  const mine = new Set(owned.flatMap(({ key }) => (tree.has(key) ? [key] : [])));
  const below = new Map(
    [...Map.groupBy(all, ({ parent }) => parent ?? '')].map(([key, inside]) => [key, new Set(inside.map(({ key }) => key))]),
  );
  yield;
  const leaves = yield* leavesOf(nodes, tree, files);
  const { textOf } = writing;
  return { tree, textOf, nodes, paths, mine, leaves, homes, depth: templateLevels(template).length, below, texts, linking, writing };
}

export const submissionsKey = (courseId: number): Key => `own:${courseId}-submissions`;

/** Only its name is of this tree; its contents are written by `graded_folders`. */
const submissionsNode = (courseId: number): Node => ({
  key: submissionsKey(courseId),
  parent: keyOfPlace(courseId),
  name: submissionsFolder,
  kind: 'folder',
});

function* filesAt(paths: ReadonlyMap<Key, Path>, files: ReadonlyMap<Key, FileJson>): Generator<void, Map<Key, Wanted>> {
  const tree = new Map<Key, Wanted>();
  let laid = 0;
  for (const [key, file] of files) {
    if (++laid % slice === 0) yield;
    const path = paths.get(key);
    const hash = declaredHashOf(file);
    if (path !== undefined && hash) tree.set(key, wantedFile(file, hash, path));
  }
  return tree;
}

/** Without a hash nothing could be verified; the version takes its place until the bytes are downloaded. */
export const declaredHashOf = ({ sha256, version }: FileJson): string | undefined =>
  sha256 ?? (typeof version === 'string' ? version : undefined);

export const templateWordsOf = (
  { name, course_code, term }: CourseOrGroup,
  { institution }: Pick<SyncAccount, 'institution'>,
): TemplateWords => ({
  institution,
  course: name,
  course_code: course_code ?? '',
  term: term?.name ?? '',
});

function* leavesOf(
  nodes: ReadonlyMap<Key, Node>,
  tree: ReadonlyMap<Key, Wanted>,
  files: ReadonlyMap<Key, FileJson>,
): Generator<void, Map<Key, ChoiceLeaf>> {
  const chains = new Map<Key, readonly Key[]>();
  const leaves = new Map<Key, ChoiceLeaf>();
  let asked = 0;
  for (const node of nodes.values()) {
    if (++asked % slice === 0) yield;
    const wanted = tree.get(node.key);
    if (wanted) leaves.set(node.key, leafOf(node, wanted, files.get(node.key)?.['content-type'], nodes, chains));
  }
  return leaves;
}

/** @param chains of folders, shared by their contents */
export function leafOf(
  { key, name, parent }: Node,
  wanted: Wanted,
  contentType: string | undefined,
  nodes: ReadonlyMap<Key, Node>,
  chains: Map<Key, readonly Key[]>,
): ChoiceLeaf {
  const above = chainOf(parent, nodes, chains);
  const group = wanted.generated || above.includes(mineKey) ? null : fileGroupOf(name, contentType);
  return { key, name, size: wanted.size, group, above, available: wanted.available };
}

function chainOf(key: Key | null, nodes: ReadonlyMap<Key, Node>, chains: Map<Key, readonly Key[]>): readonly Key[] {
  const node = key === null ? undefined : nodes.get(key);
  if (!node || node.kind === 'level') return [];
  const known = chains.get(node.key);
  if (known) return known;
  // A cycle of parents is detected here; nothing in it has a path.
  chains.set(node.key, []);
  const chain = [node.key, ...chainOf(node.parent, nodes, chains)];
  chains.set(node.key, chain);
  return chain;
}

export const mineKey = 'mine:1';

/** The user's own files and folders, without submissions, which are a record that no one changes. */
export function ownFiles(cache: Cache): { readonly files: FileJson[]; readonly folders: FolderJson[] } {
  const all = cache.own<FolderJson>('folder');
  const shut = new Set<number | null>(all.filter(({ for_submissions }) => for_submissions).map(({ id }) => id));
  // Parents need not come before their children.
  for (let before = -1; before !== shut.size; ) {
    before = shut.size;
    for (const { id, parent_folder_id } of all) if (shut.has(parent_folder_id)) shut.add(id);
  }
  return {
    files: cache.own<FileJson>('file').filter(({ folder_id }) => !shut.has(folder_id)),
    folders: all.filter(({ id }) => !shut.has(id)),
  };
}

function ownNodes(cache: Cache, files: Map<Key, FileJson>): Node[] {
  const own = ownFiles(cache);
  const folders = folderNodes(mineKey, own.folders);
  return [{ key: mineKey, parent: null, name: myFilesFolder, kind: 'mine' }, ...folders, ...fileNodes(mineKey, own.files, folders, files)];
}

function folderNodes(home: Key, folders: readonly FolderJson[]): Node[] {
  const ids = new Set(folders.map(({ id }) => id));
  // The course's root folder is the course's own folder here; a hidden parent folder does not hide the folders below it.
  const roots = new Set(folders.filter(({ parent_folder_id }) => parent_folder_id === null).map(({ id }) => id));
  const parentOf = (id: number | null) => (id === null || roots.has(id) || !ids.has(id) ? home : `folder:${id}`);
  return folders
    .filter(({ id }) => !roots.has(id))
    .map(({ id, name, parent_folder_id }) => ({ key: `folder:${id}`, parent: parentOf(parent_folder_id), name, kind: 'folder' }));
}

function fileNodes(home: Key, given: readonly FileJson[], folders: readonly Node[], files: Map<Key, FileJson>): Node[] {
  const known = new Set(folders.map(({ key }) => key));
  return given.map((file) => {
    const key = `file:${file.id}`;
    const folder = `folder:${file.folder_id}`;
    files.set(key, file);
    return { key, parent: known.has(folder) ? folder : home, name: file.display_name, kind: 'leaf' };
  });
}

function textNodes({ id, name }: CourseJson, cache: Cache, userId: number, texts: Map<Key, WantedText>): Node[] {
  // Its texts contain no other fields of the course.
  const course = { id, name };
  const nodes: Node[] = [];
  const put = (key: Key, folder: Key, title: string, text: WantedText) => {
    texts.set(key, text);
    nodes.push({ key, parent: folder, name: `${title}.html`, kind: 'leaf' });
  };
  const submissions = new Map(
    cache
      .ofCourse<SubmissionJson>('submission', course.id)
      .filter(({ user_id }) => user_id === undefined || user_id === userId)
      .map((submission) => [submission.assignment_id, submission]),
  );
  const pagesKey = `own:${course.id}-pages`;
  for (const page of cache.ofCourse<PageJson>('page', course.id)) {
    // A locked page comes without its body: an earlier copy stays.
    if (typeof page.body === 'string') put(`page:${page.page_id}`, pagesKey, page.title, { course, page });
  }
  if (nodes.length > 0) nodes.push({ key: pagesKey, parent: keyOfPlace(course.id), name: pagesFolder, kind: 'folder' });
  const assignmentsKey = `own:${course.id}-assignments`;
  const assignments = cache.ofCourse<AssignmentJson>('assignment', course.id);
  for (const assignment of assignments) {
    put(`assignment:${assignment.id}`, assignmentsKey, assignment.name, { course, assignment, submission: submissions.get(assignment.id) });
  }
  if (assignments.length > 0) nodes.push({ key: assignmentsKey, parent: keyOfPlace(course.id), name: assignmentsFolder, kind: 'folder' });
  return nodes;
}

export const wantedFile = (file: FileJson, hash: string, path: Path): Wanted => ({
  path,
  hash,
  // Some servers omit the size.
  size: file.size ?? 0,
  available: !!file.url && !file.locked_for_user && !file.withheld,
  generated: false,
  ...(file.uuid !== undefined && { uuid: file.uuid }),
  modified: parsedDate(file.modified_at ?? file.updated_at),
});
