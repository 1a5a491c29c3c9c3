// Stages assignments, of their own and of discussions.

import { gradingTypes } from '@carrel/shared/grading/score_to_grade';
import { sanitise } from '@carrel/shared/html/sanitise';
import { sql } from 'drizzle-orm';
import { type AssignmentSettings, packagedOptions } from '../../../cartridge/settings/assignment';
import { submissionTypes } from '../../../rules/submission_types';
import { stageRubricUse } from './stage_rubrics';
import { shortName } from './stage_settings';
import type { Staging } from './staging';

const count = (given: number | null | undefined): number => Math.max(0, Math.floor(given ?? 0));

const longestData = 10_000;

/** What is no JSON, or too long, is left out. */
function externalData(text: string | null | undefined): { readonly external_data?: unknown } {
  if (!text || text.length > longestData) return {};
  try {
    return { external_data: JSON.parse(text) };
  } catch {
    return {};
  }
}

function optionsOf(given: AssignmentSettings, types: readonly string[]): Record<string, unknown> {
  const url = given.external_tool_url ?? '';
  const tool = types.includes('external_tool') && /^https?:\/\//i.test(url);
  return {
    ...Object.fromEntries(packagedOptions.flatMap((name) => (given[name] == null ? [] : [[name, given[name]]]))),
    ...(given.peer_review_count == null ? {} : { peer_review_count: count(given.peer_review_count) }),
    ...(given.grader_count == null ? {} : { grader_count: count(given.grader_count) }),
    ...(given.peer_reviews_due_at ? { peer_reviews_assign_at: given.peer_reviews_due_at } : {}),
    ...(tool
      ? {
          external_tool_tag_attributes: {
            url: url.slice(0, 2000),
            new_tab: given.external_tool_new_tab === true,
            ...externalData(given.external_tool_data_json),
          },
        }
      : {}),
  };
}

/** Those that can be submitted here: quizzes and documents to annotate are other items. */
function typesOf(given: AssignmentSettings): string[] {
  const known = (given.submission_types ?? []).filter(
    (type) => submissionTypes.some((one) => one === type) && type !== 'online_quiz' && type !== 'student_annotation',
  );
  return known.length > 0 ? known : ['none'];
}

/** Pure. @param html raw HTML */
export function assignmentRow(given: AssignmentSettings, html: string | null) {
  const submission_types = typesOf(given);
  const attempts = Math.floor(given.allowed_attempts ?? -1);
  return {
    identifier: given.identifier,
    group: given.assignment_group_identifierref ?? '',
    standard: given.grading_standard_identifierref ?? '',
    name: shortName(given.title, 'Assignment'),
    description: html ? sanitise(html) : null,
    position: Math.max(1, count(given.position)),
    points_possible: given.points_possible == null ? null : Math.max(0, given.points_possible),
    grading_type: gradingTypes.find((type) => type === given.grading_type) ?? 'points',
    submission_types,
    allowed_extensions: (given.allowed_extensions ?? []).filter((one) => /^[\w.]{1,20}$/.test(one)).slice(0, 100),
    allowed_attempts: attempts > 0 ? attempts : -1,
    due_at: given.due_at ?? null,
    unlock_at: given.unlock_at ?? null,
    lock_at: given.lock_at ?? null,
    options: optionsOf(given, submission_types),
    omit_from_final_grade: given.omit_from_final_grade === true,
    own_post_manually: given.post_manually ?? null,
    workflow_state: given.workflow_state === 'unpublished' ? 'unpublished' : 'published',
  };
}

export interface PackagedAssignmentText {
  readonly settings: AssignmentSettings;
  /** Raw HTML. */
  readonly html: string | null;
}

export function stageAssignments(staging: Staging, given: readonly PackagedAssignmentText[]): void {
  const rows = given.map(({ settings, html }) => assignmentRow(settings, html));
  const { identifier, group, standard, ...values } = rows[0] ?? assignmentRow({ identifier: '' }, null);
  const first = sql`(select g.id from assignment_groups g where g.course_id = ${staging.course} order by g.position, g.id limit 1)`;
  staging.insert(
    'assignments',
    {
      course_id: sql`${staging.course}`,
      assignment_group_id: sql`coalesce(${staging.ref('assignment_group', 'group')}, ${first})`,
      grading_standard_id: staging.ref('grading_standard', 'standard'),
      lti_context_id: sql`lower(hex(randomblob(20)))`,
      ...Object.fromEntries(Object.keys(values).map((name) => [name, true as const])),
    },
    rows,
    'assignment',
  );
  stageRubricUse(
    staging,
    given.map(({ settings }) => settings),
  );
  for (const { settings } of given)
    if (settings.has_group_category && settings.group_category)
      staging.issue(
        'warning',
        `The group set ${settings.group_category} of the assignment ${shortName(settings.title, '')} is not part of packages.`,
      );
}
