// The local path of each folder and file of the server: names are derived once, then joined to paths. Pure.

import {
  assignmentsFolder,
  deletedFolder,
  isTurned,
  localName,
  myFilesFolder,
  ownFolder,
  pagesFolder,
  pathOf,
  removedFolder,
  uniqueName,
} from './names';
import { atOnce, slice } from './slices';
import { fold, type Key, type Path } from './trees';

/** A folder or a file with its name on the server. */
export interface Node {
  readonly key: Key;
  readonly parent: Key | null;
  /** The name on the server, unchanged. */
  readonly name: string;
  readonly kind: 'level' | 'course' | 'mine' | 'folder' | 'leaf';
  /** Its title, if its folder has another name. */
  readonly title?: string;
}

/** A name that was derived before. It stays as long as the server name and the parent do. */
export interface LocalName {
  readonly key: Key;
  readonly parent: Key | null;
  readonly server_name: string;
  readonly local_name: string;
}

export interface Naming {
  readonly paths: Map<Key, Path>;
  /** Names to store: new ones, and those whose server name or parent changed. */
  readonly fresh: readonly LocalName[];
}

export const nameAll = (nodes: readonly Node[], known: ReadonlyMap<Key, LocalName>): Naming => atOnce(naming(nodes, known));

/** The same in slices. */
export function* naming(nodes: readonly Node[], known: ReadonlyMap<Key, LocalName>): Generator<void, Naming> {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const children = Map.groupBy(nodes, (node) => (node.parent !== null && byKey.has(node.parent) ? node.parent : null));
  const paths = new Map<Key, Path>();
  const fresh: LocalName[] = [];
  let done = 0;
  function* walk(parent: Node | null, above: readonly string[]): Generator<void, void> {
    const named = nameSiblings(children.get(parent?.key ?? null) ?? [], known, parent);
    for (const [node, name] of named) {
      if (++done % slice === 0) yield;
      const row = known.get(node.key);
      if (row?.local_name !== name || row.server_name !== node.name || row.parent !== node.parent) {
        fresh.push({ key: node.key, parent: node.parent, server_name: node.name, local_name: name });
      }
      const names = [...above, name];
      paths.set(node.key, pathOf(...names));
      if (node.kind !== 'leaf') yield* walk(node, names);
    }
  }
  if (nodes.length >= slice) yield;
  // Nodes in a cycle of parents are never reached: they have no path, and so nothing is done for them.
  yield* walk(null, []);
  return { paths, fresh };
}

/** Names of the program's own folders in it. */
export function ownNames(parent: Node | null | undefined): readonly string[] {
  const own = parent === null ? [myFilesFolder, ownFolder] : parent?.kind === 'course' ? [pagesFolder, assignmentsFolder] : [];
  return [removedFolder, deletedFolder, ...own];
}

function nameSiblings(siblings: readonly Node[], known: ReadonlyMap<Key, LocalName>, parent: Node | null): [Node, string][] {
  const isCourse = parent?.kind === 'course';
  // The program's own folders keep their names even if the server has one with the same name.
  const isOwn = (node: Node) => node.kind === 'mine' || (isCourse && node.key.startsWith('own:'));
  const taken = new Set([...ownNames(parent), ...siblings.filter(isOwn).map(({ name }) => name)].map(fold));
  const named = new Map<Node, string>();
  const inOrder = siblings.toSorted((a, b) => idOf(a.key) - idOf(b.key) || (a.key < b.key ? -1 : 1));
  for (const node of inOrder) {
    const row = isOwn(node) ? undefined : known.get(node.key);
    const isKept =
      row?.server_name === node.name && row.parent === node.parent && !taken.has(fold(row.local_name)) && !isTurned(row.local_name);
    if (!isKept) continue;
    taken.add(fold(row.local_name));
    named.set(node, row.local_name);
  }
  for (const node of inOrder) {
    if (!named.has(node)) named.set(node, isOwn(node) ? node.name : uniqueName(localName(node.name), idOf(node.key), taken));
  }
  return [...named];
}

const idOf = (key: Key): number => Number(key.slice(key.indexOf(':') + 1)) || 0;
