// Access to background jobs: only callers who run the whole service, checked at the root account.

import type { Call } from '../../http/call';

const atRoot = (permission: string) => (call: Call) =>
  call.account !== undefined && call.account.parent_account_id === null && call.account.can(permission);

export const mayWatch = atRoot('view_jobs');
export const mayRun = atRoot('manage_jobs');
