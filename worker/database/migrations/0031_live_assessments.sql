CREATE TABLE `live_assessment_results` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assessment_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`assessor_id` integer NOT NULL,
	`passed` integer NOT NULL,
	`assessed_at` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `live_assessment_results_of_assessment` ON `live_assessment_results` (`assessment_id`,`id`);--> statement-breakpoint
CREATE INDEX `live_assessment_results_of_user` ON `live_assessment_results` (`user_id`,`assessment_id`,`id`);--> statement-breakpoint
CREATE TABLE `live_assessments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`key` text NOT NULL,
	`title` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `live_assessments_once` ON `live_assessments` (`course_id`,`key`);--> statement-breakpoint
CREATE INDEX `live_assessments_in_course` ON `live_assessments` (`course_id`,`id`);--> statement-breakpoint
DROP INDEX `outcome_results_once`;--> statement-breakpoint
ALTER TABLE `outcome_results` ADD `question_bank_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `outcome_results_once` ON `outcome_results` (`learning_outcome_id`,`user_id`,`association_type`,`association_id`,`question_bank_id`);--> statement-breakpoint
ALTER TABLE `outcome_alignments` ADD `mastery_score` real;