DROP INDEX `comm_messages_by_age`;--> statement-breakpoint
DROP INDEX `comm_messages_to_do`;--> statement-breakpoint
CREATE INDEX `comm_messages_to_do` ON `comm_messages` (`due_at`,`id`) WHERE workflow_state in ('created', 'staged', 'sending');