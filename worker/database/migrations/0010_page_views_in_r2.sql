CREATE TABLE `page_view_objects` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run_id` integer NOT NULL,
	`key` text NOT NULL,
	`from_user` integer NOT NULL,
	`to_user` integer NOT NULL,
	`to_time` text NOT NULL,
	`to_uuid` text NOT NULL,
	`blocks` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `page_view_objects_of_run` ON `page_view_objects` (`run_id`,`to_user`,"to_time" desc,"to_uuid" desc);--> statement-breakpoint
CREATE TABLE `page_view_queries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`user_id` integer NOT NULL,
	`user_ids` text NOT NULL,
	`is_batch` integer NOT NULL,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`format` text NOT NULL,
	`workflow_state` text DEFAULT 'queued' NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`crashes` integer DEFAULT 0 NOT NULL,
	`nth_user` integer DEFAULT 0 NOT NULL,
	`after_time` text,
	`after_uuid` text,
	`pieces` text DEFAULT '[]' NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_view_queries_by_uuid` ON `page_view_queries` (`uuid`);--> statement-breakpoint
CREATE INDEX `page_view_queries_by_age` ON `page_view_queries` (`created_at`);--> statement-breakpoint
CREATE INDEX `page_view_queries_of_requester` ON `page_view_queries` (`user_id`) WHERE workflow_state in ('queued', 'processing');--> statement-breakpoint
CREATE INDEX `page_view_queries_unfinished` ON `page_view_queries` (`updated_at`) WHERE workflow_state in ('queued', 'processing');--> statement-breakpoint
CREATE TABLE `page_view_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`level` integer NOT NULL,
	`period` text NOT NULL,
	`workflow_state` text NOT NULL,
	`from_time` text NOT NULL,
	`to_time` text NOT NULL,
	`merged_into_run_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `page_view_runs_active` ON `page_view_runs` (`to_time`) WHERE workflow_state = 'active';--> statement-breakpoint
CREATE INDEX `page_view_runs_building` ON `page_view_runs` (`id`) WHERE workflow_state = 'building';--> statement-breakpoint
CREATE INDEX `page_view_runs_deleted` ON `page_view_runs` (`updated_at`) WHERE workflow_state = 'deleted';--> statement-breakpoint
CREATE INDEX `page_view_runs_merged` ON `page_view_runs` (`merged_into_run_id`) WHERE merged_into_run_id is not null;--> statement-breakpoint
CREATE TABLE `user_accesses` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`last_at` text NOT NULL,
	`last_ip` text
);
