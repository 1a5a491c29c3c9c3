// The caller's permissions in a group, by name.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { GroupContext } from '../../contexts/group';
import { permissions } from '../../contexts/permissions';
import type { Call } from '../../http/call';
import { mayJoin, mayLeave } from './policy';

const derived: Readonly<Record<string, (group: GroupContext, call: Pick<Call, 'me' | 'now'>) => boolean>> = {
  read: (group) => group.canRead,
  read_as_member: (group) => group.isMember,
  participate: (group) => group.participates,
  participate_as_student: (group) => group.isMember && group.participates,
  moderate: (group) => group.moderates,
  manage: (group) => group.manages,
  update: (group) => group.updates,
  delete: (group) => group.deletes,
  join: (group, { me, now }) => !group.membership && mayJoin(group, group.category, group.course, me, now),
  leave: (group, { now }) => group.isMember && mayLeave(group, now),
  create_discussion_topic: (group) => group.can('create_forum'),
  create_announcement: (group) => group.can('create_forum'),
  read_announcements: (group) => group.canRead,
};

/** All permissions, or the requested ones; unknown names are false. */
export function permissionsInGroup(
  group: GroupContext,
  asked: readonly string[] | undefined,
  call: Pick<Call, 'me' | 'now'>,
): Record<string, boolean> {
  const names = asked?.length ? asked : [...Object.keys(derived), ...permissions.keys()];
  return Object.fromEntries(
    names.map((name) => [
      name,
      Object.hasOwn(derived, name) ? (lookUp(derived, name)?.(group, call) ?? false) : permissions.has(name) && group.can(name),
    ]),
  );
}
