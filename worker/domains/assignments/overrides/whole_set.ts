// The complete set of overrides of an assignment, sent with the assignment itself (reference 03 §3.3).

import type { SQL } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Database, Statement } from '../../../database/open';
import { Problem } from '../../../http/problem';
import { datesMovedBy, datesOfOverride, refuseClosedDates } from '../closed_periods';
import type { OverrideGiven } from './input';
import { judgeChange, judgeNew, type OverrideContext } from './judgement';
import { createOverride, deleteOverrides, updateOverride } from './writes';

interface Dates {
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
  readonly group_category_id: number | null;
}

interface Around {
  readonly db: Database;
  readonly course: CourseContext;
  readonly now: string;
}

/**
 * Overrides with a known id are updated, others created, and those not sent are deleted; overrides that the caller cannot see stay. Those of modules
 * change with their module, so a client may send them back.
 * @param assignment its id, or 0 when this batch creates it
 * @param dates the assignment's dates after the write
 * @param id the assignment's id as SQL
 * @throws Problem 400 with the reasons, 403 for dates in a closed grading period
 */
export function replaceAssignmentOverrides(
  { db, course, now }: Around,
  sent: readonly OverrideGiven[],
  ground: OverrideContext,
  assignment: number,
  dates: Dates,
  id: SQL,
): Statement[] {
  const given = sent.filter(({ context_module_id }) => !context_module_id);
  const own = ground.overrides.filter((one) => one.assignment_id === assignment);
  const kept = own.filter((one) => given.some((other) => other.id === one.id));
  const gone = own.filter((one) => !kept.includes(one)).map((one) => one.id);
  const left: OverrideContext = {
    ...ground,
    assignments: [{ id: assignment, ...dates }],
    overrides: ground.overrides.filter((one) => !gone.includes(one.id)),
    named: ground.named.filter((one) => !gone.includes(one.assignment_override_id)),
  };
  const judged = given.map((one) => {
    const row = kept.find(({ id: known }) => known === one.id);
    return row ? judgeChange(one, row, left) : judgeNew(one, assignment, left);
  });
  const errors = judged.flatMap((one) => (one.kind === 'refused' ? one.errors : []));
  if (errors.length > 0) throw new Problem(400, { errors: { assignment_overrides: errors.map((message) => ({ message })) } });
  const goneRows = own.filter((one) => gone.includes(one.id));
  const changes = judged.flatMap((one) => (one.kind === 'refused' ? [] : datesMovedBy(one)));
  refuseClosedDates(course, [...changes, ...goneRows.flatMap(datesOfOverride)], now);
  return [
    ...(gone.length > 0 ? deleteOverrides(db, gone, now) : []),
    ...judged.flatMap((one) => (one.kind === 'update' ? updateOverride(db, one, now) : [])),
    ...judged.flatMap((one) => (one.kind === 'create' ? createOverride(db, one, course.id, now, id) : [])),
  ];
}
