// Proof that nothing is missing: the server's hash of a course's files against the hash of the local files, computed from the bytes on the
// disk.

import { createHash } from 'node:crypto';
import { type Branch, branchesOf, type HashOf, type ProofLeaf, type ProofPage, rootOf } from '@carrel/shared/sync/proof';
import { type CourseOrGroup, places } from '../../model/places';
import type { FileJson } from '../../model/resources';
import type { Key } from '../../model/trees';
import { Declined, type Session } from '../../server/session';
import type { Cache } from '../../store/cache';
import type { Verified } from './verify';

export interface Proven {
  readonly course_id?: number;
  readonly group_id?: number;
  readonly name: string;
  /** Files that the server lists. */
  readonly files: number;
  /** How many of these are here, with the server's bytes or damaged; without unwanted and locked files. */
  readonly here: number;
  /** Every listed file is known here under its name, every file that was read has the server's bytes, and none is missing. */
  readonly is_identical: boolean;
  /** The cache differs from the list of the server: the feed has lost something. Files that differ on disk only are not a gap. */
  readonly has_gap: boolean;
  /** The hash of the local files: equal roots mean equal files. */
  readonly root: string;
  /** When the server was asked. */
  readonly as_of: string;
}

type Told = FileJson & ProofLeaf;

export const hashOfText: HashOf = (text) => createHash('sha256').update(text).digest('hex');

/**
 * @param read the hashes of the files on disk; for files that are not kept here the server's hash is used
 * @param issues receives the differences
 * @returns one for each course and group; none from a server that sends no proofs
 */
export async function prove(
  session: Session,
  cache: Cache,
  { read, issues }: Pick<Verified, 'read' | 'issues'>,
  now: () => Date,
): Promise<Proven[]> {
  const proven: Proven[] = [];
  const missing = new Set(issues.flatMap(({ what, key }) => (what === 'missing' ? [key] : [])));
  for (const place of places(cache)) {
    const there = await branchesThere(session, place);
    if (!there) continue;
    const known = cache.ofCourse<Told>('file', place.id).filter(({ withheld, sha256 }) => !withheld && sha256);
    const here = known.map((file) => ({ ...file, sha256: read.get(keyOf(file.id)) ?? file.sha256 }));
    const branches = await branchesOf(here, hashOfText);
    proven.push({
      ...(place.id < 0 ? { group_id: -place.id } : { course_id: place.id }),
      name: place.name,
      files: there.reduce((sum, { count }) => sum + count, 0),
      here: known.filter(({ id }) => read.has(keyOf(id))).length,
      is_identical: isSame(branches, there) && !known.some(({ id }) => missing.has(keyOf(id))),
      has_gap: !isSame(await branchesOf(known, hashOfText), there),
      root: await rootOf(branches, hashOfText),
      as_of: now().toISOString(),
    });
  }
  return proven;
}

const keyOf = (id: number): Key => `file:${id}`;

const isSame = (a: readonly Branch[], b: readonly Branch[]): boolean =>
  a.length === b.length && a.every(({ sha256, count }, nth) => b[nth]?.sha256 === sha256 && b[nth]?.count === count);

/** All pages; undefined if the server returns none: an older one, or a course that is no longer accessible. */
async function branchesThere(session: Session, { id }: CourseOrGroup): Promise<readonly Branch[] | undefined> {
  const branches: Branch[] = [];
  for (let after = ''; ; ) {
    const where = id < 0 ? `groups/${-id}` : `courses/${id}`;
    try {
      const page = await session.json<ProofPage>(`/api/sync/v1/${where}/proof?${new URLSearchParams({ after })}`);
      branches.push(...page.branches);
      if (page.next === undefined) return branches;
      after = page.next;
    } catch (problem) {
      if (problem instanceof Declined) return undefined;
      throw problem;
    }
  }
}
