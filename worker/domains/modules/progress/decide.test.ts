// A student's module progress, computed from facts alone.

import { describe, expect, test } from 'vitest';
import { type ModuleFacts, progressOfModules, type Requirement, type SubmissionFacts } from './decide';

const now = '2026-11-20T12:00:00Z';
const [yesterday, tomorrow] = ['2026-11-19T12:00:00Z', '2026-11-21T12:00:00Z'];

const asks = (type: Requirement['type'], rest: Partial<Requirement> = {}): Requirement => ({
  id: 1,
  position: 1,
  type,
  min_score: type === 'min_score' ? 7 : null,
  min_percentage: type === 'min_percentage' ? 70 : null,
  isVisible: true,
  points_possible: 10,
  submission: null,
  marks: [],
  fresh: [],
  ...rest,
});
const handed = (rest: Partial<SubmissionFacts> = {}): SubmissionFacts => ({
  workflow_state: 'submitted',
  attempt: 1,
  score: null,
  isPosted: false,
  isExcused: false,
  ...rest,
});
const scored = (score: number, rest: Partial<SubmissionFacts> = {}) => handed({ workflow_state: 'graded', score, isPosted: true, ...rest });
const aModule = (requirements: Requirement[], rest: Partial<ModuleFacts> = {}): ModuleFacts => ({
  id: 1,
  workflow_state: 'active',
  isOpen: true,
  unlock_at: null,
  require_sequential_progress: false,
  requirement_count: null,
  prerequisite_module_ids: [],
  requirements,
  before: null,
  ...rest,
});
const stateOf = (...modules: ModuleFacts[]) => {
  const known = progressOfModules(modules, now);
  return modules.map(({ id }) => known.get(id)?.state);
};
const before = (state: 'locked' | 'unlocked' | 'started' | 'completed', completed_at: string | null = null) => ({
  before: { state, completed_at },
});

describe('a requirement is met', () => {
  const cases: [name: string, requirement: Requirement, met: boolean][] = [
    ['must_view, by reading', asks('must_view', { marks: ['read'] }), true],
    ['must_view, by a read that is not evaluated yet', asks('must_view', { fresh: ['read'] }), true],
    ['must_view, by contributing', asks('must_view', { marks: ['contributed'] }), true],
    ['must_view, by marking as done', asks('must_view', { marks: ['done'] }), true],
    ['must_view, by nothing', asks('must_view'), false],
    ['must_contribute, by contributing', asks('must_contribute', { marks: ['contributed'] }), true],
    ['must_contribute, not by reading', asks('must_contribute', { marks: ['read'] }), false],
    ['must_mark_done, by marking as done', asks('must_mark_done', { marks: ['done'] }), true],
    ['must_mark_done, not by contributing', asks('must_mark_done', { marks: ['contributed'] }), false],
    ['must_submit, by submitting', asks('must_submit', { submission: handed() }), true],
    [
      'must_submit, by a submission pending review',
      asks('must_submit', { submission: handed({ workflow_state: 'pending_review' }) }),
      true,
    ],
    ['must_submit, not by a grade without an attempt', asks('must_submit', { submission: scored(9, { attempt: null }) }), false],
    [
      'must_submit, not by an unsubmitted row',
      asks('must_submit', { submission: handed({ workflow_state: 'unsubmitted', attempt: null }) }),
      false,
    ],
    ['min_score, by exactly that score', asks('min_score', { submission: scored(7) }), true],
    ['min_score, by a rounding error less', asks('min_score', { submission: scored(6.9999999) }), true],
    ['min_score, not by less', asks('min_score', { submission: scored(6.99) }), false],
    ['min_score, not by an unposted score', asks('min_score', { submission: scored(9, { isPosted: false }) }), false],
    ['min_percentage, by exactly that percentage', asks('min_percentage', { submission: scored(7) }), true],
    ['min_percentage, not by less', asks('min_percentage', { submission: scored(6) }), false],
    ['min_percentage, of zero points', asks('min_percentage', { submission: scored(6), points_possible: 0 }), false],
    ['any requirement, by being excused', asks('min_score', { submission: handed({ isExcused: true }) }), true],
  ];
  test.each(cases)('%s', (_, requirement, met) => {
    expect(progressOfModules([aModule([requirement])], now).get(1)?.requirements_met).toEqual(
      met ? [{ id: 1, type: requirement.type }] : [],
    );
  });
});

