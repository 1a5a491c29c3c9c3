DROP INDEX `lti_resource_links_by_lookup`;--> statement-breakpoint
CREATE UNIQUE INDEX `lti_resource_links_by_lookup` ON `lti_resource_links` (`lookup_uuid`,`course_id`);