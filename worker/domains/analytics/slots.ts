// The work of each student in assignments, as analytics counts it, and an assignment's figures.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import { withColumns } from '../../database/together';
import { assignedTo, effectiveDate, reaching } from '../../rules/assigned';
import { isHidden } from '../../rules/posted';
import { statisticsOf } from './quartiles';
import type { AssignmentFigures } from './table';
import { type HandIn, tardinessCounts, tardinessOf } from './tardiness';

/** A slot as SQLite returns it. */
interface SlotRow {
  readonly assignment_id: number;
  readonly due_at: string | null;
  /** JSON. */
  readonly types: string;
  readonly post_manually: number;
  readonly submission_type: string | null;
  readonly submitted_at: string | null;
  readonly score: number | null;
  readonly graded_at: string | null;
  readonly posted_at: string | null;
  readonly excused: number | null;
  readonly late_policy_status: string | null;
  readonly seconds_late_override: number | null;
  readonly grader_id: number | null;
}

export interface WorkSlot extends HandIn {
  readonly assignment_id: number;
  readonly due_at: string | null;
  readonly types: readonly string[];
  readonly score: number | null;
  readonly posted_at: string | null;
  readonly post_manually: boolean;
}

const student = sql.raw('cs.user_id');
const columns = [
  'assignment_id',
  'due_at',
  'types',
  'post_manually',
  'submission_type',
  'submitted_at',
  'score',
  'graded_at',
  'posted_at',
  'excused',
  'late_policy_status',
  'seconds_late_override',
  'grader_id',
] as const;

/**
 * The students of published assignments, with their work.
 * @param chosen conditions on `assignments`, and on `cs`, the student of the course
 */
export const workSlotsOf = ({ build }: Database, chosen: SQL, now: string) =>
  withColumns(
    build.all<SlotRow>(sql`select assignments.id as assignment_id, ${effectiveDate('due_at', reaching(sql.raw('= assignments.id'), student), now)} as due_at,
      assignments.submission_types as types, assignments.post_manually, w.submission_type, w.submitted_at, w.score, w.graded_at, w.posted_at, w.excused,
      w.late_policy_status, w.seconds_late_override, w.grader_id
    from assignments cross join course_students cs on cs.course_id = assignments.course_id and cs.is_student = 1
      left join submissions w on w.assignment_id = assignments.id and w.user_id = cs.user_id and w.workflow_state <> 'deleted'
    where assignments.workflow_state = 'published' and ${chosen} and ${assignedTo(student)}`),
    columns,
  );

export const workSlotOf = (row: SlotRow): WorkSlot => ({
  ...row,
  excused: row.excused === 1,
  post_manually: row.post_manually === 1,
  types: JSON.parse(row.types) as string[],
});

/** Pure. */
export function assignmentFiguresOf(slots: readonly WorkSlot[], now: string): AssignmentFigures {
  const scores = (which: readonly WorkSlot[]) =>
    statisticsOf(which.flatMap(({ score, excused }) => (score === null || excused ? [] : [score])));
  return {
    scores: scores(slots),
    posted: scores(slots.filter((slot) => !isHidden(slot, slot.post_manually))),
    ...tardinessCounts(slots.map((slot) => tardinessOf(slot, slot.due_at, slot.types, now))),
  };
}

/** The next time at which one of them becomes missing. Pure. */
export function nextDueOf(slots: readonly WorkSlot[], now: string): string | null {
  const ahead = slots.flatMap(({ due_at }) => (due_at !== null && due_at >= now ? [due_at] : []));
  return ahead.length === 0 ? null : ahead.reduce((one, other) => (other < one ? other : one));
}
