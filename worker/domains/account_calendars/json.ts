// Calendars of accounts as clients see them.

import { AccountCalendar } from '@carrel/shared/resources/account_calendar';
import { above } from '../../contexts/account_tree';
import { adminMay, chainOf, type Institution } from '../../contexts/institution';
import { isInSelect } from '../../database/ids';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { accounts } from '../accounts/table';
import { role_overrides } from '../roles/table';

export const accountCalendar = serializer({
  resource: AccountCalendar,
  table: accounts,
  // The caller's rights come from the path's account, or from each account's own chain where the path names none.
  also: (ids, { db, me, account }) => ({
    ancestors:
      me.adminLinks.length && !account
        ? db.build
            .select()
            .from(accounts)
            .where(isInSelect(accounts.id, above(ids)))
        : undefined,
    overrides:
      me.adminLinks.length && !account
        ? db.build
            .select()
            .from(role_overrides)
            .where(isInSelect(role_overrides.account_id, above(ids)))
        : undefined,
  }),
  json(row: RowOf<typeof accounts>, call, { ancestors = [], overrides = [] }) {
    const permission = 'manage_account_calendar_events';
    const around: Institution = { ...call.institution, accounts: new Map(ancestors.map((one) => [one.id, one])), overrides };
    const asset_string = `account_${row.id}`;
    return {
      ...row,
      root_account_id: row.root_account_id ?? 0,
      visible: row.calendar_visible,
      auto_subscribe: row.calendar_auto_subscribe,
      asset_string,
      type: 'account',
      calendar_event_url: `/accounts/${row.id}/calendar_events/{{ id }}`,
      can_create_calendar_events: call.account?.can(permission) ?? adminMay(permission, call.me, chainOf(row.id, around), around),
      create_calendar_event_url: `/accounts/${row.id}/calendar_events`,
      new_calendar_event_url: `/accounts/${row.id}/calendar_events/new`,
    };
  },
});
