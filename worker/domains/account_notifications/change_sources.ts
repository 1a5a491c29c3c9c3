// Writes and times that change an account notification in the feed.

import { me, type ScheduleSource, type TriggerSource } from '../../database/triggers/source.ts';

/** Account notifications contain their author and the names of their roles. */
const announcing = (where: string): Pick<TriggerSource, 'select'> => ({
  select: `select 'accounts', 'account_notification', n.id from account_notifications n where ${where}`,
});

export const accountNotificationSources: readonly TriggerSource[] = [
  { table: 'account_notifications', kind: 'account_notification', item: '$.id', scope: "'accounts'" },
  { table: 'closed_account_notifications', kind: 'account_notification', item: '$.account_notification_id', scope: me },
  { table: 'users', kind: 'account_notification', events: ['update'], columns: ['name'], ...announcing('n.user_id = $.id') },
  {
    table: 'roles',
    kind: 'account_notification',
    events: ['update'],
    columns: ['name'],
    ...announcing('exists (select 1 from json_each(n.role_ids) j where j.value = $.id)'),
  },
];

export const accountNotificationSchedule: readonly ScheduleSource[] = [
  { table: 'account_notifications', kind: 'account_notification', item: '$.id', scope: "'accounts'", fields: ['start_at', 'end_at'] },
];
