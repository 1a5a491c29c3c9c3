// Which link to a resource of its tool an assignment has in a package, as SQL over the assignment `a`.

import { type SQL, sql } from 'drizzle-orm';
import { newestLink } from '../../../rules/resource_links';

/** What an assignment states of its tool without a link. */
export const customOfAssignment = sql.raw("(a.options -> '$.external_tool_tag_attributes.custom_params')");
const opensTool = sql.raw("instr(a.submission_types, 'external_tool') > 0");

/** The name of the link of an assignment `a` in a package; null for one that has nothing to name. */
export const linkOfAssignment: SQL = sql`case when ${opensTool} then coalesce(
  (select o.lookup_uuid from lti_resource_links o where o.id = ${newestLink('assignment', sql.raw('a.id'))}),
  case when json_type(${customOfAssignment}) = 'object' or exists (select 1 from line_items i where i.id = a.id and i.is_coupled = 1) then a.lti_context_id end) end`;
