// Links a blueprint with its associated courses: records changes since the last sync and edits in associated courses, and ends syncs. Writes by a running
// copy (`course_copying`) are not recorded as edits.

import { locks } from '../lockable.ts';
import { blueprintParts, blueprintSources, lockable } from './blueprint_sources.ts';
import { nowSql } from './now.ts';
import type { BlueprintPart } from './source.ts';
import { columnsDiffer, ofRow, trigger } from './trigger.ts';

const at = (text: string, row = 'new') => ofRow(text, row);
const differs = (columns: readonly string[]) => `(${columnsDiffer(columns)})`;
const byHand = 'not exists (select 1 from course_copying)';
const isBlueprint = (course: string) =>
  `exists (select 1 from blueprint_templates b where b.course_id = ${course} and b.workflow_state = 'active')`;
const note = (course: string, kind: string, item: string): readonly string[] => [
  `delete from blueprint_changes where kind = '${kind}' and item_id = ${item};`,
  `insert into blueprint_changes (course_id, kind, item_id) values (${course}, '${kind}', ${item});`,
];

/** Records changes in a blueprint. */
const noted = blueprintSources.flatMap(({ kind, table, course, of = '1', noted: columns }) =>
  (['insert', 'update'] as const).map((event) =>
    trigger({
      on: table,
      name: `blueprint_note_${kind}_${event}`,
      event,
      ...(event === 'update' && columns && { of: columns }),
      when: `${at(of)} and ${isBlueprint(at(course))}`,
      run: note(at(course), kind, 'new.id'),
      purpose: `Record a changed \`${kind}\` of a blueprint for its next sync.`,
    }),
  ),
);

/** The writes of a part, with the name of the row. */
const writesOfPart = ({ isDeletedAsRow }: BlueprintPart) =>
  [['insert', 'new'], ['update', 'new'], ...(isDeletedAsRow ? ([['delete', 'old']] as const) : [])] as const;

/** Records a changed part as a change of its item. */
const notedParts = blueprintParts.flatMap((part) => {
  const { table, of, item, columns, course } = part;
  return course === undefined
    ? []
    : writesOfPart(part).map(([event, row]) =>
        trigger({
          on: table,
          name: `blueprint_note_${of}_${event}`,
          event,
          ...(event === 'update' && { of: columns }),
          when: `${at(item, row)} is not null and ${event === 'update' ? `${differs(columns)} and ` : ''}${isBlueprint(at(course, row))}`,
          run: note(at(course, row), of, at(item, row)),
          purpose: `Record a changed part of the \`${of}\` of a blueprint for its next sync.`,
        }),
      );
});

const settings = ['settings', 'default_view', 'license'];
const ofCourses = [
  trigger({
    on: 'courses',
    name: 'blueprint_note_syllabus',
    event: 'update',
    of: ['syllabus_body'],
    when: `new.syllabus_body is not old.syllabus_body and ${isBlueprint('new.id')}`,
    run: note('new.id', 'syllabus', 'new.id'),
    purpose: 'Record a changed syllabus of a blueprint for its next sync.',
  }),
  trigger({
    on: 'courses',
    name: 'blueprint_note_settings',
    event: 'update',
    of: settings,
    when: `${differs(settings)} and ${isBlueprint('new.id')}`,
    run: note('new.id', 'settings', 'new.id'),
    purpose: 'Record changed settings of a blueprint for its next sync.',
  }),
  trigger({
    on: 'courses',
    name: 'blueprint_mark_syllabus',
    event: 'update',
    of: ['syllabus_body'],
    when: `new.syllabus_body is not old.syllabus_body and ${byHand}`,
    run: ["update blueprint_subscriptions set syllabus_changed = 1 where course_id = new.id and workflow_state = 'active';"],
    purpose: 'Record that the syllabus was edited in an associated course.',
  }),
  // When a course becomes a blueprint, all its content counts as changed.
  ...(['insert', 'update'] as const).map((event) =>
    trigger({
      on: 'courses',
      name: `blueprint_made_${event}`,
      event,
      ...(event === 'update' && { of: ['is_blueprint'] }),
      when: `new.is_blueprint = 1${event === 'insert' ? '' : ' and old.is_blueprint = 0'}`,
      run: [
        `insert into blueprint_templates (course_id, created_at, updated_at) select new.id, ${nowSql}, ${nowSql} where not exists (select 1 from blueprint_templates t where t.course_id = new.id);`,
        `update blueprint_templates set workflow_state = 'active', updated_at = ${nowSql} where course_id = new.id and workflow_state <> 'active';`,
        'delete from blueprint_changes where course_id = new.id;',
        ...blueprintSources.map(
          ({ kind, table, course, of = '1' }) =>
            `insert into blueprint_changes (course_id, kind, item_id) select new.id, '${kind}', t.id from ${table} t where ${at(of, 't')} and ${kind === 'calendar_event' ? "t.context_code = 'course_' || new.id" : `${at(course, 't')} = new.id`} and t.workflow_state <> 'deleted';`,
        ),
      ],
      purpose: 'Create the template of a course that becomes a blueprint, and record all its content for the first sync.',
    }),
  ),
  trigger({
    on: 'courses',
    name: 'blueprint_unmade',
    event: 'update',
    of: ['is_blueprint'],
    when: 'new.is_blueprint = 0 and old.is_blueprint = 1',
    run: [`update blueprint_templates set workflow_state = 'deleted', updated_at = ${nowSql} where course_id = new.id;`],
    purpose: 'Delete the template of a course that is no longer a blueprint.',
  }),
];

