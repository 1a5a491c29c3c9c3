CREATE TABLE `content_shares` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`sender_id` integer NOT NULL,
	`kind` text NOT NULL,
	`share_uuid` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`content_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`content_export_id` integer NOT NULL,
	`read_state` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `content_shares_of_user` ON `content_shares` (`user_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `content_shares_together` ON `content_shares` (`share_uuid`,`kind`,`user_id`);--> statement-breakpoint
CREATE INDEX `content_shares_unread` ON `content_shares` (`user_id`) WHERE read_state = 'unread';--> statement-breakpoint
CREATE TABLE `media_titles` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_entered_title` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `lti_resource_links` ADD `module_item_id` integer;--> statement-breakpoint
CREATE INDEX `lti_resource_links_in_course` ON `lti_resource_links` (`course_id`,`id`);--> statement-breakpoint
CREATE INDEX `lti_resource_links_of_assignment` ON `lti_resource_links` (`assignment_id`) WHERE assignment_id is not null;--> statement-breakpoint
CREATE INDEX `lti_resource_links_of_item` ON `lti_resource_links` (`module_item_id`) WHERE module_item_id is not null;