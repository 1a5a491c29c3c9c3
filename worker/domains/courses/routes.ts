// Courses: every endpoint, in the order of the API reference.

import { sanitise } from '@carrel/shared/html/sanitise';
import { CourseEventDone, CoursePermissions, PreviewHtml } from '@carrel/shared/resources/course_answers';
import { bool, choice, choices, idField, idsWithin, int, listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { actedBy, actorOf } from '../../contexts/acting';
import { adminMay } from '../../contexts/institution';
import { isInSelect } from '../../database/ids';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { notFound, problem, unauthorized } from '../../http/problem';
import { answer, list, one, settled, write } from '../../http/reply';
import { rosterOf, rosterRequestIn, throughRoster } from '../enrollments/roster/call_roster';
import { progressJson } from '../progress/json';
import { queued } from '../progress/queue';
import { accountCoursesOf, accountListParams } from './account_list';
import { createCourse, newCode } from './creation';
import { accountInclude, courseInclude, listInclude } from './include_names';
import { type CourseGiven, courseBody, courseChangesOf, patched, settingParams, settingsPatch } from './input';
import { course, courseOfAccount, createdCourse } from './json';
import { mayMove } from './lifecycle/moves';
import type { ResetRequest } from './lifecycle/reset_turn';
import { enrollmentWords, firstOwnCourses, type OwnFilter } from './own_courses';
import { permissionsIn } from './permissions';
import { courseNameFor, homeroom, itself, notBlueprint } from './policy';
import { courseSettings } from './settings';
import { courses } from './table';
import { changeThroughRoster, checked, rightsOver, updateOf } from './update';

export const about = { title: 'Courses', description: 'Courses: creation, settings, publishing and deletion.' };

const ownParams = {
  enrollment_type: choice(...enrollmentWords),
  enrollment_role: optional(text),
  enrollment_role_id: optional(idField('role')),
  enrollment_state: choice('active', 'invited_or_pending', 'completed'),
  state: choices('unpublished', 'available', 'completed', 'deleted'),
  exclude_blueprint_courses: optional(bool),
  current_domain_only: optional(bool),
  root_account_id: optional(referenceTo('account')),
  homeroom: optional(bool),
  observed_user_id: optional(idField('user')),
  teacher_limit: optional(int),
};

type OwnParams = OwnFilter & { exclude_blueprint_courses?: boolean; homeroom?: boolean };

const ownCourses = (call: Pick<Call, 'now' | 'me' | 'page'>, user_id: number, params: OwnParams) => {
  const chosen = and(notBlueprint(params.exclude_blueprint_courses), homeroom(params.homeroom));
  return rows(courses, {
    where: isInSelect(courses.id, firstOwnCourses(user_id, params, call, chosen && sql`${chosen}`)),
    order: ascending(courseNameFor(call.me.id), courses.id),
    once: true,
  });
};

const show = {
  can: ['read', 'read_deleted'],
  deletedToo: true,
  params: { teacher_limit: optional(int) },
  include: courseInclude,
  returns: course,
} as const;

const shown = ({ course: it, include }: Pick<Call, 'include'> & { course: NonNullable<Call['course']> }) => {
  if (it.workflow_state === 'deleted' && !(it.isAdmin && include.has('all_courses'))) throw notFound();
  return one(rows(courses, { where: itself(it) }));
};

const creating = { ...courseBody, offer: optional(bool), enroll_me: optional(bool), enable_sis_reactivation: optional(bool) };
type Creating = { course?: CourseGiven; offer?: boolean; enroll_me?: boolean; enable_sis_reactivation?: boolean };

const creation = (params: Creating, can: (permission: string) => boolean) => ({
  given: params.course ?? {},
  rights: {
    sis: can('manage_sis'),
    quota: can('manage_storage_quotas'),
    terms: true,
    visibility: can('manage_course_visibility'),
    blueprint: can('manage_master_courses'),
    rename: true,
    posting: true,
  },
  offer: params.offer === true,
  enrollMe: params.enroll_me === true,
  revives: params.enable_sis_reactivation === true,
});

const batchEvents = new Set(['offer', 'conclude', 'delete', 'undelete']);

const manual = 'Manually-Created Courses';
const manualAccount = sql`select id from accounts where parent_account_id = 1 and name = ${manual} and workflow_state = 'active' limit 1`;

export const courseRoutes = [
  get('/courses', { can: 'user', params: ownParams, include: listInclude, returns: [course], summary: 'List your courses' }, (call) =>
    list(ownCourses(call, call.me.id, call.params)),
  ),

  get(
    '/users/:user_id/courses',
    {
      can: ['self', 'observer', 'read_roster'],
      params: ownParams,
      include: listInclude,
      returns: [course],
      summary: 'List courses for a user',
    },
    (call) => list(ownCourses(call, call.user.id, call.params)),
  ),

  get('/courses/:course_id', { ...show, summary: 'Get a course' }, shown),
  get('/accounts/:account_id/courses/:course_id', { ...show, summary: 'Get a course by account' }, shown),

  get(
    '/accounts/:account_id/courses',
    {
      can: 'read_course_list',
      params: { ...accountListParams, teacher_limit: optional(int) },
      include: accountInclude,
      returns: [courseOfAccount],
      summary: 'List courses of an account',
    },
    (call) => list(accountCoursesOf(call.account, call.params, call)),
  ),

  post(
    '/accounts/:account_id/courses',
    { can: 'manage_courses_add', params: creating, returns: createdCourse, summary: 'Create a course' },
    (call) => createCourse(call, { id: sql`select ${call.account.id}`, before: [] }, creation(call.params, call.account.can)),
  ),

  post(
    '/courses',
    {
      can: ({ me, institution }) => adminMay('manage_courses_add', me, [institution.root.id], institution),
      params: creating,
      returns: createdCourse,
      summary: 'Create a course in the account for manually created courses',
    },
    (call) => {
      const { db, me, institution } = call;
      const can = (permission: string) => adminMay(permission, me, [institution.root.id], institution);
      const needed = db.build.run(
        sql`insert into accounts (name, parent_account_id, root_account_id, uuid, created_at, updated_at) select ${manual}, 1, 1, lower(hex(randomblob(20))), ${call.now}, ${call.now} where not exists (${manualAccount})`,
      );
      return createCourse(call, { id: manualAccount, before: [needed] }, creation(call.params, can));
    },
  ),

  put(
    '/courses/:course_id',
    {
      can: 'user',
      deletedToo: true,
      params: { ...courseBody, offer: optional(bool), override_sis_stickiness: optional(bool) },
      returns: courseOfAccount,
      summary: 'Update a course',
    },
    (call) => updateOf(call, call.course, call.params),
  ),

  put(
    '/accounts/:account_id/courses',
    {
      can: 'manage_courses_admin',
      params: { course_ids: optional(idsWithin('course')), event: optional(text) },
      returns: progressJson,
      summary: 'Update several courses',
    },
    (call) => {
      const { account, params, me } = call;
      const { event } = params;
      if (!Array.isArray(params.course_ids)) throw problem(400, 'must specify course_ids[]');
      if (params.course_ids.length > 500) throw problem(403, 'must specify only 500 or fewer courses');
      if (!batchEvents.has(event ?? '')) throw problem(400, 'need to specify event');
      if (event === 'undelete' && !account.can('undelete_courses')) throw unauthorized();
      const course_ids = params.course_ids.map(String);
      return queued(call, 'course_batch_update', {
        context_type: 'Account',
        context_id: account.id,
        user_id: me.id,
        tag: 'course_batch_update',
        arguments: { course_ids, event },
      });
    },
  ),

  del(
    '/courses/:course_id',
    {
      can: ({ course: it }) => it !== undefined && (mayMove(it, 'conclude') || mayMove(it, 'delete')),
      params: { event: optional(text) },
      returns: { json: CourseEventDone },
      summary: 'Conclude or delete a course',
    },
    async (call) => {
      const { event } = call.params;
      if (event !== 'conclude' && event !== 'delete') throw problem(400, 'Invalid event. Valid events are conclude and delete.');
      const done = { json: { [event]: true } };
      await changeThroughRoster(call, call.course, event, {}, { response: done });
      return settled(answer(done.json));
    },
  ),

  post(
    '/courses/:course_id/reset_content',
    {
      can: ({ course: it }) => it?.can('manage_courses_reset') === true && (it.isAdmin || it.sis_course_id === null),
      returns: courseOfAccount,
      summary: 'Reset a course',
    },
    async (call) => {
      const { course: it } = call;
      if (it.is_blueprint || it.is_template) throw problem(400, 'cannot reset_content on a blueprint or template course');
      const { sis_course_id, integration_id } = it;
      const uuid = randomText(40);
      const request: ResetRequest = { ...rosterRequestIn(it.id, call), uuid, sis_course_id, integration_id };
      await throughRoster<null>(call, rosterOf(call, it.id).resetContent(request));
      return settled(one(rows(courses, { where: eq(courses.uuid, uuid) })));
    },
  ),

  get('/courses/:course_id/settings', { can: 'read', returns: courseSettings, summary: 'Get course settings' }, ({ course: it }) =>
    one(rows(courses, { where: itself(it) })),
  ),

  put(
    '/courses/:course_id/settings',
    { can: 'manage_course_content_edit', params: settingParams, returns: courseSettings, summary: 'Update course settings' },
    async (call) => {
      const given = call.params as CourseGiven;
      await checked(call, call.course, given);
      const { friendly_name, grading_standard_id } = courseChangesOf(given, rightsOver(call, call.course), call.course, newCode());
      return write(
        actedBy(call.db, actorOf(call.me), [
          call.db.build
            .update(courses)
            .set({ friendly_name, grading_standard_id, settings: patched(settingsPatch(given)), updated_at: call.now })
            .where(itself(call.course)),
        ]),
        one(rows(courses, { where: itself(call.course) })),
      );
    },
  ),

  get(
    '/courses/:course_id/permissions',
    {
      can: 'read',
      params: { permissions: optional(listOf(text)) },
      returns: { json: CoursePermissions },
      summary: "Get the caller's permissions in a course",
    },
    (call) => answer(permissionsIn(call.course, call.params.permissions, call)),
  ),

  post(
    '/courses/:course_id/preview_html',
    { can: 'read', params: { html: optional(text) }, returns: { json: PreviewHtml }, summary: 'Preview processed HTML' },
    ({ params }) => answer({ html: sanitise(params.html ?? '') }),
  ),
];
