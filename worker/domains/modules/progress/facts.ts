// Reads the facts that decide a student's progress in some modules and their prerequisites, in one statement.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../database/open';
import { shared } from '../../../database/shared';
import { withColumns } from '../../../database/together';
import { contentJoins, isContentVisibleTo, isModuleOpenTo } from '../items/content';
import type { ModuleFacts, ProgressState, Requirement } from './decide';

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
  readonly before: { readonly state: ProgressState; readonly completed_at: string | null } | null;
  /** As stored, to detect changes. */
  readonly stored: { readonly requirements_met: unknown; readonly current_position: number | null } | null;
  readonly requirements: readonly Requirement[];
  /** Items with the content in question. */
  readonly holds: readonly { readonly type: string; readonly content_id: number; readonly item_id: number; readonly position: number }[];
  readonly prerequisites: { readonly id: number; readonly type: string; readonly name: string }[];
}

const marks = (user_id: number, accepted: 0 | 1) =>
  sql`json((select json_group_array(module_marks.mark) from module_marks where module_marks.user_id = ${shared('user', user_id)} and module_marks.item_id = i.id and module_marks.accepted = ${sql.raw(String(accepted))}))`;

const isTrue = (condition: SQL) => sql`json(iif(${condition}, 'true', 'false'))`;

/** A student's attempts at a quiz without an assignment, as a submission; while another attempt is running, the former ones count. */
const attemptAtUngraded = (
  user_id: number,
) => sql`select json_object('workflow_state', iif(a.workflow_state = 'pending_review', 'pending_review', 'graded'), 'attempt', a.attempt,
      'score', a.kept_score, 'isPosted', json('true'), 'isExcused', json('false'))
      from quiz_submissions a where i.type = 'Quiz' and i.assignment_id is null and a.quiz_id = i.content_id and a.user_id = ${shared('user', user_id)}
        and (a.workflow_state in ('complete', 'pending_review') or (a.workflow_state = 'untaken' and a.kept_score is not null))`;

/** The items are read in `from`, where D1 does not count expression depth. */
const requirementsOf = (user_id: number) => sql`(select json_group_array(json_object(
    'id', i.id, 'position', i.position, 'type', i.requirement_type, 'min_score', i.min_score, 'min_percentage', i.min_percentage,
    'isVisible', ${isTrue(sql.raw('i.is_visible'))}, 'points_possible', i.points_possible, 'marks', ${marks(user_id, 1)}, 'fresh', ${marks(user_id, 0)},
    'submission', (select json_object('workflow_state', s.workflow_state, 'attempt', s.attempt, 'score', s.score,
      'isPosted', ${isTrue(sql`s.posted_at is not null`)}, 'isExcused', ${isTrue(sql`s.excused`)})
      from submissions s where s.assignment_id = i.assignment_id and s.user_id = ${shared('user', user_id)} and s.workflow_state <> 'deleted'
      union all ${attemptAtUngraded(user_id)})))
  from (select module_items.*, assignments.id as assignment_id, coalesce(assignments.points_possible, item_quiz.points_possible) as points_possible, ${isContentVisibleTo(user_id)} as is_visible
    from module_items indexed by module_items_with_requirement ${contentJoins}
    where module_items.module_id = m.id and module_items.requirement_type is not null and module_items.workflow_state = 'active') i)`;

/** Always included: a lock's description of its module must not depend on which other modules are read. */
const prerequisites = sql`iif(m.prerequisite_module_ids = '[]', '[]', (select json_group_array(json_object('id', id, 'type', 'context_module', 'name', name)) from (
  select p.id, p.name from modules p where p.id in (select json_each.value from json_each(m.prerequisite_module_ids)) and p.workflow_state = 'active' order by p.position, p.id)))`;

const parsed = <T>(text: SQL) => sql<T>`${text}`.mapWith((given: string | null) => (given === null ? null : JSON.parse(given)) as T);

/**
 * The facts about modules for one student, including the prerequisites of locked modules.
 * @param module_ids a select of ids, one column
 */
export const selectFacts = (db: Database, user_id: number, module_ids: SQL) =>
  factsOf(db, user_id, sql`select *, '[]' from (${module_ids})`);

/**
 * The facts about the modules that hold content.
 * @param held a select of the items: type of the content, module, content, item, position
 */
export const selectHolderFacts = (db: Database, user_id: number, held: SQL) =>
  factsOf(
    db,
    user_id,
    sql`select module_id, json_group_array(json_object('type', type, 'content_id', content_id, 'item_id', item_id, 'position', position))
      from (with held(type, module_id, content_id, item_id, position) as (${held}) select * from held) group by module_id`,
  );

/** @param asked a select of modules, each with its `holds` */
function factsOf(db: Database, user_id: number, asked: SQL) {
  const needed = sql`with recursive needed(id, holds) as (
    select * from (${asked})
    union
    select p.value, null from needed
      join modules n on n.id = needed.id
      left join module_progressions b on b.module_id = n.id and b.user_id = ${shared('user', user_id)}
      join json_each(n.prerequisite_module_ids) p
    where coalesce(b.state, 'locked') = 'locked')`;
  const from = sql`(${needed} select m.*, g.state as progress_state, g.completed_at, g.requirements_met, g.current_position,
      ${isModuleOpenTo(user_id, sql`m.id`)} as is_open, ${requirementsOf(user_id)} as requirements, coalesce(needed.holds, '[]') as holds, ${prerequisites} as prerequisites
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
      prerequisite_module_ids: parsed<number[]>(sql`prerequisite_module_ids`),
      is_open: sql<number>`is_open`,
      before: parsed<FactsRow['before']>(
        sql`iif(progress_state is null, null, json_object('state', progress_state, 'completed_at', completed_at))`,
      ),
      stored: parsed<FactsRow['stored']>(
        sql`iif(progress_state is null, null, json_object('requirements_met', json(requirements_met), 'current_position', current_position))`,
      ),
      requirements: parsed<Requirement[]>(sql`requirements`),
      holds: parsed<FactsRow['holds']>(sql`holds`),
      prerequisites: parsed<FactsRow['prerequisites']>(sql`prerequisites`),
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
  before: row.before,
});
