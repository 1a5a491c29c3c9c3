CREATE TABLE `term_score_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at_course_id` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `final_grade_overrides` (
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`grading_period_id` integer NOT NULL,
	`score` real,
	`grade` text,
	`grader_id` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`course_id`, `user_id`, `grading_period_id`)
);
--> statement-breakpoint
DROP INDEX `late_policy_runs_once`;--> statement-breakpoint
ALTER TABLE `late_policy_runs` ADD `user_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `late_policy_runs_once` ON `late_policy_runs` (`course_id`,`assignment_id`,`user_id`,`not_before`);