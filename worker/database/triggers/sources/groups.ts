// Changes caused by groups: to themselves, their members, and items that name them.

import { eventRowsOf, me, type TriggerSource, toParticipants } from './source.ts';

const itself = "'group_' || $.id";
/** Groups whose course or account has changed its name or state. */
const standingIn = (type: 'Course' | 'Account'): Pick<TriggerSource, 'select'> => ({
  select: `select 'group_' || g.id, 'group', g.id from groups g where g.context_type = '${type}' and g.context_id = $.id and g.workflow_state = 'available'`,
});
const whose = (column: string): Pick<TriggerSource, 'select'> => ({
  select: `select 'group_' || g.id, 'group', g.id from groups g where g.${column} = $.id and g.workflow_state = 'available'`,
});

export const ofGroups: readonly TriggerSource[] = [
  { table: 'groups', kind: 'group', item: '$.id', scope: itself },
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
  { table: 'groups', kind: 'calendar_event', events: ['update'], columns: ['name'], select: eventRowsOf(itself) },
  {
    table: 'groups',
    kind: 'conversation',
    events: ['update'],
    columns: ['name'],
    select: `${toParticipants('conversations c', 'c.id')} where c.context_type = 'Group' and c.context_id = $.id and c.context_id is not null`,
  },
  { table: 'courses', kind: 'group', events: ['update'], columns: ['name', 'workflow_state'], ...standingIn('Course') },
  { table: 'accounts', kind: 'group', events: ['update'], columns: ['name'], ...standingIn('Account') },
  { table: 'users', kind: 'group', events: ['update'], columns: ['name', 'short_name', 'pronouns', 'avatar_url'], ...whose('leader_id') },
  { table: 'files', kind: 'group', events: ['update'], columns: ['uuid', 'workflow_state'], ...whose('avatar_id') },
  // Conversations list the groups shared by their participants.
  {
    table: 'group_memberships',
    kind: 'conversation',
    columns: ['user_id', 'workflow_state'],
    select: `select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
      cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      cross join group_memberships m on m.user_id = other.user_id and m.group_id = $.group_id
      cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
      where mine.user_id = $.user_id`,
  },
  // Whether a group has a submission.
  {
    table: 'submissions',
    kind: 'group',
    columns: ['submission_type'],
    select: `select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = $.user_id and m.workflow_state = 'accepted'
      where a.id = $.assignment_id and a.group_category_id is not null`,
  },
  // A group override moves dates for users who join, and no longer for users who leave.
  {
    table: 'group_memberships',
    kind: 'assignment',
    columns: ['user_id', 'workflow_state'],
    select: `select 'user_' || $.user_id, 'assignment', o.assignment_id from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id where g.id = $.group_id`,
  },
  { table: 'favorites', kind: 'group', item: '$.context_id', scope: me, when: "$.context_type = 'Group'" },
];
