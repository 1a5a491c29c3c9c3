// The dates that bind one student: those of the assignment, moved by the overrides that reach them (reference 03 §3.4).

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import { reaching } from './reach';
import { assignment_overrides } from './table';

export interface BaseDates {
  readonly only_visible_to_overrides: boolean;
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
}

export interface ApplyingOverride {
  readonly assignment_id: number;
  readonly set_type: 'ADHOC' | 'CourseSection' | 'Group' | 'Course';
  readonly unassign_item: boolean;
  readonly due_at: string | null;
  readonly due_at_overridden: boolean;
  readonly unlock_at: string | null;
  readonly unlock_at_overridden: boolean;
  readonly lock_at: string | null;
  readonly lock_at_overridden: boolean;
  /** False for a section in which the student's enrollment has ended or sleeps. */
  readonly is_live: number | boolean;
}

type DateField = 'due_at' | 'unlock_at' | 'lock_at';

export interface EffectiveDates {
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
  readonly isAssigned: boolean;
}

/** Reads the overrides that reach a student, of the assignments with the given ids. */
export const overridesApplying = (db: Database, ids: SQL, userId: number) => {
  const { id, ...columns } = { id: assignment_overrides.id, ...columnsRead };
  return db.build
    .select({ id, ...columns, is_live: sql<number>`"reaching"."is_live"`.as('is_live') })
    .from(assignment_overrides)
    .innerJoin(sql`(${reaching(sql`in (${ids})`, sql`${userId}`)}) as reaching`, sql`"reaching"."id" = ${assignment_overrides.id}`);
};

const { assignment_id, set_type, unassign_item, due_at, due_at_overridden, unlock_at, unlock_at_overridden, lock_at, lock_at_overridden } =
  assignment_overrides;
const columnsRead = {
  assignment_id,
  set_type,
  unassign_item,
  due_at,
  due_at_overridden,
  unlock_at,
  unlock_at_overridden,
  lock_at,
  lock_at_overridden,
};

/**
 * Each date comes from its own winner among the overrides that reach the student; the base is never compared with them.
 * @param applying as read by `overridesApplying`; those of other assignments are left aside by `of`
 */
export function effectiveDates(
  assignment: BaseDates & { readonly id?: number },
  applying: readonly ApplyingOverride[],
  now: string,
): EffectiveDates {
  const own = assignment.id === undefined ? applying : applying.filter((one) => one.assignment_id === assignment.id);
  const date = (field: DateField) => {
    const winner = winnerOf(
      field,
      own.filter((one) => one.is_live || assignment.only_visible_to_overrides),
      now,
    );
    return winner === undefined || winner.unassign_item ? assignment[field] : winner[field];
  };
  const assigns = own.some((one) => !one.unassign_item);
  return {
    due_at: date('due_at'),
    unlock_at: date('unlock_at'),
    lock_at: date('lock_at'),
    isAssigned: assigns || (!assignment.only_visible_to_overrides && own.length === 0),
  };
}

function winnerOf(field: DateField, applying: readonly ApplyingOverride[], now: string): ApplyingOverride | undefined {
  const candidates = applying
    .filter((one) => one[`${field}_overridden`])
    .filter((one) => field !== 'unlock_at' || one.lock_at === null || one.lock_at >= now);
  const live = candidates.filter((one) => one.is_live);
  const eligible = live.length > 0 ? live : candidates;
  const named = eligible.filter((one) => one.set_type === 'ADHOC');
  const chosen = named.length > 0 ? named : eligible;
  const undated = chosen.find((one) => one[field] === null);
  if (undated) return undated;
  const later = (a: ApplyingOverride, b: ApplyingOverride) => ((a[field] as string) < (b[field] as string) ? b : a);
  const earlier = (a: ApplyingOverride, b: ApplyingOverride) => (later(a, b) === a ? b : a);
  return chosen.length === 0 ? undefined : chosen.reduce(field === 'unlock_at' ? earlier : later);
}
