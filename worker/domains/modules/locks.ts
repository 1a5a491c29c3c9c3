// Module locks of content: one statement for a page, then a decision per item.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isEnrolledStudent } from '../../contexts/predicates';
import type { Database } from '../../database/open';
import { shared } from '../../database/shared';
import { sharing } from '../../database/together';
import type { Call } from '../../http/call';
import type { ModuleLock } from './lock_fields';
import { isHeldBack, type ModuleFacts, type Progression, progressOfModules } from './progress/decide';
import { type FactsRow, moduleFactsOf, noFacts, selectHolderFacts } from './progress/facts';

export type ContentType = 'Page' | 'Assignment' | 'Discussion' | 'File' | 'Quiz';

/** Progress never locks out staff and observers. */
export const isBound = (course: CourseContext): boolean =>
  !course.readsAsAdmin && !(course.mine.length > 0 && course.mine.every((one) => one.type === 'ObserverEnrollment'));

/**
 * A select of the items with content of a type, as `selectHolderFacts` takes them. A graded discussion or quiz also represents its assignment. The content
 * is named once, because SQLite compiles a page again for each reference to it.
 * @param courses a select of the courses to consider; all by default
 */
function holders(type: ContentType, ids: SQL, courses: SQL | undefined): SQL {
  const isGraded = type === 'Assignment';
  // Two lists, because SQLite finds no index for two pairs, and reads the whole table instead.
  const holds = sql.raw(
    isGraded
      ? "i.type in ('Assignment', 'Discussion', 'Quiz') and i.content_id in (wanted.id, t.id, z.id) and i.content_id = (case i.type when 'Assignment' then wanted.id when 'Quiz' then z.id else t.id end)"
      : `i.type = '${type}' and i.content_id = wanted.id`,
  );
  const topics = sql.raw(
    isGraded
      ? 'left join discussion_topics t on t.assignment_id = wanted.id left join quizzes z on z.assignment_id = wanted.id and z.assignment_id is not null'
      : '',
  );
  // Most of a page is in no module, and the query of modules skips it.
  const mayBeHeld = sql.raw(
    isGraded
      ? " where exists (select 1 from module_items i where i.type = 'Assignment' and i.content_id = page.id) or exists (select 1 from discussion_topics t where t.assignment_id = page.id) or exists (select 1 from quizzes z where z.assignment_id = page.id)"
      : '',
  );
  const studied = courses ? sql` cross join (${courses}) studied on studied.course_id = i.course_id` : sql``;
  return sql`select ${sql.raw(`'${type}'`)}, i.module_id, wanted.id, i.id, i.position
    from (with page(id) as (select * from (${ids})) select page.id from page${mayBeHeld}) wanted ${topics} cross join module_items i indexed by module_items_of_content on ${holds} and i.workflow_state = 'active'${studied}`;
}

/**
 * What decides the locks of content; one part of the statement for all types of content on a page.
 * @param courses a select of the courses to consider; all by default
 */
export const selectLocks = (db: Database, type: ContentType, ids: SQL, user_id: number, courses?: SQL) =>
  sharing(`locks of ${user_id}`, holders(type, ids, courses), (held) => selectHolderFacts(db, user_id, held));

/** What decides the locks of this content for the caller; nothing for staff and observers. */
export const moduleLocks = (
  type: ContentType,
  ids: SQL,
  { db, me, course }: Pick<Call, 'db' | 'course'> & { readonly me: { readonly id: number } },
) => (course && isBound(course) ? selectLocks(db, type, ids, me.id) : noFacts(db));

/** The same for content in several courses, as far as the caller is a student there. */
export const moduleLocksAnywhere = (type: ContentType, ids: SQL, { db, me }: Pick<Call, 'db' | 'me'>) =>
  selectLocks(
    db,
    type,
    ids,
    me.id,
    sql`select distinct course_id from enrollments where user_id = ${shared('user', me.id)} and ${isEnrolledStudent()}`,
  );

interface Judged {
  readonly facts: ReadonlyMap<number, ModuleFacts>;
  readonly progressions: ReadonlyMap<number, Progression>;
}

const judged = new WeakMap<readonly FactsRow[], Judged>();

/** The progressions that follow from the facts; computed once per result. */
export function judgeLocks(rows: readonly FactsRow[], now: string): Judged {
  let found = judged.get(rows);
  if (!found) {
    const facts = rows.map(moduleFactsOf);
    found = { facts: new Map(facts.map((one) => [one.id, one])), progressions: progressOfModules(facts, now) };
    judged.set(rows, found);
  }
  return found;
}

/** A module as lock information refers to it. */
export function lockNameOf(row: FactsRow): ModuleLock {
  return {
    id: row.id,
    name: row.name,
    position: row.position,
    unlock_at: row.unlock_at,
    prerequisites: row.prerequisites,
    completion_requirements: row.requirements.map(({ id, type, min_score, min_percentage }) => ({
      id,
      type,
      ...(type === 'min_score' && { min_score: min_score ?? 0 }),
      ...(type === 'min_percentage' && { min_percentage: min_percentage ?? 0 }),
    })),
    workflow_state: row.workflow_state as ModuleLock['workflow_state'],
    context_id: row.course_id,
    context_type: 'Course',
  };
}

/** The module that locks the content: the first that contains it, unless one of them is open. Pass it to `lockFields` as `module`. */
export function moduleLockOf(rows: readonly FactsRow[], type: ContentType, content_id: number, now: string): ModuleLock | undefined {
  const holding = rows.flatMap((row) =>
    row.holds.filter((held) => held.type === type && held.content_id === content_id).map(({ position }) => ({ row, position })),
  );
  if (holding.length === 0) return undefined;
  const { facts, progressions } = judgeLocks(rows, now);
  const isLocked = ({ row, position }: { row: FactsRow; position: number }) =>
    isHeldBack(facts.get(row.id) as ModuleFacts, progressions.get(row.id) as Progression, position, now);
  return holding.every(isLocked) ? lockNameOf((holding[0] as { row: FactsRow }).row) : undefined;
}

/** Whether viewing the content would fulfil an open requirement. */
export function wantsReading(rows: readonly FactsRow[], now: string): boolean {
  const { facts, progressions } = judgeLocks(rows, now);
  return rows.some(({ id, holds }) =>
    holds.some(({ item_id, position }) => {
      const [module, progression] = [facts.get(id) as ModuleFacts, progressions.get(id) as Progression];
      const requirement = module.requirements.find((one) => one.id === item_id);
      const isOpen = requirement?.type === 'must_view' && !progression.requirements_met.some((met) => met.id === item_id);
      return isOpen && !isHeldBack(module, progression, position, now);
    }),
  );
}
