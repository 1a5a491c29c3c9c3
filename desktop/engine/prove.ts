// Proof that nothing is missing: the server's hash of a course's files against the hash of what is here, made from the bytes on the disk.

import { createHash } from 'node:crypto';
import { type Branch, branchesOf, type HashOf, type Leaf, type ProofPage, rootOf } from '@carrel/shared/sync/proof';
import { type Place, places } from './places';
import { Declined, type Session } from './remote';
import type { FileJson } from './resources';
import type { Cache } from './store/cache';
import type { Key } from './trees';
import type { Verified } from './verify';

export interface Proven {
  readonly course_id?: number;
  readonly group_id?: number;
  readonly name: string;
  /** That the server lists. */
  readonly files: number;
  /** Of these lie here, with the server's bytes or damaged; what is left out, put away or locked does not. */
  readonly here: number;
  /** Every file that the server lists is known here under its name, every one that was read here has the server's bytes, and none is missing. */
  readonly is_identical: boolean;
  /** What is known here is not what the server lists: the feed has lost something. Files that differ on the disk do not make a gap. */
  readonly has_gap: boolean;
  /** Of what is here: whoever has the same root has the same files. */
  readonly root: string;
  /** When the server was asked. */
  readonly as_of: string;
}

type Told = FileJson & Leaf;

export const hashOf: HashOf = (text) => createHash('sha256').update(text).digest('hex');

/**
 * @param read the hashes of files as they lie on the disk; of what is not kept here what the server told is taken
 * @param issues of what is not as it should be
 * @returns one for each course and group; none from a server that proves nothing
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
    const branches = await branchesOf(here, hashOf);
    proven.push({
      ...(place.id < 0 ? { group_id: -place.id } : { course_id: place.id }),
      name: place.name,
      files: there.reduce((sum, { count }) => sum + count, 0),
      here: known.filter(({ id }) => read.has(keyOf(id))).length,
      is_identical: isSame(branches, there) && !known.some(({ id }) => missing.has(keyOf(id))),
      has_gap: !isSame(await branchesOf(known, hashOf), there),
      root: await rootOf(branches, hashOf),
      as_of: now().toISOString(),
    });
  }
  return proven;
}

const keyOf = (id: number): Key => `file:${id}`;

const isSame = (a: readonly Branch[], b: readonly Branch[]): boolean =>
  a.length === b.length && a.every(({ sha256, count }, nth) => b[nth]?.sha256 === sha256 && b[nth]?.count === count);

/** All pages; undefined where the server does not say: an older one, or a course that it no longer opens. */
async function branchesThere(session: Session, { id }: Place): Promise<readonly Branch[] | undefined> {
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
