CREATE TABLE `grading_standards` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`context_code` text GENERATED ALWAYS AS (lower(context_type) || '_' || context_id) VIRTUAL NOT NULL,
	`title` text NOT NULL,
	`entries` text NOT NULL,
	`points_based` integer DEFAULT false NOT NULL,
	`scaling_factor` real DEFAULT 1 NOT NULL,
	`used_at` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `grading_standards_in_context` ON `grading_standards` (`context_code`,`id`) WHERE workflow_state = 'active';--> statement-breakpoint
ALTER TABLE `accounts` ADD `grading_standard_id` integer;--> statement-breakpoint
CREATE INDEX `accounts_of_standard` ON `accounts` (`grading_standard_id`) WHERE grading_standard_id is not null;--> statement-breakpoint
ALTER TABLE `submission_comments` ADD `media_comment_id` text;--> statement-breakpoint
ALTER TABLE `submission_comments` ADD `media_comment_type` text;--> statement-breakpoint
ALTER TABLE `submissions` ADD `media_comment_id` text;--> statement-breakpoint
ALTER TABLE `submissions` ADD `media_comment_type` text;--> statement-breakpoint
ALTER TABLE `submissions` ADD `proxy_submitter_id` integer;--> statement-breakpoint
ALTER TABLE `submissions` ADD `sticker` text;--> statement-breakpoint
CREATE INDEX `assignments_of_standard` ON `assignments` (`grading_standard_id`) WHERE grading_standard_id is not null;--> statement-breakpoint
CREATE INDEX `courses_of_standard` ON `courses` (`grading_standard_id`) WHERE grading_standard_id is not null;