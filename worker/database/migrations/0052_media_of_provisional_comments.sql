ALTER TABLE `provisional_comments` ADD `media_comment_id` text;--> statement-breakpoint
ALTER TABLE `provisional_comments` ADD `media_comment_type` text;