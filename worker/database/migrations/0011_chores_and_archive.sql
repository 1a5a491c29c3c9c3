CREATE TABLE `archived_logs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`log` text NOT NULL,
	`grouped_by` text NOT NULL,
	`bucket` integer NOT NULL,
	`first_at` text NOT NULL,
	`first_id` integer NOT NULL,
	`last_at` text NOT NULL,
	`last_id` integer NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `archived_logs_in_order` ON `archived_logs` (`log`,`grouped_by`,`bucket`,`last_at`,`last_id`);--> statement-breakpoint
CREATE TABLE `log_archives` (
	`log` text PRIMARY KEY NOT NULL,
	`through_at` text DEFAULT '' NOT NULL,
	`through_id` integer DEFAULT 0 NOT NULL,
	`cut` text,
	`copy` integer DEFAULT 0 NOT NULL,
	`bucket` integer DEFAULT 0 NOT NULL,
	`after_at` text DEFAULT '' NOT NULL,
	`after_id` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `chores` ADD `steps` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `statements` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `rows_read` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `rows_written` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `budget_statements` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `budget_rows` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `budget_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `left_behind` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `lease` text;--> statement-breakpoint
ALTER TABLE `chores` ADD `leased_until` text;--> statement-breakpoint
CREATE INDEX `authentication_events_by_time` ON `authentication_events` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `masquerades_by_time` ON `masquerades` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `progress_by_age` ON `progress` (`created_at`);