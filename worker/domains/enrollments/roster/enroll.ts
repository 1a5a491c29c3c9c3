// Plans an enrollment: its role, its state, and whether it already exists. Pure.

import { givenBy } from '../../../contexts/course_role';
import type { RoleOverride } from '../../../contexts/permissions';
import { differs } from '../../../contexts/unchanged';
import type { RoleRow } from '../../../contexts/viewer';
import type { RowOf } from '../../../http/listing';
import { notFound, problem, unauthorized } from '../../../http/problem';
import { type EnrollmentState, type EnrollmentType, type enrollments, enrollmentTypes } from '../table';
import { type RequestedState, stateOnArrival, stateOnReturn } from './lifecycle';

type Row = RowOf<typeof enrollments>;

/** The caller's request, with references as sent. */
export interface Enrolling {
  readonly user: string;
  readonly type: string | undefined;
  readonly role: string | undefined;
  readonly role_id: number | undefined;
  readonly asked: string | undefined;
  /** The named section; the default section when absent. */
  readonly section: string | undefined;
  readonly observed: string | undefined;
  readonly limited: boolean | undefined;
  /** Whether to send a notification; by default, only invitations are sent. */
  readonly notify?: boolean;
  readonly self_enrolled: boolean | undefined;
  readonly start_at: string | null | undefined;
  readonly end_at: string | null | undefined;
  readonly code: string | undefined;
}

export interface EnrollFacts {
  readonly course:
    | {
        readonly workflow_state: string;
        readonly self_enrollment: boolean;
        readonly self_enrollment_code: string | null;
        readonly is_blueprint: boolean;
      }
    | undefined;
  /** Root first. */
  readonly chain: readonly number[];
  readonly roles: readonly RoleRow[];
  readonly user: { readonly id: number; readonly workflow_state: string; readonly sort_name: string } | undefined;
  readonly section: { readonly id: number } | undefined;
  readonly observed: { readonly id: number } | undefined;
  /** Every enrollment of the user in the course, including deleted ones. */
  readonly there: readonly Row[];
  readonly actor_id: number;
  /** Enrollment types that the actor may add. */
  readonly addable: readonly EnrollmentType[];
  /** The actor's permissions in the course. */
  readonly held: readonly string[];
  readonly overrides: readonly RoleOverride[];
}

export type EnrollPlan =
  | {
      readonly kind: 'insert';
      readonly row: Pick<
        Row,
        | 'user_id'
        | 'type'
        | 'role_id'
        | 'observed_user_id'
        | 'enrollment_state'
        | 'sortable_name'
        | 'limit_privileges_to_course_section'
        | 'self_enrolled'
        | 'start_at'
        | 'end_at'
      >;
      readonly section_id: number | undefined;
    }
  | { readonly kind: 'update'; readonly row: Row; readonly set: Partial<Row> }
  | { readonly kind: 'keep'; readonly row: Row };

const isType = (given: string): given is EnrollmentType =>
  (enrollmentTypes as readonly string[]).includes(given) && given !== 'StudentViewEnrollment';
const askable = new Set(['active', 'invited', 'inactive']);

/** The requested role, and its enrollment type. */
function chooseRole(asked: Enrolling, roles: readonly RoleRow[], chain: readonly number[]): { role: RoleRow; type: EnrollmentType } {
  const named =
    asked.role_id !== undefined
      ? roles.find((role) => role.id === asked.role_id)
      : asked.role !== undefined
        ? roles.find((role) => role.name === asked.role)
        : undefined;
  if (asked.role_id !== undefined || asked.role !== undefined) {
    if (!named || named.workflow_state === 'inactive' || (named.account_id !== null && !chain.includes(named.account_id)))
      throw problem(400, 'Invalid role');
  }
  const type = asked.type ?? named?.base_role_type ?? 'StudentEnrollment';
  if (!isType(type)) throw problem(400, 'Invalid type');
  if (named && named.base_role_type !== type) throw problem(400, 'The specified type must match the base type for the role');
  const role = named ?? roles.find((one) => one.workflow_state === 'built_in' && one.name === type);
  if (!role) throw problem(400, 'Invalid role');
  return { role, type };
}

