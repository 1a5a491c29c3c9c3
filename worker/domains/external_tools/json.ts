// External tools as clients see them.

import { ExternalTool, NavigationTool, placementNames } from '@carrel/shared/resources/external_tool';
import { cut } from '@carrel/shared/resources/resource';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { placementJson, placementOf } from '../../rules/tool_placements';
import { external_tools } from './table';

export type ToolRow = RowOf<typeof external_tools>;

/** Settings that are only shown where they are set. */
const shown = ({ settings }: ToolRow) => {
  const { allow_membership_service_access, unified_tool_id, selection_width, selection_height, prefer_sis_email, icon_url } = settings;
  const given = { allow_membership_service_access, unified_tool_id, selection_width, selection_height, prefer_sis_email, icon_url };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));
};

export function toolJson(row: ToolRow, { me }: Pick<Call, 'me'>) {
  const { settings, placements: _, ...rest } = row;
  return {
    ...rest,
    ...shown(row),
    consumer_key: row.version === '1.3' ? 'N/A' : row.consumer_key,
    workflow_state: row.workflow_state === 'deleted' ? 'deleted' : row.privacy_level,
    vendor_help_link: settings.vendor_help_link ?? null,
    developer_key_id: row.developer_key_id ?? undefined,
    ...(placementOf(row, 'editor_button') && { is_rce_favorite: settings.is_rce_favorite ?? false }),
    ...(placementOf(row, 'top_navigation') && { is_top_nav_favorite: settings.is_top_nav_favorite ?? false }),
    ...Object.fromEntries(placementNames.map((name) => [name, placementJson(row, name, me.user.locale)])),
  };
}

export const externalTool = serializer({ resource: ExternalTool, table: external_tools, json: toolJson });

/** With the course whose navigation it is in. */
export const navigationToolJson = (row: ToolRow, call: Pick<Call, 'me'>, course: { readonly id: number; readonly name: string }) =>
  cut(NavigationTool, { ...toolJson(row, call), context_id: String(course.id), context_name: course.name });
