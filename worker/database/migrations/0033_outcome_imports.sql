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
CREATE TABLE `outcome_imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`learning_outcome_group_id` integer,
	`csv` text,
	`rows_done` integer DEFAULT 0 NOT NULL,
	`progress` integer DEFAULT 0 NOT NULL,
	`errors` text DEFAULT '[]' NOT NULL,
	`workflow_state` text DEFAULT 'created' NOT NULL,
	`ended_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outcome_imports_in_context` ON `outcome_imports` (`context_type`,`context_id`,`id`);--> statement-breakpoint
CREATE INDEX `outcome_imports_unfinished` ON `outcome_imports` (`updated_at`) WHERE workflow_state in ('created', 'importing');--> statement-breakpoint
DROP INDEX `outcome_groups_by_guid`;--> statement-breakpoint
ALTER TABLE `learning_outcome_groups` ADD `outcome_import_id` integer;--> statement-breakpoint
CREATE INDEX `outcome_groups_of_import` ON `learning_outcome_groups` (`outcome_import_id`,`id`) WHERE outcome_import_id is not null;--> statement-breakpoint
CREATE INDEX `outcome_groups_by_guid` ON `learning_outcome_groups` (`vendor_guid`,`context_type`,`context_id`) WHERE vendor_guid is not null;--> statement-breakpoint
DROP INDEX `learning_outcomes_by_guid`;--> statement-breakpoint
CREATE INDEX `learning_outcomes_by_guid` ON `learning_outcomes` (`vendor_guid`,`context_type`,`context_id`) WHERE vendor_guid is not null;--> statement-breakpoint
DROP INDEX `outcome_results_once`;--> statement-breakpoint
ALTER TABLE `outcome_results` ADD `question_bank_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `outcome_results_once` ON `outcome_results` (`learning_outcome_id`,`user_id`,`association_type`,`association_id`,`question_bank_id`);--> statement-breakpoint
ALTER TABLE `outcome_alignments` ADD `mastery_score` real;