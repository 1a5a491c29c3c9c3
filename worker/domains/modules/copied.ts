// How modules and their items are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, copyOf, notDeletedAs } from '../../rules/copied_kind';
import { toolThere } from '../../rules/copied_tool_links';
import { module_items, modules } from './table';

export const moduleCopied: CopiedKindFacts = {
  kind: 'module',
  table: modules,
  asset: 'context_module',
  title: 'name',
  there: (a, course) => sql`${sql.raw(a)}.course_id = ${course} and ${notDeletedAs(a)}`,
  kept: ['position', 'prerequisite_module_ids'],
  differing: ({ to, copy_id }) => ({
    course_id: shared('course', to),
    position: sql`o.position + coalesce((select max(m.position) from modules m where m.course_id = ${shared('course', to)} and m.workflow_state <> 'deleted' and m.id not in (select item_id from copied_items where course_id = ${shared('course', to)} and kind = 'module' and copy_id = ${shared('item', copy_id)})), 0)`,
    prerequisite_module_ids: sql`'[]'`,
  }),
};

/** The copy kind of a module item's content. */
const contentKind = sql.raw(
  "case o.type when 'File' then 'file' when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'Quiz' then 'quiz' end",
);

export const moduleItemCopied: CopiedKindFacts = {
  kind: 'module_item',
  table: module_items,
  asset: 'content_tag',
  title: 'title',
  there: (a, course) => sql`${sql.raw(a)}.course_id = ${course} and ${sql.raw(a)}.workflow_state = 'active'`,
  planned: 'o.module_id, o.type, o.content_id',
  kept: ['title'],
  only: (route) =>
    sql`${copyOf('module', sql`o.module_id`, route)} is not null and (o.content_id is null or o.type = 'ExternalTool' or ${copyOf(contentKind, sql`o.content_id`, route)} is not null)`,
  differing: (route) => ({
    course_id: shared('course', route.to),
    module_id: copyOf('module', sql`o.module_id`, route),
    // A tool that is not there is found by the address.
    content_id: sql`case when o.type = 'ExternalTool' then ${toolThere(sql`o.content_id`, route)} when o.content_id is not null then ${copyOf(contentKind, sql`o.content_id`, route)} end`,
  }),
};
