DROP INDEX `external_tools_of_key`;--> statement-breakpoint
DROP INDEX `lti_resource_links_in_course`;