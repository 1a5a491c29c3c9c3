// Late policies: every endpoint, in the order of the API reference.

import { bool, number, object, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { eq } from 'drizzle-orm';
import { get, patch, post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, invalid, Problem } from '../../http/problem';
import { answer, one, write } from '../../http/reply';
import { latePolicy } from './json';
import { late_policies } from './table';

export const about = { title: 'Late policies', description: 'What late and missing submissions lose in a course.' };

const path = '/courses/:course_id/late_policy';
const percents = ['missing_submission_deduction', 'late_submission_deduction', 'late_submission_minimum_percent'] as const;
const fields = {
  missing_submission_deduction_enabled: optional(bool),
  missing_submission_deduction: optional(number),
  late_submission_deduction_enabled: optional(bool),
  late_submission_deduction: optional(number),
  late_submission_interval: optional(text),
  late_submission_minimum_percent_enabled: optional(bool),
  late_submission_minimum_percent: optional(number),
};
const params = { late_policy: optional(object(fields)) };
type Given = Shape<typeof params>['late_policy'];

/** @throws Problem 422 by field */
function valuesOf(given: Given = {}) {
  for (const name of percents) {
    const percent = given[name];
    if (percent !== undefined && !(percent >= 0 && percent <= 100)) throw invalid(name, 'inclusion', 'must be between 0 and 100', 422);
  }
  const { late_submission_interval: interval, ...rest } = given;
  if (interval !== undefined && interval !== 'day' && interval !== 'hour')
    throw invalid('late_submission_interval', 'inclusion', 'must be day or hour', 422);
  return { ...rest, ...(interval !== undefined && ({ late_submission_interval: interval } as const)) };
}

const exists = () => new Problem(400, { status: 'bad_request', errors: [{ message: 'the course already has a late policy' }] });

export const latePolicyRoutes = [
  get(path, { can: 'manage_grades', returns: latePolicy, summary: 'Get the late policy of a course' }, ({ course }) =>
    one(rows(late_policies, { where: eq(late_policies.course_id, course.id) })),
  ),

  post(
    path,
    { can: 'manage_grades', params, returns: latePolicy, status: 201, summary: 'Create a late policy' },
    ({ db, course, params: { late_policy }, now }) =>
      write(
        [db.build.insert(late_policies).values({ ...valuesOf(late_policy), course_id: course.id, created_at: now, updated_at: now })],
        one(rows(late_policies, { where: eq(late_policies.course_id, course.id) })),
        { 'late_policies.course_id': exists },
      ),
  ),

  patch(
    path,
    { can: 'manage_grades', params, returns: { json: null }, status: 204, summary: 'Update the late policy of a course' },
    async ({ db, course, params: { late_policy }, now }) => {
      const values = valuesOf(late_policy);
      const [[policy]] = await db.perform([
        db.build.select({ id: late_policies.id }).from(late_policies).where(eq(late_policies.course_id, course.id)),
      ]);
      const { id } = found(policy);
      return write(
        [
          db.build
            .update(late_policies)
            .set({ ...values, updated_at: now })
            .where(eq(late_policies.id, id)),
        ],
        answer(null),
      );
    },
  ),
];
