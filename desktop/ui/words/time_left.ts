// How long something will still take, by how fast it went lately.

import { t } from './texts.ts';

export interface Sample {
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

/** With how far it is by now. What has found more to do, or is another, begins anew. */
export function sampled(samples: readonly Sample[], share: number, now: number): readonly Sample[] {
  const last = samples.at(-1);
  if (share === last?.share) return samples;
  return [...(last && share < last.share ? [] : samples).filter(({ at }) => now - at < longest), { at: now, share }];
}

/** Null while there is too little to go by. */
export function timeLeftWords(samples: readonly Sample[]): string | null {
  const left = timeLeft(samples);
  return left === undefined ? null : t('sync.timeLeft', { time: durationWords(left) });
}
