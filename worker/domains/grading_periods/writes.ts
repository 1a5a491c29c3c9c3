// Writes of grading periods, as statements for one batch.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { theIds } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import type { RowOf } from '../../http/listing';
import { Problem } from '../../http/problem';
import { terms } from '../terms/table';
import type { PeriodDraft } from './change_rules';
import { grading_period_sets, grading_periods } from './table';

export type PeriodSet = RowOf<typeof grading_period_sets>;

interface Around {
  readonly db: Database;
  readonly now: string;
}

/** @throws Problem 422 with the reasons, if there are any */
export function refuseErrors(errors: readonly string[]): void {
  if (errors.length > 0) throw new Problem(422, { errors });
}

const contested = () => new Problem(422, { errors: ['The grading periods have been changed in the meantime'] });
/** For a batch that finds another version of the set, or another set of the course, than was read. */
export const contests = { 'grading_period_sets.title': contested, 'grading_period_sets.course_id': contested };

/** Aborts the batch if the set has changed since it was read: its periods were checked together. */
export const claimSet = ({ db, now }: Around, { id, version }: Pick<PeriodSet, 'id' | 'version'>): Statement =>
  db.build
    .update(grading_period_sets)
    .set({ title: sql`iif(version = ${version} and workflow_state = 'active', title, null)`, updated_at: now })
    .where(sql`id = ${id}`);

/** The set of a course that has none yet. */
export const createSetOfCourse = ({ db, now }: Around, course: CourseContext): Statement =>
  db.build.insert(grading_period_sets).values({
    account_id: course.root_account_id,
    course_id: course.id,
    title: 'Grading periods',
    created_at: now,
    updated_at: now,
  });

/** @param set the id of the set, as SQL, because it may be created in the same batch */
export const savePeriods = (
  { db, now }: Around,
  set: SQL,
  { account_id, course_id }: Pick<PeriodSet, 'account_id' | 'course_id'>,
  drafts: readonly PeriodDraft[],
): Statement[] =>
  drafts.map(({ id, ...values }) =>
    id === undefined
      ? db.build
          .insert(grading_periods)
          .values({ ...values, grading_period_group_id: set, account_id, course_id, created_at: now, updated_at: now })
      : db.build
          .update(grading_periods)
          .set({ ...values, updated_at: now })
          .where(sql`id = ${id}`),
  );

export const deletePeriod = ({ db, now }: Around, id: number): Statement =>
  db.build.update(grading_periods).set({ workflow_state: 'deleted', updated_at: now }).where(sql`id = ${id} and workflow_state = 'active'`);

/** Gives the set these terms, and no others. A term that has another set leaves that. */
export const assignTerms = ({ db, now }: Around, set: SQL, ids: readonly number[]): Statement[] => [
  db.build
    .update(terms)
    .set({ grading_period_group_id: null, updated_at: now })
    .where(sql`grading_period_group_id = ${set} and id not in (${theIds(ids)})`),
  db.build
    .update(terms)
    .set({ grading_period_group_id: set, updated_at: now })
    .where(sql`id in (${theIds(ids)}) and grading_period_group_id is not ${set}`),
];

export const deleteSet = ({ db, now }: Around, id: number): Statement[] => [
  db.build.update(grading_period_sets).set({ workflow_state: 'deleted', updated_at: now }).where(sql`id = ${id}`),
  db.build
    .update(grading_periods)
    .set({ workflow_state: 'deleted', updated_at: now })
    .where(sql`grading_period_group_id = ${id} and workflow_state = 'active'`),
  ...assignTerms({ db, now }, sql`${id}`, []),
];
