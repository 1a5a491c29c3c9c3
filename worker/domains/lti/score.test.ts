import { expect, test } from 'vitest';
import { countedPoints, sentScoreOf, WrongScore } from './score';

const now = Date.parse('2026-11-23T12:00:00Z');
const sent = {
  userId: 'u1',
  activityProgress: 'Completed',
  gradingProgress: 'FullyGraded',
  timestamp: '2026-11-23T11:00:00.123+00:00',
  scoreGiven: 5,
  scoreMaximum: 20,
};

test('a score counts in proportion to its maximum, once it is graded', () => {
  expect(countedPoints(sentScoreOf(sent, now), 10)).toBe(2.5);
  expect(countedPoints(sentScoreOf({ ...sent, scoreGiven: 30 }, now), 10)).toBe(15);
  expect(countedPoints(sentScoreOf({ ...sent, scoreMaximum: 0 }, now), 10)).toBe(5);
  for (const gradingProgress of ['Pending', 'Failed', 'NotReady'])
    expect(countedPoints(sentScoreOf({ ...sent, gradingProgress }, now), 10)).toBeUndefined();
  expect(countedPoints(sentScoreOf({ ...sent, scoreGiven: undefined }, now), 10)).toBeUndefined();
});

test('a submission is new unless the tool says otherwise', () => {
  const claim = (given: object) => sentScoreOf({ ...sent, 'https://canvas.instructure.com/lti/submission': given }, now).submission;
  expect(sentScoreOf(sent, now).submission).toMatchObject({ type: 'external_tool', isNew: true });
  expect(claim({ submission_type: 'none' }).isNew).toBe(false);
  expect(claim({ new_submission: false }).isNew).toBe(false);
  expect(
    claim({ submission_type: 'online_url', submission_data: 'https://x.example', submitted_at: '2026-11-23T10:00:00Z' }),
  ).toMatchObject({
    data: 'https://x.example',
    submitted_at: '2026-11-23T10:00:00Z',
  });
});

test('what is wrong has its status', () => {
  const refusals: readonly [unknown, number][] = [
    [null, 400],
    [[], 400],
    [{ ...sent, timestamp: undefined }, 400],
    [{ ...sent, timestamp: 'yesterday' }, 400],
    [{ ...sent, timestamp: '2026-11-23T11:00:00' }, 400],
    [{ ...sent, userId: undefined }, 422],
    [{ ...sent, activityProgress: 'Done' }, 422],
    [{ ...sent, gradingProgress: undefined }, 422],
    [{ ...sent, scoreMaximum: undefined }, 422],
    [{ ...sent, scoreMaximum: -1 }, 422],
    [{ ...sent, scoreGiven: -1 }, 422],
    [{ ...sent, scoreGiven: 'many' }, 422],
    [{ ...sent, 'https://canvas.instructure.com/lti/submission': { submitted_at: '2027-01-01T00:00:00Z' } }, 400],
    [{ ...sent, 'https://canvas.instructure.com/lti/submission': { submission_type: 'online_url' } }, 422],
  ];
  for (const [given, status] of refusals) {
    let thrown: unknown;
    try {
      sentScoreOf(given, now);
    } catch (error) {
      thrown = error;
    }
    expect(thrown, JSON.stringify(given)).toBeInstanceOf(WrongScore);
    expect((thrown as WrongScore).status, JSON.stringify(given)).toBe(status);
  }
});
