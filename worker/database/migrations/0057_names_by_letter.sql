DROP INDEX `users_by_sortable_name`;--> statement-breakpoint
ALTER TABLE `users` ADD `name_key` text;--> statement-breakpoint
ALTER TABLE `users` ADD `sort_name` text collate nocase GENERATED ALWAYS AS (coalesce(name_key, sortable_name)) VIRTUAL NOT NULL;--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (`sort_name`,`same_id`);