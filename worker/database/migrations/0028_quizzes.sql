CREATE TABLE `question_banks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`title` text NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `question_banks_in_context` ON `question_banks` (`context_type`,`context_id`,`workflow_state`,`id`);--> statement-breakpoint
CREATE TABLE `quiz_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`quiz_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`name` text NOT NULL,
	`pick_count` integer DEFAULT 1 NOT NULL,
	`question_points` real DEFAULT 1 NOT NULL,
	`question_bank_id` integer,
	`position` integer NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `quiz_groups_in_quiz` ON `quiz_groups` (`quiz_id`,`workflow_state`,`position`,`id`);--> statement-breakpoint
CREATE INDEX `quiz_groups_of_bank` ON `quiz_groups` (`question_bank_id`,`workflow_state`);--> statement-breakpoint
CREATE TABLE `quiz_question_versions` (
	`question_id` integer NOT NULL,
	`version` integer NOT NULL,
	`content` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`question_id`, `version`)
);
--> statement-breakpoint
CREATE TABLE `quiz_questions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer,
	`quiz_id` integer,
	`question_bank_id` integer,
	`quiz_group_id` integer,
	`assessment_question_id` integer,
	`position` integer NOT NULL,
	`root_position` integer DEFAULT 0 NOT NULL,
	`question_name` text NOT NULL,
	`question_type` text NOT NULL,
	`question_text` text NOT NULL,
	`points_possible` real DEFAULT 0 NOT NULL,
	`data` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `quiz_questions_in_quiz` ON `quiz_questions` (`quiz_id`,`root_position`,`quiz_group_id`,`position`,`id`) WHERE workflow_state = 'active' and quiz_id is not null;--> statement-breakpoint
CREATE INDEX `quiz_questions_in_group` ON `quiz_questions` (`quiz_group_id`,`position`,`id`) WHERE workflow_state = 'active' and quiz_group_id is not null;--> statement-breakpoint
CREATE INDEX `quiz_questions_in_bank` ON `quiz_questions` (`question_bank_id`,`position`,`id`) WHERE workflow_state = 'active' and question_bank_id is not null;--> statement-breakpoint
CREATE TABLE `quiz_answers` (
	`quiz_submission_id` integer NOT NULL,
	`attempt` integer NOT NULL,
	`question_id` integer NOT NULL,
	`answer` text,
	`flagged` integer DEFAULT false NOT NULL,
	`saved_at` text NOT NULL,
	PRIMARY KEY(`quiz_submission_id`, `attempt`, `question_id`)
);
--> statement-breakpoint
CREATE TABLE `quiz_attempts` (
	`quiz_submission_id` integer NOT NULL,
	`attempt` integer NOT NULL,
	`presented` text NOT NULL,
	`results` text,
	`started_at` text NOT NULL,
	`finished_at` text,
	`end_at` text,
	`score` real,
	`score_before_regrade` real,
	`fudge_points` real,
	`quiz_version` integer NOT NULL,
	`quiz_points_possible` real NOT NULL,
	`workflow_state` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`quiz_submission_id`, `attempt`)
);
--> statement-breakpoint
CREATE TABLE `quiz_submission_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`quiz_submission_id` integer NOT NULL,
	`attempt` integer NOT NULL,
	`event_type` text NOT NULL,
	`event_data` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `quiz_submission_events_of_attempt` ON `quiz_submission_events` (`quiz_submission_id`,`attempt`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `quiz_submissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`quiz_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`attempt` integer DEFAULT 0 NOT NULL,
	`extra_attempts` integer,
	`extra_time` integer,
	`manually_unlocked` integer,
	`started_at` text,
	`finished_at` text,
	`end_at` text,
	`score` real,
	`kept_score` real,
	`score_before_regrade` real,
	`fudge_points` real,
	`has_seen_results` integer,
	`quiz_version` integer,
	`quiz_points_possible` real,
	`validation_token` text NOT NULL,
	`workflow_state` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quiz_submissions_once` ON `quiz_submissions` (`quiz_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `quiz_submissions_of_user` ON `quiz_submissions` (`user_id`,`course_id`);--> statement-breakpoint
CREATE INDEX `quiz_submissions_to_end` ON `quiz_submissions` (`end_at`) WHERE workflow_state = 'untaken' and end_at is not null;--> statement-breakpoint
CREATE TABLE `quizzes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`quiz_type` text DEFAULT 'assignment' NOT NULL,
	`assignment_id` integer,
	`time_limit` integer,
	`shuffle_answers` integer DEFAULT false NOT NULL,
	`hide_results` text,
	`show_correct_answers` integer DEFAULT true NOT NULL,
	`show_correct_answers_last_attempt` integer DEFAULT false NOT NULL,
	`show_correct_answers_at` text,
	`hide_correct_answers_at` text,
	`one_time_results` integer DEFAULT false NOT NULL,
	`scoring_policy` text DEFAULT 'keep_highest' NOT NULL,
	`allowed_attempts` integer DEFAULT 1 NOT NULL,
	`one_question_at_a_time` integer DEFAULT false NOT NULL,
	`cant_go_back` integer DEFAULT false NOT NULL,
	`access_code` text,
	`ip_filter` text,
	`due_at` text,
	`unlock_at` text,
	`lock_at` text,
	`only_visible_to_overrides` integer DEFAULT false NOT NULL,
	`anonymous_submissions` integer DEFAULT false NOT NULL,
	`points_possible` real DEFAULT 0 NOT NULL,
	`question_count` integer DEFAULT 0 NOT NULL,
	`version_number` integer DEFAULT 1 NOT NULL,
	`published_at` text,
	`workflow_state` text DEFAULT 'unpublished' NOT NULL,
	`sort_lock` text GENERATED ALWAYS AS (coalesce(lock_at, '9999')) VIRTUAL NOT NULL,
	`sort_title` text GENERATED ALWAYS AS (lower(title)) VIRTUAL NOT NULL,
	`same_id` integer GENERATED ALWAYS AS (id) VIRTUAL NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `quizzes_in_course` ON `quizzes` (`course_id`,`sort_lock`,`sort_title`,`same_id`) WHERE workflow_state <> 'deleted';--> statement-breakpoint
CREATE INDEX `quizzes_of_assignment` ON `quizzes` (`assignment_id`) WHERE assignment_id is not null;