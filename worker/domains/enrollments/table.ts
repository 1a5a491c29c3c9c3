// Enrollments. Every change goes through the course's CourseRoster object.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, folded, id, int, sameId, state, string, time } from '../../database/columns';

export const enrollmentTypes = [
  'StudentEnrollment',
  'TeacherEnrollment',
  'TaEnrollment',
  'DesignerEnrollment',
  'ObserverEnrollment',
  'StudentViewEnrollment',
] as const;
export type EnrollmentType = (typeof enrollmentTypes)[number];

/** Includes the test student of the student view. */
export const studentsOf = ['StudentEnrollment', 'StudentViewEnrollment'] as const satisfies readonly EnrollmentType[];
export const staffOf = ['TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment'] as const satisfies readonly EnrollmentType[];
export const gradersOf = ['TeacherEnrollment', 'TaEnrollment'] as const satisfies readonly EnrollmentType[];

export const studentTypes: ReadonlySet<string> = new Set(studentsOf);
/** Teachers, TAs and designers: they see unpublished content and are never locked out. */
export const staffTypes: ReadonlySet<string> = new Set(staffOf);

export const enrollmentStates = ['invited', 'creation_pending', 'active', 'rejected', 'completed', 'inactive', 'deleted'] as const;
export type EnrollmentState = (typeof enrollmentStates)[number];

export const enrollments = sqliteTable(
  'enrollments',
  {
    id: id(),
    user_id: int().notNull(),
    course_id: int().notNull(),
    course_section_id: int().notNull(),
    type: state(...enrollmentTypes).notNull(),
    role_id: int().notNull(),
    /** 0 without an observed user, because null would break uniqueness. */
    observed_user_id: int().notNull().default(0),
    enrollment_state: state(...enrollmentStates).notNull(),
    /** Copied from the user, so that a roster is one index walk. Kept in step by a trigger. */
    /** The sort key of the user's name. Kept by triggers. */
    sortable_name: folded().notNull(),
    /** Likewise, for other sort orders. */
    sort_email: folded().notNull().default(''),
    sort_sis_id: string().notNull().default(''),
    /** The course name, for sorting a user's courses. */
    sort_course: folded().notNull().default(''),
    same_id: sameId(),
    limit_privileges_to_course_section: bool().notNull().default(false),
    self_enrolled: bool().notNull().default(false),
    start_at: time(),
    end_at: time(),
    completed_at: time(),
    last_activity_at: time(),
    last_attended_at: time(),
    total_activity_time: int().notNull().default(0),
    sis_import_id: int(),
    /** For temporary enrollments: the user being replaced. */
    temporary_enrollment_source_user_id: int(),
    grade_publishing_status: string(),
    grade_publishing_message: string(),
    /** Fields changed by hand (`,name,short_name,`); an SIS import leaves them alone. Kept by triggers. */
    stuck_sis_fields: string(),
    ...created(),
  },
  (enrollment) => [
    uniqueIndex('enrollments_once').on(
      enrollment.user_id,
      enrollment.course_section_id,
      enrollment.role_id,
      enrollment.type,
      enrollment.observed_user_id,
    ),
    index('enrollments_of_user_in_course').on(enrollment.user_id, enrollment.course_id),
    index('enrollments_in_course').on(enrollment.course_id, enrollment.type, enrollment.sortable_name, enrollment.id),
    index('enrollments_by_user').on(enrollment.course_id, enrollment.type, enrollment.enrollment_state, enrollment.user_id),
    index('enrollments_in_section').on(enrollment.course_section_id, enrollment.type, enrollment.sortable_name, enrollment.id),
    // For listing the users of a course, each once.
    index('enrollments_people').on(enrollment.course_id, enrollment.sortable_name, enrollment.user_id, enrollment.id),
    index('enrollments_of_user_by_course').on(enrollment.user_id, enrollment.sort_course, enrollment.course_id),
    index('enrollments_of_user_by_type').on(enrollment.user_id, enrollment.type, enrollment.same_id),
    // Partial: everyone but students, who are the majority.
    index('enrollments_of_others').on(enrollment.type, enrollment.user_id).where(sql`type <> 'StudentEnrollment'`),
    index('enrollments_lent')
      .on(enrollment.temporary_enrollment_source_user_id)
      .where(sql`temporary_enrollment_source_user_id is not null`),
    index('enrollments_people_by_email').on(enrollment.course_id, enrollment.sort_email, enrollment.user_id, enrollment.id),
    index('enrollments_people_by_sis_id').on(enrollment.course_id, enrollment.sort_sis_id, enrollment.user_id, enrollment.id),
  ],
);

/** Numbers of active and invited users: per course (section 0) and section, in total (type '') and by type. Kept by triggers. */
export const roster_counts = sqliteTable(
  'roster_counts',
  { course_id: int().notNull(), course_section_id: int().notNull(), type: string().notNull(), people: int().notNull() },
  (count) => [primaryKey({ columns: [count.course_id, count.course_section_id, count.type] })],
);
