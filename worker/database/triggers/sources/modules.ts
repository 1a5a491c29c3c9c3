// Changes caused by modules: to themselves, and to content that they lock.

import { everyEvent } from '../trigger.ts';
import { courseScope, me, type TriggerSource } from './source.ts';

// In brackets, as every `case` of a trigger: tools that split a migration into statements count unbracketed ones, and miscount `end,`.
const kindOfItem =
  "(case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end)";

const contentTypes = "('Page', 'Assignment', 'Discussion', 'File')";

/** A graded discussion also represents its assignment. */
const gradedBy = (scope: string, from: string, where: string) =>
  `select ${scope}, 'assignment', t.assignment_id from ${from} where ${where} and t.assignment_id is not null`;

/** The content of module items, whose locks depend on the modules. */
const contentIn = (scope: string, module_ids: string) =>
  `select ${scope}, ${kindOfItem}, i.content_id from module_items i where i.module_id in (${module_ids}) and i.workflow_state = 'active' and i.content_id is not null and i.type in ${contentTypes}
    union all ${gradedBy(scope, 'module_items i join discussion_topics t on t.id = i.content_id', `i.module_id in (${module_ids}) and i.workflow_state = 'active' and i.type = 'Discussion'`)}`;
const contentOfModule = (module_ids: string) => contentIn("'course_' || $.course_id", module_ids);

/** A row for a module without prerequisites that a student may start changes nothing: clients assume that state without a row. */
const tellsMore =
  "$.state <> 'unlocked' or exists (select 1 from modules m where m.id = $.module_id and m.prerequisite_module_ids <> '[]')";
const progressions = (
  of: Pick<TriggerSource, 'item' | 'scope' | 'select' | 'as' | 'logs'>,
  columns: readonly string[],
): TriggerSource[] => [
  { table: 'module_progressions', kind: 'module', ...of, events: ['insert'], when: tellsMore },
  { table: 'module_progressions', kind: 'module', ...of, events: ['update', 'delete'], columns },
];

export const ofModules: readonly TriggerSource[] = [
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
      union all ${gradedBy("'course_' || $.course_id", 'discussion_topics t', "$.type = 'Discussion' and t.id = $.content_id")}`,
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
  ...progressions({ item: '$.module_id', scope: me }, ['state', 'requirements_met', 'current_position']),
  ...progressions({ as: 'content', logs: 'the content of the module', select: contentIn("'user_' || $.user_id", '$.module_id') }, [
    'state',
    'current_position',
  ]),
];
