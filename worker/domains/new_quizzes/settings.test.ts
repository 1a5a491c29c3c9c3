import { expect, test } from 'vitest';
import { defaultNewQuizSettings, newQuizSettingsAfter, settingsForStudents } from './settings';

const after = (given: Parameters<typeof newQuizSettingsAfter>[0], before = defaultNewQuizSettings) => newQuizSettingsAfter(given, before);
const refusing = (field: string) => expect.objectContaining({ body: { errors: { [field]: expect.anything() } } });

test('settings that are not named stay', () => {
  const before = after({ shuffle_answers: true, student_access_code: 'blue' });
  expect(after({ shuffle_questions: true }, before)).toEqual({ ...before, shuffle_questions: true });
  expect(after({}, before)).toEqual(before);
  expect(after({ student_access_code: null }, before).student_access_code).toBe(null);
});

test('the number of attempts follows from what is named', () => {
  const attempts = (given: object, before = defaultNewQuizSettings) => after({ multiple_attempts: given }, before).multiple_attempts;
  expect(attempts({ multiple_attempts_enabled: true })).toMatchObject({
    attempt_limit: false,
    max_attempts: null,
    score_to_keep: 'highest',
  });
  expect(attempts({ max_attempts: 3 })).toMatchObject({ attempt_limit: true, max_attempts: 3 });
  expect(attempts({ attempt_limit: true })).toMatchObject({ max_attempts: 1 });
  expect(attempts({ attempt_limit: false, max_attempts: 3 })).toMatchObject({ max_attempts: null });
  expect(attempts({ cooling_period_seconds: 60 })).toMatchObject({ cooling_period: false, cooling_period_seconds: null });
  expect(attempts({ cooling_period: true })).toMatchObject({ cooling_period_seconds: 0 });
  expect(after({ multiple_attempts: null }, after({ multiple_attempts: { max_attempts: 3 } })).multiple_attempts).toBe(null);
  expect(() => attempts({ max_attempts: 0 })).toThrow(refusing('max_attempts'));
  expect(() => attempts({ cooling_period_seconds: -1 })).toThrow(refusing('cooling_period_seconds'));
});

test('a detail of the results is shown only with what it is part of', () => {
  const shown = (given: object) => after({ result_view_settings: given }).result_view_settings;
  expect(shown({})).toMatchObject({ result_view_restricted: false, display_items: true, display_item_correct_answer: true });
  expect(shown({ result_view_restricted: true })).toMatchObject({ display_points_awarded: false, display_items: false });
  expect(shown({ display_items: false })).toMatchObject({ display_item_response: false, display_item_feedback: false });
  expect(shown({ display_item_response: false })).toMatchObject({ display_item_correct_answer: false, display_item_feedback: true });
  expect(shown({ display_item_response_correctness: false })).toMatchObject({ display_item_correct_answer: false });
  expect(after({ results_view_settings: { display_items: false } }).result_view_settings).toMatchObject({ display_items: false });
});

test('filters are pairs of addresses, in lists, maps of a form, or JSON text', () => {
  const ips = [['10.0.0.1', '10.0.0.9']];
  for (const filters of [{ ips }, { ips: { 0: { 0: '10.0.0.1', 1: '10.0.0.9' } } }, JSON.stringify({ ips })])
    expect(after({ filters }).filters).toEqual({ ips });
  expect(after({ filters: { ips: [['::1']] } }).filters).toEqual({ ips: [['::1', '::1']] });
  expect(after({ filters: null }, after({ filters: { ips } })).filters).toEqual({});
  for (const filters of [
    'x',
    3,
    [],
    { ips: 'home' },
    { ips: [['home']] },
    { ips: [['10.0.0.0/8']] },
    { ips: [['10.0.0.1', '10.0.0.2', '10.0.0.3']] },
  ])
    expect(() => after({ filters })).toThrow(refusing('filters'));
});

test('a time limit needs a time, and an access code a code', () => {
  expect(() => after({ has_time_limit: true })).toThrow(refusing('session_time_limit_in_seconds'));
  expect(after({ has_time_limit: true, session_time_limit_in_seconds: 60 })).toMatchObject({ session_time_limit_in_seconds: 60 });
  expect(() => after({ require_student_access_code: true })).toThrow(refusing('student_access_code'));
});

test('students see neither the access code nor the addresses', () => {
  const seen = settingsForStudents(after({ student_access_code: 'blue', filters: { ips: [['10.0.0.1', '10.0.0.9']] } }));
  expect(JSON.stringify(seen)).not.toMatch(/blue|10\.0/);
});
