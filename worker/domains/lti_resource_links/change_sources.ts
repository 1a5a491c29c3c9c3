// What a blueprint records of links to resources of tools: they are a part of their assignment or module item. The feed has none.

import type { BlueprintPart } from '../../database/triggers/source.ts';

const linkPart = (of: 'assignment' | 'module_item'): BlueprintPart => ({
  table: 'lti_resource_links',
  of,
  item: `$.${of}_id`,
  columns: ['external_tool_id', 'title', 'url', 'custom', 'workflow_state'],
  course: '$.course_id',
});

export const assignmentLinkPart = linkPart('assignment');
export const moduleItemLinkPart = linkPart('module_item');
