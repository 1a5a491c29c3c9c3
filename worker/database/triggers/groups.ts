// Effects of group memberships by any writer: counts, leaders, one group per set, and the end of memberships with their course.

import { nowSql } from './now.ts';
import { trigger } from './trigger.ts';

// Each `case` is in brackets: tools that cut a file into statements count those without.
const live = "workflow_state not in ('deleted', 'rejected')";
const category = (column: string, group: string) =>
  `(select c.${column} from group_categories c join groups g on g.group_category_id = c.id where g.id = ${group})`;
const accepted = (row: 'new' | 'old') => `${row}.workflow_state = 'accepted'`;

/** Joining a group ends the other memberships in its set; in a set with automatic leaders, the first member becomes leader. */
const joined = `update group_memberships set workflow_state = 'deleted', updated_at = ${nowSql}
    where user_id = new.user_id and group_category_id = ${category('id', 'new.group_id')} and group_id <> new.group_id and ${live}
      and coalesce(${category('role', 'new.group_id')}, '') not in ('communities', 'student_organized');
  update groups set members_count = members_count + 1,
    leader_id = coalesce(leader_id, (case when ${category('auto_leader', 'new.group_id')} = 'first' then new.user_id end)) where id = new.group_id;`;

const another = (order: string) =>
  `(select m.user_id from group_memberships m where m.group_id = old.group_id and m.workflow_state = 'accepted' and m.user_id <> old.user_id order by ${order} limit 1)`;
const left = `update groups set members_count = members_count - 1,
    leader_id = (case when leader_id is not old.user_id then leader_id when ${category('auto_leader', 'old.group_id')} = 'first' then ${another('m.id')}
      when ${category('auto_leader', 'old.group_id')} = 'random' then ${another('random()')} end) where id = old.group_id;`;

const copied = `update group_memberships set group_category_id = (select g.group_category_id from groups g where g.id = new.group_id),
    group_name = (select g.name from groups g where g.id = new.group_id), sortable_name = coalesce((select u.sort_name from users u where u.id = new.user_id), '') where id = new.id;`;

const ended = (whose: string) =>
  `update group_memberships set workflow_state = 'deleted', updated_at = ${nowSql} where ${live} and ${whose};`;

const becomes = (state: string) => `new.workflow_state = '${state}' and old.workflow_state <> '${state}'`;

export const groupTriggers = [
  trigger({
    on: 'group_memberships',
    name: 'copy_keys_insert',
    event: 'insert',
    run: [copied],
    purpose: 'Copy the sort keys of a membership: names and group set.',
  }),
  trigger({
    on: 'group_memberships',
    name: 'copy_keys_moved',
    event: 'update',
    of: ['user_id'],
    when: 'new.user_id <> old.user_id',
    run: [copied],
    purpose: 'Copy the sort keys of a membership that moves to another user.',
  }),
  trigger({
    on: 'group_memberships',
    name: 'count_members_insert',
    event: 'insert',
    when: accepted('new'),
    run: [joined],
    purpose: 'Count a new member, end their other memberships in the set, and name the first leader.',
  }),
  trigger({
    on: 'group_memberships',
    name: 'count_members_joined',
    event: 'update',
    of: ['workflow_state'],
    when: `${accepted('new')} and old.workflow_state <> 'accepted'`,
    run: [joined],
    purpose: 'Count a member who accepts, end their other memberships in the set, and name the first leader.',
  }),
  trigger({
    on: 'group_memberships',
    name: 'count_members_left',
    event: 'update',
    of: ['workflow_state'],
    when: `${accepted('old')} and new.workflow_state <> 'accepted'`,
    run: [left],
    purpose: 'Uncount a member who leaves, and name another leader.',
  }),
  trigger({
    on: 'group_memberships',
    name: 'count_members_gone',
    event: 'delete',
    when: accepted('old'),
    run: [left],
    purpose: 'Uncount a member whose row is deleted, and name another leader.',
  }),
  trigger({
    on: 'groups',
    name: 'copy_name',
    event: 'update',
    of: ['name'],
    when: 'new.name <> old.name',
    run: ['update group_memberships set group_name = new.name where group_id = new.id;'],
    purpose: 'Copy the name of a group to its memberships.',
  }),
  trigger({
    on: 'users',
    name: 'copy_name_to_memberships',
    event: 'update',
    of: ['sortable_name', 'name_key'],
    when: 'new.sortable_name <> old.sortable_name or new.name_key is not old.name_key',
    run: ['update group_memberships set sortable_name = (select u.sort_name from users u where u.id = new.id) where user_id = new.id;'],
    purpose: 'Copy the sort key of the name of a user to their memberships.',
  }),
  trigger({
    on: 'groups',
    name: 'end_memberships',
    event: 'update',
    of: ['workflow_state'],
    when: becomes('deleted'),
    run: [ended('group_id = new.id')],
    purpose: 'End the memberships of a deleted group.',
  }),
  trigger({
    on: 'group_categories',
    name: 'end_groups',
    event: 'update',
    of: ['workflow_state'],
    when: becomes('deleted'),
    run: [
      `update groups set workflow_state = 'deleted', updated_at = ${nowSql} where group_category_id = new.id and workflow_state = 'available';`,
    ],
    purpose: 'Delete the groups of a deleted group set.',
  }),
  // Reference 02 §4.4: the end of the last enrollment in a course ends the user's memberships in its groups.
  trigger({
    on: 'enrollments',
    name: 'end_memberships',
    event: 'update',
    of: ['enrollment_state'],
    when: "new.enrollment_state in ('deleted', 'rejected') and old.enrollment_state not in ('deleted', 'rejected')",
    run: [
      ended(`user_id = new.user_id and group_id in (select g.id from groups g where g.context_type = 'Course' and g.context_id = new.course_id)
      and not exists (select 1 from enrollments e where e.user_id = new.user_id and e.course_id = new.course_id and e.enrollment_state not in ('deleted', 'rejected'))`),
    ],
    purpose: 'End the group memberships of a user whose last enrollment in the course ends.',
  }),
  trigger({
    on: 'users',
    name: 'end_memberships',
    event: 'update',
    of: ['workflow_state'],
    when: becomes('deleted'),
    run: [ended('user_id = new.id')],
    purpose: 'End the memberships of a deleted user.',
  }),
];
