// Bulk update of the dates of assignments and overrides: all or nothing (reference 03 §1.1).

import { bool, endTime, idField, listOf, maybe, object, optional, read, type Shape, time } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { badParameter, notFound, problem } from '../../../http/problem';
import { changeAssignments } from '../../../rules/graded_topics';
import type { OverrideRow } from '../overrides/json';
import { disorder, type OverrideContext } from '../overrides/judgement';
import { assignment_overrides } from '../table';
import { untilEndOfDay } from './midnight';

const dates = { due_at: optional(maybe(endTime)), unlock_at: optional(maybe(time)), lock_at: optional(maybe(endTime)) };
export const bulkDates = {
  assignments: listOf(
    object({
      id: optional(idField('assignment')),
      all_dates: optional(listOf(object({ ...dates, base: optional(bool), id: optional(idField('assignment_override')) }))),
    }),
  ),
};
type Sent = Shape<typeof bulkDates>['assignments'];
type Dates = NonNullable<Sent[number]['all_dates']>[number];

/** @throws Problem 400 for anything but a list of assignments with ids */
export function readSent(array: readonly unknown[] | undefined): Sent {
  if (!array) throw problem(400, 'expected array');
  const result = read(bulkDates, { assignments: array });
  if (!result.ok) throw badParameter(result.refusal.parameter, result.refusal.message);
  const sent = result.value.assignments;
  if (sent.some((one) => one.id === undefined)) throw problem(400, 'missing assignment id');
  return sent;
}

type Refusal = Record<string, unknown> & { readonly assignment_id: number };
interface Outcome {
  /** One list per change. */
  readonly changes: Statement[][];
  readonly refusals: Refusal[];
}

interface Span {
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
}

const settled = (given: Dates, zone: string) => ({
  due_at: untilEndOfDay(given.due_at, zone),
  unlock_at: given.unlock_at,
  lock_at: untilEndOfDay(given.lock_at, zone),
});
const or = <T>(given: T | undefined, otherwise: T): T => (given === undefined ? otherwise : given);

/** A date that is not sent stays in the base, but is no longer overridden in an override. */
const merged = (given: Partial<Span>, base: Span): Span => ({
  due_at: or(given.due_at, base.due_at),
  unlock_at: or(given.unlock_at, base.unlock_at),
  lock_at: or(given.lock_at, base.lock_at),
});

/** Whether a change of a due date is refused. */
export type MovesClosed = (before: string | null, after: string | null | undefined) => boolean;

const closedMessage = 'is in a closed grading period';

function changeBase(
  db: Database,
  now: string,
  base: OverrideContext['assignments'][number],
  given: Partial<Span>,
  closed: MovesClosed,
): Outcome {
  if (closed(base.due_at, given.due_at)) return { changes: [], refusals: [{ assignment_id: base.id, due_at: [closedMessage] }] };
  const wrong = disorder(merged(given, base));
  if (wrong) return { changes: [], refusals: [{ assignment_id: base.id, [wrong.field]: [wrong.message] }] };
  return {
    changes: [changeAssignments(db, sql`${base.id}`, { ...given, updated_at: now })],
    refusals: [],
  };
}

function changeOverride(db: Database, now: string, base: Span, row: OverrideRow, given: Partial<Span>, closed: MovesClosed): Outcome {
  const before = row.due_at_overridden ? row.due_at : base.due_at;
  if (closed(before, given.due_at === undefined ? base.due_at : given.due_at))
    return { changes: [], refusals: [{ assignment_id: row.assignment_id, assignment_override_id: row.id, due_at: [closedMessage] }] };
  const wrong = disorder(merged(given, base));
  if (wrong)
    return {
      changes: [],
      refusals: [{ assignment_id: row.assignment_id, assignment_override_id: row.id, [wrong.field]: [wrong.message] }],
    };
  const change = {
    due_at: given.due_at ?? null,
    due_at_overridden: given.due_at !== undefined,
    unlock_at: given.unlock_at ?? null,
    unlock_at_overridden: given.unlock_at !== undefined,
    lock_at: given.lock_at ?? null,
    lock_at_overridden: given.lock_at !== undefined,
    updated_at: now,
  };
  return { changes: [[db.build.update(assignment_overrides).set(change).where(eq(assignment_overrides.id, row.id))]], refusals: [] };
}

/** @throws Problem 404 for an unknown assignment or override */
export function judgeBulk(db: Database, now: string, sent: Sent, ground: OverrideContext, closed: MovesClosed): Outcome {
  const outcomes = sent.flatMap(({ id, all_dates = [] }) => {
    const base = ground.assignments.find((one) => one.id === id);
    if (!base) throw notFound();
    const first = all_dates.find((one) => one.base);
    const then = merged(first ? settled(first, ground.zone) : {}, base);
    return all_dates.map((one) => {
      if (one.base) return changeBase(db, now, base, settled(one, ground.zone), closed);
      const row = ground.overrides.find((override) => override.id === one.id && override.assignment_id === id);
      if (!row) throw notFound();
      return changeOverride(db, now, then, row, settled(one, ground.zone), closed);
    });
  });
  return { changes: outcomes.flatMap((one) => one.changes), refusals: outcomes.flatMap((one) => one.refusals) };
}
