// Tables of `sis_export_csv` and `provisioning_csv`. The first contains only rows with SIS ids, in a form that an SIS import would accept without any
// change. The second contains all rows, with this service's ids.

import { sql } from 'drizzle-orm';
import {
  bySis,
  columnsIf,
  conditionIf,
  conditions,
  courseHere,
  courseRequested,
  fromSisIf,
  type PartOf,
  personRequested,
  sisIdOf,
} from './part';
import { groupCategories, groupMembershipReport, groupsPart } from './sis_group_parts';

const users: PartOf = (wanted, isExport) => ({
  name: 'users',
  from: sql`logins l join users u on u.id = l.user_id`,
  mark: 'l.id',
  last: 'select max(id) from logins',
  where: [
    sql`l.account_id = 1 and u.is_test_student = 0`,
    conditionIf(isExport, sql`l.sis_user_id is not null`),
    // The SIS id of a deleted row may be in use by another row.
    wanted.include_deleted
      ? sql`(l.workflow_state <> 'deleted' or not exists (select 1 from logins x where x.account_id = 1 and x.sis_user_id = l.sis_user_id and x.workflow_state <> 'deleted'))`
      : sql`l.workflow_state <> 'deleted'`,
    fromSisIf(wanted, 'l'),
    personRequested(wanted),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_user_id: 'u.id' }),
    user_id: 'l.sis_user_id',
    integration_id: 'l.integration_id',
    authentication_provider_id:
      "(select ap.id from authentication_providers ap where ap.id = l.authentication_provider_id and ap.workflow_state = 'active')",
    login_id: 'l.unique_id',
    first_name: "case when instr(u.sortable_name, ', ') > 0 then substr(u.sortable_name, instr(u.sortable_name, ', ') + 2) else u.name end",
    last_name: "case when instr(u.sortable_name, ', ') > 0 then substr(u.sortable_name, 1, instr(u.sortable_name, ', ') - 1) end",
    full_name: 'u.name',
    sortable_name: 'u.sortable_name',
    short_name: 'u.short_name',
    // An import ties an address to the login, so only an address that is already tied would be unchanged.
    email: isExport
      ? "(select cc.address from communication_channels cc where cc.id = l.sis_communication_channel_id and cc.workflow_state = 'active')"
      : 'u.sort_email',
    pronouns: 'u.pronouns',
    declared_user_type: 'l.declared_user_type',
    status: 'l.workflow_state',
    ...columnsIf(!isExport, { created_by_sis: bySis('l') }),
  },
});

const accounts: PartOf = (wish, isExport) => ({
  name: 'accounts',
  from: sql`accounts a left join accounts p on p.id = a.parent_account_id`,
  // Ancestors come first: an import creates a parent before its children.
  mark: '((select count(*) from account_ancestors up where up.account_id = a.id) * 1000000000 + a.id)',
  last: 'select (select max(id) from accounts) + 1000000000 * (select max(n) from (select count(*) as n from account_ancestors group by account_id))',
  where: [
    sql`a.parent_account_id is not null`,
    conditionIf(isExport, sql`a.sis_account_id is not null and (p.parent_account_id is null or p.sis_account_id is not null)`),
    conditionIf(!wish.include_deleted, sql`a.workflow_state <> 'deleted'`),
    fromSisIf(wish, 'a'),
    courseHere(wish, 'a.id'),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_account_id: 'a.id' }),
    account_id: 'a.sis_account_id',
    ...columnsIf(!isExport, { canvas_parent_id: 'p.id' }),
    parent_account_id: 'case when p.parent_account_id is not null then p.sis_account_id end',
    name: 'a.name',
    status: 'a.workflow_state',
    integration_id: 'a.integration_id',
    ...columnsIf(!isExport, { created_by_sis: bySis('a') }),
  },
});

const overridable = "'StudentEnrollment', 'TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment'";
const nth = "(instr('Stu,Tea,TaE,Des', substr(o.key, 1, 3)) + 3) / 4";

const terms: PartOf = (wish, isExport) => ({
  name: 'terms',
  // The dates for an enrollment type are a row of their own.
  from: sql`(select t.*, 0 as nth, null as type, t.start_at as begins, t.end_at as ends from terms t
    union all select t.*, ${sql.raw(nth)}, o.key, o.value ->> 'start_at', o.value ->> 'end_at' from terms t, json_each(t.overrides) o
      where o.key in (${sql.raw(overridable)}) and t.workflow_state <> 'deleted' and coalesce(o.value ->> 'start_at', o.value ->> 'end_at') is not null) t`,
  mark: '(t.id * 10 + t.nth)',
  last: 'select max(id) * 10 + 9 from terms',
  where: [
    conditionIf(isExport, sql`t.sis_term_id is not null`),
    conditionIf(!wish.include_deleted, sql`t.workflow_state <> 'deleted'`),
    wish.term_id === undefined ? undefined : sql`t.id = ${wish.term_id}`,
    fromSisIf(wish, 't'),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_term_id: 't.id' }),
    term_id: 't.sis_term_id',
    integration_id: 't.integration_id',
    name: 't.name',
    status: 't.workflow_state',
    date_override_enrollment_type: 't.type',
    start_date: 't.begins',
    end_date: 't.ends',
    ...columnsIf(!isExport, { created_by_sis: bySis('t') }),
  },
});

