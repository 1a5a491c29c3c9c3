// Every permission, which roles may have it, and which have it by default. Data only.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { baseRoleTypes } from '../domains/roles/table';

export type BaseRoleType = (typeof baseRoleTypes)[number];

const messages: Record<string, BaseRoleType> = {
  s: 'StudentEnrollment',
  t: 'TeacherEnrollment',
  a: 'TaEnrollment',
  d: 'DesignerEnrollment',
  o: 'ObserverEnrollment',
};

/** One letter per course role that may have it; a capital means by default. Account admins have all of them. */
const courseLevel = {
  add_designer_to_course: 'Tad',
  add_observer_to_course: 'TAD',
  add_student_to_course: 'TAD',
  add_ta_to_course: 'Tad',
  add_teacher_to_course: 'Tad',
  allow_course_admin_actions: 'Tad',
  create_collaborations: 'STADo',
  create_conferences: 'STADo',
  create_forum: 'STADo',
  generate_observer_pairing_code: 'tado',
  import_outcomes: 'TaDo',
  manage_account_banks: 'td',
  manage_assignments_add: 'TADo',
  manage_assignments_delete: 'TADo',
  manage_assignments_edit: 'TADo',
  manage_calendar: 'sTADo',
  manage_course_content_add: 'TADo',
  manage_course_content_delete: 'TADo',
  manage_course_content_edit: 'TADo',
  manage_course_visibility: 'TAD',
  manage_courses_conclude: 'TaD',
  manage_courses_delete: 'td',
  manage_courses_publish: 'TaD',
  manage_courses_reset: 'td',
  manage_files_add: 'TADo',
  manage_files_delete: 'TADo',
  manage_files_edit: 'TADo',
  manage_grades: 'TA',
  manage_groups_add: 'TAD',
  manage_groups_delete: 'TAD',
  manage_groups_manage: 'TAD',
  manage_interaction_alerts: 'Ta',
  manage_lti_add: 'TAD',
  manage_lti_delete: 'TAD',
  manage_lti_edit: 'TAD',
  manage_outcomes: 'sTaDo',
  manage_proficiency_calculations: 'td',
  manage_proficiency_scales: 'td',
  manage_rubrics: 'TAD',
  manage_sections_add: 'TaD',
  manage_sections_delete: 'TaD',
  manage_sections_edit: 'TaD',
  manage_students: 'TAD',
  manage_tags_add: 'Tad',
  manage_tags_delete: 'Tad',
  manage_tags_manage: 'Tad',
  manage_wiki_create: 'TADo',
  manage_wiki_delete: 'TADo',
  manage_wiki_update: 'TADo',
  moderate_forum: 'sTADo',
  post_to_forum: 'STADo',
  proxy_assignment_submission: 'ta',
  read_announcements: 'STADO',
  read_email_addresses: 'sTAdo',
  read_forum: 'STADO',
  read_question_banks: 'TADo',
  read_reports: 'TAD',
  read_roster: 'STADo',
  read_sis: 'sTa',
  remove_designer_from_course: 'Tad',
  remove_observer_from_course: 'TAD',
  remove_student_from_course: 'TAD',
  remove_ta_from_course: 'Tad',
  remove_teacher_from_course: 'Tad',
  select_final_grade: 'TA',
  send_messages: 'STADo',
  send_messages_all: 'sTADo',
  share_banks_with_subaccounts: 'tad',
  view_all_grades: 'TAd',
  view_analytics: 'sTA',
  view_audit_trail: 't',
  view_group_pages: 'sTADo',
  view_user_logins: 'TA',
} as const;

const rootOnly = [
  'become_user',
  'import_sis',
  'manage_developer_keys',
  'manage_sis',
  'manage_user_logins',
  'manage_user_observers',
  'moderate_user_content',
  'view_course_changes',
] as const;

const anyAccount = [
  'add_course_template',
  'delete_course_template',
  'edit_course_template',
  'manage_account_calendar_events',
  'manage_account_calendar_visibility',
  'manage_account_memberships',
  'manage_account_settings',
  'manage_alerts',
  'manage_catalog',
  'manage_courses_add',
  'manage_courses_admin',
  'manage_feature_flags',
  'manage_master_courses',
  'manage_role_overrides',
  'manage_storage_quotas',
  'read_course_content',
  'read_course_list',
  'temporary_enrollments_add',
  'temporary_enrollments_delete',
  'temporary_enrollments_edit',
  'undelete_courses',
  'view_feature_flags',
  'view_grade_changes',
  'view_notifications',
  'view_quiz_answer_audits',
  'view_statistics',
] as const;

/** For callers who run the service; no role can have them: `runsTheService` decides. */
export const forTheService: ReadonlySet<string> = new Set([
  'read_messages',
  'manage_global_outcomes',
  'manage_jobs',
  'manage_site_settings',
  'view_error_reports',
  'view_jobs',
]);

