// What of a course can be selected, as a tree: the types with their counts, then the items of one type (reference 06 §1.5).

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableName, type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import type { Database } from '../../../database/open';
import { kindFacts } from '../../../rules/copied_kinds';
import { migrationIdOf } from '../../course_copy/identity';
import type { CopiedKind } from '../../course_copy/table';

interface TreeType {
  readonly type: string;
  readonly title: string;
  readonly kind?: CopiedKind;
  /** A condition on rows `o` of the kind. */
  readonly only?: string;
  /** It is always there, and has no items to select. */
  readonly isSingle?: boolean;
  /** It is selected only as a whole. */
  readonly isWhole?: boolean;
}

const types: readonly TreeType[] = [
  { type: 'course_settings', title: 'Course Settings', isSingle: true },
  { type: 'syllabus_body', title: 'Syllabus Body', isSingle: true },
  { type: 'context_modules', title: 'Modules', kind: 'module' },
  { type: 'assignments', title: 'Assignments', kind: 'assignment' },
  { type: 'quizzes', title: 'Quizzes', kind: 'quiz' },
  { type: 'assessment_question_banks', title: 'Question Banks', kind: 'question_bank' },
  { type: 'discussion_topics', title: 'Discussion Topics', kind: 'discussion_topic', only: 'o.is_announcement = 0' },
  { type: 'wiki_pages', title: 'Pages', kind: 'page' },
  { type: 'context_external_tools', title: 'External Tools', kind: 'external_tool' },
  { type: 'announcements', title: 'Announcements', kind: 'discussion_topic', only: 'o.is_announcement = 1' },
  { type: 'calendar_events', title: 'Calendar Events', kind: 'calendar_event' },
  { type: 'rubrics', title: 'Rubrics', kind: 'rubric' },
  { type: 'learning_outcomes', title: 'Learning Outcomes', kind: 'learning_outcome', isWhole: true },
  { type: 'attachments', title: 'Files', kind: 'file' },
];

/** The most items that a type lists. */
const mostItems = 2000;

/** How nodes name what to select: `copy` by migration ids, `select` by asset strings. */
export interface TreeNames {
  readonly parameter: 'copy' | 'select';
  /** The address of the tree. */
  readonly address: string;
}

export const isTreeType = (type: string): boolean => types.some((one) => one.type === type && !one.isSingle);

const fromKind = (kind: CopiedKind, course: SQL, only = '1'): SQL =>
  sql`from ${sql.raw(getTableName(kindFacts[kind].table))} o where ${kindFacts[kind].there('o', course)} and ${sql.raw(only)}`;

/** Statements that count what a course has of each type; `topNodes` reads them. */
export const countTypes = (db: Database, course: SQL) =>
  types.flatMap(({ kind, only }) =>
    kind ? [db.build.all<{ count: number }>(sql`select count(*) as count ${fromKind(kind, course, only)}`)] : [],
  );

/** @param counts results of `countTypes` */
export function topNodes(counts: readonly (readonly { readonly count: number }[])[], { parameter, address }: TreeNames): object[] {
  const left = [...counts];
  return types.flatMap(({ type, title, kind, isWhole }) => {
    const node = { type, property: `${parameter}[all_${type}]`, title };
    if (!kind) return [node];
    const count = left.shift()?.[0]?.count ?? 0;
    if (count === 0) return [];
    return [{ ...node, count, ...(!isWhole && { sub_items_url: `${address}?type=${type}` }) }];
  });
}

interface ItemRow {
  readonly id: number;
  readonly title: string | null;
  /** The folder or assignment group. */
  readonly parent: number | null;
  /** Of an assignment, the quiz or discussion that it belongs to; of these, the assignment. */
  readonly linked: string | null;
}

const parents: Readonly<Record<string, { readonly column: string; readonly kind: CopiedKind; readonly type: string }>> = {
  assignments: { column: 'assignment_group_id', kind: 'assignment_group', type: 'assignment_groups' },
  attachments: { column: 'folder_id', kind: 'folder', type: 'folders' },
};