export const courseStatus =
  "case c.workflow_state when 'available' then 'published' when 'completed' then 'completed' when 'deleted' then 'deleted' else 'active' end";

const courses: PartOf = (wish, isExport) => ({
  name: 'courses',
  from: sql`courses c left join accounts a on a.id = c.account_id left join terms t on t.id = c.enrollment_term_id`,
  mark: 'c.id',
  last: 'select max(id) from courses',
  where: [
    conditionIf(isExport, sql`c.sis_course_id is not null`),
    conditionIf(!wish.include_deleted, sql`c.workflow_state <> 'deleted'`),
    fromSisIf(wish, 'c'),
    ...courseRequested(wish),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_course_id: 'c.id' }),
    course_id: 'c.sis_course_id',
    integration_id: 'c.integration_id',
    short_name: 'coalesce(c.course_code, c.name)',
    long_name: 'c.name',
    ...columnsIf(!isExport, { canvas_account_id: 'c.account_id' }),
    account_id: "case when a.workflow_state = 'active' then a.sis_account_id end",
    ...columnsIf(!isExport, { canvas_term_id: 'c.enrollment_term_id' }),
    term_id: "case when t.workflow_state = 'active' then t.sis_term_id end",
    status: courseStatus,
    start_date: 'c.start_at',
    end_date: 'c.end_at',
    course_format: "case when c.course_format in ('on_campus', 'online', 'blended') then c.course_format end",
    grade_passback_setting: "case when c.settings ->> '$.grade_passback_setting' = 'nightly_sync' then 'nightly_sync' end",
    homeroom_course: "case when c.settings ->> '$.homeroom_course' = 1 then 'true' end",
    friendly_name: 'c.friendly_name',
    ...columnsIf(!isExport, { created_by_sis: bySis('c') }),
  },
});

const sections: PartOf = (wish, isExport) => ({
  name: 'sections',
  // The row of a cross-listed section names its original course.
  from: sql`sections s join courses c on c.id = coalesce(s.nonxlist_course_id, s.course_id)`,
  mark: 's.id',
  last: 'select max(id) from sections',
  where: [
    conditionIf(isExport, sql`s.sis_section_id is not null and c.sis_course_id is not null`),
    wish.include_deleted
      ? sql`(s.workflow_state = 'deleted' or c.workflow_state <> 'deleted')`
      : sql`s.workflow_state <> 'deleted' and c.workflow_state <> 'deleted'`,
    fromSisIf(wish, 's'),
    ...courseRequested(wish),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_section_id: 's.id' }),
    section_id: 's.sis_section_id',
    ...columnsIf(!isExport, { canvas_course_id: 'c.id' }),
    course_id: 'c.sis_course_id',
    integration_id: 's.integration_id',
    name: 's.name',
    status: 's.workflow_state',
    start_date: 's.start_at',
    end_date: 's.end_at',
    ...columnsIf(!isExport, { canvas_account_id: 'c.account_id', created_by_sis: bySis('s') }),
  },
});

const isListed = (column: string, values: readonly string[] | undefined) =>
  values?.length ? sql`${sql.raw(column)} in (select value from json_each(${JSON.stringify(values)}))` : undefined;

