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
  /** The row as it was before an update: what it has left. */
  readonly isBefore?: boolean;
}

export const course = "'course_' || $.course_id";
const me = "'user_' || $.user_id";
export const context = "lower($.context_type) || '_' || $.context_id";
// In brackets, as every `case` of a trigger: tools that cut a migration into statements count unbracketed ones, and miscount `end,`.
const kindOfItem =
  "(case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end)";

const contentTypes = "('Page', 'Assignment', 'Discussion', 'File')";
/** What the items of a module stand for: its locks are theirs. */
const contentOfModule = (module_ids: string) =>
  `select 'course_' || $.course_id, ${kindOfItem}, i.content_id from module_items i where i.module_id in (${module_ids}) and i.workflow_state = 'active' and i.content_id is not null and i.type in ${contentTypes}`;

/** Modules that hold a piece of content: they show its title and whether it is published. */
const holders = (type: string): Pick<Source, 'select'> => ({
  select: `select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = '${type}' and i.content_id = $.id and i.workflow_state = 'active'`,
});

// `0` follows `/`: a range, so that the index on paths serves it.
const isBelow =
  "d.context_type = $.context_type and d.context_id = $.context_id and d.full_name > $.full_name || '/' and d.full_name < $.full_name || '0'";
const filesBelow = `select lower(f.context_type) || '_' || f.context_id, 'file', f.id from files f
    where f.folder_id in (select $.id union all select d.id from folders d where ${isBelow})`;

/** Where nothing is restricted, a folder that moves takes nothing along that anybody sees otherwise. */
const isRestricting = `exists (select 1 from folders r where r.context_type = $.context_type and r.context_id = $.context_id
    and r.workflow_state = 'visible' and (r.hidden = 1 or r.locked = 1 or r.lock_at is not null or r.unlock_at is not null))`;

const foldersBelow = `select lower(d.context_type) || '_' || d.context_id, 'folder', d.id from folders d where ${isBelow}`;

const eventScope = 'coalesce($.effective_context_code, $.context_code)';
const inScopeOf = (alias: string) => `lower(${alias}.context_type) || '_' || ${alias}.context_id`;
const toParticipants = (from: string, where: string) =>
  `select 'user_' || p.user_id, 'conversation', p.conversation_id from ${from} join conversation_participants p on p.conversation_id = ${where}`;
const eventsOf = (code: string) =>
  `select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = ${code} and e.workflow_state <> 'deleted'`;

/** Who writes is named beside what they have written. */
const display = ['name', 'short_name', 'pronouns', 'avatar_url'];
const named = (kind: string, select: string, columns: readonly string[] = display): Source => ({
  table: 'users',
  kind,
  item: '',
  scope: '',
  events: ['update'],
  columns,
  select,
});

