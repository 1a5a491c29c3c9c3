// What the server wants to lie in the folder, derived from the cache: files in their folders, pages and assignments as texts.

import { createHash } from 'node:crypto';
import { t } from '../ui/words/texts';
import type { Leaf } from './choices';
import { assignmentDocument, documentVersion, pageDocument, type Surroundings } from './documents';
import { groupOf } from './file_groups';
import type { Linked } from './links';
import { assignmentsFolder, myFilesFolder, pagesFolder } from './names';
import { keyOfPlace, type Place, places } from './places';
import type { AssignmentJson, CourseJson, FileJson, FolderJson, PageJson, SubmissionJson } from './resources';
import type { Cache, Document } from './store/cache';
import type { UserStore } from './store/user';
import { courseNodes, foldersOf, levelsOf, templateSetting, usualTemplate, type Words } from './template';
import { type Node, nameAll } from './tree';
import type { Key, Path, Wanted } from './trees';

export interface Account {
  readonly base: string;
  readonly user_id: number;
  readonly institution: string;
}

export interface WantedTree {
  readonly tree: ReadonlyMap<Key, Wanted>;
  /** A page or an assignment as it is to be written. */
  readonly textOf: (key: Key) => string;
  /** Courses, folders and what is in them, as the server names them. */
  readonly nodes: readonly Node[];
  /** What can be chosen. */
  readonly leaves: ReadonlyMap<Key, Leaf>;
  /** Where each of the nodes lies. */
  readonly paths: ReadonlyMap<Key, Path>;
  /** The files that the person keeps on the server for themselves: both ways. */
  readonly mine: ReadonlySet<Key>;
  /** The folder of each course, and how deep it lies. */
  readonly homes: ReadonlyMap<Key, Path>;
  readonly depth: number;
}

interface Text {
  readonly course: CourseJson;
  readonly page?: PageJson;
  readonly assignment?: AssignmentJson;
  readonly submission?: SubmissionJson;
}

/** Names are derived once and kept; texts are rendered only where what they show has changed. */
export function wantedTree(cache: Cache, user: UserStore, account: Account): WantedTree {
  const template = user.setting(templateSetting) ?? usualTemplate;
  const nodes: Node[] = [];
  const levels = new Set<Key>();
  const files = new Map<Key, FileJson>();
  const texts = new Map<Key, Text>();
  // A course outside its dates comes as a stub without a name, and is no place.
  for (const course of places(cache)) {
    for (const node of courseNodes(keyOfPlace(course.id), course.name, foldersOf(template, wordsOf(course, account)))) {
      if (!levels.has(node.key)) nodes.push(node);
      levels.add(node.key);
    }
    const folders = folderNodes(keyOfPlace(course.id), cache.ofCourse<FolderJson>('folder', course.id));
    nodes.push(...folders, ...fileNodes(keyOfPlace(course.id), cache.ofCourse<FileJson>('file', course.id), folders, files));
    nodes.push(...textNodes(course, cache, account.user_id, texts));
  }
  const owned = ownNodes(cache, files);
  nodes.push(...owned);
  const { paths, fresh } = nameAll(nodes, user.names());
  user.keepNames(fresh);

  const textOf = renderer(texts, paths, account.base);
  const tree = new Map<Key, Wanted>();
  for (const [key, file] of files) {
    const path = paths.get(key);
    // Without a hash nothing could be verified; a version stands for one that is known once the bytes have come.
    const hash = file.sha256 ?? file.version;
    if (path !== undefined && hash) tree.set(key, wantedFile(file, hash, path));
  }
  for (const [key, document] of documents(texts, paths, cache, account.base, textOf)) {
    const { page, assignment } = texts.get(key) as Text; // documents come from the texts
    const { sha256: hash, size } = document;
    const modified = dateOf(page?.updated_at ?? assignment?.updated_at);
    tree.set(key, { path: paths.get(key) as Path, hash, size, available: true, generated: true, modified });
  }
  const homes = new Map(nodes.flatMap(({ key, kind }): [Key, Path][] => (kind === 'course' ? [[key, paths.get(key) as Path]] : [])));
  const mine = new Set(owned.flatMap(({ key }) => (tree.has(key) ? [key] : [])));
  return { tree, textOf, nodes, paths, mine, leaves: leavesOf(nodes, tree, files), homes, depth: levelsOf(template).length };
}

export const wordsOf = ({ name, course_code, term }: Place, { institution }: Pick<Account, 'institution'>): Words => ({
  institution,
  course: name,
  course_code: course_code ?? '',
  term: term?.name ?? '',
});

