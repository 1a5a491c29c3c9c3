// One line of JSON per request.

import type { Meter } from '../database/open';

interface Served {
  readonly request_id: string;
  readonly method: string;
  /** The route pattern, not the URL, which may contain names and secrets. */
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
