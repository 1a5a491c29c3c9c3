// Calls course rosters from an import: one call per course and chunk, a few courses at a time.

import { type SQL, sql } from 'drizzle-orm';
import type { ObjectCallResult } from '../../../live/call_result';
import { breath, Overtaken } from '../../../steps';
import type { EnrollmentState } from '../../enrollments/table';
import type { ImportWork, Notes, RowEnding } from '../work';
import type { SisResult, SisRowsRequest, SisStatesRequest } from './apply_rows';

/** Number of concurrent roster calls. */
const atOnce = 6;

type Own = 'course_id' | 'sis_import_id' | 'step' | 'now';

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const item = items[next] as T;
      next += 1;
      await work(item);
      await breath();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
}

const common = ({ it, now }: ImportWork, course_id: number) => ({ course_id, sis_import_id: it.id, step: it.step, now: now() });

/** @throws Overtaken when the import was aborted or has continued without this */
function resultOf(callResult: ObjectCallResult<SisResult>): SisResult {
  if (callResult.outcome === 'done') return callResult.result;
  throw new Overtaken();
}

function note({ tally, warnings }: SisResult, notes: Notes): void {
  for (const [what, count] of Object.entries(tally)) notes.tally('Enrollment', what as RowEnding, count);
  for (const { at, message } of warnings) notes.warn(at, message);
}

const rosterOf = ({ env }: ImportWork, course_id: number) => env.COURSE_ROSTER.get(env.COURSE_ROSTER.idFromName(String(course_id)));

/** Applies rows of enrollments.csv, by course. */
export async function enrollmentRowsInto(
  work: ImportWork,
  byCourse: ReadonlyMap<number, SisRowsRequest['rows']>,
  given: Omit<SisRowsRequest, Own | 'rows'>,
  notes: Notes,
): Promise<void> {
  await inTurns([...byCourse], async ([course_id, rows]) => {
    work.calls += 1;
    const passage = (await rosterOf(work, course_id).takeSisRows({
      ...common(work, course_id),
      ...given,
      rows,
    })) as ObjectCallResult<SisResult>;
    const result = resultOf(passage);
    notes.applied += result.applied;
    note(result, notes);
  });
}

type States = SisStatesRequest['states'];

/** Moves enrollments to given states, by course. */
export async function settleInRosters(
  work: ImportWork,
  byCourse: ReadonlyMap<number, States>,
  given: Pick<SisStatesRequest, 'by_batch' | 'remembers'>,
  notes: Notes,
): Promise<number> {
  let settled = 0;
  await inTurns([...byCourse], async ([course_id, states]) => {
    work.calls += 1;
    const passage = (await rosterOf(work, course_id).settleSisStates({
      ...common(work, course_id),
      ...given,
      states,
    })) as ObjectCallResult<SisResult>;
    const result = resultOf(passage);
    settled += result.applied;
    note(result, notes);
  });
  return settled;
}

/**
 * Ends the selected enrollments, once per step. Those that a roster has already ended in this step, in an interrupted or concurrent delivery, are
 * read in the same query as those that are left, so that each counts once.
 */
export async function endEnrollments(work: ImportWork, ids: SQL, to: EnrollmentState, notes: Notes, by_batch = false): Promise<number> {
  const over = to === 'deleted' ? "('deleted')" : "('deleted', 'completed', 'rejected')";
  const { id, step } = work.it;
  const [rows, passages] = await work.read([
    work.db.build.all<{ id: number; course_id: number }>(
      sql`select id, course_id from enrollments where id in (${ids}) and enrollment_state not in ${sql.raw(over)} order by course_id, id`,
    ),
    work.db.build.all<{ course_id: number; result: string }>(
      sql`select course_id, result from sis_import_passages where sis_import_id = ${id} and step = ${step}`,
    ),
  ]);
  const byCourse = new Map<number, (readonly [number, EnrollmentState])[]>();
  for (const row of rows) {
    const states = byCourse.get(row.course_id) ?? [];
    states.push([row.id, to]);
    byCourse.set(row.course_id, states);
  }
  let ended = 0;
  for (const { course_id, result } of passages) {
    if (byCourse.has(course_id)) continue;
    const made = JSON.parse(result) as SisResult;
    ended += made.applied;
    note(made, notes);
  }
  return ended + (await settleInRosters(work, byCourse, { by_batch, remembers: true }, notes));
}
