// Opens the server's sign-in page in the system browser.

import { call, host } from '../host.ts';

export interface Browsed {
  readonly url: string;
  readonly folder?: string;
  readonly client_id?: string;
}

export async function openBrowserSignIn(given: Browsed): Promise<void> {
  const { address } = await call('account.browse', given);
  // The Electron host has already opened the browser.
  if (!host.opensBrowser) window.open(address, '_blank', 'noopener,noreferrer');
}

export const stopBrowsing = () => call('account.browse_stop');
