// The settings of a New Quiz: what clients send, and what a write makes of it (reference 04 §10.1).

import { bool, int, json, maybe, object, oneOf, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { invalid } from '../../http/problem';
import { isIpFilter } from '../quizzes/ip_filter';
import {
  type AddressRange,
  calculatorTypes,
  type MultipleAttempts,
  type NewQuizSettings,
  presentations,
  type ResultView,
  scoresToKeep,
} from './table';

const attemptFields = {
  multiple_attempts_enabled: optional(bool),
  attempt_limit: optional(bool),
  max_attempts: optional(maybe(int)),
  score_to_keep: optional(oneOf(...scoresToKeep)),
  cooling_period: optional(bool),
  cooling_period_seconds: optional(maybe(int)),
};

const resultFields = {
  result_view_restricted: optional(bool),
  display_points_awarded: optional(bool),
  display_points_possible: optional(bool),
  display_items: optional(bool),
  display_item_response: optional(bool),
  display_item_response_correctness: optional(bool),
  display_item_correct_answer: optional(bool),
  display_item_feedback: optional(bool),
};

export const settingsFields = {
  calculator_type: optional(oneOf(...calculatorTypes)),
  filter_ip_address: optional(bool),
  /** Also as JSON text. */
  filters: optional(maybe(json)),
  one_at_a_time_type: optional(oneOf(...presentations)),
  allow_backtracking: optional(bool),
  shuffle_answers: optional(bool),
  shuffle_questions: optional(bool),
  require_student_access_code: optional(bool),
  student_access_code: optional(maybe(text)),
  has_time_limit: optional(bool),
  session_time_limit_in_seconds: optional(int),
  multiple_attempts: optional(maybe(object(attemptFields))),
  result_view_settings: optional(maybe(object(resultFields))),
  /** Another spelling of the same. */
  results_view_settings: optional(maybe(object(resultFields))),
};

type Given = Shape<typeof settingsFields>;
type AttemptsGiven = Shape<typeof attemptFields>;
type ResultsGiven = Shape<typeof resultFields>;

export const defaultNewQuizSettings: NewQuizSettings = {
  calculator_type: 'none',
  filter_ip_address: false,
  filters: {},
  one_at_a_time_type: 'none',
  allow_backtracking: true,
  shuffle_answers: false,
  shuffle_questions: false,
  require_student_access_code: false,
  student_access_code: null,
  has_time_limit: false,
  session_time_limit_in_seconds: 0,
  multiple_attempts: null,
  result_view_settings: null,
};

const noFurtherAttempts: MultipleAttempts = {
  multiple_attempts_enabled: false,
  attempt_limit: false,
  max_attempts: null,
  score_to_keep: 'highest',
  cooling_period: false,
  cooling_period_seconds: null,
};

const everythingShown: ResultView = {
  result_view_restricted: false,
  display_points_awarded: true,
  display_points_possible: true,
  display_items: true,
  display_item_response: true,
  display_item_response_correctness: true,
  display_item_correct_answer: true,
  display_item_feedback: true,
};

const nothingShown: ResultView = {
  result_view_restricted: true,
  display_points_awarded: false,
  display_points_possible: false,
  display_items: false,
  display_item_response: false,
  display_item_response_correctness: false,
  display_item_correct_answer: false,
  display_item_feedback: false,
};

const wrongFilters = () => invalid('filters', 'invalid', 'must have ips, a list of pairs of addresses');

/** A list, or the map with integer keys that a form makes of it. */
function listed(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given;
  if (typeof given !== 'object' || given === null || Object.keys(given).some((key) => !/^\d+$/.test(key))) throw wrongFilters();
  return Object.values(given);
}

const isAddress = (given: unknown): given is string => typeof given === 'string' && !/[,/\s]/.test(given) && isIpFilter(given);

function rangeOf(given: unknown): AddressRange {
  const [from, to = from, ...rest] = listed(given);
  if (!isAddress(from) || !isAddress(to) || rest.length > 0) throw wrongFilters();
  return [from, to];
}

const mostRanges = 100;

function readJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw wrongFilters();
  }
}

