CREATE TABLE `learning_outcome_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`parent_outcome_group_id` integer,
	`title` text NOT NULL,
	`description` text,
	`vendor_guid` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outcome_groups_in_context` ON `learning_outcome_groups` (`context_type`,`context_id`,`id`) WHERE workflow_state = 'active';--> statement-breakpoint
CREATE INDEX `outcome_groups_in_group` ON `learning_outcome_groups` (`parent_outcome_group_id`,`title`,`id`) WHERE workflow_state = 'active' and parent_outcome_group_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `outcome_group_roots` ON `learning_outcome_groups` (`context_type`,`context_id`) WHERE parent_outcome_group_id is null;--> statement-breakpoint
CREATE INDEX `outcome_groups_by_guid` ON `learning_outcome_groups` (`vendor_guid`) WHERE vendor_guid is not null;--> statement-breakpoint
CREATE TABLE `learning_outcome_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`learning_outcome_group_id` integer NOT NULL,
	`learning_outcome_id` integer NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`title` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outcome_links_once` ON `learning_outcome_links` (`learning_outcome_group_id`,`learning_outcome_id`);--> statement-breakpoint
CREATE INDEX `outcome_links_in_group` ON `learning_outcome_links` (`learning_outcome_group_id`,`title`,`id`);--> statement-breakpoint
CREATE INDEX `outcome_links_in_context` ON `learning_outcome_links` (`context_type`,`context_id`,`id`);--> statement-breakpoint
CREATE INDEX `outcome_links_of_outcome` ON `learning_outcome_links` (`learning_outcome_id`,`context_type`,`context_id`);--> statement-breakpoint
CREATE TABLE `learning_outcomes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`title` text NOT NULL,
	`display_name` text,
	`description` text,
	`friendly_description` text,
	`vendor_guid` text,
	`calculation_method` text DEFAULT 'decaying_average' NOT NULL,
	`calculation_int` integer,
	`mastery_points` real NOT NULL,
	`points_possible` real NOT NULL,
	`ratings` text NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `learning_outcomes_in_context` ON `learning_outcomes` (`context_type`,`context_id`,`id`);--> statement-breakpoint
CREATE INDEX `learning_outcomes_by_guid` ON `learning_outcomes` (`vendor_guid`) WHERE vendor_guid is not null;--> statement-breakpoint
CREATE TABLE `outcome_alignments` (
	`learning_outcome_id` integer NOT NULL,
	`content_type` text NOT NULL,
	`content_id` integer NOT NULL,
	PRIMARY KEY(`learning_outcome_id`, `content_type`, `content_id`)
);
--> statement-breakpoint
CREATE INDEX `outcome_alignments_of_content` ON `outcome_alignments` (`content_type`,`content_id`);--> statement-breakpoint
CREATE TABLE `outcome_positions` (
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`learning_outcome_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`user_id`, `course_id`, `learning_outcome_id`)
);
--> statement-breakpoint
CREATE TABLE `outcome_proficiencies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`ratings` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outcome_proficiencies_once` ON `outcome_proficiencies` (`context_type`,`context_id`);--> statement-breakpoint
CREATE TABLE `outcome_results` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`learning_outcome_id` integer NOT NULL,
	`association_type` text NOT NULL,
	`association_id` integer NOT NULL,
	`title` text NOT NULL,
	`score` real,
	`possible` real,
	`mastery` integer,
	`percent` real,
	`hide_points` integer DEFAULT false NOT NULL,
	`hidden` integer DEFAULT false NOT NULL,
	`submitted_or_assessed_at` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outcome_results_once` ON `outcome_results` (`learning_outcome_id`,`user_id`,`association_type`,`association_id`);--> statement-breakpoint
CREATE INDEX `outcome_results_of_user` ON `outcome_results` (`course_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `outcome_results_of_user_anywhere` ON `outcome_results` (`user_id`);--> statement-breakpoint
CREATE TABLE `poll_choices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`poll_id` integer NOT NULL,
	`text` text NOT NULL,
	`is_correct` integer DEFAULT false NOT NULL,
	`position` integer NOT NULL,
	`chosen` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `poll_choices_of_poll` ON `poll_choices` (`poll_id`,`position`,`id`);--> statement-breakpoint
CREATE TABLE `poll_sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`poll_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`course_section_id` integer,
	`is_published` integer DEFAULT false NOT NULL,
	`has_public_results` integer DEFAULT false NOT NULL,
	`opened_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `poll_sessions_of_poll` ON `poll_sessions` (`poll_id`,`id`);--> statement-breakpoint
CREATE INDEX `poll_sessions_of_course` ON `poll_sessions` (`course_id`,`is_published`,`id`);--> statement-breakpoint
CREATE TABLE `poll_submissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`poll_id` integer NOT NULL,
	`poll_session_id` integer NOT NULL,
	`poll_choice_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `poll_submissions_once` ON `poll_submissions` (`poll_session_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `poll_submissions_of_user` ON `poll_submissions` (`user_id`,`poll_id`,`id`);--> statement-breakpoint
CREATE TABLE `polls` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`question` text NOT NULL,
	`description` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `polls_of_user` ON `polls` (`user_id`,`id`);