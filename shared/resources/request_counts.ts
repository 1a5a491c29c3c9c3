// What callers who run the service see of the last day's requests: numbers, results and durations.

import { int, listOf, object, text, time } from '../wire/fields';
import { resource } from './resource';

export const RequestCounts = resource('RequestCounts', {
  /** 24 entries, oldest first; the last hour is incomplete. */
  hours: listOf(
    object({
      hour: time,
      succeeded: int,
      redirected: int,
      refused: int,
      failed: int,
      mean_ms: int,
    }),
  ),
  /** The slowest routes on average. */
  routes: listOf(object({ route: text, requests: int, refused: int, failed: int, mean_ms: int, slowest_ms: int })),
});
