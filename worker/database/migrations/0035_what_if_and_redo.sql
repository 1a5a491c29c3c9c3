CREATE TABLE `what_if_scores` (
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`assignment_id` integer NOT NULL,
	`score` real NOT NULL,
	PRIMARY KEY(`user_id`, `course_id`, `assignment_id`)
);
--> statement-breakpoint
ALTER TABLE `submissions` ADD `redo_requested_at` text;