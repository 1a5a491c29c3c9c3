// The change log's triggers, from one table of facts: which item changes, for whom, when a row is written.

import { itemTriggers } from './item_triggers.ts';

const everyEvent = ['insert', 'update', 'delete'] as const;
type Event = (typeof everyEvent)[number];

interface Source {
  readonly table: string;
  readonly kind: string;
  /** SQL over `new` (or `old` for deleted rows) that names the item and the scope. */
  readonly item: string;
  readonly scope: string;
  /** Holds for the rows that count. */
  readonly when?: string;
  /** All of them, unless only some can change the item. */
  readonly events?: readonly Event[];
  /** Only these columns matter on update. */
  readonly columns?: readonly string[];
  /** Rows name other items: a select of (scope, kind, item_id). */
  readonly select?: string;
}

const course = "'course_' || $.course_id";
const me = "'user_' || $.user_id";
const context = "lower($.context_type) || '_' || $.context_id";
const kindOfItem =
  "case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end";

const contentTypes = "('Page', 'Assignment', 'Discussion', 'File')";
/** What the items of a module stand for: its locks are theirs. */
const contentOfModule = (module_id: string) =>
  `select 'course_' || $.course_id, ${kindOfItem}, i.content_id from module_items i where i.module_id = ${module_id} and i.workflow_state = 'active' and i.content_id is not null and i.type in ${contentTypes}`;

/** Modules that hold a piece of content: they show its title and whether it is published. */
const holders = (type: string): Pick<Source, 'select'> => ({
  select: `select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = '${type}' and i.content_id = $.id and i.workflow_state = 'active'`,
});

// `0` follows `/`: a range, so that the index on paths serves it.
const isBelow =
  "d.context_type = $.context_type and d.context_id = $.context_id and d.full_name > $.full_name || '/' and d.full_name < $.full_name || '0'";
const filesBelow = `select lower(f.context_type) || '_' || f.context_id, 'file', f.id from files f
    where f.folder_id in (select $.id union all select d.id from folders d where ${isBelow})`;

const foldersBelow = `select lower(d.context_type) || '_' || d.context_id, 'folder', d.id from folders d where ${isBelow}`;

/** What people have marked of a thing tells whether the thing is still there. */
const marksOn = (table: string, plannable: string): Source => ({
  table,
  kind: 'planner_override',
  item: '',
  scope: '',
  columns: ['workflow_state'],
  select: `select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in (${plannable}) and p.plannable_id = $.id`,
});

