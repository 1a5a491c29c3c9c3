ALTER TABLE `moments` RENAME TO `scheduled_changes`;--> statement-breakpoint
ALTER TABLE `happenings` RENAME TO `notification_queue`;--> statement-breakpoint
ALTER TABLE `sign_in_brakes` RENAME TO `login_throttles`;--> statement-breakpoint
DROP INDEX `moments_in_scope`;--> statement-breakpoint
CREATE INDEX `scheduled_changes_in_scope` ON `scheduled_changes` (`scope`,`at`);--> statement-breakpoint
DROP INDEX `happenings_due`;--> statement-breakpoint
DROP INDEX `happenings_once`;--> statement-breakpoint
CREATE INDEX `notification_queue_due` ON `notification_queue` (`not_before`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `notification_queue_once` ON `notification_queue` (`notification`,`item_id`);--> statement-breakpoint
DROP INDEX `sign_in_brakes_by_age`;--> statement-breakpoint
CREATE INDEX `login_throttles_by_age` ON `login_throttles` (`at`);