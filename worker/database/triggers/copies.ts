// Sort keys that rows copy from other tables, so that a list in that order is one scan of an index.

import { accountTreeAgain } from './account_tree.ts';
import { assignmentPlacesAgain } from './assignment_places.ts';
import { rosterCountsAgain } from './roster_counts.ts';
import { columnsDiffer, everyEvent, trigger } from './trigger.ts';

const teacher = (course: string) =>
  `coalesce((select e.sortable_name from enrollments e where e.course_id = ${course} and e.type = 'TeacherEnrollment' and e.enrollment_state in ('active', 'invited') order by e.sortable_name limit 1), '')`;

/** Courses with their sort keys, under each of the accounts above them. */
const places = (
  where: string,
) => `insert or ignore into account_courses (account_id, course_id, name, sis_course_id, teacher, account_name, term)
    select up.ancestor_id, c.id, c.name, coalesce(c.sis_course_id, ''), ${teacher('c.id')}, a.name, t.name
    from account_ancestors up cross join courses c on c.account_id = up.account_id cross join accounts a on a.id = c.account_id cross join terms t on t.id = c.enrollment_term_id
    where ${where};`;
const ofCourse = 'up.account_id = new.account_id and c.id = new.id';

const wordsOfCourse = ['name', 'sis_course_id', 'enrollment_term_id'];
const listed = 'Update the courses of each account and its sub-accounts, with their sort keys';
const courses = [
  trigger({ on: 'courses', name: 'copy_place_insert', event: 'insert', run: [places(ofCourse)], purpose: `${listed}: a new course.` }),
  trigger({
    on: 'courses',
    name: 'copy_place_move',
    event: 'update',
    of: ['account_id'],
    when: columnsDiffer(['account_id']),
    run: ['delete from account_courses where course_id = new.id;', places(ofCourse)],
    purpose: `${listed}: a course in another account.`,
  }),
  trigger({
    on: 'courses',
    name: 'copy_place_words',
    event: 'update',
    of: wordsOfCourse,
    when: columnsDiffer(wordsOfCourse),
    run: [
      `update account_courses set name = new.name, sis_course_id = coalesce(new.sis_course_id, ''), term = (select t.name from terms t where t.id = new.enrollment_term_id)
    where course_id = new.id;`,
    ],
    purpose: `${listed}: a new name, SIS id or term.`,
  }),
  trigger({
    on: 'courses',
    name: 'copy_place_delete',
    event: 'delete',
    run: ['delete from account_courses where course_id = old.id;'],
    purpose: `${listed}: a course whose row is deleted.`,
  }),
  trigger({
    on: 'account_ancestors',
    name: 'copy_courses_insert',
    event: 'insert',
    run: [places('up.ancestor_id = new.ancestor_id and up.account_id = new.account_id')],
    purpose: `${listed}: an account that is moved below another.`,
  }),
  trigger({
    on: 'account_ancestors',
    name: 'copy_courses_delete',
    event: 'delete',
    run: [
      'delete from account_courses where account_id = old.ancestor_id and course_id in (select c.id from courses c where c.account_id = old.account_id);',
    ],
    purpose: `${listed}: an account that is no longer below another.`,
  }),
  trigger({
    on: 'accounts',
    name: 'copy_name_to_courses',
    event: 'update',
    of: ['name'],
    when: columnsDiffer(['name']),
    run: [
      'update account_courses set account_name = new.name where course_id in (select c.id from courses c where c.account_id = new.id);',
    ],
    purpose: `${listed}: a new name of their account.`,
  }),
  trigger({
    on: 'terms',
    name: 'copy_name_to_courses',
    event: 'update',
    of: ['name'],
    when: columnsDiffer(['name']),
    run: [
      'update account_courses set term = new.name where course_id in (select c.id from courses c where c.enrollment_term_id = new.id);',
    ],
    purpose: `${listed}: a new name of their term.`,
  }),
  ...everyEvent.flatMap((event) => {
    const sides = { insert: ['new'], update: ['new', 'old'], delete: ['old'] }[event];
    const teaches = `(${sides.map((side) => `${side}.type = 'TeacherEnrollment'`).join(' or ')})`;
    return sides.map((side, at) =>
      trigger({
        on: 'enrollments',
        name: `copy_teacher_${event}${at === 0 ? '' : '_left'}`,
        event,
        ...(event === 'update' && { of: ['enrollment_state', 'sortable_name', 'course_id', 'type'] }),
        when: at === 0 ? teaches : `${teaches} and new.course_id <> old.course_id`,
        run: [`update account_courses set teacher = ${teacher(`${side}.course_id`)} where course_id = ${side}.course_id;`],
        purpose: `${listed}: their first teacher.`,
      }),
    );
  }),
];

const called = (course: string) => `coalesce((select coalesce(c.friendly_name, c.name) from courses c where c.id = ${course}), '')`;

/** The end of an appointment group, copied to each of its courses, because a calendar selects those that have not ended. */
const endOf = (group: string) =>
  `coalesce((select g.end_at from appointment_groups g where g.id = ${group} and g.workflow_state <> 'deleted'), '')`;
const appointments = [
  trigger({
    on: 'appointment_group_contexts',
    name: 'copy_end',
    event: 'insert',
    run: [`update appointment_group_contexts set ends_at = ${endOf('new.appointment_group_id')} where id = new.id;`],
    purpose: 'Copy the end of an appointment group to each of its courses.',
  }),
  trigger({
    on: 'appointment_groups',
    name: 'copy_end',
    event: 'update',
    of: ['end_at', 'workflow_state'],
    when: columnsDiffer(['end_at', 'workflow_state']),
    run: [`update appointment_group_contexts set ends_at = ${endOf('new.id')} where appointment_group_id = new.id;`],
    purpose: 'Copy the end of an appointment group to each of its courses.',
  }),
];

