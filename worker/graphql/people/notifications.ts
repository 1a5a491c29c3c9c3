// How the caller is notified: addresses, and how often each notification is sent there.

import type { Graph, GraphItem } from '../graph';
import { legacyId } from '../ids';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { key, objectArg } from '../values';

const own = '/users/self/communication_channels';

export const channelsOf = async (graph: Graph): Promise<GraphItem[]> =>
  ((await graph.all(own)) ?? []).map((json) => graph.item('CommunicationChannel', json));

/** `new_announcement` as people read it. */
const worded = (name: unknown): string => {
  const text = String(name ?? '').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The notifications of a channel with how often they are sent. */
async function policiesOf(channel: GraphItem, graph: Graph): Promise<GraphItem[]> {
  const answer = await graph.rest.read(`${own}/${channel.json.id}/notification_preferences`);
  const all = objectArg(answer?.body).notification_preferences;
  return ((all ?? []) as RestJson[]).map((json) =>
    graph.item('NotificationPolicy', { ...json, id: `${channel.json.id}:${json.notification}`, communication_channel_id: channel.json.id }),
  );
}

export const notificationObjects: TypeModule = {
  sdl: `
enum NotificationContextType {
  Account
  Course
}
enum NotificationFrequencyType {
  daily
  immediately
  never
  weekly
}
type Notification implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  name: String
  category: String
  categoryDisplayName: String
  categoryDescription: String
  workflowState: String
}
type NotificationPolicy implements LegacyIDInterface {
  _id: ID!
  communicationChannelId: ID
  frequency: NotificationFrequencyType
  notification: Notification
}
type CommunicationChannel implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  path: String
  pathType: String
  notificationPolicies(contextType: NotificationContextType): [NotificationPolicy!]
  notificationPolicyOverrides(accountId: ID, contextType: NotificationContextType!, courseId: ID): [NotificationPolicy!]
}
type NotificationPreferences {
  channels(channelId: ID): [CommunicationChannel!]
  sendScoresInEmails(courseId: ID): Boolean
  sendObservedNamesInNotifications: Boolean
  readPrivacyNoticeDate: DateTime
}
extend type User {
  notificationPreferences: NotificationPreferences
  notificationPreferencesEnabled(accountId: ID, contextType: NotificationContextType, courseId: ID): Boolean!
}
`,
  resolvers: {
    User: {
      notificationPreferences: (user, _args, graph) =>
        user.json.id === graph.call.me.id ? graph.item('NotificationPreferences', {}) : null,
      notificationPreferencesEnabled: () => true,
    },
    NotificationPreferences: {
      async channels(_item, args, graph) {
        const all = await channelsOf(graph);
        const id = legacyId(args.channelId, 'CommunicationChannel');
        return args.channelId === undefined || args.channelId === null ? all : all.filter(({ json }) => json.id === id);
      },
    },
    CommunicationChannel: {
      path: key('address'),
      pathType: key('type'),
      notificationPolicies: (channel, _args, graph) => policiesOf(channel, graph),
      // Policies are those of the address, for all courses and accounts.
      notificationPolicyOverrides: () => [],
    },
    NotificationPolicy: {
      _id: ({ json }) => json.id,
      notification: ({ json }, _args, graph) => graph.item('Notification', { id: json.notification, category: json.category }),
    },
    Notification: {
      name: ({ json }) => worded(json.id),
      category: ({ json }) => worded(json.category),
      categoryDisplayName: ({ json }) => worded(json.category),
      workflowState: () => 'active',
    },
  },
  loaders: {
    CommunicationChannel: async (id, graph) => (await channelsOf(graph)).find(({ json }) => json.id === id) ?? null,
  },
};
