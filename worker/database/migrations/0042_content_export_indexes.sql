DROP INDEX `content_exports_in_context`;--> statement-breakpoint
DROP INDEX `content_exports_of_user`;--> statement-breakpoint
CREATE INDEX `content_exports_in_context` ON `content_exports` (`context_type`,`context_id`,`id`) WHERE export_type <> 'zip';--> statement-breakpoint
CREATE INDEX `content_exports_of_user` ON `content_exports` (`context_type`,`context_id`,`user_id`,`id`) WHERE export_type = 'zip';