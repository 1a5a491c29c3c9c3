// An account notification in the feed.

import { isInSelect } from '../../database/ids';
import { rows } from '../../http/listing';
import type { SyncedKind } from '../../rules/synced_kind';
import { addressed } from './addressed';
import { accountNotification } from './json';
import { account_notifications } from './table';

/** Maximum number of notifications per account. */
const mostAnnounced = 1000;

export const accountNotificationSynced: SyncedKind = {
  kind: 'account_notification',
  serializer: accountNotification,
  listing: (call) => {
    const { root } = call.institution;
    const now = addressed(
      { ...call, page: { per_page: mostAnnounced } },
      { id: root.id, chain: [root.id] },
      { past: false, closed: false },
    );
    return rows(account_notifications, { where: isInSelect(account_notifications.id, now) });
  },
};
