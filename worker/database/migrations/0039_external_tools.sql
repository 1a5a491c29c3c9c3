CREATE TABLE `external_tools` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`url` text,
	`domain` text,
	`consumer_key` text DEFAULT '' NOT NULL,
	`shared_secret` text,
	`privacy_level` text DEFAULT 'anonymous' NOT NULL,
	`custom_fields` text DEFAULT '{}' NOT NULL,
	`settings` text DEFAULT '{}' NOT NULL,
	`placements` text DEFAULT '{}' NOT NULL,
	`not_selectable` integer DEFAULT false NOT NULL,
	`version` text DEFAULT '1.1' NOT NULL,
	`developer_key_id` integer,
	`deployment_id` text NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `external_tools_in_context` ON `external_tools` (`context_type`,`context_id`,`id`) WHERE workflow_state = 'active';--> statement-breakpoint
CREATE INDEX `external_tools_of_key` ON `external_tools` (`developer_key_id`,`id`) WHERE workflow_state = 'active' and developer_key_id is not null;--> statement-breakpoint
CREATE TABLE `tool_configurations` (
	`id` integer PRIMARY KEY NOT NULL,
	`configuration` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `lti_resource_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`external_tool_id` integer NOT NULL,
	`resource_type` text DEFAULT 'rich_content' NOT NULL,
	`assignment_id` integer,
	`resource_link_uuid` text NOT NULL,
	`lookup_uuid` text NOT NULL,
	`title` text,
	`url` text,
	`custom` text DEFAULT '{}' NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lti_resource_links_in_course` ON `lti_resource_links` (`course_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `lti_resource_links_by_uuid` ON `lti_resource_links` (`resource_link_uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `lti_resource_links_by_lookup` ON `lti_resource_links` (`lookup_uuid`);--> statement-breakpoint
CREATE TABLE `line_item_scores` (
	`line_item_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`activity_progress` text NOT NULL,
	`grading_progress` text NOT NULL,
	`score_given` real,
	`score_maximum` real,
	`comment` text,
	`scored_at` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`line_item_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `line_item_scores_of_user` ON `line_item_scores` (`user_id`);--> statement-breakpoint
CREATE TABLE `line_items` (
	`id` integer PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`external_tool_id` integer NOT NULL,
	`is_coupled` integer DEFAULT false NOT NULL,
	`tag` text,
	`resource_id` text,
	`resource_link_id` text,
	`launch_url` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `line_items_in_course` ON `line_items` (`course_id`,`id`);--> statement-breakpoint
CREATE TABLE `lti_keys` (
	`slot` text PRIMARY KEY NOT NULL,
	`jwk` text NOT NULL,
	`private_key` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `lti_used` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lti_used_by_age` ON `lti_used` (`expires_at`);--> statement-breakpoint
CREATE INDEX `assignments_with_tool` ON `assignments` (`course_id`,`same_id`) WHERE instr(submission_types, 'external_tool') > 0 and workflow_state <> 'deleted';