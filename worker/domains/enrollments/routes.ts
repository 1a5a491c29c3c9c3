// Enrollments: every endpoint, in the order of the API reference.

import { Success, TemporaryEnrollmentStatus } from '@carrel/shared/resources/enrollment';
import { oneOf, optional, referenceTo } from '@carrel/shared/wire/fields';
import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isActiveStaff } from '../../contexts/predicates';
import type { Call } from '../../http/call';
import { absolute, del, get, post, put } from '../../http/endpoint';
import { ascending, type Order, rows } from '../../http/listing';
import { refused, unauthorized } from '../../http/problem';
import { answer, judged, list, one, oneOr, type Reply, settled } from '../../http/reply';
import { enrollmentFilter, type Filters, filterParams, inEffectiveStates, refuseFilters, statesOf, unknownRoles } from './filters';
import { enrolling, requestedEnrollment } from './input';
import { enrollment, isLeavable, leavingCode, listedEnrollment, wantedBy } from './json';
import { addable, endingRights, mayList, visibleEnrollments } from './policy';
import { outcomeJson, rosterOf, rosterRequestIn, throughRoster } from './roster/call_roster';
import type { Enrolling } from './roster/enroll';
import type { Move } from './roster/lifecycle';
import type { EnrollRequest, MoveRequest, RosterOutcome } from './roster/roster';
import { type EnrollmentState, enrollments } from './table';

export const about = { title: 'Enrollments', description: 'Who takes part in a course or section, and as what.' };

const include = ['avatar_url', 'group_ids', 'locked', 'observed_users', 'can_be_removed', 'uuid', 'current_points', 'email'] as const;
const byName = ascending(enrollments.sortable_name, enrollments.id);
/** By type, name and id. Within a single type, the type is omitted so that the index can find a bookmark. */
const inOrder = ({ type, role, role_id }: Filters): Order[] =>
  type?.length === 1 && !role?.length && !role_id?.length ? byName : [...ascending(enrollments.type), ...byName];

/** All rows have the same name. */
const ofOne = ascending(enrollments.type, enrollments.same_id);

const seesSis = (holder: { can(permission: string): boolean }) => holder.can('read_sis') || holder.can('manage_sis');

/** A list; refuses roles that do not exist. */
function listed(call: Pick<Call, 'db'>, filters: Filters, where: SQL | undefined, order = inOrder(filters)): Reply {
  const page = list(rows(enrollments, { where, order, once: order === ofOne }));
  if (!filters.role?.length && !filters.role_id?.length) return page;
  return judged(
    call.db.build.all<{ value: unknown }>(unknownRoles(filters)),
    ([unknown]) => {
      if (unknown) throw refused(400, `unknown role ${unknown.value}`);
    },
    page,
  );
}

const currentStates = (course: CourseContext): EnrollmentState[] =>
  course.readsAsAdmin ? ['active', 'invited', 'creation_pending', 'inactive'] : ['active', 'invited', 'creation_pending'];

function listIn(course: CourseContext, call: Pick<Call, 'db' | 'me'>, filters: Filters, section_id?: number): Reply {
  refuseFilters(filters, seesSis(course), course);
  const states = (statesOf(filters.state) as EnrollmentState[] | undefined) ?? currentStates(course);
  return listed(
    call,
    filters,
    and(
      visibleEnrollments(course, call.me, section_id === undefined ? undefined : eq(enrollments.course_section_id, section_id)),
      inArray(enrollments.enrollment_state, states),
      enrollmentFilter(filters, call.me.id),
    ),
  );
}

/** Callers who may add users, and callers who send the course's self-enrollment code. */
const mayEnroll = ({ course, me, tree }: Call): boolean =>
  me.isKnown &&
  course !== undefined &&
  (addable(course).length > 0 || (tree.enrollment as { self_enrollment_code?: unknown } | undefined)?.self_enrollment_code !== undefined);

