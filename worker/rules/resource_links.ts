// Which links to resources of tools are there.

import { type SQL, sql } from 'drizzle-orm';

/** A link ends with the assignment or the item that it was chosen for. */
export const activeLink: SQL = sql`lti_resource_links.workflow_state = 'active'
  and not exists (select 1 from assignments gone where gone.id = lti_resource_links.assignment_id and gone.workflow_state = 'deleted')
  and not exists (select 1 from module_items gone where gone.id = lti_resource_links.module_item_id and gone.workflow_state = 'deleted')`;
