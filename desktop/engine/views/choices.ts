// Selective sync as a tree of courses and folders with their sizes, and what a change of it would remove or download.

import type { Amount, ChoiceNode, Choices, ChoicesDraft, ChoicesView, FileGroup } from '../../contract/choices';
import { isCourse, type Leaf, reasonAgainst } from '../model/choices';
import type { Node } from '../model/local_paths';
import type { Agreed, Found, Key } from '../model/trees';

export interface Choosing {
  readonly nodes: { values(): Iterable<Node> };
  readonly leaves: ReadonlyMap<Key, Leaf>;
  /** Removed one by one. */
  readonly unwanted: ReadonlySet<Key>;
  /** Files on this computer, with their last known state. */
  readonly rows: ReadonlyMap<Key, Agreed & { readonly seen: Pick<Found, 'hash'> }>;
}

const groups: readonly FileGroup[] = ['documents', 'slides', 'tables', 'images', 'sound', 'video', 'archives', 'code', 'other'];

interface Sum {
  files: number;
  bytes: number;
}
const none = (): Sum => ({ files: 0, bytes: 0 });
const add = (sum: Sum, { size }: Leaf): void => {
  sum.files++;
  sum.bytes += size;
};

export function choicesView({ nodes, leaves, unwanted, rows }: Choosing, draft: ChoicesDraft, stored: Choices): ChoicesView {
  const { choices } = draft;
  const again = new Set(draft.again);
  const sums = new Map<Key, { all: Sum; kept: Sum; marked: number }>();
  const byGroup = new Map<FileGroup, Sum>();
  const [all, kept, leaves_, comes] = [none(), none(), none(), none()];
  let stays = 0;
  let leavesLocked = 0;
  for (const leaf of leaves.values()) {
    const isPutAway = unwanted.has(leaf.key) && !again.has(leaf.key);
    const against = reasonAgainst(leaf, choices);
    const isKept = !isPutAway && against === undefined;
    const isMarked = !isPutAway && against !== 'course' && against !== 'folder';
    for (const place of leaf.above) {
      const sum = sums.get(place) ?? { all: none(), kept: none(), marked: 0 };
      sums.set(place, sum);
      add(sum.all, leaf);
      if (isKept) add(sum.kept, leaf);
      if (isMarked) sum.marked++;
    }
    add(all, leaf);
    if (leaf.group) {
      const sum = byGroup.get(leaf.group) ?? none();
      byGroup.set(leaf.group, sum);
      add(sum, leaf);
    }
    if (isKept) add(kept, leaf);
    const row = rows.get(leaf.key);
    const wasKept = !unwanted.has(leaf.key) && reasonAgainst(leaf, stored) === undefined;
    if (row && wasKept && !isKept) {
      if (row.seen.hash !== row.hash) stays++;
      else {
        add(leaves_, leaf);
        if (!leaf.available) leavesLocked++;
      }
    } else if (!row && isKept && !wasKept && leaf.available) add(comes, leaf);
  }
  return {
    choices,
    again: draft.again,
    nodes: nodesOf([...nodes.values()], sums),
    groups: groups.flatMap((group) => {
      const found = byGroup.get(group);
      return found || choices.without.includes(group) ? [{ group, all: found ?? none(), wanted: !choices.without.includes(group) }] : [];
    }),
    all,
    kept,
    leaves: leaves_,
    leaves_locked: leavesLocked,
    stays,
    comes,
  };
}

const names = new Intl.Collator(undefined, { numeric: true });

function nodesOf(nodes: readonly Node[], sums: ReadonlyMap<Key, { all: Amount; kept: Amount; marked: number }>): ChoiceNode[] {
  const places = nodes.filter(({ key, kind }) => kind !== 'leaf' && sums.has(key));
  const children = Map.groupBy(places, ({ key, parent }) => (isCourse(key) ? null : parent));
  const walk = (parent: Key | null, depth: number): ChoiceNode[] =>
    (children.get(parent) ?? [])
      .toSorted((a, b) => names.compare(a.name, b.name))
      .flatMap(({ key, name: folder, title: name = folder }): ChoiceNode[] => {
        const { all, kept, marked } = sums.get(key) as { all: Amount; kept: Amount; marked: number }; // filtered above
        const state = marked === 0 ? 'off' : marked === all.files ? 'on' : 'part';
        return [{ key, name, depth, has_folders: children.has(key), state, all: { ...all }, kept: { ...kept } }, ...walk(key, depth + 1)];
      });
  return walk(null, 0);
}
