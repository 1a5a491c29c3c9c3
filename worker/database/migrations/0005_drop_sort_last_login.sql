-- They read the column, and are created again without it by the step after the migrations.
DROP TRIGGER IF EXISTS `users__copy_keys_to_enrollments`;--> statement-breakpoint
DROP TRIGGER IF EXISTS `enrollments__copy_keys_insert`;--> statement-breakpoint
DROP INDEX `enrollments_people_by_login`;--> statement-breakpoint
ALTER TABLE `enrollments` DROP COLUMN `sort_last_login`;