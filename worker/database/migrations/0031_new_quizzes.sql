CREATE TABLE `new_quiz_accommodations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`new_quiz_id` integer DEFAULT 0 NOT NULL,
	`user_id` integer NOT NULL,
	`extra_time` integer DEFAULT 0 NOT NULL,
	`extra_attempts` integer DEFAULT 0 NOT NULL,
	`reduce_choices_enabled` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `new_quiz_accommodations_once` ON `new_quiz_accommodations` (`course_id`,`user_id`,`new_quiz_id`);--> statement-breakpoint
CREATE INDEX `new_quiz_accommodations_of_user` ON `new_quiz_accommodations` (`user_id`);--> statement-breakpoint
CREATE TABLE `new_quiz_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`new_quiz_id` integer NOT NULL,
	`position` integer NOT NULL,
	`points_possible` real DEFAULT 0 NOT NULL,
	`entry_type` text NOT NULL,
	`entry` text NOT NULL,
	`properties` text DEFAULT '{}' NOT NULL,
	`question_bank_id` integer,
	`stimulus_quiz_entry_id` integer,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `new_quiz_items_in_quiz` ON `new_quiz_items` (`new_quiz_id`,`position`,`id`) WHERE workflow_state = 'active';--> statement-breakpoint
CREATE INDEX `new_quiz_items_of_stimulus` ON `new_quiz_items` (`stimulus_quiz_entry_id`) WHERE stimulus_quiz_entry_id is not null;--> statement-breakpoint
CREATE TABLE `new_quizzes` (
	`id` integer PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`quiz_settings` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `new_quizzes_in_course` ON `new_quizzes` (`course_id`,`id`);