// Reads the facts that decide a student's progress in some modules and their prerequisites, in one statement.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../database/open';
import { shared } from '../../../database/shared';
import { withColumns } from '../../../database/together';
import { contentJoins, isContentVisibleTo, isModuleOpenTo } from '../items/content';
import type { Mark, ModuleFacts, ProgressState, Requirement } from './decide';

/** A module as lock information refers to it. */
export interface FactsRow {
  readonly id: number;
  readonly course_id: number;
  readonly name: string;
  readonly position: number;
  readonly workflow_state: string;
  readonly unlock_at: string | null;
  readonly require_sequential_progress: number;
  readonly requirement_count: number | null;
  readonly prerequisite_module_ids: readonly number[];
  readonly is_open: number;
  /** The student's stored progress; null where nothing is stored. */
  readonly progress_state: ProgressState | null;
  readonly completed_at: string | null;
  readonly requirements_met: unknown;
  readonly current_position: number | null;
  readonly requirements: readonly Requirement[];
  /** Items with the content in question. */
  readonly holds: readonly { readonly type: string; readonly content_id: number; readonly item_id: number; readonly position: number }[];
  readonly prerequisites: { readonly id: number; readonly type: string; readonly name: string }[];
}

/** An item with a requirement, as `requirementsOf` lists its values. */
type RequirementValues = readonly [
  id: number,
  position: number,
  type: Requirement['type'],
  min_score: number | null,
  min_percentage: number | null,
  is_visible: number,
  points_possible: number | null,
  marks: readonly (readonly [mark: Mark, accepted: number])[],
  submission:
    | readonly [workflow_state: string, attempt: number | null, score: number | null, is_posted: number, is_excused: number | null]
    | null,
];

function requirementOf([id, position, type, min_score, min_percentage, is_visible, points_possible, marks, work]: RequirementValues) {
  const marked = (accepted: number) => marks.filter((one) => one[1] === accepted).map(([mark]) => mark);
  const submission = work && {
    workflow_state: work[0],
    attempt: work[1],
    score: work[2],
    isPosted: work[3] === 1,
    isExcused: work[4] === 1,
  };
  return {
    ...{ id, position, type, min_score, min_percentage, points_possible, submission },
    isVisible: is_visible === 1,
    marks: marked(1),
    fresh: marked(0),
  } satisfies Requirement;
}

/** An item with the content in question, as `selectHolderFacts` lists its values. */
type HoldingValues = readonly [type: string, content_id: number, item_id: number, position: number];
const holdingOf = ([type, content_id, item_id, position]: HoldingValues) => ({ type, content_id, item_id, position });

/** A student's attempts at a quiz without an assignment, as a submission; while another attempt is running, the former ones count. */
const attemptAtUngraded = (
  user_id: number,
) => sql`select json_array(iif(a.workflow_state = 'pending_review', 'pending_review', 'graded'), a.attempt, a.kept_score, 1, 0)
      from quiz_submissions a where i.type = 'Quiz' and i.assignment_id is null and a.quiz_id = i.content_id and a.user_id = ${shared('user', user_id)}
        and (a.workflow_state in ('complete', 'pending_review') or (a.workflow_state = 'untaken' and a.kept_score is not null))`;

/** The items are read in `from`, where D1 does not count expression depth. */
const requirementsOf = (
  user_id: number,
) => sql`(select json_group_array(json_array(i.id, i.position, i.requirement_type, i.min_score, i.min_percentage, i.is_visible, i.points_possible,
    json((select json_group_array(json_array(k.mark, k.accepted)) from module_marks k where k.user_id = ${shared('user', user_id)} and k.item_id = i.id)),
    json((select json_array(s.workflow_state, s.attempt, s.score, s.posted_at is not null, s.excused)
      from submissions s where s.assignment_id = i.assignment_id and s.user_id = ${shared('user', user_id)} and s.workflow_state <> 'deleted'
      union all ${attemptAtUngraded(user_id)}))))
  from (select module_items.*, assignments.id as assignment_id, coalesce(assignments.points_possible, item_quiz.points_possible) as points_possible, ${isContentVisibleTo(user_id)} as is_visible
    from module_items indexed by module_items_with_requirement ${contentJoins}
    where module_items.module_id = m.id and module_items.requirement_type is not null and module_items.workflow_state = 'active') i)`;

