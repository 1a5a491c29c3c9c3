// Links a blueprint with its associated courses: records changes since the last sync and edits in associated courses, rejects edits of locked items,
// and ends syncs. Writes by a running copy (`course_copying`) are neither recorded nor rejected.

import { lookUp } from '@carrel/shared/wire/look_up';
import { now } from './now.ts';
import { differs as anyDiffers, type Trigger, trigger } from './trigger.ts';

const classes = {
  assignment: {
    table: 'assignments',
    course: '$.course_id',
    content: ['name', 'description'],
    points: ['points_possible'],
    due_dates: ['due_at'],
    availability_dates: ['unlock_at', 'lock_at'],
    state: ['workflow_state'],
  },
  page: { table: 'pages', course: '$.context_id', of: "$.context_type = 'Course'", content: ['title', 'body'], state: ['workflow_state'] },
  discussion_topic: {
    table: 'discussion_topics',
    course: '$.context_id',
    of: "$.context_type = 'Course'",
    content: ['title', 'message'],
    availability_dates: ['delayed_post_at', 'lock_at'],
    state: ['workflow_state'],
    // Replies also change a topic's columns.
    noted: [
      'title',
      'message',
      'discussion_type',
      'pinned',
      'locked',
      'delayed_post_at',
      'lock_at',
      'todo_date',
      'require_initial_post',
      'allow_rating',
      'only_graders_can_rate',
      'sort_by_rating',
      'podcast_enabled',
      'podcast_has_student_posts',
      'assignment_id',
      'attachment_id',
      'section_ids',
      'sort_order',
      'sort_order_locked',
      'expanded',
      'expanded_locked',
      'workflow_state',
    ],
  },
  file: {
    table: 'files',
    course: '$.context_id',
    of: "$.context_type = 'Course' and $.workflow_state <> 'pending'",
    content: ['display_name', 'blob_id'],
    availability_dates: ['unlock_at', 'lock_at'],
    state: ['locked', 'hidden'],
  },
} as const;

/** Kinds that cannot be locked, and how to find their courses. */
const others = [
  {
    kind: 'folder',
    table: 'folders',
    course: '$.context_id',
    of: "$.context_type = 'Course'",
    noted: ['name', 'parent_folder_id', 'lock_at', 'unlock_at', 'locked', 'hidden', 'workflow_state'],
  },
  { kind: 'assignment_group', table: 'assignment_groups', course: '$.course_id' },
  {
    kind: 'calendar_event',
    table: 'calendar_events',
    course: 'cast(substr($.context_code, 8) as integer)',
    of: "$.context_code glob 'course_[0-9]*'",
  },
  { kind: 'module', table: 'modules', course: '$.course_id' },
  { kind: 'module_item', table: 'module_items', course: '$.course_id' },
] as const;

type Lockable = 'content' | 'points' | 'due_dates' | 'availability_dates' | 'state';
const lockables: readonly Lockable[] = ['content', 'points', 'due_dates', 'availability_dates', 'state'];
type Facts = { readonly table: string; readonly course: string; readonly of?: string; readonly noted?: readonly string[] } & {
  readonly [L in Lockable]?: readonly string[];
};
const lockedKinds = Object.entries(classes) as [string, Facts][];
const all = [...lockedKinds.map(([kind, facts]) => ({ kind, ...facts })), ...others] as (Facts & { kind: string })[];

const at = (text: string, row = 'new') => text.replaceAll('$.', `${row}.`);
const differs = (columns: readonly string[]) => `(${anyDiffers(columns)})`;
const byHand = 'not exists (select 1 from course_copying)';
const isBlueprint = (course: string) =>
  `exists (select 1 from blueprint_templates b where b.course_id = ${course} and b.workflow_state = 'active')`;
const note = (course: string, kind: string, item: string): readonly string[] => [
  `delete from blueprint_changes where kind = '${kind}' and item_id = ${item};`,
  `insert into blueprint_changes (course_id, kind, item_id) values (${course}, '${kind}', ${item});`,
];

