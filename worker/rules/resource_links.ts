// Which links to resources of tools are there.

import { type SQL, sql } from 'drizzle-orm';

/** A link ends with the assignment or the item that it was chosen for. */
export const activeLink: SQL = sql`lti_resource_links.workflow_state = 'active'
  and not exists (select 1 from assignments gone where gone.id = lti_resource_links.assignment_id and gone.workflow_state = 'deleted')
  and not exists (select 1 from module_items gone where gone.id = lti_resource_links.module_item_id and gone.workflow_state = 'deleted')`;

/** What a link can be chosen for. */
export type PlaceOfLink = 'assignment' | 'module_item';

/** The link of an assignment or a module item: the one that was chosen last. @param id SQL */
export const newestLink = (place: PlaceOfLink, id: SQL): SQL =>
  sql`(select max(newest.id) from lti_resource_links newest where newest.${sql.raw(place)}_id = ${id} and newest.workflow_state = 'active')`;
