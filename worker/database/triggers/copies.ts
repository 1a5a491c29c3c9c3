// Columns copied from other tables, so that sorting by them is one index walk.

import { assignmentPlacesAgain } from './assignment_places.ts';
import { rosterCountsAgain } from './roster_counts.ts';

/** Conditions on columns that an update names but may leave unchanged. */
const differs = (...columns: string[]) => columns.map((column) => `new.${column} is not old.${column}`).join(' or ');

/** The account tree: every account with its ancestors. Deleted accounts are removed from it. */
const linksOf = (account: string) =>
  `insert or ignore into account_ancestors (ancestor_id, account_id)
    select up.ancestor_id, down.account_id from account_ancestors up cross join account_ancestors down
    where up.account_id = ${account}.parent_account_id and down.ancestor_id = ${account}.id;`;
const itself = `insert or ignore into account_ancestors (ancestor_id, account_id) values (new.id, new.id);`;
const isThere = "new.workflow_state <> 'deleted'";

const tree = [
  `create trigger copy_account_insert after insert on accounts when ${isThere} begin
  ${itself}
  ${linksOf('new')}
end;`,
  `create trigger copy_account_move after update of parent_account_id on accounts when ${differs('parent_account_id')} begin
  delete from account_ancestors where account_id in (select t.account_id from account_ancestors t where t.ancestor_id = new.id)
    and ancestor_id not in (select t.account_id from account_ancestors t where t.ancestor_id = new.id);
  ${linksOf('new')}
end;`,
  `create trigger copy_account_restore after update of workflow_state on accounts when ${isThere} and old.workflow_state = 'deleted' begin
  ${itself}
  ${linksOf('new')}
end;`,
  `create trigger copy_account_state after update of workflow_state on accounts when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  delete from account_ancestors where account_id = new.id;
end;`,
  `create trigger copy_account_delete after delete on accounts begin
  delete from account_ancestors where account_id = old.id;
end;`,
];

/** Number of direct sub-accounts. */
const childCounts = (['insert', 'update of workflow_state, parent_account_id', 'delete'] as const).map((event) => {
  const add = (side: 'new' | 'old', sign: '+' | '-') =>
    `update accounts set sub_account_count = sub_account_count ${sign} 1 where id = ${side}.parent_account_id and ${side}.workflow_state <> 'deleted';`;
  const steps = [...(event === 'insert' ? [] : [add('old', '-')]), ...(event === 'delete' ? [] : [add('new', '+')])];
  return `create trigger copy_child_count_${event.split(' ')[0]} after ${event} on accounts begin\n  ${steps.join('\n  ')}\nend;`;
});

/** Number of visible calendars in each account and its descendants. */
const calendarCounts = [
  ...(['insert', 'delete'] as const).map((event) => {
    const [side, sign] = event === 'insert' ? ['new', '+'] : ['old', '-'];
    return `create trigger copy_calendars_${event} after ${event} on account_ancestors when exists (select 1 from accounts a where a.id = ${side}.account_id and a.calendar_visible) begin
  update accounts set visible_calendar_count = visible_calendar_count ${sign} 1 where id = ${side}.ancestor_id;
end;`;
  }),
  `create trigger copy_calendars_shown after update of calendar_visible on accounts when ${differs('calendar_visible')} begin
  update accounts set visible_calendar_count = visible_calendar_count + new.calendar_visible - old.calendar_visible
    where id in (select t.ancestor_id from account_ancestors t where t.account_id = new.id);
end;`,
];

const teacher = (course: string) =>
  `coalesce((select e.sortable_name from enrollments e where e.course_id = ${course} and e.type = 'TeacherEnrollment' and e.enrollment_state in ('active', 'invited') order by e.sortable_name limit 1), '')`;

