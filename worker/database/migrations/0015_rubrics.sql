CREATE TABLE `rubric_assessments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`rubric_id` integer NOT NULL,
	`rubric_association_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`assignment_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`submission_id` integer NOT NULL,
	`artifact_attempt` integer,
	`assessment_type` text NOT NULL,
	`assessor_id` integer NOT NULL,
	`score` real,
	`data` text DEFAULT '[]' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rubric_assessments_of_rubric` ON `rubric_assessments` (`rubric_id`,`course_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `rubric_assessments_for_grading` ON `rubric_assessments` (`rubric_association_id`,`submission_id`) WHERE assessment_type = 'grading';--> statement-breakpoint
CREATE UNIQUE INDEX `rubric_assessments_by_peers` ON `rubric_assessments` (`rubric_association_id`,`submission_id`,`assessor_id`) WHERE assessment_type = 'peer_review';--> statement-breakpoint
CREATE INDEX `rubric_assessments_of_submission` ON `rubric_assessments` (`submission_id`,`id`);--> statement-breakpoint
CREATE INDEX `rubric_assessments_by_assessor` ON `rubric_assessments` (`assessor_id`,`id`);--> statement-breakpoint
CREATE TABLE `rubric_associations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`rubric_id` integer NOT NULL,
	`association_type` text NOT NULL,
	`association_id` integer NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`title` text,
	`url` text,
	`purpose` text DEFAULT 'grading' NOT NULL,
	`use_for_grading` integer DEFAULT false NOT NULL,
	`hide_score_total` integer DEFAULT false NOT NULL,
	`hide_points` integer DEFAULT false NOT NULL,
	`hide_outcome_results` integer DEFAULT false NOT NULL,
	`bookmarked` integer DEFAULT true NOT NULL,
	`summary_data` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rubric_associations_in_context` ON `rubric_associations` (`context_type`,`context_id`,`rubric_id`,`id`) WHERE workflow_state = 'active';--> statement-breakpoint
CREATE INDEX `rubric_associations_of_rubric` ON `rubric_associations` (`rubric_id`,`context_id`,`id`) WHERE workflow_state = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX `rubric_associations_for_grading` ON `rubric_associations` (`association_id`) WHERE association_type = 'Assignment' and purpose = 'grading' and workflow_state = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX `rubric_associations_bookmarked_once` ON `rubric_associations` (`association_type`,`association_id`,`rubric_id`) WHERE purpose = 'bookmark' and workflow_state = 'active';--> statement-breakpoint
CREATE TABLE `rubric_imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`filename` text NOT NULL,
	`size` integer NOT NULL,
	`csv` text,
	`progress` integer DEFAULT 0 NOT NULL,
	`error_count` integer DEFAULT 0 NOT NULL,
	`error_data` text DEFAULT '[]' NOT NULL,
	`workflow_state` text DEFAULT 'created' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rubric_imports_in_context` ON `rubric_imports` (`context_type`,`context_id`,`id`);--> statement-breakpoint
CREATE TABLE `rubrics` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`title` text NOT NULL,
	`criteria` text DEFAULT '[]' NOT NULL,
	`points_possible` real DEFAULT 0 NOT NULL,
	`free_form_criterion_comments` integer DEFAULT false NOT NULL,
	`hide_score_total` integer,
	`hide_points` integer DEFAULT false NOT NULL,
	`rating_order` text DEFAULT 'descending' NOT NULL,
	`rubric_import_id` integer,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rubrics_by_title` ON `rubrics` (`context_type`,`context_id`,`title`) WHERE workflow_state = 'active';--> statement-breakpoint
CREATE INDEX `rubrics_of_import` ON `rubrics` (`rubric_import_id`,`id`) WHERE rubric_import_id is not null;