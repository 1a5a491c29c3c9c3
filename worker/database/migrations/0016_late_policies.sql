CREATE TABLE `late_policies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`missing_submission_deduction_enabled` integer DEFAULT false NOT NULL,
	`missing_submission_deduction` real DEFAULT 0 NOT NULL,
	`late_submission_deduction_enabled` integer DEFAULT false NOT NULL,
	`late_submission_deduction` real DEFAULT 0 NOT NULL,
	`late_submission_interval` text DEFAULT 'day' NOT NULL,
	`late_submission_minimum_percent_enabled` integer DEFAULT false NOT NULL,
	`late_submission_minimum_percent` real DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `late_policies_once` ON `late_policies` (`course_id`);--> statement-breakpoint
CREATE TABLE `late_policy_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`assignment_id` integer NOT NULL,
	`not_before` text NOT NULL,
	`at_assignment_id` integer DEFAULT 0 NOT NULL,
	`at_user_id` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `late_policy_runs_once` ON `late_policy_runs` (`course_id`,`assignment_id`,`not_before`);--> statement-breakpoint
CREATE INDEX `late_policy_runs_due` ON `late_policy_runs` (`not_before`,`id`);--> statement-breakpoint
ALTER TABLE `assignments` ADD `own_post_manually` integer;--> statement-breakpoint
ALTER TABLE `submissions` ADD `entered_score` real;--> statement-breakpoint
ALTER TABLE `submissions` ADD `entered_grade` text;--> statement-breakpoint
ALTER TABLE `submissions` ADD `is_missing_score` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `assignments` SET `own_post_manually` = 1 WHERE `post_manually` = 1;