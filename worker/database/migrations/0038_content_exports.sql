CREATE TABLE `content_export_pieces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`content_export_id` integer NOT NULL,
	`at` integer NOT NULL,
	`key` text NOT NULL,
	`entries` text NOT NULL,
	`resources` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `content_export_pieces_in_order` ON `content_export_pieces` (`content_export_id`,`at`);--> statement-breakpoint
CREATE TABLE `content_exports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`export_type` text NOT NULL,
	`selection` text NOT NULL,
	`sees_all` integer NOT NULL,
	`withheld_file_ids` text DEFAULT '[]' NOT NULL,
	`name` text NOT NULL,
	`file_uuid` text NOT NULL,
	`is_expired` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `content_exports_in_context` ON `content_exports` (`context_type`,`context_id`,`id`);--> statement-breakpoint
CREATE INDEX `content_exports_of_user` ON `content_exports` (`context_type`,`context_id`,`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `content_exports_by_file` ON `content_exports` (`file_uuid`);--> statement-breakpoint
CREATE INDEX `content_exports_to_expire` ON `content_exports` (`created_at`) WHERE is_expired = 0;