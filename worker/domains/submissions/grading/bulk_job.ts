// Grades of many students as a job in steps. Who may be graded was checked when the job was queued; a row that fails again and again is reported, and
// the others are graded.

import { sql } from 'drizzle-orm';
import { among, theIds } from '../../../database/ids';
import type { Statement } from '../../../database/open';
import { schemesOfAssignments } from '../../../rules/grading_schemes';
import { assignments } from '../../assignments/table';
import { inSteps, type SteppedJob, unfinishedSteps } from '../../progress/in_steps';
import type { AssessmentWrite, UsedRubric } from '../../rubrics/assessments/writes';
import type { GradeWrite } from './input';
import { performRubrics } from './rubric_part';
import { performGrades } from './writes';

/** A change of the job, with its assignment by id, and its assessment without the rubric. */
export type QueuedGrade = Omit<GradeWrite, 'assignment' | 'rated'> & {
  readonly assignment_id: number;
  readonly rated?: Pick<AssessmentWrite, 'user_ids' | 'assessed'>;
};

export interface BulkGrading {
  readonly grades: readonly QueuedGrade[];
  /** The rubrics of the assignments that are assessed. */
  readonly rubrics?: readonly UsedRubric[];
  /** References in the request to users who are not students here. */
  readonly unknown: readonly string[];
  /** Students whose grades could not be stored, as the job has come to them. */
  readonly failed?: readonly number[];
}

const quoted = (ids: readonly (string | number)[]) => ids.map((id) => `'${id}'`).join(', ');

/** What could not be done; undefined if everything was. */
export const failureOf = ({ unknown, failed = [] }: Pick<BulkGrading, 'unknown' | 'failed'>): string | undefined => {
  const parts = [
    ...(unknown.length > 0 ? [`Couldn't find User(s) with API ids ${quoted(unknown)}`] : []),
    ...(failed.length > 0 ? [`Couldn't grade User(s) with ids ${quoted(failed)}`] : []),
  ];
  return parts.length > 0 ? parts.join('. ') : undefined;
};

const atOnce = 50;
/** After this many failures of a step its first row is left out. */
const patience = 3;

export const bulkGrading: SteppedJob = {
  job: 'update_grades',
  tag: 'submissions_update',
  async next(db, { id, after, crashes, crashed_at, user_id, arguments: given }, now) {
    const { grades, rubrics = [], unknown, failed = [] } = given as BulkGrading;
    const isLeftOut = crashes >= patience;
    // One by one where a step has failed, to find the row that fails.
    const isCareful = crashed_at !== undefined && after < crashed_at + atOnce;
    const rows = grades.slice(after, after + (isCareful ? 1 : atOnce));
    const ids = [...new Set(rows.map(({ assignment_id }) => assignment_id))];
    const [there, schemes] = await db.perform([
      db.build
        .select()
        .from(assignments)
        .where(sql`${among(assignments.id, ids)} and ${assignments.workflow_state} <> 'deleted'`),
      schemesOfAssignments(db, theIds(ids)),
    ]);
    const deeds = rows.flatMap(({ assignment_id, rated, ...row }): GradeWrite[] => {
      const found = there.find((one) => one.id === assignment_id);
      if (!found) return [];
      const assignment = { ...found, scheme: schemes.find((one) => one.assignment_id === assignment_id) };
      const used = rubrics.find(({ association }) => association.association_id === assignment_id);
      return [{ ...row, assignment, ...(rated && used && { rated: { ...rated, used, type: 'grading', assignment } }) }];
    });
    const around = { db, me: { id: user_id }, now };
    const lost = isLeftOut ? rows.map((row) => row.user_id) : [];
    const note: Statement[] = lost.map((user) =>
      db.build.run(
        sql`update progress set arguments = json_set(arguments, '$.failed', json_insert(coalesce(arguments -> '$.failed', '[]'), '$[#]', ${user})) where id = ${id}`,
      ),
    );
    const reached = after + rows.length;
    return {
      statements: isLeftOut ? note : [...performGrades(around, deeds), ...performRubrics(around, deeds)],
      after: reached,
      completion: (100 * reached) / Math.max(1, grades.length),
      ...(reached >= grades.length && { end: { failure: failureOf({ unknown, failed: [...failed, ...lost] }) } }),
    };
  },
};

export const updateGrades = inSteps(bulkGrading);
export const unfinishedGrading = unfinishedSteps(bulkGrading);
