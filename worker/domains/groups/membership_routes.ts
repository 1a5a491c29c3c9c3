// Group memberships: every endpoint, in the order of the API reference.

import { bool, choices, listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, eq } from 'drizzle-orm';
import type { GroupContext } from '../../contexts/group';
import { idOf } from '../../contexts/references';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { unauthorized } from '../../http/problem';
import { answer, list, type Reply, row, write } from '../../http/reply';
import { groupMembership } from './json';
import { invite, join, leaveGroup, membershipNamed, updateMembership } from './members';
import { isLive, mayLeave } from './policy';
import { group_memberships } from './table';

type Here = Call & { group: GroupContext };
const states = ['accepted', 'invited', 'requested'] as const;
/** By membership id or by user. */
const addresses = ['/groups/:group_id/memberships/:membership_id', '/groups/:group_id/users/:user_id'] as const;
const editable = { workflow_state: optional(text), moderator: optional(bool) };

/** Memberships are visible to members; an invitation is visible to its user. */
async function shown(call: Here): Promise<Reply> {
  const it = await membershipNamed(call);
  if (!call.group.canRead && it.user_id !== call.me.id) throw unauthorized();
  return row(it);
}

/** Callers who may not see the group cannot see its members. */
const readsOrIsMe = (call: Call) =>
  Boolean(
    call.group?.canRead ||
      (call.group?.membership &&
        (call.user?.isMe || call.path.membership_id === 'self' || call.path.membership_id === String(call.group.membership.id))),
  );

export const membershipRoutes = [
  get(
    '/groups/:group_id/memberships',
    {
      can: 'read_roster',
      params: { filter_states: choices(...states) },
      returns: [groupMembership],
      summary: 'List group memberships',
    },
    ({ group, params }) =>
      list(
        rows(group_memberships, {
          where: and(
            eq(group_memberships.group_id, group.id),
            isLive,
            params.filter_states?.length ? among(group_memberships.workflow_state, params.filter_states) : undefined,
          ),
          order: ascending(group_memberships.user_id),
        }),
      ),
  ),
  post(
    '/groups/:group_id/memberships',
    {
      can: 'user',
      // For users named by a reference other than a number.
      within: (_, { user_id }) => (typeof user_id === 'string' && user_id.includes(':') ? { id: idOf('user', user_id) } : {}),
      params: { user_id: optional(referenceTo('user')) },
      returns: groupMembership,
      summary: 'Create a group membership',
    },
    (call) => join(call, call.params.user_id),
  ),
  ...addresses.flatMap((address) => [
    get(address, { can: readsOrIsMe, returns: groupMembership, summary: 'Get a group membership' }, (call) => shown(call)),
    put(address, { can: readsOrIsMe, params: editable, returns: groupMembership, summary: 'Update a group membership' }, (call) =>
      updateMembership(call),
    ),
    del(address, { can: readsOrIsMe, returns: { json: null }, summary: 'Delete a group membership' }, async (call) => {
      const { db, me, now, group } = call;
      const it = await membershipNamed(call);
      const declines = it.user_id === me.id && it.workflow_state !== 'accepted';
      if (!group.manages && !declines && !(it.user_id === me.id && mayLeave(group, now))) throw unauthorized();
      return write([leaveGroup(db, eq(group_memberships.id, it.id), now)], answer({ ok: true }));
    }),
  ]),
  post(
    '/groups/:group_id/invite',
    { can: 'manage', params: { invitees: optional(listOf(text)) }, returns: [groupMembership], summary: 'Invite users to a group' },
    (call) => invite(call, call.params.invitees ?? []),
  ),
];
