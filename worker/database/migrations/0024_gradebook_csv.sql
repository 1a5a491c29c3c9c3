CREATE TABLE `gradebook_csv_pieces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`progress_id` integer NOT NULL,
	`piece` integer NOT NULL,
	`content` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `gradebook_csv_pieces_in_order` ON `gradebook_csv_pieces` (`progress_id`,`piece`);--> statement-breakpoint
CREATE TABLE `gradebook_upload_rows` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`upload_id` integer NOT NULL,
	`row` integer NOT NULL,
	`student` text NOT NULL,
	`cells` text NOT NULL,
	`user_id` integer,
	`ignored` text,
	`changes` text DEFAULT '[]' NOT NULL,
	`errors` text DEFAULT '[]' NOT NULL,
	`workflow_state` text DEFAULT 'created' NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `gradebook_upload_rows_in_order` ON `gradebook_upload_rows` (`upload_id`,`row`);--> statement-breakpoint
CREATE INDEX `gradebook_upload_rows_of_student` ON `gradebook_upload_rows` (`upload_id`,`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE TABLE `gradebook_uploads` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`filename` text NOT NULL,
	`size` integer NOT NULL,
	`columns` text NOT NULL,
	`options` text NOT NULL,
	`progress_id` integer,
	`row_count` integer NOT NULL,
	`ignored_row_count` integer DEFAULT 0 NOT NULL,
	`change_count` integer DEFAULT 0 NOT NULL,
	`error_count` integer DEFAULT 0 NOT NULL,
	`applied_count` integer DEFAULT 0 NOT NULL,
	`conflict_count` integer DEFAULT 0 NOT NULL,
	`workflow_state` text DEFAULT 'checking' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `gradebook_uploads_by_uuid` ON `gradebook_uploads` (`uuid`);