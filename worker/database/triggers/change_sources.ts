// What changes, for whom, when a row is written: the facts that the change log's triggers are made of.

export const everyEvent = ['insert', 'update', 'delete'] as const;
type Event = (typeof everyEvent)[number];

export interface Source {
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

export const course = "'course_' || $.course_id";
const me = "'user_' || $.user_id";
export const context = "lower($.context_type) || '_' || $.context_id";
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

export const sources: readonly Source[] = [
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