function refuseSelfEnrollment(asked: Enrolling, { course, user, actor_id }: EnrollFacts): void {
  if (user?.id !== actor_id) throw problem(400, "enrollment[user_id] must be 'self' when self-enrolling");
  if (course?.is_blueprint) throw problem(400, 'blueprint courses do not allow enrollments');
  if (!course?.self_enrollment || course.self_enrollment_code === null || course.self_enrollment_code !== asked.code?.trim().toUpperCase())
    throw problem(400, 'enrollment[self_enrollment_code] is invalid');
}

/** Fields that self-enrollment ignores. */
const notOnesOwn = {
  type: undefined,
  role: undefined,
  role_id: undefined,
  asked: undefined,
  limited: undefined,
  start_at: undefined,
  end_at: undefined,
};

/** Actors may not give themselves permissions that they do not have. */
const gainsPermissions = (role: RoleRow, { user, actor_id, chain, overrides, held }: EnrollFacts): boolean =>
  user?.id === actor_id && givenBy(role, chain, overrides).some((right) => !held.includes(right));

/**
 * The course and the user, if everything that the request names exists.
 * @throws Problem 404
 */
function namedThings(asked: Enrolling, type: EnrollmentType, { course, user, section, observed }: EnrollFacts) {
  if (!course || course.workflow_state === 'deleted' || !user || user.workflow_state === 'deleted') throw notFound();
  if (asked.section !== undefined && !section) throw notFound();
  if (asked.observed !== undefined && type === 'ObserverEnrollment' && !observed) throw notFound();
  return { course, user };
}

/** The columns of an existing enrollment that differ from the requested ones. */
const changesOf = (row: Row, asked: Enrolling, next: EnrollmentState | undefined, self_enrolled: boolean): Partial<Row> => ({
  ...(next && { enrollment_state: next, completed_at: null, self_enrolled }),
  ...(differs(asked.limited, row.limit_privileges_to_course_section) && { limit_privileges_to_course_section: asked.limited }),
  ...(differs(asked.start_at, row.start_at) && { start_at: asked.start_at }),
  ...(differs(asked.end_at, row.end_at) && { end_at: asked.end_at }),
});

/** @throws Problem with the reason why the enrollment is not possible (reference 02 §4.2) */
export function planEnrollment(given: Enrolling, facts: EnrollFacts): EnrollPlan {
  const isSelfEnrollment = given.code !== undefined;
  const asked = isSelfEnrollment ? { ...given, ...notOnesOwn } : given;
  const { role, type } = chooseRole(asked, facts.roles, facts.chain);
  if (isSelfEnrollment) refuseSelfEnrollment(asked, facts);
  else if (!facts.addable.includes(type) || gainsPermissions(role, facts)) throw unauthorized();
  const { course, user } = namedThings(asked, type, facts);
  if (course.workflow_state === 'completed') throw problem(400, "Can't add an enrollment to a concluded course.");
  if (asked.asked !== undefined && !askable.has(asked.asked)) throw problem(400, 'Invalid enrollment_state');

  const section_id = facts.section?.id;
  const observed_user_id = type === 'ObserverEnrollment' ? (facts.observed?.id ?? 0) : 0;
  const state: EnrollmentState = stateOnArrival({
    type,
    asked: asked.asked as RequestedState | undefined,
    isSelfEnrollment,
    isPublished: course.workflow_state === 'available',
    isRegistered: user.workflow_state === 'registered',
  });
  const same = facts.there.find(
    (one) =>
      one.type === type && one.role_id === role.id && one.course_section_id === section_id && one.observed_user_id === observed_user_id,
  );
  const isSelfEnrolled = isSelfEnrollment || asked.self_enrolled === true;
  if (!same)
    return {
      kind: 'insert',
      section_id,
      row: {
        user_id: user.id,
        type,
        role_id: role.id,
        observed_user_id,
        enrollment_state: state,
        sortable_name: user.sort_name,
        limit_privileges_to_course_section: asked.limited ?? false,
        self_enrolled: isSelfEnrolled,
        start_at: asked.start_at ?? null,
        end_at: asked.end_at ?? null,
      },
    };
  const set = changesOf(same, asked, stateOnReturn(same.enrollment_state, state), isSelfEnrolled);
  return Object.keys(set).length === 0 ? { kind: 'keep', row: same } : { kind: 'update', row: same, set };
}
