// Whether what is to come fits on the disk. Asked before anything is fetched, and before each large file.

import type { NoRoom } from '../ui/views/transfers';
import { size } from '../ui/words/amounts';
import { t } from '../ui/words/texts';

/** Left for everything else that the computer does. */
export const reserve = 64 * 1024 * 1024;

export class TooFull extends Error implements NoRoom {
  override readonly name = 'TooFull';
  constructor(
    readonly files: number,
    readonly needs: number,
    readonly free: number,
  ) {
    super(t('why.tooFull', { files, needs: size(needs), free: size(Math.max(0, free)) }));
  }
}

/** @param room bytes that are free; undefined where the disk does not say */
export function expectRoom(sizes: readonly number[], room: number | undefined): void {
  const needs = sizes.reduce((sum, one) => sum + one, 0);
  if (room !== undefined && needs > 0 && needs > room - reserve) throw new TooFull(sizes.length, needs, room - reserve);
}
