// Which developer keys there are for an account, and whether a key opens anything.

import { and, eq, inArray, ne, type SQL } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { adminMay } from '../../contexts/institution';
import type { Call } from '../../http/call';
import { developer_keys } from './table';

/** Keys are the institution's: the right is held at its root, wherever the key lies. */
export const mayManageKeys = ({ me, institution }: Pick<Call, 'me' | 'institution'>): boolean =>
  adminMay('manage_developer_keys', me, [institution.root.id], institution);

const present = ne(developer_keys.workflow_state, 'deleted');

export const one = (id: number): SQL | undefined => and(eq(developer_keys.id, id), present);
export const ownedBy = (account: AccountContext): SQL | undefined => and(eq(developer_keys.account_id, account.id), present);
/** Keys of the accounts above, where these show them. */
export const inheritedBy = (account: AccountContext): SQL | undefined =>
  and(inArray(developer_keys.account_id, account.chain.slice(0, -1)), eq(developer_keys.visible, true), present);
