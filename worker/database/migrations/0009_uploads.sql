CREATE TABLE `upload_parts` (
	`upload_id` integer NOT NULL,
	`number` integer NOT NULL,
	`etag` text NOT NULL,
	`sha256` text NOT NULL,
	PRIMARY KEY(`upload_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`multipart_id` text,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`part_size` integer NOT NULL,
	`counts_for` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `uploads_by_quota` ON `uploads` (`counts_for`);--> statement-breakpoint
CREATE INDEX `uploads_by_expiry` ON `uploads` (`expires_at`);