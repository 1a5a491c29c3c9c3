// Statuses that graders set: late, missing, extended, none, and those that the institution defines (reference 03 §4.5).

import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { notifyOfUpdate } from '../../../rules/notify';
import { submissionId } from '../../../rules/submission_ids';
import { submissions } from '../table';
import type { GraderStatus, GradeWrite } from './input';

export const changesStatus = ({ grade }: GradeWrite) =>
  grade?.late_policy_status !== undefined || grade?.seconds_late_override !== undefined || grade?.custom_grade_status_id !== undefined;

interface StatusChange {
  readonly status: GraderStatus | null;
  readonly custom: number | null;
  /** Removes a custom status, and leaves another one. */
  readonly clears: 0 | 1;
}

/** A custom status and another one replace each other. Beside a custom status, `none` keeps the late policy off. */
function statusChangeOf(grade: GradeWrite['grade']): StatusChange | undefined {
  const { late_policy_status: status, custom_grade_status_id: custom } = grade ?? {};
  if (custom) return { status: 'none', custom, clears: 0 };
  if (status !== undefined) return { status: status as GraderStatus | null, custom: null, clears: 0 };
  return custom === null ? { status: null, custom: null, clears: 1 } : undefined;
}

/** The same as SQL, on the row as the statement finds it. */
function statusAfter(change: Readonly<Record<keyof StatusChange, SQL>>) {
  const { late_policy_status: late, custom_grade_status_id: custom } = submissions;
  const status = sql<GraderStatus | null>`iif(${change.clears} and ${custom} is null, ${late}, ${change.status})`;
  return { status, isSame: sql`(${late} is ${status} and ${custom} is ${change.custom})` };
}

/** A status set by a grader counts as grading, and is posted like a grade. An unchanged status does not. */
export function setStatuses({ db, now }: Pick<Call, 'db' | 'now'>, deeds: readonly GradeWrite[]): Statement[] {
  const isManual = sql`(select a.post_manually from assignments a where a.id = ${submissions.assignment_id})`;
  const postedBy = (isSame: SQL) =>
    sql`iif(${isSame} or ${isManual}, ${submissions.posted_at}, coalesce(${submissions.posted_at}, ${now}))`;
  const posting = deeds.flatMap(({ assignment, user_id, grade }) => {
    const change = statusChangeOf(grade);
    return change ? [{ id: submissionId(assignment.id, user_id), ...change }] : [];
  });
  const sent = (name: keyof StatusChange) => sql.raw(`j.value ->> '${name}'`);
  const changing = {
    set: { posted_at: postedBy(statusAfter({ status: sent('status'), custom: sent('custom'), clears: sent('clears') }).isSame) },
    from: sql`json_each(${JSON.stringify(posting)}) j join ${submissions} on ${submissions.id} = j.value ->> 'id'`,
    where: sql`true`,
  };
  return [
    ...(posting.length > 0 ? notifyOfUpdate(db, submissions, changing, now) : []),
    ...deeds.flatMap(({ assignment, user_id, grade }) => {
      const seconds = grade?.seconds_late_override;
      const change = statusChangeOf(grade);
      if (!change && seconds === undefined) return [];
      return [
        db.build
          .update(submissions)
          .set({
            ...(change && written(change, postedBy, now)),
            ...(seconds !== undefined && { seconds_late_override: seconds }),
            updated_at: now,
          })
          .where(sql`id = ${submissionId(assignment.id, user_id)}`),
      ];
    }),
  ];
}

function written({ status, custom, clears }: StatusChange, postedBy: (isSame: SQL) => SQL, now: string) {
  const after = statusAfter({ status: sql`${status}`, custom: sql`${custom}`, clears: sql`${clears}` });
  return {
    late_policy_status: after.status,
    custom_grade_status_id: custom,
    graded_at: sql`iif(${after.isSame}, ${submissions.graded_at}, ${now})`,
    posted_at: postedBy(after.isSame),
  };
}

/** The columns without a custom status, where the condition holds. */
export const withoutCustomStatus = (condition: SQL) => ({
  late_policy_status: sql<GraderStatus | null>`iif(${condition} and ${submissions.custom_grade_status_id} is not null, null, ${submissions.late_policy_status})`,
  custom_grade_status_id: sql<number | null>`iif(${condition}, null, ${submissions.custom_grade_status_id})`,
});
