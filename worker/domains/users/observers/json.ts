// Users at either end of an observer link, with the root accounts it applies to.

import { User } from '@carrel/shared/resources/user';
import type { UserRow } from '../../../contexts/viewer';
import { serializer } from '../../../http/serializer';
import { besidesOf, userColumns, userJson } from '../json';
import { users } from '../table';

const linked = (hasLinks: boolean) =>
  serializer({
    resource: User,
    table: users,
    columns: userColumns,
    json: (row: UserRow, call) => ({
      ...userJson(row, call, besidesOf(row), (field) => field === 'avatar_url' && call.include.has(field)),
      ...(hasLinks && { observation_link_root_account_ids: [call.institution.root.id] }),
    }),
  });

/** In a list of observers or observees. */
export const linkedUser = linked(true);
/** A single one. */
export const oneLinkedUser = linked(false);
