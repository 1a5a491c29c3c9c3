// Whether what is to come fits on the disk. Asked before anything is fetched, and before each large file.

import type { NoRoom } from '../ui/views/transfers';
import { size } from '../ui/words/amounts';
import { t } from '../ui/words/texts';
import type { Disk } from './ports';

/** Left for everything else that the computer does; on a small disk a part of it. */
const usualReserve = 64 * 1024 * 1024;
const shareOfSmall = 0.02;

export interface Space {
  /** Undefined where the disk does not say. */
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
