CREATE TABLE `content_migrations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`migration_type` text NOT NULL,
	`source_course_id` integer,
	`settings` text DEFAULT '{}' NOT NULL,
	`dates` text DEFAULT '{"zone":"Etc/UTC"}' NOT NULL,
	`selection` text,
	`selective` integer DEFAULT false NOT NULL,
	`attachment_id` integer,
	`copy_id` integer,
	`progress_id` integer,
	`workflow_state` text DEFAULT 'created' NOT NULL,
	`phase` text DEFAULT 'fetch' NOT NULL,
	`at` integer DEFAULT 0 NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`crashes` integer DEFAULT 0 NOT NULL,
	`started_at` text,
	`finished_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `content_migrations_by_uuid` ON `content_migrations` (`uuid`);--> statement-breakpoint
CREATE INDEX `content_migrations_in_context` ON `content_migrations` (`context_type`,`context_id`,`id`);--> statement-breakpoint
CREATE INDEX `content_migrations_unfinished` ON `content_migrations` (`updated_at`) WHERE workflow_state in ('exporting', 'queued', 'importing');--> statement-breakpoint
CREATE INDEX `content_migrations_uploading` ON `content_migrations` (`updated_at`) WHERE workflow_state = 'pre_processing';--> statement-breakpoint
CREATE INDEX `content_migrations_with_file` ON `content_migrations` (`created_at`) WHERE attachment_id is not null;--> statement-breakpoint
CREATE INDEX `content_migrations_of_file` ON `content_migrations` (`attachment_id`) WHERE attachment_id is not null;--> statement-breakpoint
CREATE TABLE `imported_items` (
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`kind` text NOT NULL,
	`identifier` text NOT NULL,
	`item_id` integer NOT NULL,
	`content_migration_id` integer NOT NULL,
	PRIMARY KEY(`context_type`, `context_id`, `kind`, `identifier`)
);
--> statement-breakpoint
CREATE INDEX `imported_items_of_migration` ON `imported_items` (`content_migration_id`,`kind`,`item_id`);--> statement-breakpoint
CREATE TABLE `migration_issues` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`content_migration_id` integer NOT NULL,
	`issue_type` text NOT NULL,
	`description` text NOT NULL,
	`fix_issue_html_url` text,
	`error_message` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `migration_issues_of_migration` ON `migration_issues` (`content_migration_id`,`created_at`,`id`);