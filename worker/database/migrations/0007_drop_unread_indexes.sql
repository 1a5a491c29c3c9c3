DROP INDEX `masquerades_of_user`;--> statement-breakpoint
DROP INDEX `masquerades_by_real_user`;--> statement-breakpoint
DROP INDEX `copied_items_between`;--> statement-breakpoint
DROP INDEX `course_copies_of_course`;--> statement-breakpoint
DROP INDEX `courses_by_name`;--> statement-breakpoint
DROP INDEX `module_marks_of_item`;--> statement-breakpoint
DROP INDEX `sis_import_failures`;--> statement-breakpoint
CREATE INDEX `sis_import_failures` ON `sis_import_errors` (`account_id`,`id`) WHERE failure = 1;