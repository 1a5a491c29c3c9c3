// One line of JSON per request, for people and for queries.

import type { Meter } from '../database/open';

export interface Served {
  readonly request_id: string;
  readonly method: string;
  /** The pattern, not the address: addresses hold names and secrets. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly meter: Meter;
  readonly error?: string;
}

export function log({ meter, ...served }: Served): void {
  const line = JSON.stringify({ ...served, ...meter });
  if (served.status >= 500) console.error(line);
  else console.log(line);
}
