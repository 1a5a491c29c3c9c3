// Bulk enrollment: many users, many courses.

import { idField, listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { runsTheService } from '../../../contexts/institution';
import { permissions } from '../../../contexts/permissions';
import { post } from '../../../http/endpoint';
import { Problem, unauthorized } from '../../../http/problem';
import { progressJson } from '../../progress/json';
import { queued } from '../../progress/queue';
import { permissionToAdd } from '../roster/lifecycle';
import { enrollmentTypes } from '../table';
import type { BulkEnrollment } from './input';

const addable = enrollmentTypes.filter((type) => type !== 'StudentViewEnrollment');
const isType = (given: string) => (addable as readonly string[]).includes(given);

function refusalOf(user_ids: readonly string[], course_ids: readonly string[], type: string | null): string | undefined {
  if (user_ids.length === 0) return 'user_ids is required';
  if (course_ids.length === 0) return 'course_ids is required';
  if (user_ids.length * course_ids.length > 500) return 'at most 500 enrollments may be made at once';
  return type === null || isType(type) ? undefined : 'invalid enrollment_type';
}

export const bulkEnrollmentRoutes = [
  post(
    '/accounts/:account_id/bulk_enrollment',
    {
      can: 'manager',
      params: {
        user_ids: optional(listOf(referenceTo('user'))),
        course_ids: optional(listOf(referenceTo('course'))),
        enrollment_type: optional(text),
        enrollment_role_id: optional(idField('role')),
      },
      returns: progressJson,
      summary: 'Enroll users in courses',
    },
    (call) => {
      const { account, me, institution } = call;
      const { user_ids = [], course_ids = [], enrollment_type = null, enrollment_role_id = null } = call.params;
      const refusal = refusalOf(user_ids, course_ids, enrollment_type);
      if (refusal) throw new Problem(400, { errors: refusal });
      const types = addable.filter((type) => account.can(permissionToAdd(type)));
      if (!types.some((type) => enrollment_type === null || type === enrollment_type)) throw unauthorized();
      const held = [...permissions.keys()].filter((permission) => runsTheService(me, institution) || account.can(permission));
      const asked: BulkEnrollment = { user_ids, course_ids, enrollment_type, enrollment_role_id, addable: types, held };
      return queued(call, 'bulk_enrollment', {
        context_type: 'Account',
        context_id: account.id,
        user_id: me.id,
        tag: 'bulk_enrollment',
        arguments: { ...asked },
      });
    },
  ),
];
