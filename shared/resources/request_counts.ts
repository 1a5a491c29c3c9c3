// What those who run the service see of its last day: how many requests were answered, how, and how fast.

import { group, int, list, text, time } from '../wire/fields';
import { resource } from './resource';

export const RequestCounts = resource('RequestCounts', {
  /** 24 of them, the oldest first; the last one is not over yet. */
  hours: list(
    group({
      hour: time,
      succeeded: int,
      redirected: int,
      refused: int,
      failed: int,
      mean_ms: int,
    }),
  ),
  /** The slowest on average, among those that were asked at all. */
  routes: list(group({ route: text, requests: int, refused: int, failed: int, mean_ms: int, slowest_ms: int })),
});
