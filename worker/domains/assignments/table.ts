// Assignments, and their overrides.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, number, sameId, state, string, time } from '../../database/columns';

export const assignments = sqliteTable(
  'assignments',
  {
    id: id(),
    course_id: int().notNull(),
    assignment_group_id: int().notNull(),
    name: string().notNull(),
    description: string(),
    position: int().notNull(),
    points_possible: number(),
    grading_type: state('points', 'percent', 'pass_fail', 'letter_grade', 'gpa_scale', 'not_graded').notNull().default('points'),
    grading_standard_id: int(),
    submission_types: json<string[]>().notNull().default(['none']),
    allowed_extensions: json<string[]>().notNull().default([]),
    /** -1 means unlimited. */
    allowed_attempts: int().notNull().default(-1),
    due_at: time(),
    unlock_at: time(),
    lock_at: time(),
    only_visible_to_overrides: bool().notNull().default(false),
    group_category_id: int(),
    /** Settings by wire name: peer reviews, moderation, anonymity, integration. */
    options: json<Record<string, unknown>>().notNull().default({}),
    omit_from_final_grade: bool().notNull().default(false),
    /** Whether grades stay hidden until they are posted. Triggers derive it (triggers/post_policies.ts). */
    post_manually: bool().notNull().default(false),
    /** The assignment's own policy; null to follow its course. */
    own_post_manually: bool(),
    /** Whether its students are anonymous to graders: with anonymous grading, until all grades are posted. Kept by triggers and the posting job. */
    anonymize_students: bool().notNull().default(false),
    important_dates: bool().notNull().default(false),
    sis_assignment_id: string(),
    integration_id: string(),
    lti_context_id: string().notNull(),
    workflow_state: state('published', 'unpublished', 'deleted').notNull().default('unpublished'),
    /** The sort key of a name beyond ASCII (name_key.ts), else null. Kept by triggers. */
    name_key: string(),
    /** Sort key of lists by date: undated last, then by name. */
    sort_due: string().notNull().generatedAlwaysAs(sql`coalesce(due_at, '9999')`),
    sort_name: string().notNull().generatedAlwaysAs(sql`coalesce(name_key, lower(name))`),
    same_id: sameId(),
    ...created(),
  },
  (assignment) => [
    index('assignments_by_date_and_name')
      .on(assignment.course_id, assignment.sort_due, assignment.sort_name, assignment.same_id)
      .where(sql`workflow_state <> 'deleted'`),
    index('assignments_in_course').on(assignment.course_id, assignment.workflow_state, assignment.id),
    index('assignments_in_group')
      .on(assignment.assignment_group_id, assignment.position, assignment.id)
      .where(sql`workflow_state <> 'deleted'`),
    index('assignments_by_name')
      .on(assignment.course_id, assignment.sort_name, assignment.position, assignment.id)
      .where(sql`workflow_state <> 'deleted'`),
    // Partial: only assignments with a scheme of their own.
    index('assignments_of_standard').on(assignment.grading_standard_id).where(sql`grading_standard_id is not null`),
    // Partial: only assignments whose students are anonymous to graders now.
    index('assignments_anonymous').on(assignment.course_id).where(sql`anonymize_students = 1`),
    // Partial: only assignments that open an external tool.
    index('assignments_with_tool')
      .on(assignment.course_id, assignment.same_id)
      .where(sql`instr(submission_types, 'external_tool') > 0 and workflow_state <> 'deleted'`),
    // Partial: only group assignments.
    index('assignments_of_set').on(assignment.group_category_id).where(sql`group_category_id is not null`),
    // Partial: only assignments that are not for everyone.
    index('assignments_for_some').on(assignment.course_id).where(sql`only_visible_to_overrides = 1`),
    uniqueIndex('assignments_by_sis_id').on(assignment.sis_assignment_id).where(sql`sis_assignment_id is not null`),
  ],
);

/** What the version of an assignment is made from. */
export const authoredAssignmentColumns = [
  'name',
  'description',
  'points_possible',
  'due_at',
  'unlock_at',
  'lock_at',
  'workflow_state',
] as const;

/** The place of every live assignment in its group. Kept by triggers; the passing of due dates by the scheduled run. */
export const assignment_places = sqliteTable(
  'assignment_places',
  {
    assignment_id: id(),
    course_id: int().notNull(),
    group_position: int().notNull(),
    assignment_group_id: int().notNull(),
    position: int().notNull(),
    /** `9999` when undated. */
    due_at: string().notNull(),
    due_state: state('ahead', 'past', 'undated').notNull(),
    /** Whether there is any submission. */
    is_handed_in: bool().notNull(),
  },
  (place) => [
    index('assignment_places_in_course').on(
      place.course_id,
      place.group_position,
      place.assignment_group_id,
      place.position,
      place.assignment_id,
    ),
    index('assignment_places_by_due_state').on(
      place.course_id,
      place.due_state,
      place.group_position,
      place.assignment_group_id,
      place.position,
      place.assignment_id,
    ),
    index('assignment_places_by_hand_in').on(
      place.course_id,
      place.is_handed_in,
      place.group_position,
      place.assignment_group_id,
      place.position,
      place.assignment_id,
    ),
    index('assignment_places_ahead').on(place.due_at).where(sql`due_state = 'ahead'`),
    index('assignment_places_ahead_in_course').on(place.course_id, place.due_at).where(sql`due_state = 'ahead'`),
  ],
);

export const assignment_overrides = sqliteTable(
  'assignment_overrides',
  {
    id: id(),
    assignment_id: int().notNull(),
    course_id: int().notNull(),
    set_type: state('ADHOC', 'CourseSection', 'Group', 'Course').notNull(),
    /** Id of the section, group or course; null for ADHOC. */
    set_id: int(),
    /** The group set of a group override. */
    group_category_id: int(),
    title: string().notNull(),
    due_at: time(),
    due_at_overridden: bool().notNull().default(false),
    unlock_at: time(),
    unlock_at_overridden: bool().notNull().default(false),
    lock_at: time(),
    lock_at_overridden: bool().notNull().default(false),
    unassign_item: bool().notNull().default(false),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (override) => [
    index('assignment_overrides_of_assignment').on(override.assignment_id, override.workflow_state, override.set_type),
    index('assignment_overrides_in_course').on(override.course_id),
    uniqueIndex('assignment_overrides_once')
      .on(override.assignment_id, override.set_type, override.set_id)
      .where(sql`workflow_state = 'active' and set_id is not null`),
  ],
);

/** The students of an ADHOC override; a student is in at most one per assignment. */
export const assignment_override_students = sqliteTable(
  'assignment_override_students',
  { assignment_override_id: int().notNull(), assignment_id: int().notNull(), user_id: int().notNull() },
  (student) => [
    primaryKey({ columns: [student.assignment_id, student.user_id] }),
    index('assignment_override_students_of_override').on(student.assignment_override_id),
    index('assignment_override_students_of_user').on(student.user_id, student.assignment_id),
  ],
);
