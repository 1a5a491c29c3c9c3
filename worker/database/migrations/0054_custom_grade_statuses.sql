CREATE TABLE `custom_grade_statuses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`color` text NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `custom_grade_statuses_in_account` ON `custom_grade_statuses` (`account_id`,`workflow_state`,`id`);--> statement-breakpoint
ALTER TABLE `submissions` ADD `custom_grade_status_id` integer;--> statement-breakpoint
CREATE INDEX `submissions_by_custom_status` ON `submissions` (`custom_grade_status_id`) WHERE custom_grade_status_id is not null;