// Times relative to today, and the check of responses, for the requests that create the demo.

import type { Answer } from '../client';

export const dayMs = 86_400_000;
export const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
/** An hour of the day this many days from today. */
export const onDay = (days: number, hour: number, now: number) =>
  `${new Date(now + days * dayMs).toISOString().slice(0, 10)}T${String(hour).padStart(2, '0')}:15:00Z`;
/** The last minute of the day this many days from today. */
export const dueIn = (days: number, now: number) => `${new Date(now + days * dayMs).toISOString().slice(0, 10)}T23:59:59Z`;

/** The response body; a failed request aborts with its reason. */
export function must(answer: Answer, what: string): Answer['body'] {
  if (answer.status >= 300) throw new Error(`the demo: ${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
