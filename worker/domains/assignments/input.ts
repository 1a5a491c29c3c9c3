// What clients send for an assignment, and the row made from it (reference 03 §1.2).

import { sanitise } from '@carrel/shared/html/sanitise';
import {
  bool,
  commaList,
  idField,
  int,
  json,
  listOf,
  maybe,
  number,
  oneOf,
  optional,
  type Shape,
  text,
  time,
} from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { CourseContext } from '../../contexts/course';
import { invalid } from '../../http/problem';
import { gradingTypes, submissionTypes } from '../../rules/submission_types';
import { untilEndOfDay } from './dates/midnight';
import { overrideList } from './overrides/input';
import { disorder } from './overrides/judgement';
import type { AssignmentRow } from './plain_fields';

/** Settings stored without effect, under their wire names. */
const travelling = {
  peer_reviews: optional(bool),
  automatic_peer_reviews: optional(bool),
  anonymous_peer_reviews: optional(bool),
  intra_group_peer_reviews: optional(bool),
  peer_review_count: optional(int),
  peer_reviews_assign_at: optional(maybe(time)),
  grade_group_students_individually: optional(bool),
  hide_in_gradebook: optional(bool),
  post_to_sis: optional(bool),
  anonymous_instructor_annotations: optional(bool),
};

export const assignmentFields = {
  name: optional(text),
  description: optional(maybe(text)),
  position: optional(int),
  points_possible: optional(maybe(number)),
  grading_type: optional(oneOf(...gradingTypes)),
  grading_standard_id: optional(maybe(int)),
  submission_types: optional(listOf(text)),
  allowed_extensions: optional(commaList(text)),
  allowed_attempts: optional(maybe(int)),
  due_at: optional(maybe(time)),
  unlock_at: optional(maybe(time)),
  lock_at: optional(maybe(time)),
  assignment_group_id: optional(idField('assignment_group')),
  published: optional(bool),
  only_visible_to_overrides: optional(bool),
  assignment_overrides: optional(overrideList),
  omit_from_final_grade: optional(bool),
  important_dates: optional(bool),
  post_manually: optional(bool),
  sis_assignment_id: optional(maybe(text)),
  integration_id: optional(maybe(text)),
  integration_data: optional(json),
  group_category_id: optional(maybe(idField('group_category'))),
  ...travelling,
};

export type AssignmentGiven = Shape<typeof assignmentFields>;

const known = new Set<string>(submissionTypes);
const largest = 999_999_999;

function typesOf({ submission_types, grading_type }: AssignmentGiven): string[] | undefined {
  const types = submission_types?.map((type) => (type === 'online_media_recording' ? 'media_recording' : type));
  if (types?.some((type) => !known.has(type))) throw invalid('assignment[submission_types]', 'invalid', 'Invalid submission types');
  const isEmpty = types === undefined || types.length === 0;
  if (isEmpty && grading_type === 'not_graded') return ['not_graded'];
  return isEmpty ? types && ['none'] : [...new Set(types)];
}

function pointsOf({ points_possible }: AssignmentGiven): number | undefined {
  if (points_possible === undefined) return undefined;
  const points = points_possible ?? 0;
  if (points < 0 || points > largest) throw invalid('points_possible', 'invalid', `must be between 0 and ${largest}`);
  return points;
}

function extensionsOf({ allowed_extensions }: AssignmentGiven): string[] | undefined {
  const extensions = allowed_extensions?.map((one) => one.trim().replace(/^\./, '').toLowerCase()).filter((one) => one !== '');
  if (extensions && extensions.join(',').length > 255)
    throw invalid('allowed_extensions', 'too_long', 'is too long (maximum is 255 characters)');
  return extensions;
}

function attemptsOf({ allowed_attempts }: AssignmentGiven): number | undefined {
  if (allowed_attempts === undefined) return undefined;
  const attempts = allowed_attempts ?? -1;
  if (attempts !== -1 && attempts <= 0) throw invalid('allowed_attempts', 'invalid', 'must be greater than 0 or unlimited');
  return attempts;
}

function nameOf({ name }: AssignmentGiven): string | undefined {
  if (name === undefined) return undefined;
  if (name.trim() === '') throw invalid('name', 'blank');
  if (name.length > 255) throw invalid('name', 'too_long', 'is too long (maximum is 255 characters)');
  return name;
}

function integrationData(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    throw invalid('integration_data', 'invalid');
  }
}

/** The settings without effect, merged into the existing ones. */
function optionsOf(given: AssignmentGiven, course: CourseContext, before: AssignmentRow | undefined): Record<string, unknown> {
  const set = Object.fromEntries(
    Object.keys(travelling).flatMap((name) => {
      const value = lookUp<unknown>(given, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const data = course.can('manage_sis') ? integrationData(given.integration_data) : undefined;
  return { ...before?.options, ...set, ...(data !== undefined && { integration_data: data }) };
}

/** @throws Problem 400 for a group set of another course */
export function checkGroupCategory(
  { group_category_id }: AssignmentGiven,
  there: { readonly setIds: readonly number[] } | undefined,
): void {
  if (group_category_id && !there?.setIds.includes(group_category_id))
    throw invalid('group_category_id', 'invalid', 'is not a group set of the course');
}

/**
 * The columns from what was sent; absent fields stay unchanged.
 * @param zone the time zone that defines midnight
 * @throws Problem 400 by field
 */
export function valuesOf(given: AssignmentGiven, course: CourseContext, zone: string, before?: AssignmentRow) {
  const due_at = untilEndOfDay(given.due_at, zone);
  const lock_at = untilEndOfDay(given.lock_at, zone);
  const { unlock_at } = given;
  const merged = (sent: string | null | undefined, stored: string | null | undefined) => (sent === undefined ? (stored ?? null) : sent);
  const wrong = disorder({
    due_at: merged(due_at, before?.due_at),
    unlock_at: merged(unlock_at, before?.unlock_at),
    lock_at: merged(lock_at, before?.lock_at),
  });
  if (wrong) throw invalid(wrong.field, 'invalid', wrong.message);
  const sis = course.can('manage_sis');
  const hides = given.hide_in_gradebook === true;
  return {
    name: nameOf(given),
    description: given.description && sanitise(given.description),
    points_possible: pointsOf(given),
    grading_type: given.grading_type,
    grading_standard_id: given.grading_standard_id,
    submission_types: typesOf(given),
    allowed_extensions: extensionsOf(given),
    allowed_attempts: attemptsOf(given),
    due_at,
    unlock_at,
    lock_at,
    only_visible_to_overrides: given.only_visible_to_overrides ?? (before && due_at ? false : undefined),
    group_category_id: given.group_category_id,
    omit_from_final_grade: hides ? true : given.omit_from_final_grade,
    important_dates: given.important_dates,
    post_manually: given.post_manually,
    sis_assignment_id: sis ? given.sis_assignment_id : undefined,
    integration_id: sis ? given.integration_id : undefined,
    options: optionsOf(given, course, before),
    workflow_state: given.published === undefined ? undefined : given.published ? ('published' as const) : ('unpublished' as const),
  };
}
