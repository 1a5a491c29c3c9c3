// HTML from people as it is stored: nothing in it that runs, and no address of this host in full.

import { withoutHost } from './addresses';
import { sanitise } from './sanitise';

/** @param origin scheme and host as the client used them */
export const kept = <H extends string | null | undefined>(html: H, { origin }: { readonly origin: string }): H =>
  sanitise(withoutHost(html, origin));