const sources: readonly Source[] = [
  { table: 'users', kind: 'user', item: '$.id', scope: "'user_' || $.id" },
  { table: 'courses', kind: 'course', item: '$.id', scope: "'course_' || $.id" },
  { table: 'course_nicknames', kind: 'course', item: '$.course_id', scope: me },
  { table: 'favorites', kind: 'course', item: '$.context_id', scope: me, when: "$.context_type = 'Course'" },
  { table: 'enrollments', kind: 'enrollment', item: '$.id', scope: me },
  { table: 'assignment_groups', kind: 'assignment_group', item: '$.id', scope: course },
  { table: 'assignments', kind: 'assignment', item: '$.id', scope: course },
  { table: 'assignments', kind: 'module', item: '', scope: '', ...holders('Assignment') },
  { table: 'assignment_overrides', kind: 'assignment', item: '$.assignment_id', scope: course },
  {
    table: 'assignment_override_students',
    kind: 'assignment',
    item: '',
    scope: '',
    select: "select 'course_' || a.course_id, 'assignment', a.id from assignments a where a.id = $.assignment_id",
  },
  { table: 'submissions', kind: 'submission', item: '$.id', scope: me },
  // Staff see each submission change what is to be graded; everybody sees only the first that is handed in or graded.
  {
    table: 'submissions',
    kind: 'assignment',
    item: '$.assignment_id',
    scope: "'staff_' || $.course_id",
    columns: ['submission_type', 'attempt', 'workflow_state', 'score', 'excused', 'graded_attempt', 'posted_at'],
  },
  {
    table: 'submissions',
    kind: 'assignment',
    item: '$.assignment_id',
    scope: course,
    columns: ['submission_type', 'graded_at', 'posted_at', 'workflow_state'],
    when: `($.submission_type is not null and not exists (select 1 from submissions s where s.assignment_id = $.assignment_id and s.id <> $.id and s.submission_type is not null))
      or ($.graded_at is not null and not exists (select 1 from submissions s where s.assignment_id = $.assignment_id and s.id <> $.id and s.graded_at is not null))`,
  },
  {
    table: 'submissions',
    kind: 'assignment',
    item: '$.assignment_id',
    scope: me,
    columns: ['graded_at', 'posted_at'],
  },
  {
    table: 'submission_comments',
    kind: 'submission',
    item: '',
    scope: '',
    select: "select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = $.submission_id",
  },
  { table: 'modules', kind: 'module', item: '$.id', scope: course },
  {
    table: 'modules',
    kind: 'module',
    item: '',
    scope: '',
    columns: ['workflow_state', 'unlock_at', 'prerequisite_module_ids', 'require_sequential_progress'],
    select: contentOfModule('$.id'),
  },
  { table: 'module_items', kind: 'module', item: '$.module_id', scope: course },
  {
    table: 'module_items',
    kind: 'module',
    item: '',
    scope: '',
    columns: ['module_id', 'position', 'content_id', 'requirement_type', 'workflow_state'],
    select: `select 'course_' || $.course_id, ${kindOfItem.replaceAll('i.', '$.')}, $.content_id where $.content_id is not null and $.type in ${contentTypes}`,
  },
  { table: 'module_overrides', kind: 'module', item: '$.module_id', scope: course },
  { table: 'module_overrides', kind: 'module', item: '', scope: '', select: contentOfModule('$.module_id') },
  {
    table: 'module_progressions',
    kind: 'module',
    item: '$.module_id',
    scope: me,
    columns: ['state', 'requirements_met', 'current_position'],
  },
  {
    table: 'module_progressions',
    kind: 'module',
    item: '',
    scope: '',
    columns: ['state', 'current_position'],
    select: `select 'user_' || $.user_id, ${kindOfItem}, i.content_id from module_items i where i.module_id = $.module_id and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')`,
  },
  { table: 'pages', kind: 'page', item: '$.id', scope: context },
  { table: 'pages', kind: 'module', item: '', scope: '', ...holders('Page') },
  { table: 'discussion_topics', kind: 'discussion_topic', item: '$.id', scope: context },
  {
    table: 'discussion_topics',
    kind: 'module',
    item: '',
    scope: '',
    columns: ['title', 'workflow_state', 'delayed_post_at', 'lock_at'],
    ...holders('Discussion'),
  },
  {
    table: 'discussion_entries',
    kind: 'discussion_topic',
    item: '',
    scope: '',
    select:
      "select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.id = $.discussion_topic_id",
  },
  { table: 'discussion_topic_reads', kind: 'discussion_topic', item: '$.discussion_topic_id', scope: me },
  { table: 'discussion_entry_reads', kind: 'discussion_topic', item: '$.discussion_topic_id', scope: me },
  { table: 'calendar_events', kind: 'calendar_event', item: '$.id', scope: 'coalesce($.effective_context_code, $.context_code)' },
  { table: 'planner_notes', kind: 'planner_note', item: '$.id', scope: me },
  { table: 'planner_overrides', kind: 'planner_override', item: '$.id', scope: me },
  marksOn('planner_notes', "'planner_note'"),
  marksOn('assignments', "'assignment'"),
  marksOn('pages', "'wiki_page'"),
  marksOn('discussion_topics', "'discussion_topic', 'announcement'"),
  marksOn('calendar_events', "'calendar_event'"),
  { table: 'folders', kind: 'folder', item: '$.id', scope: context },
  {
    table: 'folders',
    kind: 'file',
    item: '',
    scope: '',
    events: ['update'],
    columns: ['locked', 'hidden', 'lock_at', 'unlock_at'],
    select: filesBelow,
  },
  {
    table: 'folders',
    kind: 'folder',
    item: '',
    scope: '',
    events: ['update'],
    columns: ['locked', 'hidden', 'lock_at', 'unlock_at'],
    select: foldersBelow,
  },
  // A folder tells how many of its folders the caller may see.
  {
    table: 'folders',
    kind: 'folder',
    item: '$.parent_folder_id',
    scope: context,
    when: '$.parent_folder_id is not null',
    columns: ['locked', 'hidden', 'lock_at', 'unlock_at'],
  },
  { table: 'files', kind: 'file', item: '$.id', scope: context, when: "$.workflow_state <> 'pending'" },
  // A folder tells how many of its files the caller may see.
  {
    table: 'files',
    kind: 'folder',
    item: '$.folder_id',
    scope: context,
    when: "$.workflow_state <> 'pending'",
    columns: ['workflow_state', 'locked', 'hidden', 'lock_at', 'unlock_at', 'folder_id'],
  },
  {
    table: 'files',
    kind: 'module',
    item: '',
    scope: '',
    when: "$.workflow_state <> 'pending'",
    columns: ['display_name', 'workflow_state', 'locked', 'hidden'],
    ...holders('File'),
  },
  { table: 'conversation_participants', kind: 'conversation', item: '$.conversation_id', scope: me },
];

