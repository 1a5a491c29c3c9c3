// Resource links as clients see them (reference 06 §9).

import { LtiResourceLink } from '@carrel/shared/resources/lti';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { lti_resource_links } from './table';

export type ResourceLinkRow = RowOf<typeof lti_resource_links>;

/** What a link was chosen for. */
function associated({ assignment_id, module_item_id }: ResourceLinkRow) {
  if (assignment_id !== null) return { associated_content_type: 'Assignment', associated_content_id: assignment_id };
  return module_item_id === null ? {} : { associated_content_type: 'ModuleItem', associated_content_id: module_item_id };
}

/** The address that opens a link in the browser. */
export const linkAddress = ({ course_id, lookup_uuid }: Pick<ResourceLinkRow, 'course_id' | 'lookup_uuid'>, origin: string): string =>
  `${origin}/courses/${course_id}/external_tools/retrieve?display=borderless&resource_link_lookup_uuid=${lookup_uuid}`;

export const ltiResourceLink = serializer({
  resource: LtiResourceLink,
  table: lti_resource_links,
  json: (row: ResourceLinkRow, { origin }) => ({
    ...row,
    context_type: row.assignment_id === null ? 'Course' : 'Assignment',
    context_id: row.assignment_id ?? row.course_id,
    context_external_tool_id: row.external_tool_id,
    canvas_launch_url: linkAddress(row, origin),
    ...associated(row),
    lti_1_1_id: null,
  }),
});