describe('a module is', () => {
  const two = [asks('must_view', { id: 1, marks: ['read'] }), asks('must_view', { id: 2, position: 2 })];
  const cases: [name: string, module: ModuleFacts, state: string][] = [
    ['completed as soon as it is unlocked, without requirements', aModule([]), 'completed'],
    ['unlocked while no requirement is met', aModule([asks('must_view')]), 'unlocked'],
    ['started once one of two is met', aModule(two), 'started'],
    ['completed once all are met', aModule([asks('must_view', { marks: ['read'] })]), 'completed'],
    ['completed by as many as it requires', aModule(two, { requirement_count: 1 }), 'completed'],
    ['started by too low a score', aModule([asks('min_score', { submission: scored(2) })]), 'started'],
    ['started by an unposted score', aModule([asks('min_score', { submission: scored(9, { isPosted: false }) })]), 'started'],
    ['completed if the unmet item is hidden from the student', aModule([asks('must_view', { isVisible: false })]), 'completed'],
    ['locked before its unlock date', aModule([], { unlock_at: tomorrow }), 'locked'],
    ['unlocked after its unlock date', aModule([], { unlock_at: yesterday }), 'completed'],
    ['unchanged before its unlock date if already unlocked', aModule([], { unlock_at: tomorrow, ...before('started') }), 'started'],
    ['locked while it is unpublished', aModule([], { workflow_state: 'unpublished' }), 'locked'],
    [
      'unchanged while it is unpublished if already unlocked',
      aModule([], { workflow_state: 'unpublished', ...before('unlocked') }),
      'unlocked',
    ],
    ['locked for students it is not assigned to', aModule([], { isOpen: false }), 'locked'],
    ['no longer completed when a requirement is added', aModule([asks('must_view')], before('completed', yesterday)), 'unlocked'],
  ];
  test.each(cases)('%s', (_, module, state) => {
    expect(stateOf(module)).toEqual([state]);
  });
});

describe('prerequisites', () => {
  const first = (rest: Partial<ModuleFacts> = {}) => aModule([asks('must_view')], { id: 1, ...rest });
  const second = (rest: Partial<ModuleFacts> = {}) => aModule([], { id: 2, prerequisite_module_ids: [1], ...rest });
  const third = aModule([], { id: 3, prerequisite_module_ids: [2] });
  const read = { requirements: [asks('must_view', { marks: ['read'] })] };
  const cases: [name: string, modules: ModuleFacts[], states: string[]][] = [
    ['lock the modules that depend on them', [first(), second(), third], ['unlocked', 'locked', 'locked']],
    ['unlock the modules that depend on them, transitively', [first(read), second(), third], ['completed', 'completed', 'completed']],
    ['are evaluated first, in any order', [third, second(), first(read)], ['completed', 'completed', 'completed']],
    [
      'do not lock an unlocked module again',
      [first(), second(before('completed', yesterday)), third],
      ['unlocked', 'completed', 'completed'],
    ],
    ['do not count while they are unpublished', [first({ workflow_state: 'unpublished' }), second()], ['locked', 'completed']],
    ['do not count if assigned to others', [first({ isOpen: false }), second()], ['locked', 'completed']],
    ['do not count once deleted', [second()], ['completed']],
    ['do not loop when circular', [aModule([], { id: 1, prerequisite_module_ids: [2] }), second()], ['completed', 'completed']],
  ];
  test.each(cases)('%s', (_, modules, states) => {
    expect(stateOf(...modules)).toEqual(states);
  });
});

test('a mark counts unless the module is locked at that moment', () => {
  const early = progressOfModules([aModule([asks('must_view', { fresh: ['read'] })], { unlock_at: tomorrow })], now).get(1);
  expect(early).toMatchObject({ state: 'locked', requirements_met: [], accepted: [], dismissed: [1] });
  const inTime = progressOfModules([aModule([asks('must_view', { fresh: ['read'] })])], now).get(1);
  expect(inTime).toMatchObject({ state: 'completed', accepted: [1], dismissed: [] });
});

test('the completion date is kept until the module is incomplete again', () => {
  const at = (module: ModuleFacts) => progressOfModules([module], now).get(1)?.completed_at;
  expect(at(aModule([]))).toBe(now);
  expect(at(aModule([], before('completed', yesterday)))).toBe(yesterday);
  expect(at(aModule([asks('must_view')], before('completed', yesterday)))).toBeNull();
});

test('with sequential progress, items behind the first unmet requirement are locked', () => {
  const requirements = [
    asks('must_view', { id: 1, position: 1, marks: ['read'] }),
    asks('must_view', { id: 2, position: 3 }),
    asks('must_view', { id: 3, position: 5 }),
  ];
  const stop = (rest: Partial<ModuleFacts>) => progressOfModules([aModule(requirements, rest)], now).get(1)?.current_position;
  expect(stop({ require_sequential_progress: true })).toBe(3);
  expect(stop({})).toBeNull();
  expect(stop({ require_sequential_progress: true, requirements: requirements.slice(0, 1) })).toBeNull();
});

test('a low score is reported with the minimum score', () => {
  expect(progressOfModules([aModule([asks('min_score', { submission: scored(3) })])], now).get(1)?.incomplete_requirements).toEqual([
    { id: 1, type: 'min_score', min_score: 7, score: 3 },
  ]);
});
