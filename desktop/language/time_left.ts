// Estimates the time left from the recent speed.

import { t } from './texts.ts';

export interface Sample {
  readonly at: number;
  readonly share: number;
}

/** The window of the estimate, and the time before the first estimate. */
const [longest, shortest] = [30_000, 3_000];

/** In milliseconds; undefined while there are too few samples. */
export function timeLeft(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < shortest || last.share <= first.share) return undefined;
  return ((1 - last.share) * (last.at - first.at)) / (last.share - first.share);
}

/** Rounded, because it is an estimate. */
export function durationWords(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes < 0.75) return t('duration.seconds');
  return minutes < 55 ? t('duration.minutes', { count: Math.round(minutes) }) : t('duration.hours', { count: Math.round(minutes / 60) });
}

/** Adds a sample. Starts again when the share falls, because the total grew or another sync began. */
export function sampled(samples: readonly Sample[], share: number, now: number): readonly Sample[] {
  const last = samples.at(-1);
  if (share === last?.share) return samples;
  return [...(last && share < last.share ? [] : samples).filter(({ at }) => now - at < longest), { at: now, share }];
}

/** Null while there are too few samples. */
export function timeLeftWords(samples: readonly Sample[]): string | null {
  const left = timeLeft(samples);
  return left === undefined ? null : t('sync.timeLeft', { time: durationWords(left) });
}
