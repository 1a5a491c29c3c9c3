CREATE TABLE `chores` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`every_minutes` integer NOT NULL,
	`last_run_at` text NOT NULL,
	`duration_ms` integer NOT NULL,
	`next_run_at` text NOT NULL,
	`last_error` text,
	`failed_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chores_by_name` ON `chores` (`name`);