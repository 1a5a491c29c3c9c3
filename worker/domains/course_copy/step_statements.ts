// The statements of one copy step. A repeated copy updates what it created before; items deleted in the target are created again.

import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { shared } from '../../database/shared';
import { copyOf, type Route } from '../../rules/copied_kind';
import { copiedColumnsOf, hasCopy, kindFacts } from '../../rules/copied_kinds';
import { alignBanks, placeOutcomeGroups, placeOutcomes } from '../../rules/copied_outcomes';
import { tieToBanks } from '../../rules/copied_questions';
import { recordingsFollowCopies } from '../../rules/copied_recordings';
import { lineItemsFollowCopies, linksFollowPlaces } from '../../rules/copied_tool_links';
import { assignmentsFollowCopies, topicsFollowCopies } from '../../rules/graded_topics';
import { copiedStandard } from '../../rules/grading_schemes';
import { newQuizzesFollowCopies, placeNewQuizItems, renumberCopiedItems } from '../../rules/new_quizzes';
import { notifyOfInsert, notifyOfUpdate } from '../../rules/notify';
import { late_policies } from '../late_policies/table';
import type { Choice, CopiedKind } from './table';

const raw = (text: string) => sql.raw(text);
const idsIn = (ids: readonly number[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** A link between the step's kind and this course. */
const linksTo = ({ to }: Route, kind: CopiedKind, as = 'copied_items') =>
  sql`${raw(as)}.course_id = ${shared('course', to)} and ${raw(`${as}.kind = '${kind}'`)}`;

/**
 * Copies items of one kind.
 * @param named changed names, as JSON by original id
 * @param known migration ids, as JSON by original id
 */
export function copyStep(db: Database, kind: CopiedKind, ids: readonly number[], route: Route, named: string, known: string): Statement[] {
  const { build } = db;
  const { table, there, adopts, isShared, only, kept, text } = kindFacts[kind];
  const name = raw(getTableName(table));
  const [from, to] = [shared('course', route.from), shared('course', route.to)];
  const chosen = sql`o.id in ${idsIn(ids)} and ${there('o', from)}${only ? sql` and ${only(route)}` : sql``}`;
  const isNew = sql`${chosen} and not ${hasCopy(kind, route)}`;
  const columns = copiedColumnsOf(kind, route, named);
  const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `);
  const stays = new Set([...kept, 'id', 'created_at', 'course_id', 'context_type', 'context_id', 'context_code', ...(text ? [text] : [])]);
  const changed = columns.filter(([column]) => !stays.has(column));
  const originals = sql`select l.source_id from copied_items l where l.kind = ${raw(`'${kind}'`)} and l.item_id = ${name}.id and l.course_id = ${to}`;
  const original = isShared ? sql`o.id in (${originals}) and ${chosen} limit 1` : sql`o.id = (${originals}) and ${chosen}`;
  const mine = linksTo(route, kind);
  const older = (as: string) =>
    sql`${linksTo(route, kind, as)} and ${raw(as)}.source_id in ${idsIn(ids)} and ${raw(as)}.copy_id <> ${shared('item', route.copy_id)}`;
  const isCopiedAgain = sql`${name}.id in (select l.item_id from copied_items l join ${name} o on o.id = l.source_id where ${older('l')} and ${chosen}) and ${there(getTableName(table), to)}`;
  const link = (item: SQL, source: SQL, copy_id: number) =>
    sql`insert or replace into copied_items (course_id, kind, source_id, item_id, source_course_id, copy_id)
      select ${to}, ${raw(`'${kind}'`)}, o.id, ${item}, ${from}, ${shared('item', copy_id)} ${source}`;
  return [
    // A file replaced by an upload in the source is still the same item.
    ...(kind === 'file'
      ? [
          build.run(
            sql`update or ignore copied_items set source_id = (select old.replacement_file_id from files old where old.id = copied_items.source_id)
              where ${mine} and source_id in (select old.id from files old where old.replacement_file_id in ${idsIn(ids)} and old.workflow_state = 'deleted')`,
          ),
        ]
      : []),
    ...(adopts
      ? [
          build.run(
            link(
              sql`min(t.id)`,
              sql`from ${name} o join ${name} t on ${raw(adopts)} and ${there('t', to)} where ${isNew}
                ${isShared ? sql`` : sql`and not exists (select 1 from copied_items l where l.kind = ${raw(`'${kind}'`)} and l.item_id = t.id)`} group by o.id`,
              0,
            ),
          ),
        ]
      : []),
    ...(route.notifies
      ? notifyOfUpdate(
          db,
          table,
          {
            set: Object.fromEntries(changed.map(([column, value]) => [column, sql`(select ${value} from ${name} o where ${original})`])),
            where: isCopiedAgain,
          },
          route.now,
        )
      : []),
    build.run(
      sql`update ${name} set (${list(changed.map(([column]) => raw(column)))}) = (select ${list(changed.map(([, value]) => value))} from ${name} o where ${original}) where ${isCopiedAgain}`,
    ),
    build.run(
      sql`update copied_items set copy_id = ${shared('item', route.copy_id)}, changed = '' where ${older('copied_items')} and exists (select 1 from ${name} t where t.id = copied_items.item_id and ${there('t', to)})`,
    ),
    build.run(
      sql`insert into ${name} (${list(columns.map(([column]) => raw(column)))}) select ${list(columns.map(([, value]) => value))} from ${name} o where ${isNew} order by o.id`,
    ),
    ...(route.notifies ? notifyOfInsert(db, table, route.now) : []),
    // Ids are assigned in order and never reused, so the new rows are identified by their order.
    build.run(
      link(
        sql`(select max(id) from ${name}) - count(*) over () + row_number() over (order by o.id)`,
        sql`from ${name} o where ${isNew}`,
        route.copy_id,
      ),
    ),
    ...followersOf(db, kind, copiesOf(kind, ids, route)),
    ...(kind === 'assignment' ? [...newQuizzesFollowCopies(db, idsIn(ids), route), ...lineItemsFollowCopies(db, idsIn(ids), route)] : []),
    ...(kind === 'assignment' || kind === 'module_item' ? linksFollowPlaces(db, kind, idsIn(ids), route) : []),
    ...(kind === 'file' ? recordingsFollowCopies(db, idsIn(ids), route) : []),
    build.run(
      sql`update copied_items set migration_id = (select k.value from json_each(${known}) k where k.key = cast(copied_items.source_id as text))
        where ${mine} and source_id in ${idsIn(ids)} and migration_id is null`,
    ),
  ];
}

/** A select of the copies that a step has written, or is to delete. */
const copiesOf = (kind: CopiedKind, ids: readonly number[], route: Route): SQL =>
  sql`select item_id from copied_items where ${linksTo(route, kind)} and source_id in ${idsIn(ids)}`;

/** The other half of copied graded discussions. */
export const followersOf = (db: Database, kind: CopiedKind, copies: SQL): Statement[] =>
  kind === 'assignment' ? topicsFollowCopies(db, copies) : kind === 'discussion_topic' ? assignmentsFollowCopies(db, copies) : [];

/** Writes references between items of one kind once all exist: never-drop rules, module prerequisites. */
export function referStep(db: Database, kind: CopiedKind, ids: readonly number[], route: Route): Statement[] {
  const copies = sql`select item_id from copied_items where ${linksTo(route, kind)} and source_id in ${idsIn(ids)} and copy_id = ${shared('item', route.copy_id)}`;
  const original = (table: string) =>
    sql`o.id = (select l.source_id from copied_items l where l.kind = ${raw(`'${kind}'`)} and l.item_id = ${raw(table)}.id and l.course_id = ${shared('course', route.to)})`;
  const mapped = (of: CopiedKind, list: SQL) =>
    sql`(select json_group_array(c.id) from (select ${copyOf(of, sql`j.value`, route)} as id from json_each(${list}) j) c where c.id is not null)`;
  if (kind === 'module')
    return [
      db.build.run(
        sql`update modules set prerequisite_module_ids = (select ${mapped('module', sql`o.prerequisite_module_ids`)} from modules o where ${original('modules')}) where id in (${copies})`,
      ),
    ];
  if (kind === 'outcome_group') return placeOutcomeGroups(db, ids, route);
  if (kind === 'learning_outcome') return placeOutcomes(db, ids, route);
  if (kind === 'question_bank') return alignBanks(db, ids, route);
  if (kind === 'quiz_question') return [tieToBanks(db, ids, route)];
  if (kind === 'new_quiz_item') return placeNewQuizItems(db, ids, route);
  if (kind !== 'assignment_group') return [];
  return [
    db.build.run(
      sql`update assignment_groups set rules = (select case when json_type(o.rules, '$.never_drop') = 'array' then json_set(o.rules, '$.never_drop', json(${mapped('assignment', sql`json_extract(o.rules, '$.never_drop')`)})) else o.rules end from assignment_groups o where ${original('assignment_groups')}) where id in (${copies})`,
    ),
  ];
}

/** Deletes in the target what was deleted in the source. */
export function deleteStep(db: Database, kind: CopiedKind, ids: readonly number[], route: Route): Statement[] {
  const copies = copiesOf(kind, ids, route);
  return [
    db.build.run(
      sql`update ${raw(getTableName(kindFacts[kind].table))} set workflow_state = 'deleted', updated_at = ${route.now} where id in (${copies}) and workflow_state <> 'deleted'`,
    ),
    ...followersOf(db, kind, copies),
    ...(kind === 'new_quiz_item' ? [renumberCopiedItems(db, copies)] : []),
  ];
}

const settingColumns =
  'default_view license is_public is_public_to_auth_users public_syllabus public_syllabus_to_auth indexed public_description apply_assignment_group_weights allow_student_wiki_edits allow_wiki_comments open_enrollment time_zone locale course_format restrict_enrollments_to_course_dates'.split(
    ' ',
  );
/** Settings that open a course to others. */
const visibilityColumns = 'is_public is_public_to_auth_users public_syllabus public_syllabus_to_auth indexed open_enrollment'.split(' ');
/** Settings that are specific to each course. */
const own = ['image_id', 'banner_image_id', 'homeroom_course', 'homeroom_course_id', 'sync_enrollments_from_homeroom'];

const policyColumns = Object.keys(getTableColumns(late_policies)).filter(
  (name) => !['id', 'course_id', 'created_at', 'updated_at'].includes(name),
);

/** The target gets the source's late policy; without one it keeps its own. */
const latePolicyOf = (db: Database, { from, to, now }: Route): Statement =>
  db.build.run(
    sql`insert into late_policies (course_id, created_at, updated_at, ${raw(policyColumns.join(', '))})
      select ${shared('course', to)}, ${now}, ${now}, ${raw(policyColumns.map((name) => `o.${name}`).join(', '))} from late_policies o where o.course_id = ${from}
      on conflict (course_id) do update set updated_at = excluded.updated_at, ${raw(policyColumns.map((name) => `${name} = excluded.${name}`).join(', '))}`,
  );

/** The target gets the source's external feeds that it does not have, and reads them from their beginning. */
const feedsOf = (db: Database, { from, to, user_id, now }: Route): Statement =>
  db.build.run(
    sql`insert or ignore into external_feeds (context_type, context_id, user_id, url, title, header_match, verbosity, refresh_at, created_at, updated_at)
      select 'Course', ${shared('course', to)}, ${user_id}, o.url, o.title, o.header_match, o.verbosity, ${now}, ${now}, ${now} from external_feeds o
      where o.context_type = 'Course' and o.context_id = ${from} order by o.id`,
  );

/**
 * Copies the course's settings and tabs, but not its name, code, term, account, dates or state.
 * @param choice what the target keeps
 */
export function settingsStep(db: Database, route: Route, { keepsVisibility, keepsGrading }: Choice): Statement[] {
  const kept = keepsGrading ? [...own, 'post_manually'] : own;
  const columns = keepsVisibility ? settingColumns.filter((name) => !visibilityColumns.includes(name)) : settingColumns;
  const picture = (name: string) =>
    sql`case when o.settings ->> ${`$.${name}`} is not null then json_object(${name}, cast(${copyOf('file', sql`cast(o.settings ->> ${`$.${name}`} as integer)`, route)} as text)) else '{}' end`;
  return [
    db.build.run(
      sql`update courses set (${raw(columns.join(', '))}, grading_standard_id, settings, updated_at) = (select ${raw(columns.map((name) => `o.${name}`).join(', '))},
        case when o.grading_standard_id = 0 then 0 else ${copiedStandard(sql`o.grading_standard_id`, route)} end,
        json_patch(json_patch(json_patch(courses.settings, json_remove(o.settings, ${sql.join(
          kept.map((name) => sql`${`$.${name}`}`),
          sql`, `,
        )})), ${picture('image_id')}), ${picture('banner_image_id')}), ${route.now} from courses o where o.id = ${shared('course', route.from)}) where id = ${shared('course', route.to)}`,
    ),
    ...(keepsGrading ? [] : [latePolicyOf(db, route)]),
    feedsOf(db, route),
  ];
}
