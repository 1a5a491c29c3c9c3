// Keeps module items in step with their content: renamed and deleted with it.

import { now } from './now.ts';

const contents = [
  { table: 'pages', type: 'Page', name: 'title' },
  { table: 'assignments', type: 'Assignment', name: 'name' },
  { table: 'discussion_topics', type: 'Discussion', name: 'title' },
  { table: 'files', type: 'File', name: 'display_name' },
] as const;

const held = (type: string) => `type = '${type}' and content_id = new.id and workflow_state = 'active'`;

export const itemTriggers = contents.flatMap(({ table, type, name }) => [
  `create trigger rename_items_of_${table} after update of ${name} on ${table} when new.${name} <> old.${name} begin
  update module_items set title = new.${name}, updated_at = ${now} where ${held(type)};
end;`,
  // When an upload replaces a file, its items move to the new file.
  `create trigger delete_items_of_${table} after update of workflow_state on ${table} when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  update module_items set ${
    type === 'File'
      ? "content_id = coalesce(new.replacement_file_id, content_id), workflow_state = (case when new.replacement_file_id is null then 'deleted' else 'active' end)"
      : "workflow_state = 'deleted'"
  }, updated_at = ${now} where ${held(type)};
end;`,
]);
