// The application of a token: whether it is enabled, and its scopes (reference 01 A9).

import type { developer_key_account_bindings, developer_keys } from '../domains/developer_keys/table';
import type { RowOf } from '../http/listing';
import { scopesCover, scopesIn } from '../http/scopes';
import type { Viewer } from './viewer';

export type DeveloperKeyRow = RowOf<typeof developer_keys>;
type Binding = Pick<RowOf<typeof developer_key_account_bindings>, 'account_id' | 'workflow_state'>;

/** The root account decides first; if it allows, the account that owns the key decides. */
export function isSwitchedOn(key: DeveloperKeyRow, bindings: readonly Binding[], root_id: number): boolean {
  if (key.workflow_state !== 'active') return false;
  const said = (account_id: number) => bindings.find((one) => one.account_id === account_id)?.workflow_state;
  const first = said(root_id);
  return first === 'on' || (first !== 'off' && said(key.account_id) === 'on');
}

/** Whether the caller's token is limited to scopes that do not include this request. */
export const isOutOfScope = ({ token, developerKey: key }: Viewer, method: string, pathname: string): boolean =>
  Boolean(token && key?.require_scopes) && !scopesCover(scopesIn(token?.scopes ?? [], key?.scopes ?? []), method, pathname);

/** Whether `include[]` must be ignored. */
export const mayNotInclude = ({ developerKey: key }: Viewer): boolean => Boolean(key?.require_scopes && !key.allow_includes);
