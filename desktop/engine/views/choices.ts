// Selective sync as a tree of courses and folders with their sizes, and what a change of it would remove or download.

import type { Amount, ChoiceNode, Choices, ChoicesDraft, ChoicesView, FileGroup } from '../../contract/choices';
import { type ChoiceLeaf, isCourse, reasonAgainst } from '../model/choices';
import type { Node } from '../model/local_paths';
import type { Agreed, FoundFile, Key } from '../model/trees';

export interface Choosing {
  readonly nodes: { values(): Iterable<Node> };
  readonly leaves: ReadonlyMap<Key, ChoiceLeaf>;
  /** Removed one by one. */
  readonly unwanted: ReadonlySet<Key>;
  /** Files on this computer, with their last known state. */
  readonly rows: ReadonlyMap<Key, Row>;
}

type Row = Agreed & { readonly seen: Pick<FoundFile, 'hash'> };

const groups: readonly FileGroup[] = ['documents', 'slides', 'tables', 'images', 'sound', 'video', 'archives', 'code', 'other'];

interface Sum {
  files: number;
  bytes: number;
}
const none = (): Sum => ({ files: 0, bytes: 0 });
const add = (sum: Sum, { size }: ChoiceLeaf): void => {
  sum.files++;
  sum.bytes += size;
};

/** A file, and what the draft changes for it. */
interface Weighed {
  readonly leaf: ChoiceLeaf;
  readonly isKept: boolean;
  /** Not deselected with a course or folder; its file group may still leave it out. */
  readonly isMarked: boolean;
  readonly effect: Effect;
}

/** `stays`: it was edited here, so it is not removed. */
type Effect = 'leaves' | 'stays' | 'comes' | undefined;

export function choicesView({ nodes, leaves, unwanted, rows }: Choosing, draft: ChoicesDraft, stored: Choices): ChoicesView {
  const { choices } = draft;
  const again = new Set(draft.again);
  const weighed = [...leaves.values()].map((leaf): Weighed => {
    const isPutAway = unwanted.has(leaf.key) && !again.has(leaf.key);
    const against = reasonAgainst(leaf, choices);
    const isKept = !isPutAway && against === undefined;
    const isMarked = !isPutAway && against !== 'course' && against !== 'folder';
    const wasKept = !unwanted.has(leaf.key) && reasonAgainst(leaf, stored) === undefined;
    return { leaf, isKept, isMarked, effect: wasKept === isKept ? undefined : effectOf(leaf, rows.get(leaf.key), isKept) };
  });
  const having = (effect: Effect) => weighed.filter((one) => one.effect === effect);
  const leaving = having('leaves');
  return {
    choices,
    again: draft.again,
    nodes: nodesOf([...nodes.values()], sumsOf(weighed)),
    groups: groupsOf(weighed, choices),
    all: sumOf(weighed),
    kept: sumOf(weighed.filter(({ isKept }) => isKept)),
    leaves: sumOf(leaving),
    leaves_locked: leaving.filter(({ leaf }) => !leaf.available).length,
    stays: having('stays').length,
    comes: sumOf(having('comes')),
  };
}

/** What happens to a file that is selected or deselected. */
function effectOf({ available }: ChoiceLeaf, row: Row | undefined, isKept: boolean): Effect {
  if (isKept) return !row && available ? 'comes' : undefined;
  return row && (row.seen.hash === row.hash ? 'leaves' : 'stays');
}

function sumOf(weighed: readonly Weighed[]): Amount {
  const sum = none();
  for (const { leaf } of weighed) add(sum, leaf);
  return sum;
}

interface PlaceSums {
  readonly all: Sum;
  readonly kept: Sum;
  marked: number;
}

/** For each course and folder, with everything below it. */
function sumsOf(weighed: readonly Weighed[]): ReadonlyMap<Key, PlaceSums> {
  const sums = new Map<Key, PlaceSums>();
  for (const { leaf, isKept, isMarked } of weighed)
    for (const place of leaf.above) {
      const sum = sums.get(place) ?? { all: none(), kept: none(), marked: 0 };
      sums.set(place, sum);
      add(sum.all, leaf);
      if (isKept) add(sum.kept, leaf);
      if (isMarked) sum.marked++;
    }
  return sums;
}

/** File groups with files, and those that are left out. */
function groupsOf(weighed: readonly Weighed[], { without }: Choices): ChoicesView['groups'] {
  const byGroup = Map.groupBy(weighed, ({ leaf }) => leaf.group);
  return groups
    .filter((group) => byGroup.has(group) || without.includes(group))
    .map((group) => ({ group, all: sumOf(byGroup.get(group) ?? []), wanted: !without.includes(group) }));
}

const names = new Intl.Collator(undefined, { numeric: true });

function nodesOf(nodes: readonly Node[], sums: ReadonlyMap<Key, PlaceSums>): ChoiceNode[] {
  const places = nodes.filter(({ key, kind }) => kind !== 'leaf' && sums.has(key));
  const children = Map.groupBy(places, ({ key, parent }) => (isCourse(key) ? null : parent));
  const walk = (parent: Key | null, depth: number): ChoiceNode[] =>
    (children.get(parent) ?? [])
      .toSorted((a, b) => names.compare(a.name, b.name))
      .flatMap(({ key, name: folder, title: name = folder }): ChoiceNode[] => {
        const { all, kept, marked } = sums.get(key) as PlaceSums; // filtered above
        const state = marked === 0 ? 'off' : marked === all.files ? 'on' : 'part';
        return [{ key, name, depth, has_folders: children.has(key), state, all: { ...all }, kept: { ...kept } }, ...walk(key, depth + 1)];
      });
  return walk(null, 0);
}
