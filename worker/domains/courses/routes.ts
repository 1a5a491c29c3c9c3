// Courses: every endpoint, in the order of the API reference.

import { bool, int, oneOf, optional, someOf, text } from '@carrel/shared/wire/fields';
import { and, sql } from 'drizzle-orm';
import { within } from '../../database/ids';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { list, one } from '../../http/reply';
import { course } from './json';
import { enrollmentWords, type OwnFilter, ownCourseIds } from './own_courses';
import { homeroom, itself, nameFor, notBlueprint } from './policy';
import { courses } from './table';

const include = [
  'needs_grading_count',
  'syllabus_body',
  'public_description',
  'total_scores',
  'current_grading_period_scores',
  'grading_periods',
  'term',
  'account',
  'course_progress',
  'sections',
  'storage_quota_used_mb',
  'total_students',
  'passback_status',
  'favorites',
  'teachers',
  'observed_users',
  'tabs',
  'course_image',
  'banner_image',
  'concluded',
  'html_url',
  'locale',
  'lti_context_id',
  'post_manually',
  'grading_scheme',
  'restrict_quantitative_data',
  'templated_accounts',
  'subaccount',
  'account_name',
  'open_enrollment',
  'self_enrollment',
  'allow_student_wiki_edits',
  'allow_wiki_comments',
] as const;

const ownParams = {
  enrollment_type: optional(oneOf(...enrollmentWords)),
  enrollment_role: optional(text),
  enrollment_role_id: optional(int),
  enrollment_state: optional(oneOf('active', 'invited_or_pending', 'completed')),
  state: optional(someOf('unpublished', 'available', 'completed', 'deleted')),
  exclude_blueprint_courses: optional(bool),
  current_domain_only: optional(bool),
  root_account_id: optional(text),
  homeroom: optional(bool),
  observed_user_id: optional(int),
  teacher_limit: optional(int),
};

type OwnParams = OwnFilter & { exclude_blueprint_courses?: boolean; homeroom?: boolean };

const ownCourses = ({ now, me }: Pick<Call, 'now' | 'me'>, user_id: number, params: OwnParams) =>
  rows(courses, {
    where: and(
      within(courses.id, sql`${ownCourseIds(user_id, params, now)}`),
      notBlueprint(params.exclude_blueprint_courses),
      homeroom(params.homeroom),
    ),
    order: ascending(nameFor(me.id), courses.id),
  });

export const courseRoutes = [
  get('/courses', { can: 'user', params: ownParams, include, returns: [course], summary: 'List your courses' }, (call) =>
    list(ownCourses(call, call.me.id, call.params)),
  ),

  get(
    '/users/:user_id/courses',
    { can: ['self', 'observer', 'read_roster'], params: ownParams, include, returns: [course], summary: 'List courses for a user' },
    (call) => list(ownCourses(call, call.user.id, call.params)),
  ),

  get(
    '/courses/:course_id',
    {
      can: 'read',
      params: { teacher_limit: optional(int) },
      include: [...include, 'permissions', 'all_courses'],
      returns: course,
      summary: 'Get a course',
    },
    (call) => one(rows(courses, { where: itself(call.course) })),
  ),
];
