CREATE TABLE `custom_gradebook_columns` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`title` text NOT NULL,
	`position` integer NOT NULL,
	`hidden` integer DEFAULT false NOT NULL,
	`teacher_notes` integer DEFAULT false NOT NULL,
	`read_only` integer DEFAULT false NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `custom_gradebook_columns_in_course` ON `custom_gradebook_columns` (`course_id`,`workflow_state`,`position`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `custom_gradebook_columns_one_for_notes` ON `custom_gradebook_columns` (`course_id`) WHERE teacher_notes = 1 and workflow_state = 'active';--> statement-breakpoint
CREATE TABLE `custom_gradebook_data` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`column_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_gradebook_data_once` ON `custom_gradebook_data` (`column_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `grade_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`assignment_id` integer,
	`student_id` integer NOT NULL,
	`submission_id` integer GENERATED ALWAYS AS (assignment_id * 67108864 + student_id) VIRTUAL,
	`grader_id` integer,
	`version_number` integer NOT NULL,
	`attempt` integer,
	`score_before` real,
	`score_after` real,
	`grade_before` text,
	`grade_after` text,
	`points_deducted` real,
	`excused_before` integer NOT NULL,
	`excused_after` integer NOT NULL,
	`posted_before` integer NOT NULL,
	`posted_after` integer NOT NULL,
	`points_possible_before` real,
	`points_possible_after` real,
	`graded_anonymously` integer,
	`is_posting` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	`same_id` integer GENERATED ALWAYS AS (id) VIRTUAL NOT NULL
);
--> statement-breakpoint
CREATE INDEX `grade_changes_in_course` ON `grade_changes` (`course_id`,`created_at`,`same_id`) WHERE is_posting = 0;--> statement-breakpoint
CREATE INDEX `grade_changes_of_assignment` ON `grade_changes` (`assignment_id`,`created_at`,`same_id`) WHERE is_posting = 0;--> statement-breakpoint
CREATE INDEX `grade_changes_of_student` ON `grade_changes` (`student_id`,`created_at`,`same_id`) WHERE is_posting = 0;--> statement-breakpoint
CREATE INDEX `grade_changes_by_grader` ON `grade_changes` (`grader_id`,`created_at`,`same_id`) WHERE is_posting = 0 and grader_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `grade_changes_of_submission` ON `grade_changes` (`submission_id`,`version_number`);--> statement-breakpoint
CREATE INDEX `grade_changes_by_time` ON `grade_changes` (`created_at`,`id`);