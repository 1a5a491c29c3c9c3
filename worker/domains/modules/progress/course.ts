// A student's progress in a course: the sum of its modules' requirements.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../database/open';
import { judgeLocks } from '../locks';
import { type FactsRow, selectProgressFacts } from './facts';

interface CourseProgress {
  readonly requirement_count: number;
  readonly requirement_completed_count: number;
  /** The first item with an open requirement. */
  readonly next_requirement_url: string | null;
  readonly completed_at: string | null;
}

export interface NoProgress {
  readonly error: { readonly message: string };
}

export const notModuleBased: NoProgress = {
  error: { message: 'no progress available because this course is not module based (has modules and module completion requirements)' },
};
export const notAStudent: NoProgress = {
  error: { message: 'no progress available because this user is not a student in this course' },
};

/**
 * Reads what the progress of one student in courses is computed from.
 * @param course_ids a select of ids
 */
export const selectCourseProgress = (db: Database, user_id: number, course_ids: SQL) =>
  selectProgressFacts(db, user_id, sql`select id from modules where course_id in (${course_ids}) and workflow_state = 'active'`);

/** The student's progress in one of these courses. */
export function courseProgress(facts: readonly FactsRow[], course_id: number, now: string, origin: string): CourseProgress | NoProgress {
  const { progressions } = judgeLocks(facts, now);
  const modules = facts.filter((row) => row.course_id === course_id && row.workflow_state === 'active' && row.is_open === 1);
  const asking = modules.flatMap((row): Part[] => {
    const progression = progressions.get(row.id);
    const asked = row.requirements.filter(({ isVisible }) => isVisible);
    if (!progression || asked.length === 0) return [];
    const needed = row.requirement_count && row.requirement_count > 0 ? Math.min(row.requirement_count, asked.length) : asked.length;
    const met = new Set(progression.requirements_met.map(({ id }) => id));
    const isDone = progression.state === 'completed';
    const open = isDone ? undefined : [...asked].sort((a, b) => a.position - b.position).find(({ id }) => !met.has(id))?.id;
    return [{ needed, met: Math.min(met.size, needed), open, completed_at: progression.completed_at }];
  });
  return asking.length === 0 ? notModuleBased : sum(asking, course_id, origin);
}

interface Part {
  readonly needed: number;
  readonly met: number;
  /** The first item of the module with an open requirement. */
  readonly open: number | undefined;
  readonly completed_at: string | null;
}

function sum(parts: readonly Part[], course_id: number, origin: string): CourseProgress {
  const next = parts.find(({ open }) => open !== undefined)?.open;
  const ends = parts.map(({ completed_at }) => completed_at).filter((at): at is string => at !== null);
  return {
    requirement_count: parts.reduce((total, { needed }) => total + needed, 0),
    requirement_completed_count: parts.reduce((total, { met }) => total + met, 0),
    next_requirement_url: next === undefined ? null : `${origin}/courses/${course_id}/modules/items/${next}`,
    completed_at: ends.length === parts.length ? (ends.sort().at(-1) ?? null) : null,
  };
}

/** Reads the modules of a course that have requirements, with the requirements. */
export const selectAsking = (db: Database, course_id: number) =>
  db.build
    .select({
      id: sql<number>`id`.as('id'),
      requirement_count: sql<number | null>`requirement_count`.as('requirement_count'),
      items: sql<number[]>`items`.mapWith((given: string) => JSON.parse(given) as number[]).as('items'),
    })
    .from(
      sql`(select m.id, m.requirement_count, m.position, (select json_group_array(id) from (
          select i.id from module_items i where i.module_id = m.id and i.requirement_type is not null and i.workflow_state = 'active' order by i.position)) as items
        from modules m where m.course_id = ${course_id} and m.workflow_state = 'active'
          and exists (select 1 from module_items i where i.module_id = m.id and i.requirement_type is not null and i.workflow_state = 'active'))`,
    )
    .orderBy(sql`position, id`);

interface Remembered {
  readonly module_id: number;
  readonly state: string;
  readonly requirements_met: readonly { readonly id: number }[];
  readonly completed_at: string | null;
}

/** The same sum from a student's stored progress, for lists. */
export function rememberedProgress(
  asking: readonly { readonly id: number; readonly requirement_count: number | null; readonly items: readonly number[] }[],
  remembered: readonly Remembered[],
  course_id: number,
  origin: string,
): CourseProgress {
  const parts = asking.map(({ id, requirement_count, items }) => {
    const known = remembered.find(({ module_id }) => module_id === id);
    const met = items.filter((item) => known?.requirements_met.some((one) => one.id === item));
    const needed = requirement_count && requirement_count > 0 ? Math.min(requirement_count, items.length) : items.length;
    const open = known?.state === 'completed' ? undefined : items.find((item) => !met.includes(item));
    return { needed, met: Math.min(met.length, needed), open, completed_at: known?.state === 'completed' ? known.completed_at : null };
  });
  return sum(parts, course_id, origin);
}