function leavesOf(nodes: readonly Node[], tree: ReadonlyMap<Key, Wanted>, files: ReadonlyMap<Key, FileJson>): ReadonlyMap<Key, Leaf> {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const chains = new Map<Key, readonly Key[]>();
  const chainOf = (key: Key | null): readonly Key[] => {
    const node = key === null ? undefined : byKey.get(key);
    if (!node || node.kind === 'level') return [];
    const known = chains.get(node.key);
    if (known) return known;
    // A ring of parents ends where it is met again; nothing in one has a path.
    chains.set(node.key, []);
    const chain = [node.key, ...chainOf(node.parent)];
    chains.set(node.key, chain);
    return chain;
  };
  return new Map(
    nodes.flatMap(({ key, name, parent }): [Key, Leaf][] => {
      const wanted = tree.get(key);
      if (!wanted) return [];
      const above = chainOf(parent);
      const group = wanted.generated || above.includes(mineKey) ? null : groupOf(name, files.get(key)?.['content-type']);
      return [[key, { key, name, size: wanted.size, group, above, available: wanted.available }]];
    }),
  );
}

export const mineKey = 'mine:1';

/** One's own files in their folders, but for what has been handed in: that is a record, and nobody changes it. */
function ownNodes(cache: Cache, files: Map<Key, FileJson>): Node[] {
  const all = cache.own<FolderJson>('folder');
  const shut = new Set<number | null>(all.filter(({ for_submissions }) => for_submissions).map(({ id }) => id));
  // Parents come before their children only by chance.
  for (let before = -1; before !== shut.size; ) {
    before = shut.size;
    for (const { id, parent_folder_id } of all) if (shut.has(parent_folder_id)) shut.add(id);
  }
  const folders = folderNodes(
    mineKey,
    all.filter(({ id }) => !shut.has(id)),
  );
  const own = cache.own<FileJson>('file').filter(({ folder_id }) => !shut.has(folder_id));
  return [{ key: mineKey, parent: null, name: myFilesFolder, kind: 'mine' }, ...folders, ...fileNodes(mineKey, own, folders, files)];
}

function folderNodes(home: Key, folders: readonly FolderJson[]): Node[] {
  const ids = new Set(folders.map(({ id }) => id));
  // The course's root folder is the course's own folder here; a folder above that is hidden does not hide what is below it.
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

function textNodes(course: CourseJson, cache: Cache, userId: number, texts: Map<Key, Text>): Node[] {
  const nodes: Node[] = [];
  const put = (key: Key, folder: Key, title: string, text: Text) => {
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

function renderer(texts: ReadonlyMap<Key, Text>, paths: ReadonlyMap<Key, Path>, base: string): (key: Key) => string {
  const pages = new Map([...texts].flatMap(([key, { course, page }]) => (page ? [[`${course.id} ${page.url}`, key]] : [])));
  const keyOf = (linked: Linked): Key =>
    linked.kind === 'page' ? (pages.get(`${linked.course_id} ${linked.url}`) ?? '') : `${linked.kind}:${linked.id}`;
  return (key) => {
    const { course, page, assignment, submission } = texts.get(key) ?? {};
    const path = paths.get(key);
    if (path === undefined || !course) throw new Error(t('why.notInCourse'));
    const around: Surroundings = { base, courseName: course.name ?? '', path, pathOf: (linked) => paths.get(keyOf(linked)) };
    if (page) return pageDocument(page, around);
    if (assignment) return assignmentDocument(assignment, submission, around);
    throw new Error('a text is a page or an assignment');
  };
}

function documents(
  texts: ReadonlyMap<Key, Text>,
  paths: ReadonlyMap<Key, Path>,
  cache: Cache,
  base: string,
  textOf: (key: Key) => string,
): ReadonlyMap<Key, Document> {
  const known = cache.documents();
  const current = new Map<Key, Document>();
  const fresh = new Map<Key, Document>();
  // A text links by relative paths, so it depends on where everything else lies.
  const places = digest([...paths]);
  for (const [key, text] of texts) {
    if (!paths.has(key)) continue;
    const fingerprint = digest([documentVersion(), base, places, text]);
    let document = known.get(key);
    if (document?.fingerprint !== fingerprint) {
      const html = textOf(key);
      document = { fingerprint, sha256: createHash('sha256').update(html).digest('hex'), size: Buffer.byteLength(html) };
      fresh.set(key, document);
    }
    current.set(key, document);
  }
  cache.keepDocuments(fresh);
  return current;
}

const wantedFile = (file: FileJson, hash: string, path: Path): Wanted => ({
  path,
  hash,
  size: file.size,
  available: !!file.url && !file.locked_for_user && !file.withheld,
  generated: false,
  modified: dateOf(file.modified_at ?? file.updated_at),
});

const digest = (value: unknown): string => createHash('sha1').update(JSON.stringify(value)).digest('base64');
const dateOf = (time: string | null | undefined): Date | undefined =>
  time && !Number.isNaN(Date.parse(time)) ? new Date(time) : undefined;
