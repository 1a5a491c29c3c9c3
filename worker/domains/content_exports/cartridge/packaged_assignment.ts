// Assignments and discussions as they are in cartridges, from their rows. Pure.

import { packageKey } from '../../../cartridge/keys';
import { type AssignmentSettings, packagedOptions } from '../../../cartridge/settings/assignment';
import type { TopicSettings } from '../../../cartridge/settings/topic';
import type { assignments } from '../../assignments/table';
import type { discussion_topics } from '../../discussion_topics/table';

type AssignmentRow = typeof assignments.$inferSelect;
type TopicRow = typeof discussion_topics.$inferSelect;

/** What is in other tables. */
export interface BesideAssignment {
  readonly rubric_id: number | null;
  readonly use_for_grading: number | null;
  readonly hide_points: number | null;
  readonly hide_outcome_results: number | null;
  readonly hide_score_total: number | null;
  /** Of the course; standards of accounts stay outside of packages. */
  readonly standard_id: number | null;
  readonly group_category: string | null;
  /** The link that its tool opens. */
  readonly lookup_uuid: string | null;
  /** What its tool has said about its line item, as JSON. */
  readonly line_item: string | null;
}

/** What packages state, and imports ignore: it concerns the course only. */
const exportedOptions = [...packagedOptions, 'post_to_sis'] as const;

function rubricOf(source: string, beside: BesideAssignment | undefined): Partial<AssignmentSettings> {
  if (!beside?.rubric_id) return {};
  return {
    rubric_identifierref: packageKey(source, 'rubric', beside.rubric_id),
    rubric_use_for_grading: beside.use_for_grading === 1,
    rubric_hide_points: beside.hide_points === 1,
    rubric_hide_outcome_results: beside.hide_outcome_results === 1,
    rubric_hide_score_total: beside.hide_score_total === 1,
  };
}

interface ToolAttributes {
  readonly url?: string;
  readonly new_tab?: boolean;
  readonly external_data?: unknown;
}

function lineItemsOf({ name, points_possible }: AssignmentRow, text: string | null | undefined): Partial<AssignmentSettings> {
  if (!text) return {};
  const { tag, resource_id } = JSON.parse(text) as { readonly tag: string | null; readonly resource_id: string | null };
  return { line_items: [{ coupled: true, tag, resource_id, label: name, score_maximum: points_possible ?? 0 }] };
}

function toolOf(row: AssignmentRow, beside: BesideAssignment | undefined): Partial<AssignmentSettings> {
  const tool = row.options.external_tool_tag_attributes as ToolAttributes | undefined;
  if (!row.submission_types.includes('external_tool')) return {};
  return {
    external_tool_url: tool?.url ?? null,
    external_tool_new_tab: tool?.new_tab ?? false,
    ...(tool?.external_data ? { external_tool_data_json: JSON.stringify(tool.external_data) } : {}),
    ...(beside?.lookup_uuid ? { resource_link_lookup_uuid: beside.lookup_uuid } : {}),
    ...lineItemsOf(row, beside?.line_item),
  };
}

/** @param source the uuid of the course */
export function packagedAssignment(source: string, row: AssignmentRow, beside: BesideAssignment | undefined): AssignmentSettings {
  const { options } = row;
  return {
    identifier: packageKey(source, 'assignment', row.id),
    title: row.name,
    due_at: row.due_at,
    lock_at: row.lock_at,
    unlock_at: row.unlock_at,
    ...(options.peer_reviews_assign_at === undefined ? {} : { peer_reviews_due_at: options.peer_reviews_assign_at as string | null }),
    assignment_group_identifierref: packageKey(source, 'assignment_group', row.assignment_group_id),
    ...(beside?.standard_id ? { grading_standard_identifierref: packageKey(source, 'grading_standard', beside.standard_id) } : {}),
    workflow_state: row.workflow_state,
    ...rubricOf(source, beside),
    allowed_extensions: row.allowed_extensions,
    has_group_category: beside?.group_category != null,
    ...(beside?.group_category == null ? {} : { group_category: beside.group_category }),
    points_possible: row.points_possible,
    grading_type: row.grading_type,
    submission_types: row.submission_types,
    position: row.position,
    ...(options.peer_review_count === undefined ? {} : { peer_review_count: Number(options.peer_review_count) }),
    ...(options.grader_count === undefined ? {} : { grader_count: Number(options.grader_count) }),
    ...Object.fromEntries(exportedOptions.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name] === true]]))),
    omit_from_final_grade: row.omit_from_final_grade,
    only_visible_to_overrides: row.only_visible_to_overrides,
    allowed_attempts: row.allowed_attempts,
    ...toolOf(row, beside),
    ...(row.own_post_manually === null ? {} : { post_manually: row.own_post_manually }),
  };
}

export function packagedTopic(source: string, row: TopicRow, assignment: AssignmentSettings | undefined): TopicSettings {
  const key = packageKey(source, 'discussion_topic', row.id);
  return {
    identifier: `${key}_meta`,
    topic_id: key,
    title: row.title,
    posted_at: row.posted_at,
    delayed_post_at: row.delayed_post_at,
    lock_at: row.lock_at,
    position: row.position,
    type: row.is_announcement ? 'announcement' : 'topic',
    discussion_type: row.discussion_type,
    pinned: row.pinned,
    require_initial_post: row.require_initial_post,
    has_group_category: false,
    workflow_state: row.workflow_state,
    allow_rating: row.allow_rating,
    only_graders_can_rate: row.only_graders_can_rate,
    sort_by_rating: row.sort_by_rating,
    todo_date: row.todo_date,
    locked: row.locked,
    ...(row.attachment_id === null ? {} : { attachment_identifierref: packageKey(source, 'file', row.attachment_id) }),
    ...(row.anonymous_state === null ? {} : { anonymous_state: row.anonymous_state, is_anonymous_author: row.is_anonymous_author }),
    ...(assignment ? { assignment } : {}),
  };
}
