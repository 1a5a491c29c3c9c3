// Assessments by rubrics as submissions include them: hidden while the grade is hidden, and a peer sees only their own.

import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { embed } from '../../../http/serializer';
import { type AssessmentRow, rubric_assessments } from '../../rubric_assessments/table';
import { forGrading } from '../../rubric_associations/table';
import { rowsByCriterion, wholeAssessment } from '../../rubrics/assessments/json';
import { looksAsGrader } from './policy';

type Viewing = Pick<Call, 'course' | 'me'>;

/** Of the rubric that the assignment has now. */
const isCurrent = (alias: string) =>
  sql`exists (select 1 from rubric_associations used where used.id = ${sql.raw(alias)}.rubric_association_id and ${forGrading('used')})`;

/** Assessments that grade, and those that the caller has made. */
const concerns = (alias: string, { me }: Pick<Call, 'me'>) =>
  sql`(${sql.raw(`${alias}.assessment_type = 'grading' or ${alias}.assessor_id`)} = ${shared('user', me.id)}) and ${isCurrent(alias)}`;

interface Rated {
  readonly submission_id: number;
  readonly assessment_type: string;
  readonly assessor_id: number;
  readonly data: string;
  readonly hides_points: number;
}

const ratedOn = (ids: SQL, { db, me }: Pick<Call, 'db' | 'me'>) =>
  db.build.all<Rated>(
    sql`select x.submission_id, x.assessment_type, x.assessor_id, x.data, (select ra.hide_points from rubric_associations ra where ra.id = x.rubric_association_id) as hides_points
      from rubric_assessments x where ${isInSelect(sql`x.submission_id`, ids)} and ${concerns('x', { me })} order by x.id`,
  );

/** What is read with a page of submissions. */
export const assessmentsOn = (ids: SQL, call: Call) => ({
  rated: call.include.has('rubric_assessment') ? ratedOn(ids, call) : undefined,
  assessments: call.include.has('full_rubric_assessment')
    ? embed(
        wholeAssessment,
        rows(rubric_assessments, {
          where: sql`${isInSelect(rubric_assessments.submission_id, ids)} and ${concerns('rubric_assessments', call)}`,
        }),
      )
    : undefined,
});

/** Whether the caller looks at the work of another student as a peer. */
const isPeer = (call: Viewing, user_id: number): boolean =>
  call.course !== undefined && user_id !== call.me.id && !looksAsGrader(call, user_id) && !call.course.observedIds.includes(user_id);

/** The assessment that the caller may see. */
function shown<T extends { readonly submission_id: number; readonly assessment_type: string; readonly assessor_id: number }>(
  { id, user_id }: { readonly id: number; readonly user_id: number },
  all: readonly T[],
  call: Viewing,
  showsGrade: boolean,
): T | undefined {
  const its = all.filter((one) => one.submission_id === id);
  if (isPeer(call, user_id)) return its.find((one) => one.assessment_type === 'peer_review' && one.assessor_id === call.me.id);
  return showsGrade ? its.find((one) => one.assessment_type === 'grading') : undefined;
}

type Slot = { readonly id: number; readonly user_id: number };

/** By criterion. */
export function ratingsShown(row: Slot, all: readonly Rated[], call: Viewing, showsGrade: boolean) {
  const one = shown(row, all, call, showsGrade);
  const data = one && (JSON.parse(one.data) as AssessmentRow[]);
  return data && rowsByCriterion({ data }, one.hides_points === 1 && !looksAsGrader(call, row.user_id));
}

type Whole = readonly { readonly row: typeof rubric_assessments.$inferSelect; readonly json: object }[];

export function assessmentShown(row: Slot, all: Whole, call: Viewing, showsGrade: boolean) {
  const one = shown(
    row,
    all.map((found) => found.row),
    call,
    showsGrade,
  );
  return one && all.find((found) => found.row.id === one.id)?.json;
}
