// Parameters of a new enrollment.

import { bool, idField, maybe, object, optional, referenceTo, text, time } from '@carrel/shared/wire/fields';
import { problem } from '../../http/problem';
import type { Enrolling } from './roster/enroll';

export const enrolling = {
  enrollment: optional(
    object({
      user_id: optional(referenceTo('user')),
      type: optional(text),
      role: optional(text),
      role_id: optional(idField('role')),
      enrollment_state: optional(text),
      course_section_id: optional(referenceTo('section')),
      limit_privileges_to_course_section: optional(bool),
      notify: optional(bool),
      self_enrolled: optional(bool),
      associated_user_id: optional(referenceTo('user')),
      start_at: optional(maybe(time)),
      end_at: optional(maybe(time)),
      self_enrollment_code: optional(text),
      sis_user_id: optional(referenceTo('user')),
      integration_id: optional(text),
    }),
  ),
};

type Given = { readonly enrollment?: Partial<Record<string, unknown>> };

/** @throws Problem 400 without a user */
export function requestedEnrollment(given: Given, section_id: number | undefined): Enrolling {
  const asked = given.enrollment as
    | ({
        user_id?: string;
        role?: string;
        role_id?: number;
        type?: string;
        enrollment_state?: string;
        course_section_id?: string;
        associated_user_id?: string;
        limit_privileges_to_course_section?: boolean;
        notify?: boolean;
        self_enrolled?: boolean;
        start_at?: string | null;
        end_at?: string | null;
        self_enrollment_code?: string;
        sis_user_id?: string;
        integration_id?: string;
      } & object)
    | undefined;
  if (!asked || Object.keys(asked).length === 0) throw problem(400, 'No parameters given');
  const user =
    asked.user_id ||
    (asked.sis_user_id ? `sis_user_id:${asked.sis_user_id}` : asked.integration_id ? `sis_integration_id:${asked.integration_id}` : '');
  if (!user) throw problem(400, "Can't create an enrollment without a user. Include enrollment[user_id] to create an enrollment");
  return {
    user,
    type: asked.type || undefined,
    role: asked.role || undefined,
    role_id: asked.role_id,
    asked: asked.enrollment_state || undefined,
    section: section_id === undefined ? asked.course_section_id || undefined : String(section_id),
    observed: asked.associated_user_id || undefined,
    limited: asked.limit_privileges_to_course_section,
    notify: asked.notify,
    self_enrolled: asked.self_enrolled,
    start_at: asked.start_at,
    end_at: asked.end_at,
    code: asked.self_enrollment_code,
  };
}
