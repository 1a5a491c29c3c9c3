import { expect, test } from 'vitest';
import { defaultNewQuizSettings } from '../settings';
import { endWithExtraTime } from './running';

const timed = { ...defaultNewQuizSettings, has_time_limit: true, session_time_limit_in_seconds: 600 };
const running = { started_at: '2030-01-01T10:00:00Z', end_at: '2030-01-01T10:10:00Z', extra_time: 0, quiz_settings: timed };

test.each([
  [running, 5, '2030-01-01T10:15:00Z'],
  [running, 0, undefined],
  [{ ...running, end_at: '2030-01-01T10:20:00Z', extra_time: 10 }, 4, '2030-01-01T10:14:00Z'],
  [{ ...running, end_at: '2030-01-01T10:05:00Z' }, 5, undefined],
  [{ ...running, end_at: null }, 5, undefined],
  [{ ...running, quiz_settings: defaultNewQuizSettings }, 5, undefined],
])('%j with %d more minutes ends at %s', (session, extra, end) => {
  expect(endWithExtraTime(session, extra)).toBe(end);
});
