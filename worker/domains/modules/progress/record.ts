// Records students' actions on module items, and stores the resulting progress.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { among } from '../../../database/ids';
import type { Database, Statement } from '../../../database/open';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { type ContentType, judgeLocks, wantsReading } from '../locks';
import { module_marks, module_progressions } from '../table';
import type { Mark, Progression } from './decide';
import { type FactsRow, selectFacts } from './facts';

interface Content {
  readonly type: ContentType;
  readonly content_id: number;
}

/** Items of a course with requirements on this content. */
const itemsOf = (course_id: number, { type, content_id }: Content): SQL => {
  const direct = sql`(i.type = ${type} and i.content_id = ${content_id})`;
  const graded = sql`(i.type = 'Discussion' and i.content_id in (select id from discussion_topics where assignment_id = ${content_id}))`;
  const quizzed = sql`(i.type = 'Quiz' and i.content_id in (select id from quizzes where assignment_id = ${content_id}))`;
  return sql`i.course_id = ${course_id} and ${type === 'Assignment' ? sql`(${direct} or ${graded} or ${quizzed})` : direct} and i.workflow_state = 'active' and i.requirement_type is not null`;
};

/** Statements that record a mark on items; `which` is a condition on the module item `i`. */
export const recordMark = (db: Database, course_id: number, user_id: number, which: SQL, mark: Mark, now: string): Statement =>
  db.build
    .insert(module_marks)
    .select(sql`select i.id, ${user_id}, ${course_id}, ${mark}, 0, ${shared('time', now)} from module_items i where ${which}`)
    .onConflictDoNothing();

/**
 * Records an action for module requirements: statements for the batch of the action. Put them before inserts that are read back by
 * `last_insert_rowid()`. The progression is computed after the request, or at the next read.
 * @param user_id the acting student; the caller by default
 */
export function requirementEvent(
  call: Pick<Call, 'db' | 'me' | 'now' | 'afterwards'>,
  course: CourseContext,
  content: Content,
  event: 'read' | 'contributed' | 'done' | 'submitted' | 'scored',
  user_id: number = call.me.id,
): Statement[] {
  if (user_id === call.me.id && !course.participates) return [];
  call.afterwards(() => evaluateStudent(call.db.aside, course.id, user_id, call.now));
  // Computed from submissions and scores, so nothing needs to be recorded.
  if (event === 'submitted' || event === 'scored') return [];
  return [recordMark(call.db, course.id, user_id, itemsOf(course.id, content), event, call.now)];
}

const differs = (row: FactsRow, now: Progression): boolean =>
  row.progress_state !== now.state ||
  row.completed_at !== now.completed_at ||
  row.current_position !== now.current_position ||
  JSON.stringify(row.requirements_met) !== JSON.stringify(now.requirements_met);

/** Statements that store progress changed since the rows were read; none without changes. */
function settle(db: Database, rows: readonly FactsRow[], user_id: number, now: string): Statement[] {
  if (user_id === 0) return [];
  const { progressions } = judgeLocks(rows, now);
  const changed = rows.flatMap((row) => {
    const found = progressions.get(row.id);
    const isNew = found !== undefined && (row.progress_state !== null || found.state !== 'locked');
    return found && isNew && differs(row, found) ? [{ row, found }] : [];
  });
  const accepted = [...progressions.values()].flatMap((one) => one.accepted);
  const dismissed = [...progressions.values()].flatMap((one) => one.dismissed);
  const fresh = (ids: readonly number[]) =>
    and(eq(module_marks.user_id, user_id), eq(module_marks.accepted, false), among(module_marks.item_id, ids));
  return [
    ...(accepted.length ? [db.build.update(module_marks).set({ accepted: true }).where(fresh(accepted))] : []),
    ...(dismissed.length ? [db.build.delete(module_marks).where(fresh(dismissed))] : []),
    ...(changed.length ? [store(db, user_id, now, changed)] : []),
  ];
}

const store = (db: Database, user_id: number, now: string, changed: readonly { row: FactsRow; found: Progression }[]): Statement =>
  db.build
    .insert(module_progressions)
    .select(
      sql`select value ->> 'module_id', ${user_id}, value ->> 'course_id', value ->> 'state', value -> 'requirements_met', value ->> 'completed_at', value ->> 'current_position', ${shared('time', now)}
        from json_each(${JSON.stringify(changed.map(({ row, found }) => ({ ...found, course_id: row.course_id })))}) where true`,
    )
    .onConflictDoUpdate({
      target: [module_progressions.module_id, module_progressions.user_id],
      set: {
        state: sql`excluded.state`,
        requirements_met: sql`excluded.requirements_met`,
        completed_at: sql`excluded.completed_at`,
        current_position: sql`excluded.current_position`,
        updated_at: sql`excluded.updated_at`,
      },
    });

const settled = new WeakSet<readonly FactsRow[]>();

/** Stores changes found by a read, once for all serialised from the same rows. */
export function settleLater(call: Pick<Call, 'db' | 'now' | 'afterwards'>, rows: readonly FactsRow[], user_id: number): void {
  if (settled.has(rows)) return;
  settled.add(rows);
  const { aside } = call.db;
  const statements = settle(aside, rows, user_id, call.now);
  if (statements.length > 0) call.afterwards(() => aside.perform(statements));
}

/**
 * Records the read of content with a "must view" requirement, after the response.
 * @param locks the rows of `moduleLocks` for the content
 */
export function readLater(
  call: Pick<Call, 'db' | 'me' | 'now' | 'afterwards'>,
  course: CourseContext,
  content: Content,
  locks: readonly FactsRow[],
) {
  if (!course.participates || !wantsReading(locks, call.now)) return;
  const { aside } = call.db;
  const mark = recordMark(aside, course.id, call.me.id, itemsOf(course.id, content), 'read', call.now);
  call.afterwards(() => aside.perform([mark]).then(() => evaluateStudent(aside, course.id, call.me.id, call.now)));
}

/** Computes and stores a student's progress in every module of a course. */
export async function evaluateStudent(db: Database, course_id: number, user_id: number, now: string): Promise<void> {
  const [rows] = await db.perform([
    selectFacts(db, user_id, sql`select id from modules where course_id = ${course_id} and workflow_state = 'active'`),
  ]);
  await db.perform(settle(db, rows, user_id, now));
}