/** Always included with locks: a lock's description of its module must not depend on which other modules are read. */
const prerequisites = sql`iif(m.prerequisite_module_ids = '[]', '[]', (select json_group_array(json_object('id', id, 'type', 'context_module', 'name', name)) from (
  select p.id, p.name from modules p where p.id in (select json_each.value from json_each(m.prerequisite_module_ids)) and p.workflow_state = 'active' order by p.position, p.id)))`;

const parsed = <T>(name: string, read = (value: unknown) => value as T) =>
  sql<T>`${sql.raw(name)}`.mapWith((text: string) => read(JSON.parse(text)));

/**
 * The facts about modules for one student, including the prerequisites of locked modules.
 * @param module_ids a select of ids, one column
 */
export const selectFacts = (db: Database, user_id: number, module_ids: SQL) => factsOf(db, user_id, ofModules(module_ids));

/** The same without the names of prerequisites, where no lock is described. */
export const selectProgressFacts = (db: Database, user_id: number, module_ids: SQL) =>
  factsOf(db, user_id, ofModules(module_ids), sql.raw("'[]'"));

const ofModules = (module_ids: SQL): SQL => sql`select *, '[]' from (${module_ids})`;

/**
 * The facts about the modules that hold content.
 * @param held a select of the items: type of the content, module, content, item, position
 */
export const selectHolderFacts = (db: Database, user_id: number, held: SQL) =>
  factsOf(
    db,
    user_id,
    sql`select module_id, json_group_array(json_array(type, content_id, item_id, position))
      from (with held(type, module_id, content_id, item_id, position) as (${held}) select * from held) group by module_id`,
  );

/** @param asked a select of modules, each with its `holds` */
function factsOf(db: Database, user_id: number, asked: SQL, named = prerequisites) {
  const needed = sql`with recursive needed(id, holds) as (
    select * from (${asked})
    union
    select p.value, null from needed
      join modules n on n.id = needed.id
      left join module_progressions b on b.module_id = n.id and b.user_id = ${shared('user', user_id)}
      join json_each(n.prerequisite_module_ids) p
    where coalesce(b.state, 'locked') = 'locked')`;
  const from = sql`(${needed} select m.*, g.state as progress_state, g.completed_at, g.requirements_met, g.current_position,
      ${isModuleOpenTo(user_id, sql`m.id`)} as is_open, ${requirementsOf(user_id)} as requirements, coalesce(needed.holds, '[]') as holds, ${named} as prerequisites
    from (select id, max(holds) as holds from needed group by id) needed join modules m on m.id = needed.id
    left join module_progressions g on g.module_id = m.id and g.user_id = ${shared('user', user_id)}
    where m.workflow_state <> 'deleted') facts`;
  return db.build
    .select({
      id: sql<number>`id`,
      course_id: sql<number>`course_id`,
      name: sql<string>`name`,
      position: sql<number>`position`,
      workflow_state: sql<string>`workflow_state`,
      unlock_at: sql<string | null>`unlock_at`,
      require_sequential_progress: sql<number>`require_sequential_progress`,
      requirement_count: sql<number | null>`requirement_count`,
      prerequisite_module_ids: parsed<number[]>('prerequisite_module_ids'),
      is_open: sql<number>`is_open`,
      progress_state: sql<FactsRow['progress_state']>`progress_state`,
      completed_at: sql<string | null>`completed_at`,
      requirements_met: sql<unknown>`requirements_met`.mapWith((text: string) => JSON.parse(text)),
      current_position: sql<number | null>`current_position`,
      requirements: parsed('requirements', (given) => (given as RequirementValues[]).map(requirementOf)),
      holds: parsed('holds', (given) => (given as HoldingValues[]).map(holdingOf)),
      prerequisites: parsed<FactsRow['prerequisites']>('prerequisites'),
    })
    .from(from)
    .orderBy(sql`position, id`);
}

/** No facts: for users whom module progress does not lock out. */
export const noFacts = (db: Database) => withColumns(db.build.all<FactsRow>(sql`select 0 as id where 0`), ['id']);

export const moduleFactsOf = (row: FactsRow): ModuleFacts => ({
  id: row.id,
  workflow_state: row.workflow_state,
  isOpen: row.is_open === 1,
  unlock_at: row.unlock_at,
  require_sequential_progress: row.require_sequential_progress === 1,
  requirement_count: row.requirement_count,
  prerequisite_module_ids: row.prerequisite_module_ids,
  requirements: row.requirements,
  before: row.progress_state && { state: row.progress_state, completed_at: row.completed_at },
});
