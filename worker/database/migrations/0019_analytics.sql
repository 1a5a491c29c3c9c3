CREATE TABLE `account_figures` (
	`account_id` integer NOT NULL,
	`term_id` integer NOT NULL,
	`scope` text NOT NULL,
	`figures` text NOT NULL,
	`computed_at` text NOT NULL,
	PRIMARY KEY(`account_id`, `term_id`, `scope`)
);
--> statement-breakpoint
CREATE TABLE `analytics_walks` (
	`name` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`began_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `assignment_figures` (
	`assignment_id` integer PRIMARY KEY NOT NULL,
	`figures` text,
	`stale_at` text
);
--> statement-breakpoint
CREATE INDEX `assignment_figures_stale` ON `assignment_figures` (`stale_at`,`assignment_id`) WHERE stale_at is not null;--> statement-breakpoint
CREATE TABLE `course_activity` (
	`course_id` integer NOT NULL,
	`day` text NOT NULL,
	`views` integer NOT NULL,
	`participations` integer NOT NULL,
	PRIMARY KEY(`course_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `course_activity_by_day` ON `course_activity` (`day`);--> statement-breakpoint
CREATE TABLE `course_categories` (
	`course_id` integer NOT NULL,
	`category` text NOT NULL,
	`views` integer NOT NULL,
	PRIMARY KEY(`course_id`, `category`)
);
--> statement-breakpoint
CREATE TABLE `course_figures` (
	`course_id` integer PRIMARY KEY NOT NULL,
	`figures` text,
	`workflow_state` text NOT NULL,
	`after_user` integer DEFAULT 0 NOT NULL,
	`computed_at` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `course_figures_stale` ON `course_figures` (`computed_at`,`course_id`) WHERE workflow_state <> 'current';--> statement-breakpoint
CREATE TABLE `course_students` (
	`id` integer PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`is_student` integer NOT NULL,
	`page_views` integer DEFAULT 0 NOT NULL,
	`participations` integer DEFAULT 0 NOT NULL,
	`sort_score` real DEFAULT -1000000000 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `course_students_once` ON `course_students` (`course_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `course_students_by_views` ON `course_students` (`course_id`,`page_views`,`user_id`) WHERE is_student = 1;--> statement-breakpoint
CREATE INDEX `course_students_by_participations` ON `course_students` (`course_id`,`participations`,`user_id`) WHERE is_student = 1;--> statement-breakpoint
CREATE INDEX `course_students_by_score` ON `course_students` (`course_id`,`sort_score`,`user_id`) WHERE is_student = 1;--> statement-breakpoint
CREATE TABLE `student_weeks` (
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`week` integer NOT NULL,
	`hours` text NOT NULL,
	`participated` text NOT NULL,
	PRIMARY KEY(`course_id`, `user_id`, `week`)
);
--> statement-breakpoint
CREATE INDEX `student_weeks_by_week` ON `student_weeks` (`week`);--> statement-breakpoint
CREATE TABLE `page_view_intakes` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`keys` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `page_view_tallies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`entries` text NOT NULL,
	`size` integer NOT NULL
);
--> statement-breakpoint
-- Triggers keep these rows from now on.
INSERT INTO `course_students` (`course_id`, `user_id`, `is_student`)
SELECT DISTINCT `course_id`, `user_id`, 1 FROM `enrollments` WHERE `type` = 'StudentEnrollment' AND `enrollment_state` IN ('active', 'completed');