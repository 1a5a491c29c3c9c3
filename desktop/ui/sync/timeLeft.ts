// How long a sync will still take, by how fast it went lately.

import { useRef } from 'react';
import type { SyncStatus } from '../views/state.ts';
import { t } from '../words/texts.ts';
import { shareDone } from './words.ts';

interface Sample {
  readonly at: number;
  readonly share: number;
}

/** As far back as the guess looks, and as long as it waits before it dares to. */
const [longest, shortest] = [30_000, 3_000];

/** Milliseconds; undefined while there is too little to go by. */
export function timeLeft(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < shortest || last.share <= first.share) return undefined;
  return ((1 - last.share) * (last.at - first.at)) / (last.share - first.share);
}

/** Roughly, as nobody knows it better. */
export function durationWords(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes < 0.75) return t('duration.seconds');
  return minutes < 55 ? t('duration.minutes', { count: Math.round(minutes) }) : t('duration.hours', { count: Math.round(minutes / 60) });
}

export function useTimeLeft(status: SyncStatus, now = Date.now()): string | null {
  const samples = useRef<Sample[]>([]);
  const share = status.phase === 'syncing' ? shareDone(status) : null;
  const last = samples.current.at(-1);
  // Another sync, or one that has found more to do, begins anew.
  if (share === null || (last && share < last.share)) samples.current = [];
  if (share !== null && share !== samples.current.at(-1)?.share)
    samples.current = [...samples.current.filter(({ at }) => now - at < longest), { at: now, share }];
  const left = timeLeft(samples.current);
  return left === undefined ? null : t('sync.timeLeft', { time: durationWords(left) });
}
