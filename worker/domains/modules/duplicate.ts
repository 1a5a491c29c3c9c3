// Duplicates modules and items: pages, assignments and topics are copied, files and links are shared.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { copyRow } from '../../database/copy_row';
import type { Database, Statement } from '../../database/open';
import type { RowOf } from '../../http/listing';
import { found, problem } from '../../http/problem';
import { copyNameOf, copyTitle } from '../../rules/pages/names';
import { idByUrl, makePage } from '../../rules/pages/rows';
import { assignments } from '../assignments/table';
import { discussion_topics } from '../discussion_topics/table';
import { pages } from '../pages/table';
import { presentItem, presentModules } from './policy';
import { renumberItems, renumberModules } from './positions';
import { module_items, modules } from './table';

type Item = RowOf<typeof module_items>;

/** Names that are already in use. */
interface Names {
  readonly pages: { id: number; title: string; url: string }[];
  readonly titles: Set<string>;
}

export interface Original {
  readonly module: RowOf<typeof modules>;
  readonly moduleNames: ReadonlySet<string>;
  readonly items: readonly Item[];
  readonly pages: readonly RowOf<typeof pages>[];
  readonly topics: readonly { id: number; assignment_id: number | null }[];
  readonly names: Names;
}

/** @param which a condition on `module_items` */
const statementsFor = (db: Database, course: CourseContext, which: SQL) => {
  const chosen = sql`(select content_id from module_items where ${which} and workflow_state = 'active')`;
  const sources = (table: SQL, name: SQL) =>
    sql`select 1 from ${table} o where o.id in ${chosen} and substr(copy.name, 1, length(o.${name})) = o.${name}`;
  return [
    db.build.select().from(module_items).where(sql`${which} and workflow_state = 'active'`).orderBy(module_items.position, module_items.id),
    db.build.select().from(pages).where(sql`${pages.id} in ${chosen}`),
    db.build
      .select({ id: discussion_topics.id, assignment_id: discussion_topics.assignment_id })
      .from(discussion_topics)
      .where(sql`${discussion_topics.id} in ${chosen}`),
    db.build
      .select({ id: pages.id, title: pages.title, url: pages.url })
      .from(pages)
      .where(
        sql`pages.context_type = 'Course' and pages.context_id = ${course.id} and pages.workflow_state <> 'deleted'
          and exists (select 1 from pages o where o.id in ${chosen} and pages.url >= o.url and pages.url < o.url || '.')`,
      ),
    db.build.select({ name: sql<string>`name`.as('name') }).from(
      sql`(select * from (select name from assignments where course_id = ${course.id} and workflow_state <> 'deleted'
            union select title from discussion_topics where context_type = 'Course' and context_id = ${course.id} and workflow_state <> 'deleted') copy
          where exists (${sources(sql`assignments`, sql`name`)}) or exists (${sources(sql`discussion_topics`, sql`title`)}))`,
    ),
  ] as const;
};

/** @throws Problem 404 for an unknown module, 400 for one that cannot be duplicated */
export async function selectOriginal(db: Database, course: CourseContext, module_id: number): Promise<Original> {
  const [[module], names, items, pageRows, topics, takenPages, taken] = await db.perform([
    db.build.select().from(modules).where(presentModules(course, module_id)),
    db.build.select({ name: modules.name }).from(modules).where(presentModules(course)),
    ...statementsFor(db, course, sql`module_items.module_id = ${module_id}`),
  ]);
  const original = found(module);
  if (items.some(({ type }) => type === 'Quiz')) throw problem(400, 'cannot duplicate a module that contains a quiz');
  return {
    module: original,
    moduleNames: new Set(names.map(({ name }) => name)),
    items,
    pages: pageRows,
    topics,
    names: { pages: [...takenPages], titles: new Set(taken.map(({ name }) => name)) },
  };
}

const copyable = new Set(['Assignment', 'Discussion', 'Page']);

/** @throws Problem 404 for an unknown item, 400 for one that cannot be duplicated */
export async function selectOriginalItem(db: Database, course: CourseContext, id: number) {
  const [[present], items, pageRows, topics, takenPages, taken] = await db.perform([
    db.build.select({ id: module_items.id }).from(module_items).where(presentItem(course, id)),
    ...statementsFor(db, course, sql`module_items.id = ${id}`),
  ]);
  found(present);
  const item = found(items[0]);
  if (!copyable.has(item.type)) throw problem(400, 'only assignments, discussions and pages can be duplicated');
  return { item, pages: pageRows, topics, names: { pages: [...takenPages], titles: new Set(taken.map(({ name }) => name)) } };
}