async function enroll(call: Call, course: CourseContext, asked: Enrolling): Promise<Reply> {
  const request: EnrollRequest = {
    ...rosterRequestIn(course.id, call),
    asked,
    chain: course.chain,
    addable: addable(course),
    held: [...course.held()],
    wanted: wantedBy(call, false),
  };
  const outcome = await throughRoster<RosterOutcome>(call, rosterOf(call, course.id).enroll(request));
  return settled(answer(outcomeJson(outcome, course, call)));
}

const move = (
  call: Call,
  course: CourseContext,
  id: number,
  to: Move,
  response?: { json: unknown },
  rights = endingRights(course),
): Promise<RosterOutcome> => {
  const errand: MoveRequest = {
    ...rosterRequestIn(course.id, call),
    enrollment_id: id,
    move: to,
    rights,
    wanted: wantedBy(call, false),
    response,
  };
  return throughRoster<RosterOutcome>(call, rosterOf(call, course.id).move(errand));
};

const success = { json: { success: true } };
/** Callers without access to the course get 401, so that they cannot probe its enrollments. */
const refuseOutsiders = (course: CourseContext): void => {
  if (!course.canRead && course.mine.length === 0) throw unauthorized();
};
const mayEnd = ({ course }: Call) => course !== undefined && (course.readsAsAdmin || endingRights(course).concludes.length > 0);
const moveOf = { conclude: 'conclude', delete: 'delete', inactivate: 'deactivate', deactivate: 'deactivate' } as const;
const enrollmentsOf = '/courses/:course_id/enrollments';

