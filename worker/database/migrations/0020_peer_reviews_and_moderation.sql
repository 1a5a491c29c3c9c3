CREATE TABLE `moderation_graders` (
	`assignment_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`assignment_id`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `moderation_selections` (
	`submission_id` integer PRIMARY KEY NOT NULL,
	`provisional_grade_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `provisional_comments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`provisional_grade_id` integer NOT NULL,
	`comment` text NOT NULL,
	`attempt` integer,
	`attachment_ids` text DEFAULT '[]' NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `provisional_comments_of_grade` ON `provisional_comments` (`provisional_grade_id`,`id`);--> statement-breakpoint
CREATE TABLE `provisional_grades` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`submission_id` integer NOT NULL,
	`scorer_id` integer NOT NULL,
	`is_final` integer DEFAULT false NOT NULL,
	`is_admitted` integer NOT NULL,
	`score` real,
	`grade` text,
	`graded_attempt` integer,
	`graded_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provisional_grades_once` ON `provisional_grades` (`submission_id`,`scorer_id`,`is_final`);--> statement-breakpoint
CREATE TABLE `published_moderations` (
	`assignment_id` integer PRIMARY KEY NOT NULL,
	`published_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `assessment_requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assignment_id` integer NOT NULL,
	`submission_id` integer NOT NULL,
	`assessor_id` integer NOT NULL,
	`workflow_state` text DEFAULT 'assigned' NOT NULL,
	`same_id` integer GENERATED ALWAYS AS (id) VIRTUAL NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `assessment_requests_once` ON `assessment_requests` (`submission_id`,`assessor_id`);--> statement-breakpoint
CREATE INDEX `assessment_requests_of_assignment` ON `assessment_requests` (`assignment_id`,`same_id`) WHERE workflow_state <> 'deleted';--> statement-breakpoint
CREATE INDEX `assessment_requests_of_assessor` ON `assessment_requests` (`assessor_id`,`assignment_id`);--> statement-breakpoint
CREATE TABLE `peer_review_runs` (
	`assignment_id` integer PRIMARY KEY NOT NULL,
	`run_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `peer_review_runs_by_time` ON `peer_review_runs` (`run_at`);