/** When each item becomes another by time alone. */
const clocks: readonly { table: string; kind: string; item: string; scope: string; fields: readonly string[]; prefix?: string }[] = [
  { table: 'assignments', kind: 'assignment', item: '$.id', scope: course, fields: ['unlock_at', 'lock_at', 'due_at'] },
  {
    table: 'assignment_overrides',
    kind: 'assignment',
    item: '$.assignment_id',
    scope: course,
    fields: ['unlock_at', 'lock_at', 'due_at'],
    prefix: "'override_' || $.id || '_' || ",
  },
  { table: 'modules', kind: 'module', item: '$.id', scope: course, fields: ['unlock_at'] },
  { table: 'discussion_topics', kind: 'discussion_topic', item: '$.id', scope: context, fields: ['delayed_post_at', 'lock_at'] },
  { table: 'pages', kind: 'page', item: '$.id', scope: context, fields: ['publish_at'] },
  { table: 'folders', kind: 'folder', item: '$.id', scope: context, fields: ['unlock_at', 'lock_at'] },
  { table: 'files', kind: 'file', item: '$.id', scope: context, fields: ['unlock_at', 'lock_at'] },
  {
    table: 'files',
    kind: 'folder',
    item: '$.folder_id',
    scope: context,
    fields: ['unlock_at', 'lock_at'],
    prefix: "'file_' || $.id || '_' || ",
  },
];

const now = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

function body(source: Source, row: 'new' | 'old'): string {
  const at = (sql: string) => sql.replaceAll('$.', `${row}.`);
  const chosen = at(source.select ?? `select ${source.scope} as scope, '${source.kind}' as kind, ${source.item} as item_id`);
  const named = `(${source.select ? `with chosen(scope, kind, item_id) as (${chosen}) select * from chosen` : chosen})`;
  // A conflict clause inside a trigger gives way to the one of the statement that fired it, so the older row is deleted by hand.
  return `delete from changes where (scope, kind, item_id) in ${named};
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, '${row === 'old' && !source.select ? 'delete' : 'upsert'}', ${now} from ${named};`;
}

function changeTriggers(): string[] {
  return sources.flatMap((source, at) =>
    (source.events ?? everyEvent).map((event) => {
      const row = event === 'delete' ? 'old' : 'new';
      const columns = event === 'update' && source.columns ? ` of ${source.columns.join(', ')}` : '';
      const when = source.when ? ` when ${source.when.replaceAll('$.', `${row}.`)}` : '';
      return `create trigger change_${at}_${source.table}_${event} after ${event}${columns} on ${source.table}${when} begin\n  ${body(source, row)}\nend;`;
    }),
  );
}

