DROP INDEX `users_by_sortable_name`;--> statement-breakpoint
ALTER TABLE `users` ADD `name_key` text;--> statement-breakpoint
ALTER TABLE `users` ADD `sort_name` text collate nocase GENERATED ALWAYS AS (coalesce(name_key, sortable_name)) VIRTUAL NOT NULL;--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (`sort_name`,`same_id`);--> statement-breakpoint
DROP INDEX `assignments_by_date_and_name`;--> statement-breakpoint
DROP INDEX `assignments_by_name`;--> statement-breakpoint
ALTER TABLE `assignments` ADD `name_key` text;--> statement-breakpoint
ALTER TABLE `assignments` DROP COLUMN `sort_name`;--> statement-breakpoint
ALTER TABLE `assignments` ADD `sort_name` text GENERATED ALWAYS AS (coalesce(name_key, lower(name))) VIRTUAL NOT NULL;--> statement-breakpoint
CREATE INDEX `assignments_by_date_and_name` ON `assignments` (`course_id`,`sort_due`,`sort_name`,`same_id`) WHERE workflow_state <> 'deleted';--> statement-breakpoint
CREATE INDEX `assignments_by_name` ON `assignments` (`course_id`,`sort_name`,`position`,`id`) WHERE workflow_state <> 'deleted';
