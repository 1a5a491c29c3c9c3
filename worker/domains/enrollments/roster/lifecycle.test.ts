// The allowed state changes of an enrollment.

import { describe, expect, test } from 'vitest';
import { type EnrollmentState, enrollmentStates } from '../table';
import { decideMove, type Move, moves, stateOfFollower, stateOnArrival, stateOnReturn } from './lifecycle';

/** The result for each state: a state, `=` for success without change, `!` for a refusal. */
const table: Record<Move, Record<EnrollmentState, string>> = {
  accept: { invited: 'active', creation_pending: '!', active: '=', rejected: 'active', completed: '!', inactive: '!', deleted: '!' },
  reject: { invited: 'rejected', creation_pending: '!', active: '!', rejected: '=', completed: '!', inactive: '!', deleted: '!' },
  conclude: {
    invited: 'completed',
    creation_pending: 'completed',
    active: 'completed',
    rejected: '!',
    completed: '=',
    inactive: 'completed',
    deleted: '!',
  },
  deactivate: {
    invited: 'inactive',
    creation_pending: 'inactive',
    active: 'inactive',
    rejected: '!',
    completed: '!',
    inactive: '=',
    deleted: '!',
  },
  reactivate: { invited: '!', creation_pending: '!', active: '!', rejected: '!', completed: '!', inactive: 'active', deleted: '!' },
  delete: {
    invited: 'deleted',
    creation_pending: 'deleted',
    active: 'deleted',
    rejected: 'deleted',
    completed: 'deleted',
    inactive: 'deleted',
    deleted: '!',
  },
};

describe.each(Object.keys(moves) as Move[])('%s', (move) => {
  test.each(enrollmentStates)('from %s', (enrollment_state) => {
    const verdict = decideMove(move, { enrollment_state, self_enrolled: false });
    expect(verdict.kind === 'change' ? verdict.to : verdict.kind === 'stay' ? '=' : '!').toBe(table[move][enrollment_state]);
  });
});

test('a self-enrolled user has no invitation to answer', () => {
  expect(decideMove('accept', { enrollment_state: 'invited', self_enrolled: true })).toMatchObject({ kind: 'refuse', status: 400 });
  expect(decideMove('accept', { enrollment_state: 'active', self_enrolled: true })).toEqual({ kind: 'stay' });
});

const arrival = { type: 'StudentEnrollment', asked: undefined, isSelfEnrollment: false, isPublished: true, isRegistered: true } as const;

test.each([
  [{}, 'invited'],
  [{ asked: 'active' }, 'active'],
  [{ asked: 'inactive' }, 'inactive'],
  [{ isPublished: false }, 'creation_pending'],
  [{ isPublished: false, asked: 'invited' }, 'creation_pending'],
  [{ isPublished: false, asked: 'active' }, 'active'],
  [{ isPublished: false, type: 'TeacherEnrollment' }, 'invited'],
  [{ type: 'ObserverEnrollment' }, 'active'],
  [{ type: 'ObserverEnrollment', isRegistered: false }, 'invited'],
  [{ isSelfEnrollment: true, isPublished: false }, 'active'],
] as const)('a new enrollment %o starts as %s', (given, state) => {
  expect(stateOnArrival({ ...arrival, ...given })).toBe(state);
});

test('a user who returns stays active, or gets the requested state', () => {
  expect(stateOnReturn('active', 'invited')).toBeUndefined();
  expect(stateOnReturn('invited', 'invited')).toBeUndefined();
  for (const state of ['deleted', 'rejected', 'completed', 'inactive'] as const) expect(stateOnReturn(state, 'invited')).toBe('invited');
});

test("an observer's enrollment follows the student's", () => {
  expect(stateOfFollower('invited')).toBe('active');
  for (const state of ['active', 'completed', 'inactive', 'deleted'] as const) expect(stateOfFollower(state)).toBe(state);
});
