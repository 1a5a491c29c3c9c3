// Writes and times that change a module in the feed, writes of modules that change the content that they lock, and what blueprints record of modules.

import { type BlueprintSource, courseScope, me, type ScheduleSource, type TriggerSource } from '../../database/triggers/source.ts';
import { everyEvent } from '../../database/triggers/trigger.ts';

// In brackets, as every `case` of a trigger: tools that split a migration into statements count unbracketed ones, and miscount `end,`.
const kindOfItem =
  "(case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' when 'Quiz' then 'quiz' end)";

const contentTypes = "('Page', 'Assignment', 'Discussion', 'File', 'Quiz')";

const graded = [
  ['Discussion', 'discussion_topics'],
  ['Quiz', 'quizzes'],
] as const;

/** A graded discussion or quiz also represents its assignment. */
const gradedIn = (scope: string, module_ids: string) =>
  graded
    .map(
      ([
        type,
        table,
      ]) => `union all select ${scope}, 'assignment', t.assignment_id from module_items i join ${table} t on t.id = i.content_id
      where i.module_id in (${module_ids}) and i.workflow_state = 'active' and i.type = '${type}' and t.assignment_id is not null`,
    )
    .join('\n    ');
const gradedByItem = graded
  .map(
    ([type, table]) =>
      `union all select 'course_' || $.course_id, 'assignment', t.assignment_id from ${table} t where $.type = '${type}' and t.id = $.content_id and t.assignment_id is not null`,
  )
  .join('\n      ');

/** The content of module items, whose locks depend on the modules. */
const contentIn = (scope: string, module_ids: string) =>
  `select ${scope}, ${kindOfItem}, i.content_id from module_items i where i.module_id in (${module_ids}) and i.workflow_state = 'active' and i.content_id is not null and i.type in ${contentTypes}
    ${gradedIn(scope, module_ids)}`;
const contentOfModule = (module_ids: string) => contentIn("'course_' || $.course_id", module_ids);

const hasPrerequisites = "exists (select 1 from modules m where m.id = $.module_id and m.prerequisite_module_ids <> '[]')";
/** @param inserted when a new row tells more than clients assume without one: an unlocked module, if it has no prerequisites */
const progressions = (
  of: Pick<TriggerSource, 'item' | 'scope' | 'select' | 'as' | 'logs' | 'onUpdate'>,
  columns: readonly string[],
  inserted: string,
): TriggerSource[] => [
  { table: 'module_progressions', kind: 'module', ...of, events: ['insert'], when: inserted },
  { table: 'module_progressions', kind: 'module', ...of, events: ['update', 'delete'], columns },
];

/** Modules that contain the content: they show its title and published state. */
const holding = (table: string, type: string, columns: readonly string[], when?: string): TriggerSource => ({
  table,
  kind: 'module',
  columns,
  ...(when && { when }),
  select: `select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = '${type}' and i.content_id = $.id and i.workflow_state = 'active'`,
});

export const moduleSources: readonly TriggerSource[] = [
  { table: 'modules', kind: 'module', item: '$.id', scope: courseScope },
  {
    table: 'modules',
    kind: 'module',
    as: 'content',
    logs: 'the content of the module',
    columns: ['name', 'position', 'workflow_state', 'unlock_at', 'prerequisite_module_ids', 'require_sequential_progress'],
    select: contentOfModule('$.id'),
  },
  // A lock names the prerequisite modules.
  {
    table: 'modules',
    kind: 'module',
    as: 'content_after',
    logs: 'the content of each module',
    events: ['update'],
    columns: ['name', 'workflow_state'],
    select: contentOfModule(
      'select m.id from modules m, json_each(m.prerequisite_module_ids) p where m.course_id = $.course_id and p.value = $.id',
    ),
  },
  { table: 'module_items', kind: 'module', item: '$.module_id', scope: courseScope },
  {
    table: 'module_items',
    kind: 'module',
    item: '$.module_id',
    scope: courseScope,
    events: ['update'],
    columns: ['module_id'],
    isBefore: true,
  },
  {
    table: 'module_items',
    kind: 'module',
    as: 'content',
    logs: 'the content of the item',
    columns: ['module_id', 'position', 'content_id', 'requirement_type', 'workflow_state'],
    select: `select 'course_' || $.course_id, ${kindOfItem.replaceAll('i.', '$.')}, $.content_id where $.content_id is not null and $.type in ${contentTypes}
      ${gradedByItem}`,
  },
  // A lock names the module's requirements.
  ...[false, true].map(
    (isBefore): TriggerSource => ({
      table: 'module_items',
      kind: 'module',
      as: 'content_of_module',
      logs: 'the content of the module',
      events: isBefore ? ['update'] : everyEvent,
      columns: ['requirement_type', 'min_score', 'min_percentage', 'workflow_state', 'module_id'],
      when: '$.requirement_type is not null',
      isBefore,
      select: contentOfModule('$.module_id'),
    }),
  ),
  { table: 'module_overrides', kind: 'module', item: '$.module_id', scope: courseScope },
  { table: 'module_overrides', kind: 'module', as: 'content', logs: 'the content of the module', select: contentOfModule('$.module_id') },
  ...progressions(
    { item: '$.module_id', scope: me },
    ['state', 'requirements_met', 'current_position'],
    `$.state <> 'unlocked' or ${hasPrerequisites}`,
  ),
  // Whether a student may start or has completed a module changes no lock; see `isHeldBack`.
  ...progressions(
    {
      as: 'content',
      logs: 'the content of the module',
      select: contentIn("'user_' || $.user_id", '$.module_id'),
      onUpdate: "(old.state = 'locked') <> (new.state = 'locked') or old.current_position is not new.current_position",
    },
    ['state', 'current_position'],
    `$.current_position is not null or ${hasPrerequisites}`,
  ),
  holding('discussion_topics', 'Discussion', ['title', 'workflow_state', 'delayed_post_at', 'lock_at', 'section_ids', 'assignment_id']),
  // A topic with student posts cannot be unpublished, which staff see in its module items.
  {
    table: 'discussion_entries',
    kind: 'module',
    columns: ['workflow_state'],
    select: `select 'staff_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = $.discussion_topic_id and i.workflow_state = 'active'
      and not exists (select 1 from discussion_entries o join enrollments n on n.user_id = o.user_id and n.course_id = i.course_id and n.type = 'StudentEnrollment'
        where o.discussion_topic_id = $.discussion_topic_id and o.id <> $.id and o.workflow_state = 'active')`,
  },
  holding('pages', 'Page', ['title', 'url', 'workflow_state', 'front_page', 'publish_at']),
  holding('quizzes', 'Quiz', ['title', 'workflow_state', 'assignment_id', 'points_possible', 'due_at', 'unlock_at', 'lock_at']),
  holding(
    'files',
    'File',
    ['display_name', 'workflow_state', 'locked', 'hidden', 'lock_at', 'unlock_at', 'usage_rights'],
    "$.workflow_state <> 'pending'",
  ),
];

export const moduleSchedule: readonly ScheduleSource[] = [
  { table: 'modules', kind: 'module', item: '$.id', scope: courseScope, fields: ['unlock_at'] },
];

export const moduleBlueprint: BlueprintSource = { table: 'modules', kind: 'module', course: '$.course_id' };
export const moduleItemBlueprint: BlueprintSource = { table: 'module_items', kind: 'module_item', course: '$.course_id' };
