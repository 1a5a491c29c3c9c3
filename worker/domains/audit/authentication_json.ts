// Sign-ins and sign-outs as clients see them: plain events, or the compound object with linked objects (reference 06 §12.2).

import { AuthenticationEvent, LinkedAuthenticationEvent } from '@carrel/shared/resources/authentication_event';
import { sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { account } from '../accounts/json';
import { accounts } from '../accounts/table';
import { user } from '../users/json';
import { login } from '../users/logins/json';
import { logins, users } from '../users/table';
import type { NamedIds } from './archived';
import { compound } from './compound';
import { authentication_events } from './table';

type EventRow = RowOf<typeof authentication_events>;

const result = (row: EventRow) => ({
  id: row.uuid,
  created_at: row.created_at,
  event_type: row.event_type,
  pseudonym_id: row.login_id,
  account_id: row.account_id,
  user_id: row.user_id,
  links: { login: row.login_id, account: row.account_id, user: row.user_id, page_view: null },
});

export const authenticationEvent = serializer({ resource: AuthenticationEvent, table: authentication_events, json: result });

const ofTable: NamedIds = (ids, column) =>
  sql`select ${sql.raw(column)} from authentication_events where ${isInSelect(authentication_events.id, ids)}`;

export const linkedEvent = (named: NamedIds = ofTable) =>
  serializer({
    resource: LinkedAuthenticationEvent,
    table: authentication_events,
    also: (ids) => ({
      logins: embed(login, rows(logins, { where: isInSelect(logins.id, named(ids, 'login_id')) })),
      accounts: embed(account, rows(accounts, { where: isInSelect(accounts.id, named(ids, 'account_id')) })),
      users: embed(user, rows(users, { where: isInSelect(users.id, named(ids, 'user_id')) })),
    }),
    json(row: EventRow, _call, found) {
      const of = (list: readonly { row: { id: number }; json: object }[], id: number) =>
        list.filter((one) => one.row.id === id).map(({ json }) => json);
      return {
        ...result(row),
        linked: {
          logins: of(found.logins, row.login_id),
          accounts: of(found.accounts, row.account_id),
          users: of(found.users, row.user_id),
        },
      };
    },
  });

/** The compound object of a page. */
export const authenticationCompound = (origin: string) =>
  compound(
    {
      'events.login': null,
      'events.account': `${origin}/api/v1/accounts/{events.account}`,
      'events.user': null,
      'events.page_view': null,
    },
    ['logins', 'accounts', 'users'],
  );
