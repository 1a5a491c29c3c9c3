// The settings of an assignment in a package: `assignment_settings.xml`, and inside the settings of quizzes and graded discussions. Pure.

import { boolAt, elementsOf, firstElement, type XmlElement } from '../xml/read';
import { xml } from '../xml/write';
import { readFields, type ValuesOf, writeFields } from './fields';

const fields = {
  title: 'text',
  due_at: 'time',
  lock_at: 'time',
  unlock_at: 'time',
  peer_reviews_due_at: 'time',
  assignment_group_identifierref: 'text',
  grading_standard_identifierref: 'text',
  grading_standard_external_identifier: 'text',
  workflow_state: 'text',
  rubric_identifierref: 'text',
  rubric_external_identifier: 'text',
  rubric_use_for_grading: 'bool',
  rubric_hide_points: 'bool',
  rubric_hide_outcome_results: 'bool',
  rubric_hide_score_total: 'bool',
  quiz_identifierref: 'text',
  allowed_extensions: 'list',
  has_group_category: 'bool',
  group_category: 'text',
  points_possible: 'number',
  grading_type: 'text',
  submission_types: 'list',
  position: 'number',
  peer_review_count: 'number',
  peer_reviews: 'bool',
  automatic_peer_reviews: 'bool',
  anonymous_peer_reviews: 'bool',
  intra_group_peer_reviews: 'bool',
  grade_group_students_individually: 'bool',
  omit_from_final_grade: 'bool',
  hide_in_gradebook: 'bool',
  only_visible_to_overrides: 'bool',
  post_to_sis: 'bool',
  moderated_grading: 'bool',
  grader_count: 'number',
  grader_comments_visible_to_graders: 'bool',
  anonymous_grading: 'bool',
  graders_anonymous_to_graders: 'bool',
  grader_names_visible_to_final_grader: 'bool',
  anonymous_instructor_annotations: 'bool',
  allowed_attempts: 'number',
  external_tool_url: 'text',
  external_tool_new_tab: 'bool',
  external_tool_data_json: 'text',
  resource_link_lookup_uuid: 'text',
} as const;

/** Options that are on or off, and that packages and assignments call the same. */
export const packagedOptions = [
  'peer_reviews',
  'automatic_peer_reviews',
  'anonymous_peer_reviews',
  'intra_group_peer_reviews',
  'grade_group_students_individually',
  'hide_in_gradebook',
  'moderated_grading',
  'grader_comments_visible_to_graders',
  'anonymous_grading',
  'graders_anonymous_to_graders',
  'grader_names_visible_to_final_grader',
  'anonymous_instructor_annotations',
] as const satisfies readonly (keyof typeof fields)[];

export interface AssignmentSettings extends ValuesOf<typeof fields> {
  readonly identifier: string;
  /** The posting policy of its own; undefined to follow the course. */
  readonly post_manually?: boolean;
  /** Of external tools. */
  readonly line_items?: readonly PackagedLineItem[];
}

const lineItemFields = {
  coupled: 'bool',
  tag: 'text',
  resource_id: 'text',
  label: 'text',
  score_maximum: 'number',
} as const;

export type PackagedLineItem = ValuesOf<typeof lineItemFields>;

/** @param attributes namespaces, where it is the root of a document */
export const writeAssignment = (
  { identifier, post_manually, line_items = [], ...values }: AssignmentSettings,
  attributes: Readonly<Record<string, string>> = {},
): XmlElement =>
  xml(
    'assignment',
    { identifier, ...attributes },
    writeFields(fields, values),
    line_items.length === 0
      ? undefined
      : xml(
          'line_items',
          {},
          line_items.map((one) => xml('line_item', {}, writeFields(lineItemFields, one))),
        ),
    post_manually === undefined ? undefined : xml('post_policy', {}, xml('post_manually', {}, post_manually)),
  );

export function readAssignment(element: XmlElement): AssignmentSettings {
  const line_items = elementsOf(firstElement(element, 'line_items'), 'line_item').map((one) => readFields(lineItemFields, one));
  const post_manually = boolAt(firstElement(element, 'post_policy'), 'post_manually');
  return {
    identifier: element.attributes.identifier ?? '',
    ...readFields(fields, element),
    ...(post_manually === undefined ? {} : { post_manually }),
    ...(line_items.length === 0 ? {} : { line_items }),
  };
}
