// Writes that change a group or a membership in the feed.

import { me, showingUser, type TriggerSource } from '../../database/triggers/source.ts';

/** Groups whose course or account has changed its name or state. */
const standingIn = (type: 'Course' | 'Account'): Pick<TriggerSource, 'select'> => ({
  select: `select 'group_' || g.id, 'group', g.id from groups g where g.context_type = '${type}' and g.context_id = $.id and g.workflow_state = 'available'`,
});
const referringBy = (column: string): string =>
  `select 'group_' || g.id, 'group', g.id from groups g where g.${column} = $.id and g.workflow_state = 'available'`;

export const groupSources: readonly TriggerSource[] = [
  { table: 'groups', kind: 'group', item: '$.id', scope: "'group_' || $.id" },
  { table: 'courses', kind: 'group', events: ['update'], columns: ['name', 'workflow_state'], ...standingIn('Course') },
  { table: 'accounts', kind: 'group', events: ['update'], columns: ['name'], ...standingIn('Account') },
  showingUser('group', referringBy('leader_id')),
  { table: 'files', kind: 'group', events: ['update'], columns: ['uuid', 'workflow_state'], select: referringBy('avatar_id') },
  // Whether a group has a submission.
  {
    table: 'submissions',
    kind: 'group',
    columns: ['submission_type'],
    select: `select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = $.user_id and m.workflow_state = 'accepted'
      where a.id = $.assignment_id and a.group_category_id is not null`,
  },
  { table: 'favorites', kind: 'group', item: '$.context_id', scope: me, when: "$.context_type = 'Group'" },
];

export const groupMembershipSources: readonly TriggerSource[] = [
  // Name, sort keys and copied columns are not part of a membership's JSON.
  {
    table: 'group_memberships',
    kind: 'group_membership',
    item: '$.id',
    scope: "'group_' || $.group_id",
    columns: ['user_id', 'workflow_state', 'moderator', 'sis_import_id'],
  },
  {
    table: 'groups',
    kind: 'group_membership',
    events: ['update'],
    columns: ['sis_group_id'],
    select:
      "select 'group_' || $.id, 'group_membership', m.id from group_memberships m where m.group_id = $.id and m.workflow_state not in ('deleted', 'rejected')",
  },
];
