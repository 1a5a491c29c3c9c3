CREATE TABLE `error_reports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`subject` text NOT NULL,
	`url` text,
	`email` text,
	`comments` text,
	`http_env` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
