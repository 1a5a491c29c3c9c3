// Overrides of final grades: every endpoint. The list and its update have the shape of Canvas' gradebook; the bulk update is its documented one.

import { FinalGradeOverrides } from '@carrel/shared/resources/final_grade_overrides';
import { idField, listOf, maybe, object, optional, text } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';
import { get, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { badParameter, Problem, refused } from '../../http/problem';
import { answer, one, write } from '../../http/reply';
import { isPeriodClosed } from '../../rules/grading_periods';
import { schemeOfCourse } from '../../rules/grading_schemes';
import { progressJson } from '../progress/json';
import { finishedProgress } from '../progress/progress';
import { progress } from '../progress/table';
import { dividedOverrides, type FinalGradeGiven, type OverrideError } from './input';
import { overridesAfter, overridesJson } from './json';
import { readOverrides, readOverridesOf, readReachable, readStatuses, saveOverrides, saveStatuses } from './stored';

export const about = {
  title: 'Final grade overrides',
  description: 'Final grades that graders set in place of the computed ones, where the course allows it.',
};

const can = 'manage_grades';
const readers = ['manage_grades', 'view_all_grades'] as const;
const base = '/courses/:course_id/gradebook/final_grade_overrides';
const returns = { json: FinalGradeOverrides };
const params = {
  grading_period_id: optional(maybe(idField('grading_period'))),
  override_scores: listOf(
    object({
      student_id: idField('user'),
      override_score: optional(maybe(text)),
      custom_grade_status_id: optional(maybe(idField('custom_grade_status'))),
    }),
  ),
};
/** Limits the rows that one batch writes. */
const mostRows = 500;

interface Given {
  readonly grading_period_id?: number | null;
  readonly override_scores: readonly FinalGradeGiven[];
}

/**
 * The grading period of the overrides; 0 for the whole course.
 * @throws Problem 401 where the course allows no overrides, 400 for an unknown period, 403 for a closed one
 */
function periodOfOverrides(course: CourseContext, { grading_period_id: id, override_scores }: Given, now: string): number {
  if (course.settings.allow_final_grade_override !== true)
    throw new Problem(401, { status: 'unauthorized', errors: [{ message: 'The course does not allow overrides of final grades.' }] });
  if (override_scores.length > mostRows) throw badParameter('override_scores', `has more than ${mostRows} rows`);
  if (!id) return 0;
  const period = course.grading.periods.find((one) => one.id === id);
  if (!period) throw badParameter('grading_period_id', 'is not a grading period of the course');
  if (!course.isAdmin && isPeriodClosed(period, now)) throw refused(403, 'The grading period is closed.');
  return period.id;
}

const nameIn = ({ at, field }: OverrideError) => `override_scores[${at}][${field}]`;

/** @throws Problem 400 with the error of each row by its name */
function refuseRows(errors: readonly OverrideError[]): void {
  if (errors.length === 0) return;
  const byName = errors.map((error) => {
    const name = nameIn(error);
    return [name, [{ attribute: name, type: 'invalid', message: error.message }]] as const;
  });
  throw new Problem(400, { errors: Object.fromEntries(byName) });
}

type Asking = Pick<Call, 'db' | 'me' | 'now'> & { readonly course: CourseContext; readonly params: Given };

/** The statements that save what can be saved, what is stored after them, and the errors of the others. */
async function prepare({ db, me, now, course, params: given }: Asking) {
  const period = periodOfOverrides(course, given, now);
  const ids = given.override_scores.map(({ student_id }) => student_id);
  const [reachable, stored, known] = await db.perform([
    readReachable(db, course, ids),
    readOverridesOf(db, course, ids),
    readStatuses(db, course),
  ]);
  const { changes, statuses, errors } = dividedOverrides(
    given.override_scores,
    new Set(reachable.map(({ id }) => id)),
    new Set(known.map(({ id }) => id)),
    schemeOfCourse(course),
  );
  const save = [
    ...(changes.length === 0 ? [] : [saveOverrides(db, course, period, changes, me.id)]),
    ...(statuses.length === 0 ? [] : [saveStatuses(db, course, period, statuses, me.id)]),
  ];
  return { after: overridesAfter(stored, period, changes, statuses), errors, save };
}

export const finalGradeOverrideRoutes = [
  get(base, { can: readers, returns, summary: 'List final grade overrides' }, async ({ db, course }) => {
    const [stored] = await db.perform([readOverrides(db, course)]);
    return answer(overridesJson(stored, course.grading.periods));
  }),

  put(base, { can, params, returns, summary: 'Update final grade overrides of several students' }, async (call) => {
    const { after, errors, save } = await prepare(call);
    refuseRows(errors);
    return write(save, answer(overridesJson(after, call.course.grading.periods)));
  }),

  put(
    '/courses/:course_id/update_final_grade_overrides',
    { can, params, returns: progressJson, summary: 'Update final grade overrides in bulk' },
    async (call) => {
      const { db, me, course, now, params: given } = call;
      const { errors, save } = await prepare(call);
      const work = finishedProgress(
        db,
        {
          context_type: 'Course',
          context_id: course.id,
          user_id: me.id,
          tag: 'override_grade_update',
          ...(errors.length > 0 && { message: `${errors.length} of ${given.override_scores.length} overrides could not be saved` }),
          results: {
            errors: errors.map((error) => ({
              student_id: given.override_scores[error.at]?.student_id,
              error: error.field === 'student_id' ? 'invalid_student_id' : 'failed_to_update',
              message: `${nameIn(error)} ${error.message}`,
            })),
          },
        },
        now,
      );
      return write([...save, work], one(rows(progress, { where: eq(progress.id, sql`last_insert_rowid()`) })));
    },
  ),
];
