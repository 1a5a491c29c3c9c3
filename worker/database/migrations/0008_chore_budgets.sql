ALTER TABLE `chores` ADD `steps` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `statements` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `rows_read` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `rows_written` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `budget_statements` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `budget_rows` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `budget_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `left_behind` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chores` ADD `lease` text;--> statement-breakpoint
ALTER TABLE `chores` ADD `leased_until` text;