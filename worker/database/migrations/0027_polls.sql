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