function momentTriggers(): string[] {
  return clocks.flatMap(({ table, kind, item, scope, fields, prefix = '' }) =>
    fields.flatMap((field) =>
      (['insert', 'update', 'delete'] as const).map((event) => {
        const row = event === 'delete' ? 'old' : 'new';
        const at = (sql: string) => sql.replaceAll('$.', `${row}.`);
        const name = `${at(prefix)}'${field}'`;
        const forget = `delete from moments where kind = '${kind}' and item_id = ${at(item)} and scope = ${at(scope)} and field = ${name};`;
        const note =
          event === 'delete'
            ? ''
            : `\n  insert into moments (scope, kind, item_id, field, at) select ${at(scope)}, '${kind}', ${at(item)}, ${name}, new.${field} where new.${field} is not null;`;
        return `create trigger moment_${table}_${kind}_${field}_${event} after ${event}${event === 'update' ? ` of ${field}` : ''} on ${table} begin\n  ${forget}${note}\nend;`;
      }),
    ),
  );
}

/** What rows copy from others, kept in step. */
const copies = [
  `create trigger copy_sortable_name after update of sortable_name on users when new.sortable_name <> old.sortable_name begin
  update enrollments set sortable_name = new.sortable_name where user_id = new.id;
end;`,
  ...(['insert', 'update of workflow_state', 'delete'] as const).map((event) => {
    const row = event === 'delete' ? 'old' : 'new';
    const active = (side: string) => `(${side}.workflow_state = 'active')`;
    const difference = {
      insert: active('new'),
      'update of workflow_state': `${active('new')} - ${active('old')}`,
      delete: `-${active('old')}`,
    }[event];
    return `create trigger count_entries_${event.split(' ')[0]} after ${event} on discussion_entries begin
  update discussion_topics set entry_count = entry_count + ${difference} where id = ${row}.discussion_topic_id;
end;`;
  }),
];

/** How many files and folders a folder holds. */
const folderCounts = (
  [
    ['files', 'files_count', 'folder_id', 'available'],
    ['folders', 'folders_count', 'parent_folder_id', 'visible'],
  ] as const
).flatMap(([table, count, parent, live]) => {
  const counts = (row: 'new' | 'old') => `(${row}.workflow_state = '${live}')`;
  const add = (row: 'new' | 'old', sign: '+' | '-') =>
    `update folders set ${count} = ${count} ${sign} 1 where id = ${row}.${parent} and ${counts(row)};`;
  return [
    `create trigger count_${table}_insert after insert on ${table} when ${counts('new')} begin\n  ${add('new', '+')}\nend;`,
    `create trigger count_${table}_update after update of workflow_state, ${parent} on ${table} when ${counts('new')} <> ${counts('old')} or new.${parent} is not old.${parent} begin\n  ${add('old', '-')}\n  ${add('new', '+')}\nend;`,
    `create trigger count_${table}_delete after delete on ${table} when ${counts('old')} begin\n  ${add('old', '-')}\nend;`,
  ];
});

const metered = (row: 'new' | 'old') =>
  `(${row}.workflow_state = 'available' and ${row}.copied_from_id is null and ${row}.is_submitted = 0) * max(${row}.size, 512)`;
const place = (row: 'new' | 'old') => `context_type = ${row}.context_type and context_id = ${row}.context_id`;

/** Bytes against a quota: copies and what was handed in are free, a file counts at least 512 (reference 02 §8.6). */
const storageCounts = (['insert', 'update of workflow_state, size, copied_from_id, is_submitted', 'delete'] as const).map((event) => {
  const row = event === 'delete' ? 'old' : 'new';
  const difference = { insert: metered('new'), delete: `-${metered('old')}` }[event as 'insert'] ?? `${metered('new')} - ${metered('old')}`;
  return `create trigger count_storage_${event.split(' ')[0]} after ${event} on files begin
  insert into storage (context_type, context_id, bytes) select ${row}.context_type, ${row}.context_id, 0 where not exists (select 1 from storage where ${place(row)});
  update storage set bytes = bytes + (${difference}) where ${place(row)};
end;`;
});

/** Bytes that a file has let go of may be nobody's any more: the collector looks. */
const released = [
  [
    'after update of workflow_state on files',
    "new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' and old.blob_id is not null",
  ],
  ['after update of blob_id on files', 'old.blob_id is not null and new.blob_id is not old.blob_id'],
  ['after delete on files', 'old.blob_id is not null'],
].map(
  ([event, when], at) => `create trigger release_blob_${at} ${event} when ${when} begin
  update blobs set unsure_since = ${now} where id = old.blob_id;
end;`,
);

