// Links to resources of tools in a course: what a launch is about, and what a tool may attach line items to.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, state, string } from '../../database/columns';

export const lti_resource_links = sqliteTable(
  'lti_resource_links',
  {
    id: id(),
    course_id: int().notNull(),
    external_tool_id: int().notNull(),
    resource_type: state('assignment', 'module_item', 'collaboration', 'rich_content').notNull().default('rich_content'),
    /** The assignment of a link that a tool chose for one; null for a link in a text. */
    assignment_id: int(),
    /** The module item of a link that a tool chose for a module. */
    module_item_id: int(),
    resource_link_uuid: string().notNull(),
    lookup_uuid: string().notNull(),
    title: string(),
    url: string(),
    custom: json<Readonly<Record<string, string>>>().notNull().default({}),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (link) => [
    uniqueIndex('lti_resource_links_by_uuid').on(link.resource_link_uuid),
    // A copy of a course names its links by the uuids that its texts have.
    uniqueIndex('lti_resource_links_by_lookup').on(link.lookup_uuid, link.course_id),
    index('lti_resource_links_in_course').on(link.course_id, link.id),
    index('lti_resource_links_of_assignment').on(link.assignment_id).where(sql`assignment_id is not null`),
    index('lti_resource_links_of_item').on(link.module_item_id).where(sql`module_item_id is not null`),
  ],
);
