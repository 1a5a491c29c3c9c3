// Fields present in every assignment; fields of features that Carrel does not have keep their empty value.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { expectsSubmission } from '../../rules/submission_types';
import { toolFieldsOf } from './external_tool';
import type { assignments } from './table';

export type AssignmentRow = RowOf<typeof assignments>;

/** Settings in the options of an assignment, with their default values. */
const settings = {
  peer_reviews: false,
  automatic_peer_reviews: false,
  anonymous_peer_reviews: false,
  intra_group_peer_reviews: false,
  grade_group_students_individually: false,
  moderated_grading: false,
  grader_count: 0,
  final_grader_id: null,
  graders_anonymous_to_graders: false,
  grader_comments_visible_to_graders: true,
  grader_names_visible_to_final_grader: true,
  anonymous_grading: false,
  anonymous_instructor_annotations: false,
  hide_in_gradebook: false,
  post_to_sis: false,
  annotatable_attachment_id: null,
  original_course_id: null,
  original_assignment_id: null,
  original_lti_resource_link_id: null,
  original_assignment_name: null,
  original_quiz_id: null,
} as const;

const settingsOf = (row: AssignmentRow): Record<keyof typeof settings, unknown> => {
  const given = row.options;
  return Object.fromEntries(Object.entries(settings).map(([name, none]) => [name, lookUp(given, name) ?? none])) as typeof settings;
};

export function plainFields(row: AssignmentRow, { origin }: Pick<Call, 'origin'>) {
  const address = `${origin}/courses/${row.course_id}/assignments/${row.id}`;
  const { options } = row;
  const reviews = options.peer_reviews === true && options.automatic_peer_reviews === true;
  return {
    ...row,
    ...settingsOf(row),
    points_possible: row.grading_type === 'not_graded' ? null : row.points_possible,
    allowed_extensions: row.allowed_extensions.length > 0 ? row.allowed_extensions : undefined,
    published: row.workflow_state === 'published',
    html_url: address,
    submissions_download_url: `${address}/submissions?zip=1`,
    due_date_required: false,
    max_name_length: 255,
    can_duplicate: !row.submission_types.some((type) => type === 'external_tool' || type === 'online_quiz'),
    peer_review_count: reviews ? Number(options.peer_review_count ?? 0) : undefined,
    peer_reviews_assign_at: reviews ? ((options.peer_reviews_assign_at as string | undefined) ?? null) : undefined,
    ...toolFieldsOf(row, { origin }),
    require_lockdown_browser: false,
    restrict_quantitative_data: false,
    visible_to_everyone: !row.only_visible_to_overrides,
    secure_params: btoa(JSON.stringify({ lti_assignment_id: row.lti_context_id })),
  };
}

/** With `include[]=can_submit`, besides lock and permission: the assignment accepts submissions, and an attempt is left. */
export const takesSubmission = (row: AssignmentRow, attempts: number) =>
  expectsSubmission(row.submission_types) && (row.allowed_attempts < 0 || attempts < row.allowed_attempts);