const isActive = (entry: string) => `(select count(*) from discussion_entries e where e.id = ${entry} and e.workflow_state = 'active')`;
const ofReader = (row: string) => `discussion_topic_id = ${row}.discussion_topic_id and user_id = ${row}.user_id`;
const ofCounted = 'user_id in (select r.user_id from discussion_entry_reads r where r.discussion_entry_id = new.id and r.read = 1)';

/** How many entries of a topic each person has read. */
const readCounts = [
  `create trigger count_reads_insert after insert on discussion_entry_reads when new.read = 1 begin
  insert into discussion_topic_reads (discussion_topic_id, user_id) select new.discussion_topic_id, new.user_id where not exists (select 1 from discussion_topic_reads where ${ofReader('new')});
  update discussion_topic_reads set read_count = read_count + ${isActive('new.discussion_entry_id')} where ${ofReader('new')};
end;`,
  `create trigger count_reads_update after update of read on discussion_entry_reads when new.read <> old.read begin
  insert into discussion_topic_reads (discussion_topic_id, user_id) select new.discussion_topic_id, new.user_id where not exists (select 1 from discussion_topic_reads where ${ofReader('new')});
  update discussion_topic_reads set read_count = read_count + (new.read - old.read) * ${isActive('new.discussion_entry_id')} where ${ofReader('new')};
end;`,
  `create trigger count_reads_delete after delete on discussion_entry_reads when old.read = 1 begin
  update discussion_topic_reads set read_count = read_count - ${isActive('old.discussion_entry_id')} where ${ofReader('old')};
end;`,
  `create trigger count_reads_entry after update of workflow_state on discussion_entries when new.workflow_state <> old.workflow_state begin
  update discussion_topic_reads set read_count = read_count + (new.workflow_state = 'active') - (old.workflow_state = 'active') where discussion_topic_id = new.discussion_topic_id and ${ofCounted};
end;`,
];

/** A graded discussion and its assignment are one thing: what is said of either holds for both. */
const grading = [
  `create trigger step_topic after update of name, description, workflow_state on assignments
when new.name <> old.name or new.description is not old.description or new.workflow_state <> old.workflow_state begin
  update discussion_topics set title = new.name, message = new.description, updated_at = new.updated_at,
    posted_at = case when workflow_state = 'unpublished' and new.workflow_state = 'published' then new.updated_at else posted_at end,
    last_reply_at = case when workflow_state = 'unpublished' and new.workflow_state = 'published' then new.updated_at else last_reply_at end,
    workflow_state = case new.workflow_state when 'published' then case workflow_state when 'unpublished' then 'active' else workflow_state end else new.workflow_state end
  where assignment_id = new.id and workflow_state <> 'deleted' and (title <> new.name or message is not new.description
    or (workflow_state = 'unpublished') <> (new.workflow_state = 'unpublished') or new.workflow_state = 'deleted');
end;`,
  `create trigger step_assignment after update of title, message, workflow_state on discussion_topics
when new.assignment_id is not null and (new.title <> old.title or new.message is not old.message or new.workflow_state <> old.workflow_state) begin
  update assignments set name = new.title, description = new.message, updated_at = new.updated_at,
    workflow_state = case new.workflow_state when 'deleted' then 'deleted' when 'unpublished' then 'unpublished' else 'published' end
  where id = new.assignment_id and workflow_state <> 'deleted' and (name <> new.title or description is not new.message
    or workflow_state <> case new.workflow_state when 'deleted' then 'deleted' when 'unpublished' then 'unpublished' else 'published' end);
end;`,
];

/** Every trigger of the database, as statements. */
export const triggers = (): readonly string[] => [
  ...changeTriggers(),
  ...momentTriggers(),
  ...copies,
  ...folderCounts,
  ...storageCounts,
  ...released,
  ...itemTriggers,
  ...readCounts,
  ...grading,
];