export type CoursePermission = keyof typeof courseLevel;
export type AccountPermission = (typeof rootOnly)[number] | (typeof anyAccount)[number];
export type Permission = CoursePermission | AccountPermission;

/** Off by default even for the built-in AccountAdmin. */
export const offForAdmins: ReadonlySet<string> = new Set<string>(['proxy_assignment_submission', 'view_notifications']);

export interface PermissionFacts {
  readonly name: Permission;
  readonly level: 'course' | 'account';
  readonly isRootOnly: boolean;
  readonly availableTo: ReadonlySet<BaseRoleType>;
  readonly trueFor: ReadonlySet<BaseRoleType>;
}

const holders = (code: string, only: (message: string) => boolean) =>
  new Set<BaseRoleType>([...code].filter(only).map((letter) => lookUp(messages, letter.toLowerCase()) as BaseRoleType));

export const permissions: ReadonlyMap<string, PermissionFacts> = new Map(
  [
    ...Object.entries(courseLevel).map(([name, code]) => ({
      name: name as Permission,
      level: 'course' as const,
      isRootOnly: false,
      availableTo: holders(code, () => true).add('AccountMembership'),
      trueFor: holders(code, (letter) => letter !== letter.toLowerCase()),
    })),
    ...[...rootOnly, ...anyAccount].map((name) => ({
      name: name as Permission,
      level: 'account' as const,
      isRootOnly: (rootOnly as readonly string[]).includes(name),
      availableTo: new Set<BaseRoleType>(['AccountMembership']),
      trueFor: new Set<BaseRoleType>(),
    })),
  ].map((facts) => [facts.name, facts]),
);

/** Coarse names of older clients, and the granular permissions that each sets. */
export const permissionGroups: Readonly<Record<string, readonly Permission[]>> = {
  manage_assignments: ['manage_assignments_add', 'manage_assignments_edit', 'manage_assignments_delete'],
  manage_courses: [
    'manage_courses_add',
    'manage_courses_admin',
    'manage_courses_conclude',
    'manage_courses_delete',
    'manage_courses_publish',
    'manage_courses_reset',
  ],
  manage_content: ['manage_course_content_add', 'manage_course_content_edit', 'manage_course_content_delete'],
  manage_files: ['manage_files_add', 'manage_files_edit', 'manage_files_delete'],
  manage_groups: ['manage_groups_add', 'manage_groups_manage', 'manage_groups_delete'],
  manage_lti: ['manage_lti_add', 'manage_lti_edit', 'manage_lti_delete'],
  manage_tags: ['manage_tags_add', 'manage_tags_manage', 'manage_tags_delete'],
  manage_sections: ['manage_sections_add', 'manage_sections_edit', 'manage_sections_delete'],
  manage_wiki: ['manage_wiki_create', 'manage_wiki_update', 'manage_wiki_delete'],
};

/** Even older names, whose permissions are in other groups now. */
export const formerPermissions: Readonly<Record<string, readonly Permission[]>> = {
  change_course_state: ['manage_courses_conclude', 'manage_courses_publish'],
  manage_admin_users: [
    'add_designer_to_course',
    'add_observer_to_course',
    'add_ta_to_course',
    'add_teacher_to_course',
    'remove_designer_from_course',
    'remove_observer_from_course',
    'remove_ta_from_course',
    'remove_teacher_from_course',
  ],
};

/** The default. The built-in AccountAdmin has all but `offForAdmins`; custom account roles have none until granted. */
export const holdsByDefault = (permission: string, role: { base_role_type: BaseRoleType; workflow_state: string }): boolean => {
  const facts = permissions.get(permission);
  if (!facts) return false;
  if (role.base_role_type === 'AccountMembership') return role.workflow_state === 'built_in' && !offForAdmins.has(permission);
  return facts.trueFor.has(role.base_role_type);
};

export interface RoleOverride {
  readonly account_id: number;
  readonly role_id: number;
  readonly permission: string;
  readonly enabled: boolean | null;
  readonly locked: boolean;
  readonly applies_to_self: boolean;
  readonly applies_to_descendants: boolean;
}

/**
 * Whether a role has a permission in the last account of a chain (root first).
 * Overrides are applied from the root down; a locked one is final (reference 01 B2).
 */
export function roleHolds(
  permission: string,
  role: { id: number; base_role_type: BaseRoleType; workflow_state: string },
  chain: readonly number[],
  overrides: readonly RoleOverride[],
): boolean {
  const facts = permissions.get(permission);
  if (!facts?.availableTo.has(role.base_role_type)) return false;
  let holds = holdsByDefault(permission, role);
  for (const [depth, account_id] of chain.entries()) {
    const override = overrides.find((one) => one.account_id === account_id && one.role_id === role.id && one.permission === permission);
    if (!override) continue;
    const isHere = depth === chain.length - 1;
    if (override.enabled !== null && (isHere ? override.applies_to_self : override.applies_to_descendants)) holds = override.enabled;
    if (override.locked) break;
  }
  return holds;
}