/** Courses that two people of a thread come to share, or share no more. */
const threadsAmong = `select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = $.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = $.user_id`;

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
  named('calendar_event', eventsOf("'user_' || $.id")),
  named(
    'discussion_topic',
    `select ${inScopeOf('t')}, 'discussion_topic', t.id from discussion_topics t where t.user_id = $.id and t.workflow_state <> 'deleted'`,
  ),
  named('page', `select ${inScopeOf('p')}, 'page', p.id from pages p where p.last_edited_by_id = $.id and p.workflow_state <> 'deleted'`),
  named(
    'submission',
    "select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id in (select c.submission_id from submission_comments c where c.author_id = $.id and c.workflow_state = 'active')",
  ),
  named('conversation', `${toParticipants('conversation_participants mine', 'mine.conversation_id')} where mine.user_id = $.id`),
  // Events wear the colours that a person gives their contexts.
  named(
    'calendar_event',
    `select 'user_' || $.id, 'calendar_event', e.id from json_each(coalesce($.settings -> '$.custom_colors', '{}')) c
      join calendar_events e on e.workflow_state <> 'deleted' and (e.context_code = c.key or e.parent_event_id in (select o.id from calendar_events o where o.context_code = c.key and o.workflow_state <> 'deleted'))
      where c.value is not (old.settings -> '$.custom_colors' ->> c.key)`,
    ['settings'],
  ),
  { table: 'logins', kind: 'user', item: '$.user_id', scope: me },
  {
    table: 'logins',
    kind: 'enrollment',
    item: '',
    scope: '',
    columns: ['sis_user_id', 'workflow_state'],
    select:
      "select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = $.user_id and e.enrollment_state <> 'deleted'",
  },
  { table: 'communication_channels', kind: 'user', item: '$.user_id', scope: me },
  { table: 'courses', kind: 'course', item: '$.id', scope: "'course_' || $.id" },
  {
    table: 'courses',
    kind: 'calendar_event',
    item: '',
    scope: '',
    events: ['update'],
    columns: ['name', 'friendly_name'],
    select: eventsOf("'course_' || $.id"),
  },
  {
    table: 'courses',
    kind: 'conversation',
    item: '',
    scope: '',
    events: ['update'],
    columns: ['name'],
    select: `${toParticipants('conversations c', 'c.id')} where c.context_type = 'Course' and c.context_id = $.id and c.context_id is not null`,
  },
  {
    table: 'sections',
    kind: 'calendar_event',
    item: '',
    scope: '',
    events: ['update'],
    columns: ['name'],
    select: `${eventsOf("'course_section_' || $.id")}
      union all select o.context_code, 'calendar_event', o.id from calendar_events o where o.workflow_state <> 'deleted' and o.id in (select e.parent_event_id from calendar_events e where e.context_code = 'course_section_' || $.id and e.workflow_state <> 'deleted')`,
  },
  {
    table: 'course_nicknames',
    kind: 'calendar_event',
    item: '',
    scope: '',
    select:
      "select 'user_' || $.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || $.course_id and e.workflow_state <> 'deleted'",
  },
  { table: 'course_nicknames', kind: 'course', item: '$.course_id', scope: me },
  { table: 'favorites', kind: 'course', item: '$.context_id', scope: me, when: "$.context_type = 'Course'" },
  { table: 'enrollments', kind: 'enrollment', item: '$.id', scope: me },
  { table: 'enrollments', kind: 'conversation', item: '', scope: '', columns: ['enrollment_state', 'course_id'], select: threadsAmong },
  {
    table: 'enrollments',
    kind: 'conversation',
    item: '',
    scope: '',
    events: ['update'],
    columns: ['course_id'],
    isBefore: true,
    select: threadsAmong,
  },
  // Staff count what waits to be graded of those who are there.
  {
    table: 'enrollments',
    kind: 'assignment',
    item: '',
    scope: '',
    columns: ['enrollment_state', 'course_id', 'course_section_id'],
    select:
      "select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = $.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')",
  },
  { table: 'assignment_groups', kind: 'assignment_group', item: '$.id', scope: course },
  { table: 'assignments', kind: 'assignment', item: '$.id', scope: course },
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
    columns: ['name', 'position', 'workflow_state', 'unlock_at', 'prerequisite_module_ids', 'require_sequential_progress'],
    select: contentOfModule('$.id'),
  },
  // A lock names the modules that come before.
  {
    table: 'modules',
    kind: 'module',
    item: '',
    scope: '',
    events: ['update'],
    columns: ['name', 'workflow_state'],
    select: contentOfModule(
      'select m.id from modules m, json_each(m.prerequisite_module_ids) p where m.course_id = $.course_id and p.value = $.id',
    ),
  },
  { table: 'module_items', kind: 'module', item: '$.module_id', scope: course },
  {
    table: 'module_items',
    kind: 'module',
    item: '$.module_id',
    scope: course,
    events: ['update'],
    columns: ['module_id'],
    isBefore: true,
  },
  {
    table: 'module_items',
    kind: 'module',
    item: '',
    scope: '',
    columns: ['module_id', 'position', 'content_id', 'requirement_type', 'workflow_state'],
    select: `select 'course_' || $.course_id, ${kindOfItem.replaceAll('i.', '$.')}, $.content_id where $.content_id is not null and $.type in ${contentTypes}`,
  },
  // A lock names what its module asks for.
  ...[false, true].map(
    (isBefore): Source => ({
      table: 'module_items',
      kind: 'module',
      item: '',
      scope: '',
      events: isBefore ? ['update'] : everyEvent,
      columns: ['requirement_type', 'min_score', 'min_percentage', 'workflow_state', 'module_id'],
      when: '$.requirement_type is not null',
      isBefore,
      select: contentOfModule('$.module_id'),
    }),
  ),
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
    columns: ['title', 'workflow_state', 'delayed_post_at', 'lock_at', 'section_ids', 'assignment_id'],
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
  // What a student has written on cannot be unpublished: staff see that of the item of a module.
  {
    table: 'discussion_entries',
    kind: 'module',
    item: '',
    scope: '',
    columns: ['workflow_state'],
    select: `select 'staff_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = $.discussion_topic_id and i.workflow_state = 'active'
      and not exists (select 1 from discussion_entries o join enrollments n on n.user_id = o.user_id and n.course_id = i.course_id and n.type = 'StudentEnrollment'
        where o.discussion_topic_id = $.discussion_topic_id and o.id <> $.id and o.workflow_state = 'active')`,
  },
  { table: 'discussion_topic_reads', kind: 'discussion_topic', item: '$.discussion_topic_id', scope: me },
  { table: 'discussion_entry_reads', kind: 'discussion_topic', item: '$.discussion_topic_id', scope: me },
  { table: 'calendar_events', kind: 'calendar_event', item: '$.id', scope: eventScope },
  {
    table: 'calendar_events',
    kind: 'calendar_event',
    item: '$.id',
    scope: eventScope,
    events: ['update'],
    columns: ['context_code', 'effective_context_code'],
    isBefore: true,
  },
  // An event shows the sections' parts of it.
  {
    table: 'calendar_events',
    kind: 'calendar_event',
    item: '',
    scope: '',
    when: '$.parent_event_id is not null',
    select:
      "select coalesce(o.effective_context_code, o.context_code), 'calendar_event', o.id from calendar_events o where o.id = $.parent_event_id",
  },
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
  {
    table: 'folders',
    kind: 'file',
    item: '',
    scope: '',
    events: ['update'],
    columns: ['parent_folder_id'],
    when: isRestricting,
    select: `${filesBelow} union all ${foldersBelow}`,
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
    columns: ['display_name', 'workflow_state', 'locked', 'hidden', 'lock_at', 'unlock_at', 'usage_rights'],
    ...holders('File'),
  },
  // Who is in a thread, all of them see.
  {
    table: 'conversation_messages',
    kind: 'conversation',
    item: '',
    scope: '',
    events: ['insert'],
    when: '$.generated = 1',
    select:
      "select 'user_' || p.user_id, 'conversation', p.conversation_id from conversation_participants p where p.conversation_id = $.conversation_id",
  },
  { table: 'conversation_participants', kind: 'conversation', item: '$.conversation_id', scope: me },
];
