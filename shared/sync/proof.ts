// Proof that a client has received exactly the files of a course: both sides hash what they have, and compare.

/**
 * The hashed fields of a file. Files are ordered by `created_at`, then `id`.
 * `sha256` is of the content: as stored on the server, or as read from disk by the client.
 */
export interface ProofLeaf {
  readonly id: number;
  readonly created_at: string;
  readonly folder_id: number | null;
  readonly display_name: string;
  readonly size: number;
  readonly sha256: string;
}

/** The hash of consecutive files. */
export interface Branch {
  /** The last file of the branch: `created_at` and `id`. */
  readonly through: string;
  readonly count: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** `GET /api/sync/v1/courses/:id/proof?after=…`, also for groups and `users/self`: some branches, and where to continue. */
export interface ProofPage {
  readonly branches: readonly Branch[];
  readonly next?: string;
}

/** Files per branch: a difference is located to within this many files. */
export const branchSize = 500;

export const placeInOrder = ({ created_at, id }: Pick<ProofLeaf, 'created_at' | 'id'>): string => `${created_at} ${id}`;

const inOrder = (a: ProofLeaf, b: ProofLeaf): number =>
  a.created_at === b.created_at ? a.id - b.id : a.created_at < b.created_at ? -1 : 1;

/** SHA-256 of a UTF-8 text as lower-case hex: each runtime supplies its own. */
export type HashOf = (text: string) => string | Promise<string>;

/** @param leaves in any order */
export function branchesOf(leaves: readonly ProofLeaf[], hashOf: HashOf): Promise<Branch[]> {
  const sorted = leaves.toSorted(inOrder);
  const starts = Array.from({ length: Math.ceil(sorted.length / branchSize) }, (_, nth) => nth * branchSize);
  return Promise.all(
    starts.map(async (start) => {
      const some = sorted.slice(start, start + branchSize);
      const lines = some.map(({ id, folder_id, display_name, size, sha256 }) =>
        JSON.stringify([id, folder_id, display_name, size, sha256]),
      );
      return { through: placeInOrder(some.at(-1) as ProofLeaf), count: some.length, sha256: await hashOf(lines.join('\n')) };
    }),
  );
}

/** One hash over all branches: equal roots mean equal lists of equal files. */
export const rootOf = (branches: readonly Branch[], hashOf: HashOf): string | Promise<string> =>
  hashOf(branches.map(({ sha256 }) => sha256).join('\n'));
