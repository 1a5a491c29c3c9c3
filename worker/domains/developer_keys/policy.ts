// The developer keys of an account, and whether a key is usable.

import { and, eq, inArray, ne, type SQL } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { adminMay } from '../../contexts/institution';
import type { Call } from '../../http/call';
import { developer_keys } from './table';

/** Keys belong to the institution: the permission is checked at the root account, whichever account has the key. */
export const mayManageKeys = ({ me, institution }: Pick<Call, 'me' | 'institution'>): boolean =>
  adminMay('manage_developer_keys', me, [institution.root.id], institution);

const present = ne(developer_keys.workflow_state, 'deleted');

export const onlyDeveloperKey = (id: number): SQL | undefined => and(eq(developer_keys.id, id), present);
export const ownedBy = (account: AccountContext): SQL | undefined => and(eq(developer_keys.account_id, account.id), present);
/** Keys of ancestor accounts that are visible to their sub-accounts. */
export const inheritedBy = (account: AccountContext): SQL | undefined =>
  and(inArray(developer_keys.account_id, account.chain.slice(0, -1)), eq(developer_keys.visible, true), present);