/** The sort keys of a user's enrollments, by column of the user. Each has its own trigger: an update writes every index of the columns it names. */
const keysOfPerson = {
  sort_email: 'sort_email = new.sort_email',
  sort_sis_id: 'sort_sis_id = new.sort_sis_id',
};
const ofPeople = [
  ...Object.entries(keysOfPerson).map(([column, copied]) =>
    trigger({
      on: 'users',
      name: `copy_${column}_to_enrollments`,
      event: 'update',
      of: [column],
      when: columnsDiffer([column]),
      run: [`update enrollments set ${copied} where user_id = new.id;`],
      purpose: 'Copy a sort key of rosters to the enrollments of a user.',
    }),
  ),
  // Another trigger may change the key after this row was written, so the present one is copied.
  trigger({
    on: 'users',
    name: 'copy_sort_name_to_enrollments',
    event: 'update',
    of: ['sortable_name', 'name_key'],
    when: columnsDiffer(['sortable_name', 'name_key']),
    run: [
      `update enrollments set sortable_name = (select u.sort_name from users u where u.id = new.id) where user_id = new.id
    and sortable_name is not (select u.sort_name from users u where u.id = new.id) collate binary;`,
    ],
    purpose: 'Copy the sort key of the name to the enrollments of a user.',
  }),
  trigger({
    on: 'enrollments',
    name: 'copy_keys_insert',
    event: 'insert',
    run: [
      `update enrollments set (sort_email, sort_sis_id) = (select u.sort_email, u.sort_sis_id from users u where u.id = new.user_id),
    sort_course = ${called('new.course_id')}
    where id = new.id and exists (select 1 from users u where u.id = new.user_id
      and (u.sort_email is not new.sort_email or u.sort_sis_id is not new.sort_sis_id or new.sort_course is not ${called('new.course_id')}));`,
    ],
    purpose: 'Copy the sort keys of rosters and course lists to a new enrollment.',
  }),
  trigger({
    on: 'enrollments',
    name: 'copy_sort_name_insert',
    event: 'insert',
    run: [
      `update enrollments set sortable_name = (select u.sort_name from users u where u.id = new.user_id)
    where id = new.id and exists (select 1 from users u where u.id = new.user_id and u.sort_name is not new.sortable_name);`,
    ],
    purpose: 'Copy the sort key of the name to a new enrollment that was inserted with the name.',
  }),
  trigger({
    on: 'enrollments',
    name: 'copy_course_name_moved',
    event: 'update',
    of: ['course_id'],
    when: columnsDiffer(['course_id']),
    run: [`update enrollments set sort_course = ${called('new.course_id')} where id = new.id;`],
    purpose: 'Copy the name of the course that an enrollment moves to.',
  }),
  trigger({
    on: 'courses',
    name: 'copy_name_to_enrollments',
    event: 'update',
    of: ['name', 'friendly_name'],
    when: columnsDiffer(['name', 'friendly_name']),
    run: ['update enrollments set sort_course = coalesce(new.friendly_name, new.name) where course_id = new.id;'],
    purpose: 'Copy the name of a course to its enrollments.',
  }),
];

/** The first email address of a user, and the ids of their first login. */
const firstOf = (table: 'logins' | 'communication_channels', columns: readonly string[], set: (user: string) => string) =>
  everyEvent.map((event) => {
    const side = event === 'delete' ? 'old' : 'new';
    return trigger({
      on: table,
      name: `copy_first_${event}`,
      event,
      ...(event === 'update' && { of: columns }),
      run: [`update users set ${set(`${side}.user_id`)} where id = ${side}.user_id;`],
      purpose: table === 'logins' ? 'Copy the ids of the first login to the user.' : 'Copy the first email address to the user.',
    });
  });
const firstLogin = (column: string, user: string) =>
  `coalesce((select l.${column} from logins l where l.user_id = ${user} and l.workflow_state <> 'deleted' order by l.id limit 1), '')`;

const ofLogins = (user: string) =>
  `sort_sis_id = ${firstLogin('sis_user_id', user)}, sort_integration_id = ${firstLogin('integration_id', user)}`;
const ofChannels = (user: string) =>
  `sort_email = coalesce((select c.address from communication_channels c where c.user_id = ${user} and c.type = 'email' and c.workflow_state <> 'deleted' order by c.position, c.id limit 1), '')`;

const keys = [
  ...firstOf('logins', ['sis_user_id', 'integration_id', 'workflow_state'], ofLogins),
  ...firstOf('communication_channels', ['address', 'type', 'position', 'workflow_state'], ofChannels),
];

export const copyTriggers = [...courses, ...appointments, ...ofPeople, ...keys];

/** Statements that copy everything again, after rows were written without triggers. */
export const copyAgain: readonly string[] = [
  ...assignmentPlacesAgain,
  ...rosterCountsAgain,
  ...accountTreeAgain,
  `update appointment_group_contexts set ends_at = ${endOf('appointment_group_id')};`,
  'delete from account_courses;',
  places('1'),
  `update users set ${ofLogins('users.id')}, ${ofChannels('users.id')};`,
  `update enrollments set (sortable_name, sort_email, sort_sis_id) = (select u.sort_name, u.sort_email, u.sort_sis_id from users u where u.id = enrollments.user_id),
    sort_course = ${called('enrollments.course_id')}
    where exists (select 1 from users u where u.id = enrollments.user_id);`,
];
