CREATE TABLE `course_score_marks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`generation` integer DEFAULT 0 NOT NULL,
	`done` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `course_score_marks_behind` ON `course_score_marks` (`id`) WHERE done <> generation;--> statement-breakpoint
CREATE TABLE `course_scores` (
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`pending` text,
	`mark` text,
	`scores` text,
	PRIMARY KEY(`course_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `course_scores_pending` ON `course_scores` (`pending`,`course_id`,`user_id`) WHERE pending is not null;--> statement-breakpoint
CREATE TABLE `grading_period_sets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`course_id` integer,
	`title` text NOT NULL,
	`weighted` integer DEFAULT false NOT NULL,
	`display_totals_for_all_grading_periods` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `grading_period_sets_in_account` ON `grading_period_sets` (`account_id`,`workflow_state`,`course_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `grading_period_sets_of_course` ON `grading_period_sets` (`course_id`) WHERE workflow_state = 'active';--> statement-breakpoint
CREATE TABLE `grading_periods` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`grading_period_group_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`course_id` integer,
	`title` text NOT NULL,
	`weight` real,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`close_date` text NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `grading_periods_of_set` ON `grading_periods` (`grading_period_group_id`,`workflow_state`,`start_date`,`id`);--> statement-breakpoint
CREATE INDEX `grading_periods_in_account` ON `grading_periods` (`account_id`,`workflow_state`,`course_id`,`start_date`,`id`);--> statement-breakpoint
ALTER TABLE `terms` ADD `grading_period_group_id` integer;--> statement-breakpoint
CREATE INDEX `terms_by_grading_period_group` ON `terms` (`grading_period_group_id`) WHERE grading_period_group_id is not null;