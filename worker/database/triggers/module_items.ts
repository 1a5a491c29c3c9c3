// Keeps module items in step with their content: renamed and deleted with it.

import { nowSql } from './now.ts';
import { trigger } from './trigger.ts';

const contents = [
  { table: 'pages', type: 'Page', name: 'title' },
  { table: 'assignments', type: 'Assignment', name: 'name' },
  { table: 'discussion_topics', type: 'Discussion', name: 'title' },
  { table: 'quizzes', type: 'Quiz', name: 'title' },
  { table: 'files', type: 'File', name: 'display_name' },
] as const;

const held = (type: string) => `type = '${type}' and content_id = new.id and workflow_state = 'active'`;

export const itemTriggers = contents.flatMap(({ table, type, name }) => [
  trigger({
    on: table,
    name: 'rename_items',
    event: 'update',
    of: [name],
    when: `new.${name} <> old.${name}`,
    run: [`update module_items set title = new.${name}, updated_at = ${nowSql} where ${held(type)};`],
    purpose: 'Copy the new name to the module items that show it.',
  }),
  // When an upload replaces a file, its items move to the new file.
  trigger({
    on: table,
    name: 'delete_items',
    event: 'update',
    of: ['workflow_state'],
    when: "new.workflow_state = 'deleted' and old.workflow_state <> 'deleted'",
    run: [
      `update module_items set ${
        type === 'File'
          ? "content_id = coalesce(new.replacement_file_id, content_id), workflow_state = (case when new.replacement_file_id is null then 'deleted' else 'active' end)"
          : "workflow_state = 'deleted'"
      }, updated_at = ${nowSql} where ${held(type)};`,
    ],
    purpose:
      type === 'File'
        ? 'Pass the module items of a replaced file to the new one, and delete those of a deleted file.'
        : 'Delete the module items of deleted content.',
  }),
]);
