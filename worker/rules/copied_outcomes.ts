// The places of copied outcomes: parents of groups, links, and the outcomes that criteria of rubrics assess.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../database/open';
import { shared } from '../database/shared';
import { copyOf, type Route } from './copied_kind';

const rootThere = ({ to }: Route): SQL =>
  sql`(select root.id from learning_outcome_groups root where root.context_type = 'Course' and root.context_id = ${shared('course', to)} and root.parent_outcome_group_id is null)`;

const makeRootThere = (db: Database, { to, now }: Route): Statement =>
  db.build.run(sql`insert into learning_outcome_groups (context_type, context_id, parent_outcome_group_id, title, created_at, updated_at)
    select 'Course', c.id, null, c.name, ${now}, ${now} from courses c where c.id = ${shared('course', to)} on conflict do nothing`);

/** The copy of an outcome, or the outcome itself where an account of the target or the institution has it. @param id SQL for the original's */
export const outcomeThere = (route: Route, id: SQL): SQL =>
  sql`coalesce(${copyOf('learning_outcome', id, route)}, (select kept.id from learning_outcomes kept where kept.id = ${id} and kept.workflow_state <> 'deleted'
    and (kept.context_type = 'Global' or (kept.context_type = 'Account' and kept.context_id in
      (select up.ancestor_id from account_ancestors up join courses target on target.account_id = up.account_id where target.id = ${shared('course', route.to)})))))`;

/** The group of the target for the original `o`: the copies of the root's links are in its own root. */
const groupThere = (route: Route): SQL =>
  sql`case when o.parent_outcome_group_id is null then ${rootThere(route)} else ${copyOf('outcome_group', sql`o.id`, route)} end`;

const idsIn = (ids: readonly number[]): SQL => sql`(select value from json_each(${JSON.stringify(ids)}))`;

/**
 * Puts copied groups below the copies of their parents, and gives them the links of the originals.
 * @param ids of the original groups
 */
export function placeOutcomeGroups(db: Database, ids: readonly number[], route: Route): Statement[] {
  const { build } = db;
  const [from, to] = [shared('course', route.from), shared('course', route.to)];
  const originals = sql`learning_outcome_groups o where o.id in ${idsIn(ids)} and o.context_type = 'Course' and o.context_id = ${from} and o.workflow_state = 'active'`;
  return [
    makeRootThere(db, route),
    build.run(sql`update learning_outcome_groups set parent_outcome_group_id = placed.parent from
      (select ${copyOf('outcome_group', sql`o.id`, route)} as id, coalesce(${copyOf('outcome_group', sql`o.parent_outcome_group_id`, route)}, ${rootThere(route)}) as parent
        from ${originals} and o.parent_outcome_group_id is not null) placed
      where learning_outcome_groups.id = placed.id and learning_outcome_groups.parent_outcome_group_id <> placed.parent`),
    build.run(sql`insert into learning_outcome_links (learning_outcome_group_id, learning_outcome_id, context_type, context_id, title, created_at, updated_at)
      select made.place, outcome.id, 'Course', ${to}, outcome.title, ${route.now}, ${route.now}
      from (select ${groupThere(route)} as place, ${outcomeThere(route, sql`link.learning_outcome_id`)} as linked, link.id as nth
        from learning_outcome_links link join learning_outcome_groups o on o.id = link.learning_outcome_group_id where o.id in (select o.id from ${originals})) made
      join learning_outcomes outcome on outcome.id = made.linked where made.place is not null order by made.nth
      on conflict (learning_outcome_group_id, learning_outcome_id) do nothing`),
    // What the original group has lost, the copy loses, too: outcomes that are copies from there.
    build.run(sql`delete from learning_outcome_links where learning_outcome_links.id in (select old.id from learning_outcome_links old join
        (select o.id as original, ${groupThere(route)} as place from ${originals}) pair on old.learning_outcome_group_id = pair.place
      where exists (select 1 from copied_items l where l.kind = 'learning_outcome' and l.course_id = ${to} and l.item_id = old.learning_outcome_id and l.source_course_id = ${from}
        and not exists (select 1 from learning_outcome_links still where still.learning_outcome_group_id = pair.original and still.learning_outcome_id = l.source_id)))`),
  ];
}

