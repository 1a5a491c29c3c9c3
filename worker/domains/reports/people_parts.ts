// Report tables about users: attendance, activity and stored data.

import { sql } from 'drizzle-orm';
import { courseRequested, personRequested, type ReportFile, sisIdOf } from './part';
import type { ReportRequest } from './table';

const words = (given: readonly string[]) => sql`(select value from json_each(${JSON.stringify(given)}))`;

export const lastUserAccess = (wanted: ReportRequest): ReportFile => ({
  name: 'last_user_access',
  from: sql`users u`,
  mark: 'u.id',
  last: 'select max(id) from users',
  where: [
    sql`u.is_test_student = 0 and u.merged_into_user_id is null`,
    wanted.include_deleted ? undefined : sql`u.workflow_state <> 'deleted'`,
    personRequested(wanted),
  ],
  columns: {
    'user id': 'u.id',
    'user sis id': sisIdOf('u.id'),
    'user name': 'u.sortable_name',
    'last access at':
      "nullif(max(coalesce((select a.last_at from user_accesses a where a.user_id = u.id), ''), coalesce(u.last_login, '')), '')",
    'last ip': '(select a.last_ip from user_accesses a where a.user_id = u.id)',
  },
});

const enrolled = sql`enrollments e join users u on u.id = e.user_id join courses c on c.id = e.course_id join sections s on s.id = e.course_section_id`;
const who = { 'user id': 'u.id', 'user sis id': sisIdOf('u.id'), name: 'u.sortable_name' };
const where = {
  'section id': 's.id',
  'section sis id': 's.sis_section_id',
  'section name': 's.name',
  'course id': 'c.id',
  'course sis id': 'c.sis_course_id',
  'course name': 'c.name',
};
const ofEnrollments = { from: enrolled, mark: 'e.id', last: 'select max(id) from enrollments' };
const student = sql`e.type = 'StudentEnrollment' and c.workflow_state <> 'deleted'`;

export const lastEnrollmentActivity = (wish: ReportRequest): ReportFile => ({
  ...ofEnrollments,
  name: 'last_enrollment_activity',
  where: [
    sql`e.type <> 'StudentViewEnrollment' and e.enrollment_state <> 'deleted' and c.workflow_state <> 'deleted'`,
    ...courseRequested(wish),
  ],
  columns: { ...who, ...where, 'enrollment type': 'e.type', 'last activity at': 'e.last_activity_at' },
});

export const zeroActivity = (wish: ReportRequest): ReportFile => ({
  ...ofEnrollments,
  name: 'zero_activity',
  where: [
    sql`${student} and e.enrollment_state = 'active'`,
    wish.start_at === undefined
      ? sql`e.last_activity_at is null`
      : sql`(e.last_activity_at is null or e.last_activity_at < ${wish.start_at})`,
    ...courseRequested(wish),
  ],
  columns: { ...who, ...where },
});

export const noSubmissions = (wish: ReportRequest): ReportFile => ({
  ...ofEnrollments,
  name: 'students_with_no_submissions',
  where: [
    student,
    sql`e.enrollment_state in ${words(wish.enrollment_states?.length ? wish.enrollment_states : ['active'])}`,
    sql`exists (select 1 from assignments g where g.course_id = e.course_id and g.workflow_state = 'published')`,
    sql`not exists (select 1 from submissions b where b.user_id = e.user_id and b.course_id = e.course_id and b.submitted_at >= ${wish.start_at} and b.submitted_at <= ${wish.end_at})`,
    ...courseRequested(wish),
  ],
  columns: { ...who, ...where, 'enrollment state': 'e.enrollment_state' },
});

export const userAccessTokens = (wish: ReportRequest): ReportFile => ({
  name: 'user_access_tokens',
  from: sql`tokens k join users u on u.id = k.user_id left join developer_keys d on d.id = k.developer_key_id`,
  mark: 'k.id',
  last: 'select max(id) from tokens',
  where: [wish.include_deleted ? undefined : sql`k.workflow_state <> 'deleted' and u.workflow_state <> 'deleted'`, personRequested(wish)],
  columns: {
    'user id': 'u.id',
    'user name': 'u.sortable_name',
    'token hint': 'k.token_hint',
    purpose: 'k.purpose',
    status: 'k.workflow_state',
    'created at': 'k.created_at',
    expiration: "coalesce(k.expires_at, 'never')",
    'last used': "coalesce(k.last_used_at, 'never')",
    'dev key id': 'd.id',
    'dev key name': "coalesce(d.name, 'User-Generated')",
  },
});

export const eportfolioReport = (wish: ReportRequest): ReportFile => ({
  name: 'eportfolio_report',
  from: sql`eportfolios p join users u on u.id = p.user_id`,
  mark: 'p.id',
  last: 'select max(id) from eportfolios',
  where: [wish.include_deleted ? undefined : sql`p.workflow_state <> 'deleted'`, personRequested(wish)],
  columns: {
    'eportfolio id': 'p.id',
    'eportfolio name': 'p.name',
    'public?': "case p.public when 1 then 'true' else 'false' end",
    'spam status': 'p.spam_status',
    status: 'p.workflow_state',
    'author id': 'u.id',
    'author sis id': sisIdOf('u.id'),
    'author name': 'u.sortable_name',
    'page count': '(select count(*) from eportfolio_pages g where g.eportfolio_id = p.id)',
    created: 'p.created_at',
    updated: 'p.updated_at',
  },
});
