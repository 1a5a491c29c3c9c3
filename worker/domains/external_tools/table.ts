// External tools of accounts and courses, and the LTI 1.3 configurations of developer keys.

import { sql } from 'drizzle-orm';
import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string } from '../../database/columns';

/** What is sent to a tool about a user. */
export const privacyLevels = ['anonymous', 'email_only', 'name_only', 'public'] as const;

/** Settings by wire name; only those that were given. */
export type PlacementSettings = Readonly<Record<string, unknown>>;

export interface ToolSettings {
  readonly text?: string | null;
  readonly icon_url?: string | null;
  readonly canvas_icon_class?: string | null;
  readonly selection_width?: number | string | null;
  readonly selection_height?: number | string | null;
  readonly vendor_help_link?: string | null;
  readonly prefer_sis_email?: boolean;
  /** The query of the URL is not copied into the body of a launch. */
  readonly oauth_compliant?: boolean;
  readonly allow_membership_service_access?: boolean;
  readonly is_rce_favorite?: boolean;
  readonly is_top_nav_favorite?: boolean;
  readonly unified_tool_id?: string | null;
}

export const external_tools = sqliteTable(
  'external_tools',
  {
    id: id(),
    context_type: state('Course', 'Account').notNull(),
    context_id: int().notNull(),
    name: string().notNull(),
    description: string(),
    url: string(),
    domain: string(),
    consumer_key: string().notNull().default(''),
    /** Sealed: signatures need the secret itself. */
    shared_secret: string(),
    privacy_level: state(...privacyLevels)
      .notNull()
      .default('anonymous'),
    custom_fields: json<Readonly<Record<string, string>>>().notNull().default({}),
    settings: json<ToolSettings>().notNull().default({}),
    /** By name. */
    placements: json<Readonly<Record<string, PlacementSettings>>>().notNull().default({}),
    not_selectable: bool().notNull().default(false),
    version: state('1.1', '1.3').notNull().default('1.1'),
    /** Of a tool of LTI 1.3: its client id. */
    developer_key_id: int(),
    deployment_id: string().notNull(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (tool) => [index('external_tools_in_context').on(tool.context_type, tool.context_id, tool.id).where(sql`workflow_state = 'active'`)],
);

/** How a tool of LTI 1.3 is launched, and what it asks for: the JSON that its vendor publishes. */
export interface LtiConfiguration {
  readonly title: string;
  readonly description?: string | null;
  readonly target_link_uri: string;
  readonly oidc_initiation_url: string;
  readonly domain?: string | null;
  readonly privacy_level?: (typeof privacyLevels)[number];
  readonly tool_id?: string | null;
  readonly custom_fields?: Readonly<Record<string, string>>;
  readonly settings?: ToolSettings;
  readonly placements?: Readonly<Record<string, PlacementSettings>>;
  /** Of a tool that registered itself. */
  readonly registration?: ToolSelfRegistration;
}

/** The tool is installed with this deployment once an administrator confirms it. */
export interface ToolSelfRegistration {
  readonly uuid: string;
  readonly deployment_id: string;
}

export const tool_configurations = sqliteTable('tool_configurations', {
  /** The id of the developer key. */
  id: int().primaryKey(),
  configuration: json<LtiConfiguration>().notNull(),
  ...created(),
});
