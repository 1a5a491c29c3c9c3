DROP INDEX `line_items_of_tool`;--> statement-breakpoint
CREATE INDEX `line_items_in_course` ON `line_items` (`course_id`,`id`);--> statement-breakpoint
CREATE INDEX `assignments_with_tool` ON `assignments` (`course_id`,`same_id`) WHERE instr(submission_types, 'external_tool') > 0 and workflow_state <> 'deleted';