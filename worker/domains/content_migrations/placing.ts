// The phase after an import: moves its assignments to a group, and inserts its content into a module.

import { type SQL, sql } from 'drizzle-orm';
import { byCopy } from '../course_copy/work';
import { renumberItems } from '../modules/positions';
import { importedOf } from './imported';
import type { ContentMigrationRow } from './json';
import type { MigrationSettings } from './table';
import { addIssue, type MigrationWork } from './work';

/** How content becomes an item of a module, by the type that clients name. */
const insertable: readonly {
  readonly named: NonNullable<MigrationSettings['insert_into_module_type']>;
  readonly type: string;
  readonly kind: string;
  readonly table: string;
  readonly title: string;
  readonly only: string;
}[] = [
  {
    named: 'assignment',
    type: 'Assignment',
    kind: 'assignment',
    table: 'assignments',
    title: 'name',
    // The assignment of a quiz or discussion is inserted as that.
    only: "o.workflow_state <> 'deleted' and not exists (select 1 from quizzes q where q.assignment_id = o.id and q.workflow_state <> 'deleted') and not exists (select 1 from discussion_topics t where t.assignment_id = o.id and t.workflow_state <> 'deleted')",
  },
  {
    named: 'discussion_topic',
    type: 'Discussion',
    kind: 'discussion_topic',
    table: 'discussion_topics',
    title: 'title',
    only: "o.workflow_state <> 'deleted' and o.is_announcement = 0",
  },
  { named: 'file', type: 'File', kind: 'file', table: 'files', title: 'display_name', only: "o.workflow_state = 'available'" },
  { named: 'page', type: 'Page', kind: 'page', table: 'pages', title: 'title', only: "o.workflow_state <> 'deleted'" },
  { named: 'quiz', type: 'Quiz', kind: 'quiz', table: 'quizzes', title: 'title', only: "o.workflow_state <> 'deleted'" },
];

const moveToGroup = ({ db, it }: MigrationWork, group: number, now: string) =>
  db.build.run(
    sql`update assignments set assignment_group_id = ${group}, updated_at = ${now},
      position = position + coalesce((select max(p.position) from assignments p where p.assignment_group_id = ${group} and p.workflow_state <> 'deleted'), 0)
      where id in (${importedOf(it, 'assignment')}) and assignment_group_id <> ${group} and workflow_state <> 'deleted'`,
  );

/** Content that the module does not contain yet, in the order of the table and of import: rows of (type, content_id, title). */
function inserted(it: ContentMigrationRow, module_id: number): SQL {
  const wanted = insertable.filter(({ named }) => !it.settings.insert_into_module_type || named === it.settings.insert_into_module_type);
  return sql.join(
    wanted.map(
      ({ type, kind, table, title, only }, at) =>
        sql`select ${sql.raw(`${at}`)} as place, ${sql.raw(`'${type}'`)} as type, o.id as content_id, o.${sql.raw(title)} as title from ${sql.raw(table)} o
          where o.id in (${importedOf(it, kind)}) and ${sql.raw(only)}
          and not exists (select 1 from module_items i where i.module_id = ${module_id} and i.workflow_state = 'active' and i.type = ${sql.raw(`'${type}'`)} and i.content_id = o.id)`,
    ),
    sql` union all `,
  );
}

function insertIntoModule({ db, it }: MigrationWork, module_id: number, now: string) {
  const position = it.settings.insert_into_module_position;
  const first =
    position === undefined
      ? sql`coalesce((select max(m.position) from module_items m where m.module_id = ${module_id} and m.workflow_state = 'active'), 0) + 1`
      : sql`${position}`;
  return [
    ...(position === undefined
      ? []
      : [
          db.build.run(
            sql`update module_items set position = position + (select count(*) from (${inserted(it, module_id)})) where module_id = ${module_id} and workflow_state = 'active' and position >= ${position}`,
          ),
        ]),
    db.build.run(
      sql`insert into module_items (course_id, module_id, position, type, content_id, title, created_at, updated_at)
        select ${it.context_id}, ${module_id}, ${first} - 1 + row_number() over (order by c.place, c.content_id), c.type, c.content_id, c.title, ${now}, ${now}
        from (${inserted(it, module_id)}) c where exists (select 1 from modules m where m.id = ${module_id} and m.course_id = ${it.context_id} and m.workflow_state <> 'deleted')`,
    ),
    renumberItems(db, module_id),
  ];
}

/** @returns always: it is one step */
export async function placeStep(work: MigrationWork): Promise<boolean> {
  const { db, it } = work;
  const { insert_into_module_id: module_id, move_to_assignment_group_id: group } = it.settings;
  if (it.context_type !== 'Course' || it.at > 0 || (module_id === undefined && group === undefined)) return true;
  const now = work.now();
  const [there] = await db.perform([
    db.build.all<{ kind: string }>(
      sql`select 'module' as kind from modules where id = ${module_id ?? 0} and workflow_state <> 'deleted' union all select 'group' from assignment_groups where id = ${group ?? 0} and workflow_state = 'available'`,
    ),
  ]);
  const has = (kind: string) => there.some((one) => one.kind === kind);
  await work.commit(
    [
      ...byCopy(db, group !== undefined && has('group') ? [moveToGroup(work, group, now)] : []),
      ...(group !== undefined && !has('group')
        ? [addIssue(db, it.id, 'warning', 'The assignment group for the assignments was deleted.', now)]
        : []),
      ...byCopy(db, module_id !== undefined && has('module') ? insertIntoModule(work, module_id, now) : []),
      ...(module_id !== undefined && !has('module')
        ? [addIssue(db, it.id, 'warning', 'The module for the content was deleted.', now)]
        : []),
    ],
    { at: 1 },
    99,
  );
  return true;
}