interface Copy {
  readonly statements: readonly Statement[];
  readonly content_id: SQL | number | null;
  readonly title: string;
}

type Around = Pick<Original, 'pages' | 'topics' | 'names'>;

/** Statements that copy the content of an item. Names used are recorded in `around`. */
function copyContent(db: Database, course: CourseContext, item: Item, around: Around, user_id: number, now: string): Copy {
  const unpublished = { workflow_state: 'unpublished', created_at: now, updated_at: now };
  const title = () => {
    const name = copyTitle(item.title, around.names.titles);
    around.names.titles.add(name);
    return name;
  };
  const copyAssignment = (id: number, name: string) =>
    copyRow(db, assignments, id, {
      ...unpublished,
      name,
      position: sql`(select max(a.position) + 1 from assignments a where a.assignment_group_id = assignments.assignment_group_id)`,
      sis_assignment_id: null,
      integration_id: null,
      only_visible_to_overrides: 0,
      lti_context_id: crypto.randomUUID(),
    });
  switch (item.type) {
    case 'Page': {
      const page = found(around.pages.find(({ id }) => id === item.content_id));
      const wiki = { context_type: 'Course', context_id: course.id } as const;
      const name = copyNameOf(page, around.names.pages);
      around.names.pages.push({ id: 0, ...name });
      const { body, editing_roles, todo_date } = page;
      return {
        statements: makePage(db, wiki, { ...name, body, editing_roles, todo_date }, user_id, now),
        content_id: sql`(${idByUrl(wiki, name.url)})`,
        title: name.title,
      };
    }
    case 'Assignment': {
      const name = title();
      return { statements: [copyAssignment(item.content_id ?? 0, name)], content_id: sql`last_insert_rowid()`, title: name };
    }
    case 'Discussion': {
      const name = title();
      const graded = around.topics.find(({ id }) => id === item.content_id)?.assignment_id ?? null;
      const topic = copyRow(db, discussion_topics, item.content_id ?? 0, {
        ...unpublished,
        title: name,
        user_id,
        assignment_id: graded === null ? null : sql`last_insert_rowid()`,
        posted_at: now,
        last_reply_at: now,
        position: sql`(select max(t.position) + 1 from discussion_topics t where t.context_type = 'Course' and t.context_id = ${course.id} and t.is_announcement = 0 and t.pinned = 0)`,
        entry_count: 0,
        pinned: 0,
      });
      return {
        statements: [...(graded === null ? [] : [copyAssignment(graded, name)]), topic],
        content_id: sql`last_insert_rowid()`,
        title: name,
      };
    }
    default:
      return { statements: [], content_id: item.content_id, title: item.title };
  }
}

/** Duplicates the module, unpublished, directly after the original. The copy is then the course's newest module. */
export function duplicateModule(db: Database, course: CourseContext, original: Original, user_id: number, now: string): Statement[] {
  const newest = sql`(select max(id) from modules where course_id = ${course.id})`;
  const { module, items } = original;
  return [
    copyRow(db, modules, module.id, {
      name: copyTitle(module.name, original.moduleNames),
      position: sql`(select max(m.position) + 1 from modules m where m.course_id = ${course.id})`,
      prerequisite_module_ids: '[]',
      workflow_state: 'unpublished',
      created_at: now,
      updated_at: now,
    }),
    renumberModules(db, course.id, { id: newest, to: module.position + 1 }),
    ...items.flatMap((item, at) => {
      const copy = copyContent(db, course, item, original, user_id, now);
      const changes = { module_id: newest, content_id: copy.content_id, title: copy.title, position: at + 1, published: 0 };
      return [...copy.statements, copyRow(db, module_items, item.id, { ...changes, created_at: now, updated_at: now })];
    }),
  ];
}

type OriginalItem = Awaited<ReturnType<typeof selectOriginalItem>>;

/** Duplicates the item directly after the original. The copy is then the course's newest item. */
export function duplicateItem(db: Database, course: CourseContext, original: OriginalItem, user_id: number, now: string): Statement[] {
  const { item } = original;
  const copy = copyContent(db, course, item, original, user_id, now);
  return [
    ...copy.statements,
    copyRow(db, module_items, item.id, {
      content_id: copy.content_id,
      title: copy.title,
      position: sql`(select max(i.position) + 1 from module_items i where i.module_id = ${item.module_id})`,
      created_at: now,
      updated_at: now,
    }),
    renumberItems(db, item.module_id, { id: newestItem(course), to: item.position + 1 }),
  ];
}

export const newestItem = (course: CourseContext): SQL => sql`(select max(id) from module_items where course_id = ${course.id})`;
