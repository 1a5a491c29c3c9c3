ALTER TABLE `lti_resource_links` ADD `module_item_id` integer;--> statement-breakpoint
CREATE INDEX `lti_resource_links_in_course` ON `lti_resource_links` (`course_id`,`id`);--> statement-breakpoint
CREATE INDEX `lti_resource_links_of_assignment` ON `lti_resource_links` (`assignment_id`) WHERE assignment_id is not null;--> statement-breakpoint
CREATE INDEX `lti_resource_links_of_item` ON `lti_resource_links` (`module_item_id`) WHERE module_item_id is not null;