/** @throws Problem 400 for anything but ranges of addresses */
function filtersOf(given: unknown): NewQuizSettings['filters'] {
  const read = typeof given === 'string' ? readJson(given) : given;
  if (read === null || read === undefined) return {};
  if (typeof read !== 'object' || Array.isArray(read)) throw wrongFilters();
  const { ips } = read as { ips?: unknown };
  if (ips === undefined || ips === null || ips === '') return {};
  const ranges = listed(ips);
  if (ranges.length > mostRanges) throw invalid('filters', 'invalid', `has more than ${mostRanges} ranges`);
  return { ips: ranges.map(rangeOf) };
}

/** A number of seconds or attempts. @throws Problem 400 by field */
function atLeast(least: number, value: number | null, field: string): void {
  if (value !== null && (value < least || value > 100_000_000)) throw invalid(field, 'invalid', `must be at least ${least}`);
}

/** @throws Problem 400 by field */
function attemptsAfter(given: AttemptsGiven | null | undefined, before: MultipleAttempts | null): MultipleAttempts | null {
  if (given === undefined) return before;
  if (given === null) return null;
  const after = { ...(before ?? noFurtherAttempts), ...given };
  const isLimited = given.attempt_limit ?? (given.max_attempts === undefined ? after.attempt_limit : given.max_attempts !== null);
  atLeast(1, after.max_attempts, 'max_attempts');
  atLeast(0, after.cooling_period_seconds, 'cooling_period_seconds');
  return {
    ...after,
    attempt_limit: isLimited,
    max_attempts: isLimited ? (after.max_attempts ?? 1) : null,
    cooling_period_seconds: after.cooling_period ? (after.cooling_period_seconds ?? 0) : null,
  };
}

/** A detail is only shown together with the one that it is part of. */
function resultsAfter(given: ResultsGiven | null | undefined, before: ResultView | null): ResultView | null {
  if (given === undefined) return before;
  if (given === null) return null;
  const after = { ...(before ?? (given.result_view_restricted ? nothingShown : everythingShown)), ...given };
  const display_item_response = after.display_items && after.display_item_response;
  const display_item_response_correctness = display_item_response && after.display_item_response_correctness;
  return {
    ...after,
    display_item_response,
    display_item_response_correctness,
    display_item_correct_answer: display_item_response_correctness && after.display_item_correct_answer,
    display_item_feedback: after.display_items && after.display_item_feedback,
  };
}

/**
 * The settings after a write, which may name some of them only.
 * @throws Problem 400 by field for filters that are no ranges of addresses, numbers out of range, and a missing access code or time limit
 */
export function newQuizSettingsAfter(given: Given, before: NewQuizSettings): NewQuizSettings {
  const { filters, multiple_attempts, result_view_settings, results_view_settings, ...plain } = given;
  const after = {
    ...before,
    ...plain,
    student_access_code: plain.student_access_code === undefined ? before.student_access_code : plain.student_access_code,
    filters: filters === undefined ? before.filters : filtersOf(filters),
    multiple_attempts: attemptsAfter(multiple_attempts, before.multiple_attempts),
    result_view_settings: resultsAfter(
      result_view_settings === undefined ? results_view_settings : result_view_settings,
      before.result_view_settings,
    ),
  };
  atLeast(0, after.session_time_limit_in_seconds, 'session_time_limit_in_seconds');
  if (after.has_time_limit && after.session_time_limit_in_seconds === 0)
    throw invalid('session_time_limit_in_seconds', 'invalid', 'must be at least 1 with a time limit');
  if (after.require_student_access_code && after.student_access_code === null) throw invalid('student_access_code', 'blank');
  if ((after.student_access_code?.length ?? 0) > 255) throw invalid('student_access_code', 'too_long');
  return after;
}

/** Students see neither the access code nor the addresses from which a quiz can be taken. */
export function settingsForStudents({ student_access_code: _code, ...settings }: NewQuizSettings) {
  return { ...settings, filters: {} };
}