const enrollments: PartOf = (wish, isExport) => ({
  name: 'enrollments',
  from: sql`enrollments e join courses c on c.id = e.course_id join sections s on s.id = e.course_section_id join roles r on r.id = e.role_id`,
  mark: 'e.id',
  last: 'select max(id) from enrollments',
  where: [
    sql`e.type <> 'StudentViewEnrollment'`,
    conditionIf(!wish.include_deleted, sql`e.enrollment_state <> 'deleted' and c.workflow_state <> 'deleted'`),
    isListed('e.type', wish.enrollment_types),
    isListed('e.enrollment_state', wish.enrollment_states),
    // The import format cannot express invitations, and can name a section without an SIS id only if it is the course's default section.
    conditionIf(
      isExport,
      sql.raw(`e.enrollment_state in ('active', 'completed', 'inactive', 'deleted') and s.workflow_state = 'active' and r.workflow_state <> 'inactive'
        and (e.enrollment_state = 'deleted' or c.workflow_state <> 'deleted')
        and (s.sis_section_id is not null or (s.is_default = 1 and c.sis_course_id is not null))
        and ${sisIdOf('e.user_id')} is not null and (e.observed_user_id = 0 or ${sisIdOf('e.observed_user_id')} is not null)`),
    ),
    fromSisIf(wish, 'e'),
    ...courseRequested(wish),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_course_id: 'c.id' }),
    course_id: 'c.sis_course_id',
    ...columnsIf(!isExport, { canvas_user_id: 'e.user_id' }),
    user_id: sisIdOf('e.user_id'),
    role: "case when r.workflow_state = 'built_in' then lower(replace(r.name, 'Enrollment', '')) else r.name end",
    role_id: 'r.id',
    ...columnsIf(!isExport, { canvas_section_id: 's.id' }),
    section_id: 's.sis_section_id',
    status: 'e.enrollment_state',
    ...columnsIf(!isExport, { canvas_associated_user_id: 'nullif(e.observed_user_id, 0)' }),
    associated_user_id: `case when e.observed_user_id <> 0 then ${sisIdOf('e.observed_user_id')} end`,
    limit_section_privileges: "case e.limit_privileges_to_course_section when 1 then 'true' else 'false' end",
    start_date: 'e.start_at',
    end_date: 'e.end_at',
    ...columnsIf(!isExport, { created_by_sis: bySis('e'), base_role_type: 'e.type', canvas_enrollment_id: 'e.id' }),
  },
});

const xlist: PartOf = (wish, isExport) => ({
  name: 'xlist',
  from: sql`sections s join courses c on c.id = s.course_id join courses h on h.id = s.nonxlist_course_id`,
  mark: 's.id',
  last: 'select max(id) from sections',
  where: [
    sql`s.nonxlist_course_id is not null and s.workflow_state = 'active' and c.workflow_state <> 'deleted'`,
    conditionIf(isExport, sql`s.sis_section_id is not null and c.sis_course_id is not null`),
    fromSisIf(wish, 's'),
    ...courseRequested(wish),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_xlist_course_id: 'c.id' }),
    xlist_course_id: 'c.sis_course_id',
    ...columnsIf(!isExport, { canvas_section_id: 's.id' }),
    section_id: 's.sis_section_id',
    status: 's.workflow_state',
    ...columnsIf(!isExport, { canvas_nonxlist_course_id: 'h.id', nonxlist_course_id: 'h.sis_course_id' }),
  },
});

const userObservers: PartOf = (wish, isExport) => ({
  name: 'user_observers',
  from: sql`observers o`,
  mark: 'o.rowid',
  last: 'select max(rowid) from observers',
  where: [
    conditionIf(isExport, sql.raw(`${sisIdOf('o.observer_id')} is not null and ${sisIdOf('o.student_id')} is not null`)),
    conditionIf(wish.created_by_sis, sql`false`),
    personRequested(wish, 'o.student_id'),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_observer_id: 'o.observer_id' }),
    observer_id: sisIdOf('o.observer_id'),
    ...columnsIf(!isExport, { canvas_student_id: 'o.student_id' }),
    student_id: sisIdOf('o.student_id'),
    status: "'active'",
  },
});

const admins: PartOf = (wish, isExport) => ({
  name: 'admins',
  from: sql`admins d join accounts a on a.id = d.account_id join roles r on r.id = d.role_id`,
  mark: 'd.id',
  last: 'select max(id) from admins',
  where: [
    sql`${conditions(conditionIf(!wish.include_deleted, sql`d.workflow_state <> 'deleted'`), sql`a.workflow_state <> 'deleted' and r.workflow_state <> 'inactive'`)}`,
    conditionIf(isExport, sql.raw(`(a.parent_account_id is null or a.sis_account_id is not null) and ${sisIdOf('d.user_id')} is not null`)),
    fromSisIf(wish, 'd'),
    courseHere(wish, 'd.account_id'),
  ],
  columns: {
    ...columnsIf(!isExport, { canvas_user_id: 'd.user_id' }),
    user_id: sisIdOf('d.user_id'),
    ...columnsIf(!isExport, { canvas_account_id: 'a.id' }),
    account_id: 'case when a.parent_account_id is not null then a.sis_account_id end',
    role_id: 'r.id',
    role: 'r.name',
    status: 'd.workflow_state',
    ...columnsIf(!isExport, { created_by_sis: bySis('d') }),
  },
});

/** By the report parameter that selects it. */
export const sisParts: Readonly<Record<string, PartOf>> = {
  users,
  accounts,
  terms,
  courses,
  sections,
  enrollments,
  groups: groupsPart,
  group_categories: groupCategories,
  group_membership: groupMembershipReport,
  xlist,
  user_observers: userObservers,
  admins,
};
