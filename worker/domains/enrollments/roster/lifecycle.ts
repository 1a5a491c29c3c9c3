// The state machine of enrollments, and the decisions of the roster. Pure.

import type { EnrollmentState, EnrollmentType } from '../table';

export interface MoveFacts {
  /** States that the move starts from. */
  readonly from: readonly EnrollmentState[];
  readonly to: EnrollmentState;
  /** States in which the move has already happened: repeating it succeeds without a change. */
  readonly done: readonly EnrollmentState[];
}

/** Reference 02 §4.4. */
export const moves = {
  accept: { from: ['invited', 'rejected'], to: 'active', done: ['active'] },
  reject: { from: ['invited'], to: 'rejected', done: ['rejected'] },
  conclude: { from: ['invited', 'creation_pending', 'active', 'inactive'], to: 'completed', done: ['completed'] },
  deactivate: { from: ['invited', 'creation_pending', 'active'], to: 'inactive', done: ['inactive'] },
  reactivate: { from: ['inactive'], to: 'active', done: [] },
  delete: { from: ['invited', 'creation_pending', 'active', 'inactive', 'completed', 'rejected'], to: 'deleted', done: [] },
} as const satisfies Record<string, MoveFacts>;

export type Move = keyof typeof moves;

type Verdict =
  | { readonly kind: 'change'; readonly to: EnrollmentState }
  | { readonly kind: 'stay' }
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string };

const stay: Verdict = { kind: 'stay' };
const refuse = (message: string, status = 400): Verdict => ({ kind: 'refuse', status, message });

const hurdles: Record<Move, string> = {
  accept: 'no current invitation',
  reject: 'no current invitation',
  conclude: 'the enrollment cannot be concluded',
  deactivate: 'the enrollment cannot be deactivated',
  reactivate: 'enrollment not inactive',
  delete: 'the enrollment cannot be deleted',
};

/** The result of a move in a given state. */
export function decideMove(move: Move, enrollment: { enrollment_state: EnrollmentState; self_enrolled: boolean }): Verdict {
  const facts: MoveFacts = moves[move];
  const { enrollment_state: state } = enrollment;
  if (facts.done.includes(state)) return stay;
  const isAnswer = move === 'accept' || move === 'reject';
  if (isAnswer && state === 'inactive') return refuse('membership not activated');
  if (isAnswer && enrollment.self_enrolled) return refuse('self enroll');
  return facts.from.includes(state) ? { kind: 'change', to: facts.to } : refuse(hurdles[move]);
}

export type RequestedState = 'active' | 'invited' | 'inactive';

export interface Arrival {
  readonly type: EnrollmentType;
  readonly asked: RequestedState | undefined;
  readonly isSelfEnrollment: boolean;
  readonly isPublished: boolean;
  readonly isRegistered: boolean;
}

const waitsForPublishing = new Set<EnrollmentType>(['StudentEnrollment', 'ObserverEnrollment']);

/** The initial state of an enrollment (reference 02 §4.2). */
export function stateOnArrival({ type, asked, isSelfEnrollment, isPublished, isRegistered }: Arrival): EnrollmentState {
  if (isSelfEnrollment) return 'active';
  const state = asked ?? (type === 'ObserverEnrollment' && isRegistered ? 'active' : 'invited');
  return state === 'invited' && waitsForPublishing.has(type) && !isPublished ? 'creation_pending' : state;
}

/** The state when a user is enrolled the same way again; undefined leaves it unchanged. */
export const stateOnReturn = (before: EnrollmentState, arriving: EnrollmentState): EnrollmentState | undefined =>
  before === 'active' || before === arriving ? undefined : arriving;

/** An observer's enrollment follows the student's, without an invitation. */
export const stateOfFollower = (student: EnrollmentState): EnrollmentState => (student === 'invited' ? 'active' : student);

/** The permission to add or remove users, by enrollment type. */
const parts: Record<EnrollmentType, string> = {
  StudentEnrollment: 'student',
  StudentViewEnrollment: 'student',
  TeacherEnrollment: 'teacher',
  TaEnrollment: 'ta',
  DesignerEnrollment: 'designer',
  ObserverEnrollment: 'observer',
};
export const permissionToAdd = (type: EnrollmentType) => `add_${parts[type]}_to_course`;
export const permissionToRemove = (type: EnrollmentType) => `remove_${parts[type]}_from_course`;
