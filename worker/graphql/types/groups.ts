// Groups, their members, and group sets.

import type { Args, Graph, GraphItem } from '../graph';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { isTrue, key, oneOfKey } from '../values';

const groupsOf = (set: GraphItem, args: Args, graph: Graph) =>
  graph.connection(args, `/group_categories/${set.json.id}/groups`, {}, (json) => graph.item('Group', json, { group: json.id as number }));

/** Members of the group with their names. */
async function membersOf(group: GraphItem, graph: Graph): Promise<Map<unknown, RestJson>> {
  const users = await graph.all(`/groups/${group.json.id}/users`);
  return new Map((users ?? []).map((user) => [user.id, user]));
}

export const groupTypes: TypeModule = {
  sdl: `
enum GroupState {
  available
  deleted
}
enum GroupMembershipState {
  accepted
  deleted
  invited
  rejected
  requested
}
enum SelfSignupPolicy {
  disabled
  enabled
  restricted
}
enum AutoLeaderPolicy {
  first
  random
}
type Group implements Node & LegacyIDInterface & Timestamped & AssetString {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  name: String
  sisId: String
  state: GroupState
  membersCount: Int
  membersConnection: GroupMembershipConnection
  member(userId: ID!): GroupMembership
  canMessage: Boolean
  nonCollaborative: Boolean
  assetString: String
}
type GroupMembership implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  user: User
  group: Group!
  state: GroupMembershipState!
}
type GroupSet implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  name: String
  memberLimit: Int
  selfSignup: SelfSignupPolicy!
  autoLeader: AutoLeaderPolicy
  sisId: String
  nonCollaborative: Boolean
  groups: [Group]
  groupsConnection: GroupConnection
  currentGroup: Group
}
`,
  resolvers: {
    Group: {
      sisId: key('sis_group_id'),
      state: () => 'available',
      assetString: ({ json }) => `group_${json.id}`,
      membersConnection: async (group, args, graph) => {
        const users = await membersOf(group, graph);
        return graph.connection(args, `/groups/${group.json.id}/memberships`, {}, (json) =>
          graph.item('GroupMembership', { ...json, user: users.get(json.user_id), group: group.json }, { group: group.json.id as number }),
        );
      },
      async member(group, args, graph) {
        const users = await membersOf(group, graph);
        const all = await graph.all(`/groups/${group.json.id}/memberships`);
        const found = all?.find(({ user_id }) => String(user_id) === String(args.userId));
        return found ? graph.item('GroupMembership', { ...found, user: users.get(found.user_id), group: group.json }, group.place) : null;
      },
    },
    GroupMembership: {
      state: key('workflow_state'),
      group: ({ json, place }, _args, graph) => graph.item('Group', json.group as RestJson, place),
      user: ({ json }, _args, graph) =>
        json.user ? graph.item('User', json.user as RestJson, {}, { path: `/users/${json.user_id}/profile` }) : null,
    },
    GroupSet: {
      memberLimit: key('group_limit'),
      selfSignup: oneOfKey('self_signup', ['enabled', 'restricted'], 'disabled'),
      autoLeader: oneOfKey('auto_leader', ['first', 'random']),
      sisId: key('sis_group_category_id'),
      nonCollaborative: isTrue('non_collaborative'),
      groups: async (set, _args, graph) =>
        (await graph.all(`/group_categories/${set.json.id}/groups`))?.map((json) =>
          graph.item('Group', json, { group: json.id as number }),
        ),
      groupsConnection: groupsOf,
      async currentGroup(set, _args, graph) {
        const own = await graph.all('/users/self/groups');
        const found = own?.find(({ group_category_id }) => group_category_id === set.json.id);
        return found ? graph.item('Group', found, { group: found.id as number }) : null;
      },
    },
  },
  loaders: {
    Group: (id, graph) => graph.one('Group', `/groups/${id}`, {}, { group: id }),
    GroupSet: (id, graph) => graph.one('GroupSet', `/group_categories/${id}`),
  },
};