/** Records changes in a blueprint. */
const noted = all.flatMap(({ kind, table, course, of = '1', noted: columns }) =>
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
        `insert into blueprint_templates (course_id, created_at, updated_at) select new.id, ${now}, ${now} where not exists (select 1 from blueprint_templates t where t.course_id = new.id);`,
        `update blueprint_templates set workflow_state = 'active', updated_at = ${now} where course_id = new.id and workflow_state <> 'active';`,
        'delete from blueprint_changes where course_id = new.id;',
        ...all.map(
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
    run: [`update blueprint_templates set workflow_state = 'deleted', updated_at = ${now} where course_id = new.id;`],
    purpose: 'Delete the template of a course that is no longer a blueprint.',
  }),
];

/** The locks of the blueprint item that a row was copied from. */
const lock = (kind: string, holds: string) =>
  `exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = '${kind}' and l.item_id = new.id and ${holds})`;

const anyLock = `(${lockables.map((name) => `b.${name}`).join(' or ')})`;

/** Scheduled changes are not edits. */
const isScheduled: Readonly<Record<string, string>> = {
  page: `(old.publish_at is not null and old.publish_at <= ${now} and new.workflow_state = 'active')`,
  discussion_topic: "(old.workflow_state = 'post_delayed' and new.workflow_state = 'active')",
};

const goes = "new.workflow_state = 'deleted' and old.workflow_state <> 'deleted'";

/** Raises an error that http/problem.ts turns into a response. */
const refusal = (status: number, what: string) => `raise(abort, 'refused ${status} ${what} locked by the blueprint of this course')`;

const locked = lockedKinds.flatMap(([kind, facts]): Trigger[] => [
  ...lockables.flatMap((name) => {
    const columns = facts[name];
    if (!columns) return [];
    const unless = name === 'state' ? ` and not (${goes})${lookUp(isScheduled, kind) ? ` and not ${lookUp(isScheduled, kind)}` : ''}` : '';
    return [
      trigger({
        on: facts.table,
        name: `blueprint_lock_${kind}_${name}`,
        event: 'update',
        before: true,
        of: columns,
        when: `${differs(columns)} and ${byHand}${unless} and ${lock(kind, `b.${name} = 1`)}`,
        run: [`select ${refusal(400, `cannot change ${name}:`)};`],
        purpose: `Refuse changes of \`${name}\` that the blueprint locks.`,
      }),
    ];
  }),
  trigger({
    on: facts.table,
    name: `blueprint_lock_${kind}_there`,
    event: 'update',
    before: true,
    of: ['workflow_state'],
    when: `${goes} and ${byHand} and ${lock(kind, anyLock)}`,
    run: [`select ${refusal(401, 'cannot delete:')};`],
    purpose: 'Refuse to delete what the blueprint locks.',
  }),
]);

/** Records edits in an associated course. */
const marked = lockedKinds.map(([kind, facts]) => {
  const own = lockables.flatMap((name) => (facts[name] ? [[name, facts[name]] as const] : []));
  const columns = own.flatMap(([, some]) => some);
  const words = own.map(([name, some]) => `(case when ${differs(some)} and instr(changed, ',${name}') = 0 then ',${name}' else '' end)`);
  return trigger({
    on: facts.table,
    name: `blueprint_mark_${kind}`,
    event: 'update',
    of: columns,
    when: `${differs(columns)} and ${byHand} and new.workflow_state <> 'deleted'
    and exists (select 1 from copied_items l join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active' where l.kind = '${kind}' and l.item_id = new.id)`,
    run: [`update copied_items set changed = changed || ${words.join(' || ')} where kind = '${kind}' and item_id = new.id;`],
    purpose: 'Record what was edited in an associated course, so that syncs do not overwrite it.',
  });
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

export const blueprintTriggers = [...noted, ...ofCourses, ...locked, ...marked, ended];
