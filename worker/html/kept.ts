// Stores user HTML: sanitised, and with this host's URLs made relative.

import { sanitise } from '@carrel/shared/html/sanitise';
import { withoutHost } from './addresses';

/** @param origin scheme and host as used by the client */
export const storableHtml = <H extends string | null | undefined>(html: H, { origin }: { readonly origin: string }): H =>
  sanitise(withoutHost(html, origin));
