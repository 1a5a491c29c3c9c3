// What clients send for an assignment, and the row made from it (reference 03 §1.2).

import { gradingTypes } from '@carrel/shared/grading/score_to_grade';
import { sanitise } from '@carrel/shared/html/sanitise';
import {
  bool,
  commaList,
  endTime,
  idField,
  int,
  json,
  listOf,
  maybe,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  text,
  time,
} from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { invalid } from '../../http/problem';
import { knownStandard } from '../../rules/grading_schemes';
import { submissionTypes } from '../../rules/submission_types';
import { checkAnonymousGrading } from './anonymous_input';
import { untilEndOfDay } from './dates/midnight';
import { type NamedTool, toolAfter, toolFields } from './external_tool';
import { moderationAfter, moderationFields } from './moderation_input';
import { overrideList } from './overrides/input';
import { disorder } from './overrides/judgement';
import type { AssignmentRow } from './plain_fields';

/** Settings stored under their wire names. */
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
  anonymous_grading: optional(bool),
  anonymous_instructor_annotations: optional(bool),
  ab_guid: optional(listOf(text)),
};

export const assignmentFields = {
  name: optional(text),
  description: optional(maybe(text)),
  position: optional(int),
  points_possible: optional(maybe(number)),
  grading_type: optional(oneOf(...gradingTypes)),
  grading_standard_id: optional(maybe(idField('grading_standard'))),
  submission_types: optional(listOf(text)),
  allowed_extensions: optional(commaList(text)),
  allowed_attempts: optional(maybe(int)),
  // A date without time is the end of that day.
  due_at: optional(maybe(endTime)),
  unlock_at: optional(maybe(time)),
  lock_at: optional(maybe(endTime)),
  assignment_group_id: optional(idField('assignment_group')),
  published: optional(bool),
  only_visible_to_overrides: optional(bool),
  assignment_overrides: optional(overrideList),
  omit_from_final_grade: optional(bool),
  important_dates: optional(bool),
  /** Null follows the course. */
  post_manually: optional(maybe(bool)),
  sis_assignment_id: optional(maybe(text)),
  integration_id: optional(maybe(text)),
  integration_data: optional(json),
  group_category_id: optional(maybe(idField('group_category'))),
  annotatable_attachment_id: optional(maybe(idField('file'))),
  external_tool_tag_attributes: optional(object(toolFields)),
  /** On updates: users are notified of the edit, unless it is false. */
  notify_of_update: optional(bool),
  ...travelling,
  ...moderationFields,
};

export type AssignmentGiven = Shape<typeof assignmentFields>;

const known = new Set<string>(submissionTypes);
const largest = 999_999_999;

