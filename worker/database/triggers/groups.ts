// Effects of group memberships by any writer: counts, leaders, one group per set, and the end of memberships with their course.

import { now } from './now.ts';

const live = "workflow_state not in ('deleted', 'rejected')";
const category = (column: string, group: string) =>
  `(select c.${column} from group_categories c join groups g on g.group_category_id = c.id where g.id = ${group})`;
const accepted = (row: 'new' | 'old') => `${row}.workflow_state = 'accepted'`;

/** Joining a group ends the other memberships in its set; in a set with automatic leaders, the first member becomes leader. */
const joined = `update group_memberships set workflow_state = 'deleted', updated_at = ${now}
    where user_id = new.user_id and group_category_id = ${category('id', 'new.group_id')} and group_id <> new.group_id and ${live}
      and coalesce(${category('role', 'new.group_id')}, '') not in ('communities', 'student_organized');
  update groups set members_count = members_count + 1,
    leader_id = coalesce(leader_id, case when ${category('auto_leader', 'new.group_id')} = 'first' then new.user_id end) where id = new.group_id;`;

const another = (order: string) =>
  `(select m.user_id from group_memberships m where m.group_id = old.group_id and m.workflow_state = 'accepted' and m.user_id <> old.user_id order by ${order} limit 1)`;
const left = `update groups set members_count = members_count - 1,
    leader_id = case when leader_id is not old.user_id then leader_id when ${category('auto_leader', 'old.group_id')} = 'first' then ${another('m.id')}
      when ${category('auto_leader', 'old.group_id')} = 'random' then ${another('random()')} end where id = old.group_id;`;

const copied = `update group_memberships set group_category_id = (select g.group_category_id from groups g where g.id = new.group_id),
    group_name = (select g.name from groups g where g.id = new.group_id), sortable_name = coalesce((select u.sortable_name from users u where u.id = new.user_id), '') where id = new.id;`;

const ended = (whose: string) => `update group_memberships set workflow_state = 'deleted', updated_at = ${now} where ${live} and ${whose};`;

export const groupTriggers: readonly string[] = [
  `create trigger copy_membership after insert on group_memberships begin
  ${copied}
end;`,
  `create trigger copy_membership_moved after update of user_id on group_memberships when new.user_id <> old.user_id begin
  ${copied}
end;`,
  `create trigger count_members_insert after insert on group_memberships when ${accepted('new')} begin
  ${joined}
end;`,
  `create trigger count_members_joined after update of workflow_state on group_memberships when ${accepted('new')} and old.workflow_state <> 'accepted' begin
  ${joined}
end;`,
  `create trigger count_members_left after update of workflow_state on group_memberships when ${accepted('old')} and new.workflow_state <> 'accepted' begin
  ${left}
end;`,
  `create trigger count_members_gone after delete on group_memberships when ${accepted('old')} begin
  ${left}
end;`,
  `create trigger copy_group_name after update of name on groups when new.name <> old.name begin
  update group_memberships set group_name = new.name where group_id = new.id;
end;`,
  `create trigger copy_member_name after update of sortable_name on users when new.sortable_name <> old.sortable_name begin
  update group_memberships set sortable_name = new.sortable_name where user_id = new.id;
end;`,
  `create trigger end_group after update of workflow_state on groups when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  ${ended('group_id = new.id')}
end;`,
  `create trigger end_group_category after update of workflow_state on group_categories when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  update groups set workflow_state = 'deleted', updated_at = ${now} where group_category_id = new.id and workflow_state = 'available';
end;`,
  // Reference 02 §4.4: the end of the last enrollment in a course ends the user's memberships in its groups.
  `create trigger end_memberships after update of enrollment_state on enrollments when new.enrollment_state in ('deleted', 'rejected') and old.enrollment_state not in ('deleted', 'rejected') begin
  ${ended(`user_id = new.user_id and group_id in (select g.id from groups g where g.context_type = 'Course' and g.context_id = new.course_id)
      and not exists (select 1 from enrollments e where e.user_id = new.user_id and e.course_id = new.course_id and e.enrollment_state not in ('deleted', 'rejected'))`)}
end;`,
  `create trigger end_memberships_of_person after update of workflow_state on users when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  ${ended('user_id = new.id')}
end;`,
];
