DROP INDEX `content_exports_in_context`;--> statement-breakpoint
CREATE INDEX `content_exports_in_context` ON `content_exports` (`context_type`,`context_id`,`id`) WHERE export_type <> 'zip';