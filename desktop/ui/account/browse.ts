// The way to the server's own page in the system's browser, and back.

import { call, host } from '../host.ts';

export interface Browsed {
  readonly url: string;
  readonly folder?: string;
  readonly client_id?: string;
}

export async function browse(given: Browsed): Promise<void> {
  const { address } = await call('account.browse', given);
  // Where the desk is a program of its own, it has opened the browser itself.
  if (!host.opensBrowser) window.open(address, '_blank', 'noopener,noreferrer');
}

export const stopBrowsing = () => call('account.browse_stop');