/** Gives copied outcomes without a link one in the root group, and all links the titles of their outcomes. @param ids of the original outcomes */
export function placeOutcomes(db: Database, ids: readonly number[], route: Route): Statement[] {
  const copies = sql`select l.item_id from copied_items l where l.kind = 'learning_outcome' and l.course_id = ${shared('course', route.to)} and l.source_id in ${idsIn(ids)}`;
  return [
    makeRootThere(db, route),
    db.build.run(sql`insert into learning_outcome_links (learning_outcome_group_id, learning_outcome_id, context_type, context_id, title, created_at, updated_at)
      select ${rootThere(route)}, o.id, 'Course', ${shared('course', route.to)}, o.title, ${route.now}, ${route.now} from learning_outcomes o
      where o.id in (${copies}) and not exists (select 1 from learning_outcome_links l where l.learning_outcome_id = o.id) order by o.id`),
    db.build.run(sql`update learning_outcome_links set title = o.title from learning_outcomes o
      where o.id in (${copies}) and learning_outcome_links.learning_outcome_id = o.id and learning_outcome_links.title <> o.title`),
  ];
}

/** Gives copied question banks the alignments of the originals, and removes those with copied outcomes that an original has lost. @param ids of the originals */
export function alignBanks(db: Database, ids: readonly number[], route: Route): Statement[] {
  const to = shared('course', route.to);
  const isOfBank = sql.raw("al.content_type = 'AssessmentQuestionBank'");
  return [
    db.build.run(sql`insert into outcome_alignments (learning_outcome_id, content_type, content_id, mastery_score)
      select made.outcome, 'AssessmentQuestionBank', made.bank, made.mastery_score from
        (select ${outcomeThere(route, sql`al.learning_outcome_id`)} as outcome, ${copyOf('question_bank', sql`al.content_id`, route)} as bank, al.mastery_score
          from outcome_alignments al where ${isOfBank} and al.content_id in ${idsIn(ids)}) made
      where made.outcome is not null and made.bank is not null
      on conflict (learning_outcome_id, content_type, content_id) do update set mastery_score = excluded.mastery_score`),
    db.build.run(sql`delete from outcome_alignments where content_type = 'AssessmentQuestionBank' and (learning_outcome_id, content_id) in
      (select l.item_id, bank.item_id from copied_items bank cross join outcome_alignments old on old.content_type = 'AssessmentQuestionBank' and old.content_id = bank.item_id
        cross join copied_items l on l.kind = 'learning_outcome' and l.item_id = old.learning_outcome_id and l.course_id = ${to}
        where bank.kind = 'question_bank' and bank.course_id = ${to} and bank.source_id in ${idsIn(ids)}
          and not exists (select 1 from outcome_alignments al where ${isOfBank} and al.content_id = bank.source_id and al.learning_outcome_id = l.source_id))`),
  ];
}

/** The criteria of a copied rubric `o`: outcomes of the source become their copies, and those that the target cannot use are left out. */
export const copiedCriteria = (route: Route): SQL =>
  sql`case when o.criteria like '%"learning_outcome_id"%' then (select json_group_array(json(c.criterion)) from
    (select case when j.value ->> 'learning_outcome_id' is null then j.value
        when ${outcomeThere(route, sql`(j.value ->> 'learning_outcome_id')`)} is null then json_remove(j.value, '$.learning_outcome_id', '$.mastery_points')
        else json_set(j.value, '$.learning_outcome_id', ${outcomeThere(route, sql`(j.value ->> 'learning_outcome_id')`)}) end as criterion
      from json_each(o.criteria) j order by j.key) c) else o.criteria end`;