/** Courses with their sort keys, under each of their ancestor accounts. */
const places = (
  where: string,
) => `insert or ignore into account_courses (account_id, course_id, name, sis_course_id, teacher, account_name, term)
    select up.ancestor_id, c.id, c.name, coalesce(c.sis_course_id, ''), ${teacher('c.id')}, a.name, t.name
    from account_ancestors up cross join courses c on c.account_id = up.account_id cross join accounts a on a.id = c.account_id cross join terms t on t.id = c.enrollment_term_id
    where ${where};`;
const ofCourse = 'up.account_id = new.account_id and c.id = new.id';

const courses = [
  `create trigger copy_course_insert after insert on courses begin
  ${places(ofCourse)}
end;`,
  `create trigger copy_course_move after update of account_id on courses when ${differs('account_id')} begin
  delete from account_courses where course_id = new.id;
  ${places(ofCourse)}
end;`,
  `create trigger copy_course_words after update of name, sis_course_id, enrollment_term_id on courses when ${differs('name', 'sis_course_id', 'enrollment_term_id')} begin
  update account_courses set name = new.name, sis_course_id = coalesce(new.sis_course_id, ''), term = (select t.name from terms t where t.id = new.enrollment_term_id)
    where course_id = new.id;
end;`,
  `create trigger copy_course_delete after delete on courses begin
  delete from account_courses where course_id = old.id;
end;`,
  `create trigger copy_courses_below after insert on account_ancestors begin
  ${places('up.ancestor_id = new.ancestor_id and up.account_id = new.account_id')}
end;`,
  `create trigger copy_courses_away after delete on account_ancestors begin
  delete from account_courses where account_id = old.ancestor_id and course_id in (select c.id from courses c where c.account_id = old.account_id);
end;`,
  `create trigger copy_account_name after update of name on accounts when ${differs('name')} begin
  update account_courses set account_name = new.name where course_id in (select c.id from courses c where c.account_id = new.id);
end;`,
  `create trigger copy_term_name after update of name on terms when ${differs('name')} begin
  update account_courses set term = new.name where course_id in (select c.id from courses c where c.enrollment_term_id = new.id);
end;`,
  ...(['insert', 'update of enrollment_state, sortable_name, course_id, type', 'delete'] as const).flatMap((event) => {
    const sides = event === 'insert' ? ['new'] : event === 'delete' ? ['old'] : ['new', 'old'];
    const teaches = sides.map((side) => `${side}.type = 'TeacherEnrollment'`).join(' or ');
    return sides.map(
      (
        side,
        at,
      ) => `create trigger copy_teacher_${event.split(' ')[0]}${at === 0 ? '' : '_left'} after ${event} on enrollments when ${at === 0 ? `(${teaches})` : `(${teaches}) and new.course_id <> old.course_id`} begin
  update account_courses set teacher = ${teacher(`${side}.course_id`)} where course_id = ${side}.course_id;
end;`,
    );
  }),
];

const called = (course: string) => `coalesce((select coalesce(c.friendly_name, c.name) from courses c where c.id = ${course}), '')`;

/** End of an appointment group, per course: calendars read only those that have not ended. */
const endOf = (group: string) =>
  `coalesce((select g.end_at from appointment_groups g where g.id = ${group} and g.workflow_state <> 'deleted'), '')`;
const appointments = [
  `create trigger copy_appointments_in after insert on appointment_group_contexts begin
  update appointment_group_contexts set ends_at = ${endOf('new.appointment_group_id')} where id = new.id;
end;`,
  `create trigger copy_appointments_end after update of end_at, workflow_state on appointment_groups when ${differs('end_at', 'workflow_state')} begin
  update appointment_group_contexts set ends_at = ${endOf('new.id')} where appointment_group_id = new.id;
end;`,
];

