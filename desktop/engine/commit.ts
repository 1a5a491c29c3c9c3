// What becomes of the agreed tree around a step: the effect's report, not the plan, is believed. Pure.

import type { Agreed, Found, Key, Path, Step, Wanted } from './trees';

/** A change of the agreed tree. All changes of one call are stored in one transaction. */
export type Note<Stamp> =
  | { readonly put: Key; readonly agreed: Agreed; readonly seen: Found & { readonly stamp: Stamp } }
  /** About to be moved there, from where it lies now. */
  | { readonly going: Key; readonly from: Path; readonly to: Path }
  /** No longer followed; `removed` is where the copy of a withdrawn file went. */
  | { readonly drop: Key; readonly removed?: Path }
  | { readonly unwant: Key };

/**
 * Before the effect. What is put aside is the person's from now on: noted afterwards, a crash in between would let the file
 * under its new name pass for the server's, moved by the person. And a move says where it goes, so that the file is known
 * there even when the program died and the person edited it before the next start.
 */
export function before<Stamp>(step: Step, way?: { readonly from: Path; readonly to: Path }): Note<Stamp>[] {
  const aside: Note<Stamp>[] = 'aside' in step ? step.aside.flatMap(({ key }) => (key === undefined ? [] : [{ drop: key }])) : [];
  return way ? [...aside, { going: step.key, ...way }] : aside;
}

/** After the effect; `exists` is what it left on disk, as it saw it there. */
export function after<Stamp>(step: Step, exists?: Found & { readonly stamp: Stamp }): Note<Stamp>[] {
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
