// Report tables about courses and about applications authorised by users.

import { wireTime } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import { courseHere, courseRequested, type ReportFile } from './part';
import { courseStatus } from './sis_parts';
import type { ReportRequest } from './table';

const day = 86_400_000;

const names = { 'course id': 'c.id', 'course sis id': 'c.sis_course_id', 'short name': 'c.course_code', 'long name': 'c.name' };
const places = {
  'account id': 'c.account_id',
  'account sis id': 'a.sis_account_id',
  'account name': 'a.name',
  'term id': 't.id',
  'term name': 't.name',
};

const ofCourses = (name: string, wanted: ReportRequest, where: SQL, columns: Record<string, string> = {}): ReportFile => ({
  name,
  from: sql`courses c left join accounts a on a.id = c.account_id left join terms t on t.id = c.enrollment_term_id`,
  mark: 'c.id',
  last: 'select max(id) from courses',
  where: [where, ...courseRequested(wanted)],
  columns: { ...names, ...places, ...columns },
});

const dates = { 'start date': 'c.start_at', 'end date': 'c.end_at' };

export const recentlyDeleted = (wish: ReportRequest): ReportFile =>
  ofCourses(
    'recently_deleted_courses',
    wish,
    sql`c.workflow_state = 'deleted' and c.updated_at >= ${wireTime(Date.parse(wish.now) - 30 * day)}`,
    { 'deleted at': 'c.updated_at' },
  );

export const unpublished = (wish: ReportRequest): ReportFile =>
  ofCourses('unpublished_courses', wish, sql`c.workflow_state in ('created', 'claimed')`, dates);

export const publicCourses = (wish: ReportRequest): ReportFile =>
  ofCourses('public_courses', wish, sql`c.is_public = 1 and c.workflow_state = 'available'`, dates);

export const courseStorage = (wish: ReportRequest): ReportFile =>
  ofCourses('course_storage', wish, sql`c.workflow_state <> 'deleted'`, {
    'storage used in MB':
      "round(coalesce((select b.bytes from storage b where b.context_type = 'Course' and b.context_id = c.id), 0) / 1048576.0, 2)",
    'sum of all files in MB':
      "round(coalesce((select sum(f.size) from files f where f.context_type = 'Course' and f.context_id = c.id and f.workflow_state = 'available'), 0) / 1048576.0, 2)",
  });

const nothingIn = [
  `assignments x where x.course_id = c.id and x.workflow_state <> 'deleted'`,
  `discussion_topics x where x.context_type = 'Course' and x.context_id = c.id and x.workflow_state <> 'deleted'`,
  `files x where x.context_type = 'Course' and x.context_id = c.id and x.workflow_state = 'available'`,
  `modules x where x.course_id = c.id and x.workflow_state <> 'deleted'`,
  `pages x where x.context_type = 'Course' and x.context_id = c.id and x.workflow_state <> 'deleted'`,
];

export const unusedCourses = (wish: ReportRequest): ReportFile =>
  ofCourses(
    'unused_courses',
    wish,
    sql.raw(`c.workflow_state <> 'deleted' and ${nothingIn.map((one) => `not exists (select 1 from ${one})`).join(' and ')}`),
    { status: courseStatus, 'created at': 'c.created_at' },
  );

export const developerKeys = (wish: ReportRequest): ReportFile => ({
  name: 'developer_key_report',
  from: sql`developer_keys d`,
  mark: 'd.id',
  last: 'select max(id) from developer_keys',
  where: [wish.include_deleted ? undefined : sql`d.workflow_state <> 'deleted'`, courseHere(wish, 'd.account_id')],
  columns: {
    'global id': 'd.id',
    'key name': 'd.name',
    'account id': 'd.account_id',
    email: 'd.email',
    'client type': 'd.client_type',
    'redirect uri': 'd.redirect_uri',
    status: 'd.workflow_state',
    'binding state':
      "coalesce((select b.workflow_state from developer_key_account_bindings b where b.developer_key_id = d.id and b.account_id = d.account_id), 'off')",
    'access token count': 'd.access_token_count',
    'last used': 'd.last_used_at',
    'created at': 'd.created_at',
    'permitted endpoints': "case when d.require_scopes = 1 then (select group_concat(value, ', ') from json_each(d.scopes)) else 'all' end",
  },
});
