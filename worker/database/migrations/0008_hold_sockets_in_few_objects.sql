ALTER TABLE `live_users` ADD `object` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `live_users_by_object` ON `live_users` (`object`);