/** The other half of graded content, as JSON `[kind, id]`. */
const links: Readonly<Record<string, string>> = {
  assignments:
    "coalesce((select json_array('quiz', q.id) from quizzes q where q.assignment_id = o.id and q.workflow_state <> 'deleted'), (select json_array('discussion_topic', t.id) from discussion_topics t where t.assignment_id = o.id and t.workflow_state <> 'deleted' and t.root_topic_id is null))",
  quizzes: "iif(o.assignment_id is null, null, json_array('assignment', o.assignment_id))",
  discussion_topics: "iif(o.assignment_id is null, null, json_array('assignment', o.assignment_id))",
};

/** Statements that read the items of a type, and what groups them; `itemNodes` reads them. */
export function readItems(db: Database, type: string, course: SQL) {
  const it = types.find((one) => one.type === type) as TreeType;
  const kind = it.kind as CopiedKind;
  const parent = lookUp(parents, type);
  const title = kindFacts[kind].title;
  const link = lookUp(links, type) ?? 'null';
  return [
    db.build.all<ItemRow>(
      sql`select o.id, o.${sql.raw(title)} as title, ${sql.raw(parent ? `o.${parent.column}` : 'null')} as parent, ${sql.raw(link)} as linked ${fromKind(kind, course, it.only)} order by o.id limit ${atMost(mostItems)}`,
    ),
    parent
      ? db.build.all<ItemRow>(
          sql`select o.id, o.${sql.raw(kindFacts[parent.kind].title)} as title, null as parent, null as linked ${fromKind(parent.kind, course)} order by ${sql.raw(parent.kind === 'folder' ? 'o.full_name' : 'o.position')}, o.id limit ${atMost(mostItems)}`,
        )
      : db.build.all<ItemRow>(sql`select 0 as id, null as title, null as parent, null as linked where 0`),
  ] as const;
}

const typeOfKind: Readonly<Record<string, string>> = { quiz: 'quizzes', discussion_topic: 'discussion_topics', assignment: 'assignments' };

/** A node for each item, in the groups or folders of the items. */
export async function itemNodes(
  type: string,
  [items, groups]: readonly [readonly ItemRow[], readonly ItemRow[]],
  { parameter }: TreeNames,
): Promise<object[]> {
  const kind = types.find((one) => one.type === type)?.kind as CopiedKind;
  const parent = lookUp(parents, type);
  const nodeOf = async (nodeType: string, ofKind: CopiedKind, { id, title }: ItemRow) => {
    const node = { type: nodeType, title: title ?? '' };
    if (parameter === 'select') {
      const asset = `${kindFacts[ofKind].asset}_${id}`;
      return { ...node, property: `select[${nodeType}][${asset}]`, id: asset };
    }
    const migration_id = await migrationIdOf(ofKind, id);
    return { ...node, property: `copy[${nodeType}][id_${migration_id}]`, migration_id };
  };
  const withLink = async (row: ItemRow) => {
    const node = await nodeOf(type, kind, row);
    if (row.linked === null) return node;
    const [linked, id] = JSON.parse(row.linked) as [CopiedKind, number];
    const message = linked === 'assignment' ? 'linked with an assignment' : 'linked with a quiz or discussion';
    const name = parameter === 'copy' ? { migration_id: await migrationIdOf(linked, id) } : { id: `${kindFacts[linked].asset}_${id}` };
    return { ...node, linked_resource: { type: lookUp(typeOfKind, linked), ...name, message } };
  };
  if (!parent) return Promise.all(items.map(withLink));
  const byParent = Map.groupBy(items, (row) => row.parent);
  const grouped = await Promise.all(
    groups
      .filter(({ id }) => byParent.has(id))
      .map(async (group) => ({
        ...(await nodeOf(parent.type, parent.kind, group)),
        sub_items: await Promise.all((byParent.get(group.id) ?? []).map(withLink)),
      })),
  );
  const known = new Set(groups.map(({ id }) => id));
  const loose = items.filter((row) => row.parent === null || !known.has(row.parent));
  return [...grouped, ...(await Promise.all(loose.map(withLink)))];
}
