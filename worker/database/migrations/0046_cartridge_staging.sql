ALTER TABLE `content_migrations` ADD `staging_course_id` integer;--> statement-breakpoint
ALTER TABLE `content_migrations` ADD `is_staged` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `content_migrations_with_staging` ON `content_migrations` (`staging_course_id`) WHERE staging_course_id is not null;