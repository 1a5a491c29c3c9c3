// The life of an enrollment as data, and the decisions of the roster: from what is asked and what is there to what becomes of it.

import type { EnrollmentState, EnrollmentType } from '../table';

export interface MoveFacts {
  /** States that the move leaves from. */
  readonly from: readonly EnrollmentState[];
  readonly to: EnrollmentState;
  /** States in which it has happened already: asking again changes nothing and succeeds. */
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

export type Verdict =
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

/** What a move makes of an enrollment in a state. */
export function decideMove(move: Move, enrollment: { enrollment_state: EnrollmentState; self_enrolled: boolean }): Verdict {
  const facts: MoveFacts = moves[move];
  const { enrollment_state: state } = enrollment;
  if (facts.done.includes(state)) return stay;
  const isAnswer = move === 'accept' || move === 'reject';
  if (isAnswer && state === 'inactive') return refuse('membership not activated');
  if (isAnswer && enrollment.self_enrolled) return refuse('self enroll');
  return facts.from.includes(state) ? { kind: 'change', to: facts.to } : refuse(hurdles[move]);
}

export type AskedState = 'active' | 'invited' | 'inactive';

export interface Arrival {
  readonly type: EnrollmentType;
  readonly asked: AskedState | undefined;
  readonly isSelfEnrollment: boolean;
  readonly isPublished: boolean;
  readonly isRegistered: boolean;
}

const waitsForPublishing = new Set<EnrollmentType>(['StudentEnrollment', 'ObserverEnrollment']);

/** The state in which somebody arrives in a course (reference 02 §4.2). */
export function stateOnArrival({ type, asked, isSelfEnrollment, isPublished, isRegistered }: Arrival): EnrollmentState {
  if (isSelfEnrollment) return 'active';
  const state = asked ?? (type === 'ObserverEnrollment' && isRegistered ? 'active' : 'invited');
  return state === 'invited' && waitsForPublishing.has(type) && !isPublished ? 'creation_pending' : state;
}

/** What becomes of an enrollment when somebody is enrolled the same way again; undefined leaves it as it is. */
export const stateOnReturn = (before: EnrollmentState, arriving: EnrollmentState): EnrollmentState | undefined =>
  before === 'active' || before === arriving ? undefined : arriving;

/** An observer's enrollment follows the student's; an observer is not asked. */
export const stateOfFollower = (student: EnrollmentState): EnrollmentState => (student === 'invited' ? 'active' : student);

/** The permission to add somebody to a course, or to take somebody out, by the kind of enrollment. */
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
