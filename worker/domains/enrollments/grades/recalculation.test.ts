import { expect, test } from 'vitest';
import { recalculationState } from './recalculation';

test.each([
  ['no student has scores', 0, 0, 'completed', 100],
  ['none is current', 500, 0, 'queued', 0],
  ['some are current', 500, 50, 'running', 10],
  ['one is left', 500, 499, 'running', 99],
  ['all are current', 500, 500, 'completed', 100],
] as const)('a recalculation: %s', (_, students, current, workflow_state, completion) => {
  expect(recalculationState({ students, current })).toEqual({ workflow_state, completion });
});
