// Whether the downloads fit on the disk. Checked before any download, and before each large file.

import type { NoRoom } from '../../contract/transfers';
import { size } from '../../language/amounts';
import { t } from '../../language/texts';
import type { Disk } from '../model/ports';

/** Free space that is left for other programs; on a small disk a share of it. */
const usualReserve = 64 * 1024 * 1024;
const shareOfSmall = 0.02;

export interface Space {
  /** Undefined if the disk does not report it. */
  readonly free: number | undefined;
  readonly reserve: number;
}

export class TooFull extends Error implements NoRoom {
  override readonly name = 'TooFull';
  constructor(
    readonly files: number,
    readonly needs: number,
    readonly free: number,
    readonly reserve: number,
  ) {
    super(t('why.tooFull', { files, needs: size(needs), free: size(free), reserve: size(reserve) }));
  }
}

export const reserveOf = (whole: number | undefined): number =>
  whole === undefined ? usualReserve : Math.min(usualReserve, Math.floor(whole * shareOfSmall));

export const spaceOn = async (disk: Pick<Disk, 'room' | 'size'>): Promise<Space> => ({
  free: await disk.room?.(),
  reserve: reserveOf(await disk.size?.()),
});

export function expectRoom(sizes: readonly number[], { free, reserve }: Space): void {
  const needs = sizes.reduce((sum, one) => sum + one, 0);
  if (free !== undefined && needs > 0 && needs > free - reserve) throw new TooFull(sizes.length, needs, free, reserve);
}

export interface Fitting<T> {
  readonly fitting: readonly T[];
  /** The space that the others need; undefined if everything fits. */
  readonly problem: TooFull | undefined;
}

/** The smallest first, so that most files arrive; returned in the given order. */
export function whatFits<T>(all: readonly T[], sizeOf: (one: T) => number, { free, reserve }: Space): Fitting<T> {
  const sized = all.map((one) => ({ one, size: sizeOf(one) }));
  let left = free === undefined ? Number.POSITIVE_INFINITY : free - reserve;
  const fitting = new Set<T>();
  for (const { one, size } of sized.toSorted((a, b) => a.size - b.size)) {
    // Steps that need no space are done on a full disk, too.
    if (size > 0 && size > left) continue;
    fitting.add(one);
    left -= size;
  }
  const rest = sized.filter(({ one }) => !fitting.has(one));
  const needs = rest.reduce((sum, { size }) => sum + size, 0);
  return {
    fitting: all.filter((one) => fitting.has(one)),
    problem: rest.length === 0 ? undefined : new TooFull(rest.length, needs, Math.max(0, left + reserve), reserve),
  };
}
