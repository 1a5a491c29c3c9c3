// When an event is sent again, and when its subscription is paused.

const minute = 60_000;
const hour = 60 * minute;

/** Before each further attempt, in minutes: eight attempts within a day. */
const waits = [1, 5, 25, 60, 240, 480, 600] as const;

/** How long the next attempt waits; undefined after the last one. @param attempts that have failed */
export function msUntilNextAttempt(attempts: number): number | undefined {
  const wait = waits[attempts - 1];
  return wait === undefined ? undefined : wait * minute;
}

/** A subscription is paused when no request has succeeded for this long. */
const longestFailure = 48 * hour;

export const hasFailedTooLong = (failing_since: string | null, now: string): boolean =>
  failing_since !== null && Date.parse(now) - Date.parse(failing_since) >= longestFailure;
