CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`subscription_id` integer NOT NULL,
	`event` text NOT NULL,
	`object` text NOT NULL,
	`metadata` text NOT NULL,
	`body` text NOT NULL,
	`workflow_state` text DEFAULT 'pending' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text,
	`error` text,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_subscription` ON `webhook_deliveries` (`subscription_id`,`workflow_state`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`user_id` integer NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`event_types` text NOT NULL,
	`url` text NOT NULL,
	`uuid` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_secret_expires_at` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`is_paused_by_failures` integer DEFAULT false NOT NULL,
	`failing_since` text,
	`last_error` text,
	`last_delivered_at` text,
	`leased_until` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_topics` (
	`event` text NOT NULL,
	`subscription_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`course_id` integer,
	PRIMARY KEY(`event`, `subscription_id`)
);