/** Sort keys of a user's enrollments. */
const ofPeople = [
  `create trigger copy_person after update of sortable_name, sort_email, sort_sis_id, last_login on users when ${differs('sortable_name', 'sort_email', 'sort_sis_id', 'last_login')} begin
  update enrollments set sortable_name = new.sortable_name, sort_email = new.sort_email, sort_sis_id = new.sort_sis_id, sort_last_login = coalesce(new.last_login, '')
    where user_id = new.id;
end;`,
  `create trigger copy_person_into_roster after insert on enrollments begin
  update enrollments set (sort_email, sort_sis_id, sort_last_login) = (select u.sort_email, u.sort_sis_id, coalesce(u.last_login, '') from users u where u.id = new.user_id),
    sort_course = ${called('new.course_id')}
    where id = new.id and exists (select 1 from users u where u.id = new.user_id
      and (u.sort_email is not new.sort_email or u.sort_sis_id is not new.sort_sis_id or coalesce(u.last_login, '') is not new.sort_last_login
        or new.sort_course is not ${called('new.course_id')}));
end;`,
  `create trigger copy_course_of_enrollment after update of course_id on enrollments when ${differs('course_id')} begin
  update enrollments set sort_course = ${called('new.course_id')} where id = new.id;
end;`,
  `create trigger copy_course_into_roster after update of name, friendly_name on courses when ${differs('name', 'friendly_name')} begin
  update enrollments set sort_course = coalesce(new.friendly_name, new.name) where course_id = new.id;
end;`,
];

/** A user's first address, and the ids of their first login. */
const firstOf = (table: 'logins' | 'communication_channels', columns: string, set: (user: string) => string) =>
  (['insert', `update of ${columns}`, 'delete'] as const).map((event) => {
    const side = event === 'delete' ? 'old' : 'new';
    return `create trigger copy_${table}_${event.split(' ')[0]} after ${event} on ${table} begin
  update users set ${set(`${side}.user_id`)} where id = ${side}.user_id;
end;`;
  });
const firstLogin = (column: string, user: string) =>
  `coalesce((select l.${column} from logins l where l.user_id = ${user} and l.workflow_state <> 'deleted' order by l.id limit 1), '')`;

const ofLogins = (user: string) =>
  `sort_sis_id = ${firstLogin('sis_user_id', user)}, sort_integration_id = ${firstLogin('integration_id', user)}`;
const ofChannels = (user: string) =>
  `sort_email = coalesce((select c.address from communication_channels c where c.user_id = ${user} and c.type = 'email' and c.workflow_state <> 'deleted' order by c.position, c.id limit 1), '')`;

const keys = [
  ...firstOf('logins', 'sis_user_id, integration_id, workflow_state', ofLogins),
  ...firstOf('communication_channels', 'address, type, position, workflow_state', ofChannels),
];

export const copyTriggers: readonly string[] = [
  ...tree,
  ...childCounts,
  ...calendarCounts,
  ...courses,
  ...appointments,
  ...ofPeople,
  ...keys,
];

/** Rebuilds all copies after rows were written without triggers. */
export const copyAgain: readonly string[] = [
  ...assignmentPlacesAgain,
  ...rosterCountsAgain,
  `update accounts set sub_account_count = (select count(*) from accounts a where a.parent_account_id = accounts.id and a.workflow_state <> 'deleted');`,
  'delete from account_ancestors;',
  `insert into account_ancestors (ancestor_id, account_id) with recursive up(account_id, id) as
    (select id, id from accounts where workflow_state <> 'deleted' union select up.account_id, a.parent_account_id from up join accounts a on a.id = up.id where a.parent_account_id is not null)
    select id, account_id from up;`,
  `update accounts set visible_calendar_count = (select count(*) from account_ancestors tree join accounts a on a.id = tree.account_id where tree.ancestor_id = accounts.id and a.calendar_visible);`,
  `update appointment_group_contexts set ends_at = ${endOf('appointment_group_id')};`,
  'delete from account_courses;',
  places('1'),
  `update users set ${ofLogins('users.id')}, ${ofChannels('users.id')};`,
  `update enrollments set (sortable_name, sort_email, sort_sis_id, sort_last_login) = (select u.sortable_name, u.sort_email, u.sort_sis_id, coalesce(u.last_login, '') from users u where u.id = enrollments.user_id),
    sort_course = ${called('enrollments.course_id')}
    where exists (select 1 from users u where u.id = enrollments.user_id);`,
];
