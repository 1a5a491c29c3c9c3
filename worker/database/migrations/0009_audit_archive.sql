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
CREATE INDEX `authentication_events_by_time` ON `authentication_events` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `masquerades_by_time` ON `masquerades` (`created_at`,`id`);