/** Records edits in an associated course. */
const marked = lockable.map(({ table, kind, locks: named, derived }) => {
  const own = locks.flatMap((name) => (named[name] ? [[name, named[name]] as const] : []));
  const columns = own.flatMap(([, some]) => some);
  const isEdit = (name: (typeof locks)[number]) => (derived?.[name] ? ` and not (${at(derived[name])})` : '');
  const words = own.map(
    ([name, some]) => `(case when ${differs(some)}${isEdit(name)} and instr(changed, ',${name}') = 0 then ',${name}' else '' end)`,
  );
  return trigger({
    on: table,
    name: `blueprint_mark_${kind}`,
    event: 'update',
    of: columns,
    when: `${differs(columns)} and ${byHand} and new.workflow_state <> 'deleted'
    and exists (select 1 from copied_items l join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active' where l.kind = '${kind}' and l.item_id = new.id)`,
    run: [`update copied_items set changed = changed || ${words.join(' || ')} where kind = '${kind}' and item_id = new.id;`],
    purpose: 'Record what was edited in an associated course, so that syncs do not overwrite it.',
  });
});

const markContent = ({ of, item }: NonNullable<BlueprintPart['with']>, row: string): string =>
  `update copied_items set changed = changed || ',content' where kind = '${of}' and item_id = ${at(item, row)} and instr(changed, ',content') = 0;`;

/** Edits count only where the item can be locked: syncs overwrite others. */
const lockableParts = blueprintParts.filter(({ of }) => lockable.some(({ kind }) => kind === of));

const markedParts = lockableParts.flatMap((part) => {
  const { table, of, item, with: half, columns } = part;
  return writesOfPart(part).map(([event, row]) =>
    trigger({
      on: table,
      name: `blueprint_mark_${of}_${event}`,
      event,
      ...(event === 'update' && { of: columns }),
      when: `${at(item, row)} is not null and ${event === 'update' ? `${differs(columns)} and ` : ''}${byHand}
    and exists (select 1 from copied_items l join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active' where l.kind = '${of}' and l.item_id = ${at(item, row)})`,
      run: [markContent({ of, item }, row), ...(half ? [markContent(half, row)] : [])],
      purpose: `Record that a part of the \`${of}\` was edited in an associated course, so that syncs do not overwrite it.`,
    }),
  );
});

const its = (column: string) => `(select i.${column} from blueprint_imports i where i.copy_id = new.id)`;

/** A sync ends with the last of its copies. */
const ended = trigger({
  on: 'course_copies',
  name: 'blueprint_import_ended',
  event: 'update',
  of: ['workflow_state'],
  when: "new.purpose = 'blueprint' and new.workflow_state in ('completed', 'failed') and old.workflow_state <> new.workflow_state",
  run: [
    "update blueprint_imports set workflow_state = (case new.workflow_state when 'completed' then 'completed' else 'imports_failed' end), updated_at = new.updated_at where copy_id = new.id;",
    `update blueprint_subscriptions set synced_seq = ${its('upto_seq')} where id = ${its('subscription_id')} and new.workflow_state = 'completed';`,
    `update blueprint_migrations set imports_completed_at = new.updated_at, updated_at = new.updated_at,
    workflow_state = (case when exists (select 1 from blueprint_imports i where i.migration_id = blueprint_migrations.id and i.workflow_state = 'imports_failed') then 'imports_failed' else 'completed' end)
    where id = ${its('migration_id')} and workflow_state = 'imports_queued'
      and not exists (select 1 from blueprint_imports i where i.migration_id = blueprint_migrations.id and i.workflow_state = 'imports_queued');`,
  ],
  purpose: 'End a blueprint sync when its last copy ends.',
});

export const blueprintTriggers = [...noted, ...notedParts, ...ofCourses, ...marked, ...markedParts, ended];
