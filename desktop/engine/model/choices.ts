// What the user wants on this computer, by course, folder, kind and size. A file that is left out is never deleted on the server. Pure.

import type { Against, Choices, ChoicesDraft, FileGroup } from '../../contract/choices';
import type { Key } from './trees';

/** A file or text that could be on this computer. */
export interface ChoiceLeaf {
  readonly key: Key;
  readonly name: string;
  readonly size: number;
  /** Null for a text that is written here: only its folder decides. */
  readonly group: FileGroup | null;
  /** Its folders and its course, the nearest first. */
  readonly above: readonly Key[];
  /** The server offers it at present. */
  readonly available: boolean;
}

export const everything: Choices = { marks: {}, without: [], largest: null };

/** Undefined: it is wanted. A mark of the file itself has priority over one of its folder, and that over one of its course. */
export function reasonAgainst({ key, above, group, size }: Omit<ChoiceLeaf, 'name' | 'available'>, choices: Choices): Against | undefined {
  const { marks, without, largest } = choices;
  if (marks[key] === true) return undefined;
  const nearest = above.find((place) => marks[place] !== undefined);
  if (nearest !== undefined && marks[nearest] === false) return isCourse(nearest) ? 'course' : 'folder';
  if (group === null) return undefined;
  if (without.includes(group)) return 'kind';
  return largest !== null && size > largest ? 'size' : undefined;
}

export function deselected(leaves: Iterable<ChoiceLeaf>, choices: Choices): ReadonlyMap<Key, Against> {
  const left = new Map<Key, Against>();
  if (isEverything(choices)) return left;
  for (const leaf of leaves) {
    const against = reasonAgainst(leaf, choices);
    if (against) left.set(leaf.key, against);
  }
  return left;
}

/**
 * Switches a course, a folder or a file on or off with everything below it: marks there are removed. Files that were removed one
 * by one come back with the place that is switched on.
 */
export function remark(
  draft: ChoicesDraft,
  place: Key,
  wanted: boolean,
  leaves: Iterable<ChoiceLeaf>,
  unwanted: ReadonlySet<Key>,
): ChoicesDraft {
  const marks = { ...draft.choices.marks };
  const again = new Set(draft.again);
  let above: readonly Key[] = [];
  for (const leaf of leaves) {
    const at = leaf.above.indexOf(place);
    if (at === -1 && leaf.key !== place) continue;
    above = leaf.above.slice(at + 1);
    for (const below of leaf.above.slice(0, Math.max(0, at))) delete marks[below];
    delete marks[leaf.key];
    if (!wanted) again.delete(leaf.key);
    else if (unwanted.has(leaf.key)) again.add(leaf.key);
  }
  delete marks[place];
  const nearest = above.find((key) => marks[key] !== undefined);
  // A mark is only needed if it differs from the one above.
  if ((nearest === undefined || marks[nearest]) !== wanted) marks[place] = wanted;
  return { choices: { ...draft.choices, marks }, again: [...again] };
}

/** A single file that is requested is wanted, whatever the choice for its folder, kind and size. */
export function withFile(choices: Choices, leaf: ChoiceLeaf | undefined, key: Key, wanted: boolean): Choices {
  const { [key]: _, ...marks } = choices.marks;
  const isLeftOut = leaf !== undefined && reasonAgainst(leaf, { ...choices, marks }) !== undefined;
  return { ...choices, marks: wanted && isLeftOut ? { ...marks, [key]: true } : marks };
}

const isEverything = ({ marks, without, largest }: Choices): boolean =>
  largest === null && without.length === 0 && !Object.values(marks).includes(false);

export const isCourse = (key: Key): boolean => /^(course|group|mine):/.test(key);
