// What each step changes in the agreed tree: the report of the effect counts, not the plan. Pure.

import type { Agreed, FoundFile, Key, Path, Step, Wanted } from '../model/trees';

/** A change of the agreed tree. All changes of one call are stored in one transaction. */
export type Note<Stamp> =
  | { readonly put: Key; readonly agreed: Agreed; readonly seen: FoundFile & { readonly stamp: Stamp } }
  /** Is being moved to this path from the current one. */
  | { readonly going: Key; readonly from: Path; readonly to: Path }
  /** No longer tracked; `removed` is the path of the copy of a withdrawn file. */
  | { readonly drop: Key; readonly removed?: Path }
  | { readonly unwant: Key };

/**
 * Notes before the effect. A file that is put aside belongs to the user from then on: if that were noted afterwards, a crash in
 * between would make the renamed file look like one of the server that the user has moved. A move notes its target, so that the
 * file is recognised even if the program crashed and the user edited it before the next start.
 */
export function notesBefore<Stamp>(step: Step, way?: { readonly from: Path; readonly to: Path }): Note<Stamp>[] {
  const aside: Note<Stamp>[] = 'aside' in step ? step.aside.flatMap(({ key }) => (key === undefined ? [] : [{ drop: key }])) : [];
  return way ? [...aside, { going: step.key, ...way }] : aside;
}

/** Notes after the effect; `exists` is what the effect saw on disk. */
export function after<Stamp>(step: Step, exists?: FoundFile & { readonly stamp: Stamp }): Note<Stamp>[] {
  switch (step.do) {
    case 'agree':
    case 'move':
    case 'park':
      return exists ? [{ put: step.key, agreed: { ...step.agreed, path: exists.path }, seen: exists }] : [];
    case 'pull':
      return exists ? [{ put: step.key, agreed: agreedOn(step.wanted, exists.path), seen: exists }] : [];
    case 'inherit':
      return exists ? [{ drop: step.from }, { put: step.key, agreed: step.agreed, seen: exists }] : [];
    case 'withdraw':
      return [{ drop: step.key, ...(exists ? { removed: exists.path } : {}) }];
    case 'discard':
      return [{ drop: step.key }];
    case 'forget':
      return step.unwanted ? [{ drop: step.key }, { unwant: step.key }] : [{ drop: step.key }];
  }
}

const agreedOn = ({ path: wanted, hash, uuid }: Wanted, path: Path): Agreed => ({
  wanted,
  path,
  hash,
  ...(uuid !== undefined && { uuid }),
});