function typesOf({ submission_types, grading_type }: AssignmentGiven): string[] | undefined {
  const types = submission_types
    ?.filter((type) => type !== '')
    .map((type) => (type === 'online_media_recording' ? 'media_recording' : type));
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

/**
 * The document that students annotate.
 * @throws Problem 400 for a file that the caller may not read, and for student annotation without a document
 */
function documentOf(given: AssignmentGiven, before: AssignmentRow | undefined, documentIds: readonly number[]) {
  const { annotatable_attachment_id: id } = given;
  if (id && !documentIds.includes(id)) throw invalid('annotatable_attachment_id', 'invalid', 'is not a file that you can read');
  const after = id === undefined ? before?.options.annotatable_attachment_id : id;
  const types = given.submission_types ?? before?.submission_types ?? [];
  if (types.includes('student_annotation') && !after && (given.submission_types || id === null))
    throw invalid('annotatable_attachment_id', 'blank');
  return id === undefined ? {} : { annotatable_attachment_id: id };
}

/** The submissions of external tools cannot be reviewed. */
const withoutReviews = {
  peer_reviews: false,
  automatic_peer_reviews: false,
  anonymous_peer_reviews: false,
  intra_group_peer_reviews: false,
};

/** Of what was sent, the objects that the caller may use: documents to annotate, and tools. */
export interface ReferencesFound {
  readonly documentIds: readonly number[];
  readonly tools: readonly NamedTool[];
}
const nothingFound: ReferencesFound = { documentIds: [], tools: [] };

function checkReviewCount({ peer_review_count: count }: AssignmentGiven): void {
  if (count !== undefined && count < 0) throw invalid('peer_review_count', 'invalid', 'must not be negative');
}

/** The settings, merged into the existing ones. */
function optionsOf(
  given: AssignmentGiven,
  course: CourseContext,
  before: AssignmentRow | undefined,
  { documentIds, tools }: ReferencesFound,
): Record<string, unknown> {
  const set = Object.fromEntries(
    Object.keys(travelling).flatMap((name) => {
      const value = lookUp<unknown>(given, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  checkReviewCount(given);
  const data = course.can('manage_sis') ? integrationData(given.integration_data) : undefined;
  const types = typesOf(given) ?? before?.submission_types;
  return {
    ...before?.options,
    ...set,
    ...moderationAfter(given, before?.options),
    ...documentOf(given, before, documentIds),
    ...toolAfter(given.external_tool_tag_attributes, types ?? [], before?.options, tools),
    ...(types?.includes('external_tool') && withoutReviews),
    ...(data !== undefined && { integration_data: data }),
  };
}

/** @throws Problem 400 for a group set of another course */
export function checkGroupCategory(
  { group_category_id }: AssignmentGiven,
  there: { readonly setIds: readonly number[] } | undefined,
): void {
  if (group_category_id && !there?.setIds.includes(group_category_id))
    throw invalid('group_category_id', 'invalid', 'is not a group set of the course');
}

/** The grading scheme after the change: standards of other courses and accounts are ignored, like unknown ids. */
function standardOf({ grading_standard_id: id }: AssignmentGiven, course: CourseContext, before: AssignmentRow | undefined) {
  if (id === undefined || id === null) return id;
  return sql<
    number | null
  >`coalesce(${knownStandard(id, sql`${course.account_id}`, sql`${course.id}`)}, ${before?.grading_standard_id ?? null})`;
}

/**
 * The columns from what was sent; absent fields stay unchanged.
 * @param zone the time zone that defines midnight
 * @throws Problem 400 by field
 */
export function valuesOf(
  given: AssignmentGiven,
  course: CourseContext,
  zone: string,
  before?: AssignmentRow,
  references: ReferencesFound = nothingFound,
) {
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
  const options = optionsOf(given, course, before, references);
  const submission_types = typesOf(given);
  const { group_category_id } = given;
  checkAnonymousGrading(
    {
      options,
      submission_types: submission_types ?? before?.submission_types,
      group_category_id: group_category_id === undefined ? before?.group_category_id : group_category_id,
    },
    new Set(Object.keys(given)),
  );
  const hides = given.hide_in_gradebook ?? before?.options.hide_in_gradebook === true;
  return {
    name: nameOf(given),
    description: given.description && sanitise(given.description),
    points_possible: pointsOf(given),
    grading_type: given.grading_type,
    grading_standard_id: standardOf(given, course, before),
    submission_types,
    allowed_extensions: extensionsOf(given),
    allowed_attempts: attemptsOf(given),
    due_at,
    unlock_at,
    lock_at,
    only_visible_to_overrides: given.only_visible_to_overrides ?? (before && due_at ? false : undefined),
    group_category_id,
    omit_from_final_grade: hides ? true : given.omit_from_final_grade,
    important_dates: given.important_dates,
    own_post_manually: course.can('manage_grades') ? given.post_manually : undefined,
    sis_assignment_id: sis ? given.sis_assignment_id : undefined,
    integration_id: sis ? given.integration_id : undefined,
    options,
    workflow_state: given.published === undefined ? undefined : given.published ? ('published' as const) : ('unpublished' as const),
  };
}