export const enrollmentRoutes = [
  get(
    enrollmentsOf,
    { can: mayList, params: filterParams, include, returns: [listedEnrollment], bookmarked: true, summary: 'List enrollments of a course' },
    (call) => listIn(call.course, call, call.params),
  ),

  get(
    '/sections/:section_id/enrollments',
    {
      can: mayList,
      params: filterParams,
      include,
      returns: [listedEnrollment],
      bookmarked: true,
      summary: 'List enrollments of a section',
    },
    (call) => listIn(call.course, call, call.params, call.section.id),
  ),

  get(
    '/users/:user_id/enrollments',
    {
      can: ['self', 'observer', 'read_roster'],
      params: filterParams,
      include,
      returns: [listedEnrollment],
      bookmarked: true,
      summary: 'List enrollments of a user',
    },
    (call) => {
      const { user, params, now } = call;
      refuseFilters(params, seesSis(user));
      const asked = statesOf(params.state, user.isMe);
      const byState = user.isMe
        ? inEffectiveStates(asked ?? ['active', 'invited', 'pending_active', 'pending_invited', 'inactive'], now)
        : and(
            inArray(enrollments.enrollment_state, (asked ?? ['active', 'invited']) as EnrollmentState[]),
            sql`exists (select 1 from courses c where c.id = ${enrollments.course_id} and (c.workflow_state <> 'deleted' or ${enrollments.enrollment_state} = 'deleted'))`,
          );
      const isCurrent = asked || !user.isMe ? undefined : inArray(enrollments.enrollment_state, ['active', 'invited']);
      return listed(call, params, and(eq(enrollments.user_id, user.id), byState, isCurrent, enrollmentFilter(params, call.me.id)), ofOne);
    },
  ),

  get(
    '/accounts/:account_id/enrollments/:id',
    {
      can: 'user',
      within: (path) => ({ course: sql`select course_id from enrollments where id = ${path.id}` }),
      returns: enrollment,
      summary: 'Get an enrollment',
    },
    ({ account, course, id, me }) => {
      const mayRead = account.can('read_roster') && (course?.chain.includes(account.id) ?? true);
      const here = and(eq(enrollments.id, id), ne(enrollments.enrollment_state, 'deleted'));
      return mayRead
        ? one(rows(enrollments, { where: here }))
        : oneOr(rows(enrollments, { where: and(here, eq(enrollments.user_id, me.id)) }), unauthorized);
    },
  ),

  post(enrollmentsOf, { can: mayEnroll, params: enrolling, returns: enrollment, summary: 'Enroll a user' }, (call) =>
    enroll(call, call.course, requestedEnrollment(call.params, undefined)),
  ),

  post(
    '/sections/:section_id/enrollments',
    { can: mayEnroll, params: enrolling, returns: enrollment, summary: 'Enroll a user in a section' },
    (call) => enroll(call, call.course, requestedEnrollment(call.params, call.section.id)),
  ),

  del(
    `${enrollmentsOf}/:id`,
    {
      can: mayEnd,
      params: { task: optional(oneOf('conclude', 'delete', 'inactivate', 'deactivate')) },
      returns: enrollment,
      summary: 'Conclude, deactivate or delete an enrollment',
    },
    async (call) => {
      const outcome = await move(call, call.course, call.id, moveOf[call.params.task ?? 'conclude']);
      return settled(answer(outcomeJson(outcome, call.course, call)));
    },
  ),

  put(`${enrollmentsOf}/:id/reactivate`, { can: mayEnd, returns: enrollment, summary: 'Reactivate an enrollment' }, async (call) => {
    const own = call.course.mine.find((one) => one.id === call.id);
    if (own && call.course.gains(own.role)) throw unauthorized();
    return settled(answer(outcomeJson(await move(call, call.course, call.id, 'reactivate'), call.course, call)));
  }),

  post(`${enrollmentsOf}/:id/accept`, { can: 'user', returns: { json: Success }, summary: 'Accept an invitation' }, async (call) => {
    refuseOutsiders(call.course);
    await move(call, call.course, call.id, 'accept', success);
    return settled(answer(success.json));
  }),

  post(`${enrollmentsOf}/:id/reject`, { can: 'user', returns: { json: Success }, summary: 'Decline an invitation' }, async (call) => {
    refuseOutsiders(call.course);
    await move(call, call.course, call.id, 'reject', success);
    return settled(answer(success.json));
  }),

  ...absolute(
    post(
      '/courses/:course_id/self_unenrollment/:uuid',
      { can: 'user', returns: { json: null }, summary: 'Leave a self-enrolled course' },
      async (call) => {
        const { course, me, path } = call;
        refuseOutsiders(course);
        const it = course.mine.find((one) => isLeavable(one, me.id) && leavingCode(me.user, one.id) === path.uuid);
        if (!it) throw refused(400, 'You cannot leave this course by yourself');
        const left = { json: '' };
        await move(call, course, it.id, 'conclude', left, { concludes: [it.type], removes: [], endsOwn: true });
        return settled(answer(left.json));
      },
    ),
  ),

  get(
    '/users/:user_id/temporary_enrollment_status',
    {
      can: 'read_roster',
      params: { account_id: optional(referenceTo('account')) },
      returns: { json: TemporaryEnrollmentStatus },
      summary: 'Get the status of temporary enrollments',
    },
    async ({ db, user }) => {
      const isThere = sql`x.enrollment_state in ('active', 'invited', 'creation_pending')`;
      const [[result]] = await db.perform([
        db.build.all<{ is_provider: number; is_recipient: number; can_provide: number }>(
          sql`select exists (select 1 from enrollments x where x.temporary_enrollment_source_user_id = ${user.id} and ${isThere}) as is_provider,
            exists (select 1 from enrollments x where x.user_id = ${user.id} and x.temporary_enrollment_source_user_id is not null and ${isThere}) as is_recipient,
            exists (select 1 from enrollments x where x.user_id = ${user.id} and ${isActiveStaff('x')}) as can_provide`,
        ),
      ]);
      return answer({
        is_provider: result?.is_provider === 1,
        is_recipient: result?.is_recipient === 1,
        can_provide: result?.can_provide === 1,
      });
    },
  ),
];
