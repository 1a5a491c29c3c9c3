// Courses, nicknames and other per-user course data.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

/** Blueprint locks in associated courses. */
export interface Restrictions {
  readonly content?: boolean;
  readonly points?: boolean;
  readonly due_dates?: boolean;
  readonly availability_dates?: boolean;
  readonly state?: boolean;
}

/** The default locks of a blueprint course. */
export interface BlueprintSettings {
  readonly restrictions?: Restrictions;
  readonly by_type?: boolean;
  readonly types?: Readonly<Record<string, Restrictions>>;
}

export const courses = sqliteTable(
  'courses',
  {
    id: id(),
    account_id: int().notNull(),
    root_account_id: int().notNull(),
    enrollment_term_id: int().notNull(),
    name: string().notNull(),
    course_code: string(),
    friendly_name: string(),
    uuid: string().notNull(),
    sis_course_id: string(),
    integration_id: string(),
    abstract_course_id: int(),
    sis_import_id: int(),
    /** Fields changed by hand (`,name,short_name,`); an SIS import leaves them alone. Kept by triggers. */
    stuck_sis_fields: string(),
    start_at: time(),
    end_at: time(),
    restrict_enrollments_to_course_dates: bool().notNull().default(false),
    default_view: state('feed', 'wiki', 'modules', 'syllabus', 'assignments').notNull().default('modules'),
    time_zone: string(),
    locale: string(),
    course_format: string(),
    license: string().notNull().default('private'),
    is_public: bool().notNull().default(false),
    is_public_to_auth_users: bool().notNull().default(false),
    public_syllabus: bool().notNull().default(false),
    public_syllabus_to_auth: bool().notNull().default(false),
    public_description: string(),
    syllabus_body: string(),
    apply_assignment_group_weights: bool().notNull().default(false),
    grading_standard_id: int(),
    storage_quota_mb: int(),
    allow_student_wiki_edits: bool().notNull().default(false),
    allow_wiki_comments: bool().notNull().default(false),
    open_enrollment: bool().notNull().default(false),
    self_enrollment: bool().notNull().default(false),
    self_enrollment_code: string(),
    indexed: bool().notNull().default(false),
    is_blueprint: bool().notNull().default(false),
    blueprint_settings: json<BlueprintSettings>(),
    is_template: bool().notNull().default(false),
    replacement_course_id: int(),
    /** The settings object of reference 02 §1.7; only keys that differ from their defaults. */
    settings: json<Record<string, unknown>>().notNull().default({}),
    workflow_state: state('created', 'claimed', 'available', 'completed', 'deleted').notNull().default('claimed'),
    ...created(),
  },
  (course) => [
    index('courses_in_account').on(course.account_id, course.id),
    index('courses_in_account_by_name').on(course.account_id, sql`${course.name} collate nocase`, course.id),
    index('courses_in_term').on(course.enrollment_term_id),
    // Partial: only courses with a grading scheme.
    index('courses_of_standard').on(course.grading_standard_id).where(sql`grading_standard_id is not null`),
    // Partial: only courses in the public index.
    index('courses_indexed').on(course.id).where(sql`indexed = 1 and workflow_state = 'available'`),
    index('courses_by_uuid').on(course.uuid),
    uniqueIndex('courses_by_sis_id').on(course.sis_course_id).where(sql`sis_course_id is not null`),
    uniqueIndex('courses_by_integration_id').on(course.integration_id).where(sql`integration_id is not null`),
  ],
);

export const course_nicknames = sqliteTable(
  'course_nicknames',
  { id: id(), user_id: int().notNull(), course_id: int().notNull(), nickname: string().notNull(), created_at: time().notNull() },
  (nickname) => [
    uniqueIndex('course_nicknames_once').on(nickname.user_id, nickname.course_id),
    index('course_nicknames_in_course').on(nickname.course_id),
    index('course_nicknames_of_user').on(nickname.user_id, nickname.id),
    index('course_nicknames_by_name').on(nickname.user_id, sql`${nickname.nickname} collate nocase`, nickname.course_id),
  ],
);

export const favorites = sqliteTable(
  'favorites',
  { user_id: int().notNull(), context_type: state('Course', 'Group').notNull(), context_id: int().notNull(), created_at: time().notNull() },
  (favorite) => [
    primaryKey({ columns: [favorite.user_id, favorite.context_type, favorite.context_id] }),
    index('favorites_of_context').on(favorite.context_type, favorite.context_id),
  ],
);
