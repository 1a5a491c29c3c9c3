// Notification preferences: every endpoint, in the order of the API reference.

import { NotificationCategories, NotificationPreferences } from '@carrel/shared/resources/notification_preference';
import { mapOf, object, oneOf, optional } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { eq } from 'drizzle-orm';
import type { UserContext } from '../../contexts/user';
import type { Call } from '../../http/call';
import { get, put } from '../../http/endpoint';
import { badParameter, notFound } from '../../http/problem';
import { answer, type Reply, write } from '../../http/reply';
import { categories, frequencies, frequencyOf, type NotificationFrequency, notifications } from '../../rules/notifications';
import { channelNamed } from '../communication_channels/named';
import { communication_channels as channels } from '../users/table';
import { notification_preferences as table } from './table';

export const about = { title: 'Notification preferences', description: 'How often each notification is sent to each address of a user.' };

type Path = Readonly<Record<string, string>>;
type Here = Pick<Call, 'db' | 'origin'> & { readonly user: UserContext; readonly path: Path };
type Chosen = ReadonlyMap<string, NotificationFrequency>;

const byId = '/users/:user_id/communication_channels/:channel';
const byAddress = '/users/:user_id/communication_channels/:type/:address';

/** The channel of the path with its preferences. */
async function chosenFor({ db, user, path }: Here): Promise<{ id: number; chosen: Chosen }> {
  const where = channelNamed(user.id, path as Parameters<typeof channelNamed>[1]);
  const [[channel], kept] = await db.perform([
    db.build.select({ id: channels.id }).from(channels).where(where),
    db.build
      .select({ notification: table.notification, frequency: table.frequency })
      .from(table)
      .innerJoin(channels, eq(channels.id, table.communication_channel_id))
      .where(where),
  ]);
  if (!channel) throw notFound();
  return { id: channel.id, chosen: new Map(kept.map((one) => [one.notification, one.frequency])) };
}

const result = ({ origin, user }: Here, channel_id: number, names: Iterable<string>, chosen: Chosen) => ({
  notification_preferences: [...names].map((notification) => ({
    href: `${origin}/api/v1/users/${user.id}/communication_channels/${channel_id}/notification_preferences/${notification}`,
    notification,
    category: notifications.get(notification) ?? 'other',
    frequency: frequencyOf(notification, chosen),
  })),
});

/** @throws Problem 404 for an unknown notification */
const known = (notification: string | undefined): string => {
  if (notification === undefined || !notifications.has(notification)) throw notFound();
  return notification;
};

async function listed(call: Here): Promise<Reply> {
  const { id, chosen } = await chosenFor(call);
  return answer(result(call, id, notifications.keys(), chosen));
}

async function shown(call: Here): Promise<Reply> {
  const name = known(call.path.notification);
  const { id, chosen } = await chosenFor(call);
  return answer(result(call, id, [name], chosen));
}

async function choose(call: Here, changes: ReadonlyMap<string, NotificationFrequency>): Promise<Reply> {
  const { id, chosen } = await chosenFor(call);
  const after = new Map([...chosen, ...changes]);
  const values = [...changes].map(([notification, frequency]) => ({ communication_channel_id: id, notification, frequency }));
  return write(
    values.map((value) =>
      call.db.build
        .insert(table)
        .values(value)
        .onConflictDoUpdate({ target: [table.communication_channel_id, table.notification], set: { frequency: value.frequency } }),
    ),
    answer(result(call, id, changes.keys(), after)),
  );
}

const frequency = optional(oneOf(...frequencies));
const single = { notification_preferences: optional(object({ frequency })) };
const several = { notification_preferences: optional(mapOf(object({ frequency }))) };

/** @throws Problem 400 when missing */
function wanted(given: { frequency?: NotificationFrequency } | undefined): NotificationFrequency {
  if (!given?.frequency) throw badParameter('notification_preferences[frequency]', 'is missing');
  return given.frequency;
}

type Single = Here & { readonly params: { readonly notification_preferences?: { readonly frequency?: NotificationFrequency } } };
type Several = Here & {
  readonly params: { readonly notification_preferences?: Readonly<Record<string, { readonly frequency?: NotificationFrequency }>> };
};

const changed = (call: Single): Promise<Reply> =>
  choose(call, new Map([[known(call.path.notification), wanted(call.params.notification_preferences)]]));

/** Unknown notifications are ignored. */
const changedMany = (call: Several): Promise<Reply> => {
  const given = Object.entries(call.params.notification_preferences ?? {}).filter(([name]) => notifications.has(name));
  return choose(call, new Map(given.map(([name, one]) => [name, wanted(one)])));
};

const tells = { returns: { json: NotificationPreferences } } as const;
const reads = { can: 'self_or_admin', ...tells } as const;

export const notificationPreferenceRoutes = [
  get(`${byId}/notification_preferences`, { ...reads, summary: 'List notification preferences' }, listed),
  get(`${byAddress}/notification_preferences`, { ...reads, summary: 'List notification preferences' }, listed),
  get(`${byId}/notification_preferences/:notification`, { ...reads, summary: 'Get a notification preference' }, shown),
  get(`${byAddress}/notification_preferences/:notification`, { ...reads, summary: 'Get a notification preference' }, shown),
  get(
    `${byId}/notification_preference_categories`,
    { can: 'self_or_admin', returns: { json: NotificationCategories }, summary: 'List notification preference categories' },
    async (call) => {
      await chosenFor(call);
      return answer({ categories: Object.keys(categories) });
    },
  ),
  put(
    `${byId}/notification_preferences/:notification`,
    { can: 'self', params: single, ...tells, summary: 'Update a notification preference' },
    changed,
  ),
  put(
    `${byAddress}/notification_preferences/:notification`,
    { can: 'self', params: single, ...tells, summary: 'Update a notification preference' },
    changed,
  ),
  put(
    `${byId}/notification_preferences`,
    { can: 'self', params: several, ...tells, summary: 'Update several notification preferences' },
    changedMany,
  ),
  put(
    `${byAddress}/notification_preferences`,
    { can: 'self', params: several, ...tells, summary: 'Update several notification preferences' },
    changedMany,
  ),
  put(
    `${byId}/notification_preference_categories/:category`,
    { can: 'self', params: single, ...tells, summary: 'Update notification preferences by category' },
    (call) => {
      const category = lookUp(categories, call.path.category);
      if (!category) throw notFound();
      const often = wanted(call.params.notification_preferences);
      return choose(call, new Map(category.notifications.map((name) => [name, often])));
    },
  ),
];
