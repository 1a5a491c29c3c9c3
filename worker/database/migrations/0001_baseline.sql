CREATE TABLE `changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`op` text NOT NULL,
	`changed_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `changes_once` ON `changes` (`scope`,`kind`,`item_id`);--> statement-breakpoint
CREATE INDEX `changes_in_scope` ON `changes` (`scope`,`seq`);--> statement-breakpoint
CREATE INDEX `changes_deleted` ON `changes` (`changed_at`,`seq`) WHERE op = 'delete';--> statement-breakpoint
CREATE TABLE `facts` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`response` text,
	`row_ids` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `live_users` (
	`user_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`connected_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `log_marks` (
	`changed_at` text PRIMARY KEY NOT NULL,
	`nonce` text NOT NULL,
	`first_seq` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `log_marks_by_seq` ON `log_marks` (`first_seq`);--> statement-breakpoint
CREATE TABLE `moments` (
	`scope` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`field` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`kind`, `item_id`, `scope`, `field`)
);
--> statement-breakpoint
CREATE INDEX `moments_in_scope` ON `moments` (`scope`,`at`);--> statement-breakpoint
CREATE TABLE `trigger_hashes` (
	`name` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `account_notifications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`subject` text NOT NULL,
	`message` text NOT NULL,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`icon` text DEFAULT 'warning' NOT NULL,
	`role_ids` text DEFAULT '[]' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_notifications_in_account` ON `account_notifications` (`account_id`,`end_at`,`id`);--> statement-breakpoint
CREATE INDEX `account_notifications_of_author` ON `account_notifications` (`user_id`);--> statement-breakpoint
CREATE TABLE `closed_account_notifications` (
	`account_notification_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`closed_at` text NOT NULL,
	PRIMARY KEY(`account_notification_id`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `account_ancestors` (
	`ancestor_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	PRIMARY KEY(`ancestor_id`, `account_id`)
);
--> statement-breakpoint
CREATE INDEX `account_ancestors_of_account` ON `account_ancestors` (`account_id`,`ancestor_id`);--> statement-breakpoint
CREATE TABLE `account_courses` (
	`account_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`name` text collate nocase NOT NULL,
	`sis_course_id` text NOT NULL,
	`teacher` text collate nocase NOT NULL,
	`account_name` text collate nocase NOT NULL,
	`term` text collate nocase NOT NULL,
	PRIMARY KEY(`account_id`, `course_id`)
);
--> statement-breakpoint
CREATE INDEX `account_courses_of_course` ON `account_courses` (`course_id`);--> statement-breakpoint
CREATE INDEX `account_courses_by_name` ON `account_courses` (`account_id`,`name`,`course_id`);--> statement-breakpoint
CREATE INDEX `account_courses_by_sis_id` ON `account_courses` (`account_id`,`sis_course_id`,`course_id`);--> statement-breakpoint
CREATE INDEX `account_courses_by_teacher` ON `account_courses` (`account_id`,`teacher`,`course_id`);--> statement-breakpoint
CREATE INDEX `account_courses_by_account` ON `account_courses` (`account_id`,`account_name`,`course_id`);--> statement-breakpoint
CREATE INDEX `account_courses_by_term` ON `account_courses` (`account_id`,`term`,`course_id`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`parent_account_id` integer,
	`root_account_id` integer,
	`is_root` integer DEFAULT false NOT NULL,
	`uuid` text NOT NULL,
	`sis_account_id` text,
	`integration_id` text,
	`sis_import_id` integer,
	`stuck_sis_fields` text,
	`default_time_zone` text DEFAULT 'Etc/UTC' NOT NULL,
	`default_storage_quota_mb` integer,
	`default_user_storage_quota_mb` integer,
	`default_group_storage_quota_mb` integer,
	`course_template_id` integer,
	`calendar_visible` integer DEFAULT false NOT NULL,
	`calendar_auto_subscribe` integer DEFAULT false NOT NULL,
	`sub_account_count` integer DEFAULT 0 NOT NULL,
	`visible_calendar_count` integer DEFAULT 0 NOT NULL,
	`settings` text DEFAULT '{}' NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `accounts_in_account` ON `accounts` (`parent_account_id`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_name` ON `accounts` (`parent_account_id`,"name" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `accounts_by_calendar` ON `accounts` (`parent_account_id`,`calendar_visible`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_by_sis_id` ON `accounts` (`sis_account_id`);--> statement-breakpoint
CREATE TABLE `admins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	`sis_import_id` integer,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `admins_once` ON `admins` (`account_id`,`user_id`,`role_id`);--> statement-breakpoint
CREATE INDEX `admins_in_account` ON `admins` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `admins_of_user` ON `admins` (`user_id`);--> statement-breakpoint
CREATE TABLE `appointment_group_contexts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`appointment_group_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`ends_at` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `appointment_group_contexts_of_group` ON `appointment_group_contexts` (`appointment_group_id`,`course_id`);--> statement-breakpoint
CREATE INDEX `appointment_group_contexts_in_course` ON `appointment_group_contexts` (`course_id`,`appointment_group_id`);--> statement-breakpoint
CREATE INDEX `appointment_group_contexts_ahead` ON `appointment_group_contexts` (`course_id`,`ends_at`);--> statement-breakpoint
CREATE TABLE `appointment_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`location_name` text,
	`location_address` text,
	`start_at` text,
	`end_at` text,
	`participants_per_appointment` integer,
	`min_appointments_per_participant` integer,
	`max_appointments_per_participant` integer,
	`participant_visibility` text DEFAULT 'private' NOT NULL,
	`allow_observer_signup` integer DEFAULT false NOT NULL,
	`sub_context_codes` text DEFAULT '[]' NOT NULL,
	`workflow_state` text DEFAULT 'pending' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `assignment_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`group_weight` real DEFAULT 0 NOT NULL,
	`sis_source_id` text,
	`integration_data` text DEFAULT '{}' NOT NULL,
	`rules` text DEFAULT '{}' NOT NULL,
	`workflow_state` text DEFAULT 'available' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assignment_groups_in_course` ON `assignment_groups` (`course_id`,`workflow_state`,`position`,`id`);--> statement-breakpoint
CREATE TABLE `assignment_override_students` (
	`assignment_override_id` integer NOT NULL,
	`assignment_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`assignment_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `assignment_override_students_of_override` ON `assignment_override_students` (`assignment_override_id`);--> statement-breakpoint
CREATE INDEX `assignment_override_students_of_user` ON `assignment_override_students` (`user_id`,`assignment_id`);--> statement-breakpoint
CREATE TABLE `assignment_overrides` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assignment_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`set_type` text NOT NULL,
	`set_id` integer,
	`group_category_id` integer,
	`title` text NOT NULL,
	`due_at` text,
	`due_at_overridden` integer DEFAULT false NOT NULL,
	`unlock_at` text,
	`unlock_at_overridden` integer DEFAULT false NOT NULL,
	`lock_at` text,
	`lock_at_overridden` integer DEFAULT false NOT NULL,
	`unassign_item` integer DEFAULT false NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assignment_overrides_of_assignment` ON `assignment_overrides` (`assignment_id`,`workflow_state`,`set_type`);--> statement-breakpoint
CREATE INDEX `assignment_overrides_in_course` ON `assignment_overrides` (`course_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `assignment_overrides_once` ON `assignment_overrides` (`assignment_id`,`set_type`,`set_id`) WHERE workflow_state = 'active' and set_id is not null;--> statement-breakpoint
CREATE TABLE `assignment_places` (
	`assignment_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`group_position` integer NOT NULL,
	`assignment_group_id` integer NOT NULL,
	`position` integer NOT NULL,
	`due_at` text NOT NULL,
	`due_state` text NOT NULL,
	`is_handed_in` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assignment_places_in_course` ON `assignment_places` (`course_id`,`group_position`,`assignment_group_id`,`position`,`assignment_id`);--> statement-breakpoint
CREATE INDEX `assignment_places_by_due_state` ON `assignment_places` (`course_id`,`due_state`,`group_position`,`assignment_group_id`,`position`,`assignment_id`);--> statement-breakpoint
CREATE INDEX `assignment_places_by_hand_in` ON `assignment_places` (`course_id`,`is_handed_in`,`group_position`,`assignment_group_id`,`position`,`assignment_id`);--> statement-breakpoint
CREATE INDEX `assignment_places_ahead` ON `assignment_places` (`due_at`) WHERE due_state = 'ahead';--> statement-breakpoint
CREATE INDEX `assignment_places_ahead_in_course` ON `assignment_places` (`course_id`,`due_at`) WHERE due_state = 'ahead';--> statement-breakpoint
CREATE TABLE `assignments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`assignment_group_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`position` integer NOT NULL,
	`points_possible` real,
	`grading_type` text DEFAULT 'points' NOT NULL,
	`grading_standard_id` integer,
	`submission_types` text DEFAULT '["none"]' NOT NULL,
	`allowed_extensions` text DEFAULT '[]' NOT NULL,
	`allowed_attempts` integer DEFAULT -1 NOT NULL,
	`due_at` text,
	`unlock_at` text,
	`lock_at` text,
	`only_visible_to_overrides` integer DEFAULT false NOT NULL,
	`group_category_id` integer,
	`options` text DEFAULT '{}' NOT NULL,
	`omit_from_final_grade` integer DEFAULT false NOT NULL,
	`post_manually` integer DEFAULT false NOT NULL,
	`important_dates` integer DEFAULT false NOT NULL,
	`sis_assignment_id` text,
	`integration_id` text,
	`lti_context_id` text NOT NULL,
	`workflow_state` text DEFAULT 'unpublished' NOT NULL,
	`sort_due` text GENERATED ALWAYS AS (coalesce(due_at, '9999')) VIRTUAL NOT NULL,
	`sort_name` text GENERATED ALWAYS AS (lower(name)) VIRTUAL NOT NULL,
	`same_id` integer GENERATED ALWAYS AS (id) VIRTUAL NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assignments_by_date_and_name` ON `assignments` (`course_id`,`sort_due`,`sort_name`,`same_id`) WHERE workflow_state <> 'deleted';--> statement-breakpoint
CREATE INDEX `assignments_in_course` ON `assignments` (`course_id`,`workflow_state`,`id`);--> statement-breakpoint
CREATE INDEX `assignments_in_group` ON `assignments` (`assignment_group_id`,`position`,`id`) WHERE workflow_state <> 'deleted';--> statement-breakpoint
CREATE INDEX `assignments_by_name` ON `assignments` (`course_id`,lower("name"),`position`,`id`) WHERE workflow_state <> 'deleted';--> statement-breakpoint
CREATE INDEX `assignments_of_set` ON `assignments` (`group_category_id`) WHERE group_category_id is not null;--> statement-breakpoint
CREATE INDEX `assignments_for_some` ON `assignments` (`course_id`) WHERE only_visible_to_overrides = 1;--> statement-breakpoint
CREATE UNIQUE INDEX `assignments_by_sis_id` ON `assignments` (`sis_assignment_id`) WHERE sis_assignment_id is not null;--> statement-breakpoint
CREATE TABLE `acting` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`source` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `authentication_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`event_type` text NOT NULL,
	`login_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`real_user_id` integer,
	`address` text,
	`user_agent` text,
	`created_at` text NOT NULL,
	`same_id` integer GENERATED ALWAYS AS (id) VIRTUAL NOT NULL
);
--> statement-breakpoint
CREATE INDEX `authentication_events_of_login` ON `authentication_events` (`login_id`,`created_at`,`same_id`);--> statement-breakpoint
CREATE INDEX `authentication_events_by_place` ON `authentication_events` (`login_id`,`address`);--> statement-breakpoint
CREATE INDEX `authentication_events_of_account` ON `authentication_events` (`account_id`,`created_at`,`same_id`);--> statement-breakpoint
CREATE INDEX `authentication_events_of_user` ON `authentication_events` (`user_id`,`created_at`,`same_id`);--> statement-breakpoint
CREATE TABLE `course_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`event_type` text NOT NULL,
	`event_source` text NOT NULL,
	`event_data` text NOT NULL,
	`user_id` integer,
	`sis_import_id` integer,
	`created_at` text NOT NULL,
	`same_id` integer GENERATED ALWAYS AS (id) VIRTUAL NOT NULL
);
--> statement-breakpoint
CREATE INDEX `course_events_of_course` ON `course_events` (`course_id`,`created_at`,`same_id`);--> statement-breakpoint
CREATE INDEX `course_events_of_account` ON `course_events` (`account_id`,`created_at`,`same_id`);--> statement-breakpoint
CREATE INDEX `course_events_by_time` ON `course_events` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `masquerades` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`real_user_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`action` text NOT NULL,
	`path` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `masquerades_of_user` ON `masquerades` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `masquerades_by_real_user` ON `masquerades` (`real_user_id`,`id`);--> statement-breakpoint
CREATE TABLE `authentication_providers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`auth_type` text NOT NULL,
	`position` integer NOT NULL,
	`jit_provisioning` integer DEFAULT false NOT NULL,
	`mfa_required` integer DEFAULT false NOT NULL,
	`login_attribute` text,
	`federated_attributes` text DEFAULT '{}' NOT NULL,
	`settings` text DEFAULT '{}' NOT NULL,
	`secrets` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `authentication_providers_of_account` ON `authentication_providers` (`account_id`,`position`,`id`);--> statement-breakpoint
CREATE TABLE `blueprint_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`kind` text NOT NULL,
	`item_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blueprint_changes_once` ON `blueprint_changes` (`kind`,`item_id`);--> statement-breakpoint
CREATE INDEX `blueprint_changes_of_course` ON `blueprint_changes` (`course_id`,`seq`);--> statement-breakpoint
CREATE TABLE `blueprint_imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`migration_id` integer NOT NULL,
	`subscription_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`copy_id` integer NOT NULL,
	`upto_seq` integer NOT NULL,
	`conflicts` text DEFAULT '[]' NOT NULL,
	`workflow_state` text DEFAULT 'imports_queued' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `blueprint_imports_of_subscription` ON `blueprint_imports` (`subscription_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `blueprint_imports_once` ON `blueprint_imports` (`migration_id`,`subscription_id`);--> statement-breakpoint
CREATE INDEX `blueprint_imports_of_copy` ON `blueprint_imports` (`copy_id`);--> statement-breakpoint
CREATE TABLE `blueprint_items` (
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`use_default` integer DEFAULT false NOT NULL,
	`content` integer DEFAULT false NOT NULL,
	`points` integer DEFAULT false NOT NULL,
	`due_dates` integer DEFAULT false NOT NULL,
	`availability_dates` integer DEFAULT false NOT NULL,
	`state` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`kind`, `item_id`)
);
--> statement-breakpoint
CREATE INDEX `blueprint_items_of_course` ON `blueprint_items` (`course_id`);--> statement-breakpoint
CREATE TABLE `blueprint_migrations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`template_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`comment` text,
	`options` text DEFAULT '{}' NOT NULL,
	`changes` text DEFAULT '[]' NOT NULL,
	`upto_seq` integer,
	`crashes` integer DEFAULT 0 NOT NULL,
	`exports_started_at` text,
	`imports_queued_at` text,
	`imports_completed_at` text,
	`workflow_state` text DEFAULT 'queued' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `blueprint_migrations_of_template` ON `blueprint_migrations` (`template_id`,`id`);--> statement-breakpoint
CREATE INDEX `blueprint_migrations_unfinished` ON `blueprint_migrations` (`updated_at`) WHERE workflow_state in ('queued', 'exporting');--> statement-breakpoint
CREATE UNIQUE INDEX `blueprint_migrations_one_at_a_time` ON `blueprint_migrations` (`template_id`) WHERE workflow_state in ('queued', 'exporting', 'imports_queued');--> statement-breakpoint
CREATE TABLE `blueprint_subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`template_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`synced_seq` integer,
	`syllabus_changed` integer DEFAULT false NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blueprint_subscriptions_once` ON `blueprint_subscriptions` (`course_id`) WHERE workflow_state = 'active';--> statement-breakpoint
CREATE INDEX `blueprint_subscriptions_of_template` ON `blueprint_subscriptions` (`template_id`,`workflow_state`,`course_id`);--> statement-breakpoint
CREATE TABLE `blueprint_templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blueprint_templates_of_course` ON `blueprint_templates` (`course_id`);--> statement-breakpoint
CREATE TABLE `bookmarks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`position` integer NOT NULL,
	`data` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `bookmarks_of_user` ON `bookmarks` (`user_id`,`position`,`id`);--> statement-breakpoint
CREATE TABLE `calendar_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_code` text NOT NULL,
	`effective_context_code` text,
	`parent_event_id` integer,
	`user_id` integer,
	`title` text NOT NULL,
	`description` text,
	`start_at` text,
	`end_at` text,
	`all_day` integer DEFAULT false NOT NULL,
	`all_day_date` text,
	`time_zone_edited` text,
	`location_name` text,
	`location_address` text,
	`comments` text,
	`series_uuid` text,
	`rrule` text,
	`important_dates` integer DEFAULT false NOT NULL,
	`blackout_date` integer DEFAULT false NOT NULL,
	`details` text DEFAULT '{}' NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `calendar_events_reserved` ON `calendar_events` (`context_code`,`id`) WHERE parent_event_id is not null and workflow_state <> 'deleted';--> statement-breakpoint
CREATE INDEX `calendar_events_of_parent` ON `calendar_events` (`parent_event_id`);--> statement-breakpoint
CREATE INDEX `calendar_events_in_series` ON `calendar_events` (`series_uuid`);--> statement-breakpoint
CREATE TABLE `course_timetables` (
	`course_id` integer PRIMARY KEY NOT NULL,
	`timetables` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `collaborations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`collaboration_type` text NOT NULL,
	`document_id` text,
	`url` text,
	`update_url` text,
	`title` text,
	`description` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `collaborations_in_context` ON `collaborations` (`context_type`,`context_id`,`id`);--> statement-breakpoint
CREATE INDEX `collaborations_by_change` ON `collaborations` (`context_type`,`context_id`,`updated_at`,`id`) WHERE workflow_state = 'active';--> statement-breakpoint
CREATE TABLE `collaborators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`collaboration_id` integer NOT NULL,
	`user_id` integer,
	`group_id` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `collaborators_people` ON `collaborators` (`collaboration_id`,`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `collaborators_groups` ON `collaborators` (`collaboration_id`,`group_id`);--> statement-breakpoint
CREATE INDEX `collaborators_in_order` ON `collaborators` (`collaboration_id`,`id`);--> statement-breakpoint
CREATE INDEX `collaborators_of_user` ON `collaborators` (`user_id`);--> statement-breakpoint
CREATE TABLE `comm_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`communication_channel_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`notification` text NOT NULL,
	`from` text DEFAULT '' NOT NULL,
	`from_name` text NOT NULL,
	`to` text NOT NULL,
	`reply_to` text DEFAULT '' NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`html_body` text,
	`due_at` text,
	`queued_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`sent_at` text,
	`workflow_state` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `comm_messages_of_user` ON `comm_messages` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `comm_messages_to_do` ON `comm_messages` (`workflow_state`,`due_at`,`id`);--> statement-breakpoint
CREATE INDEX `comm_messages_by_age` ON `comm_messages` (`created_at`);--> statement-breakpoint
CREATE TABLE `happenings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`notification` text NOT NULL,
	`item_id` integer NOT NULL,
	`not_before` text NOT NULL,
	`told_up_to` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `happenings_due` ON `happenings` (`not_before`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `happenings_once` ON `happenings` (`notification`,`item_id`);--> statement-breakpoint
CREATE TABLE `conversation_batches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`subject` text,
	`body` text NOT NULL,
	`recipient_ids` text NOT NULL,
	`options` text DEFAULT '{}' NOT NULL,
	`sent_count` integer DEFAULT 0 NOT NULL,
	`workflow_state` text DEFAULT 'created' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `conversation_batches_of_user` ON `conversation_batches` (`user_id`,`workflow_state`);--> statement-breakpoint
CREATE INDEX `conversation_batches_unsent` ON `conversation_batches` (`workflow_state`,`updated_at`);--> statement-breakpoint
CREATE TABLE `conversation_message_participants` (
	`conversation_message_id` integer NOT NULL,
	`conversation_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`hidden` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`conversation_id`, `user_id`, `conversation_message_id`)
);
--> statement-breakpoint
CREATE INDEX `conversation_message_participants_of_message` ON `conversation_message_participants` (`conversation_message_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `conversation_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`conversation_id` integer NOT NULL,
	`position` integer NOT NULL,
	`author_id` integer NOT NULL,
	`body` text NOT NULL,
	`generated` integer DEFAULT false NOT NULL,
	`limited` integer DEFAULT false NOT NULL,
	`attachment_ids` text DEFAULT '[]' NOT NULL,
	`media_comment` text,
	`forwarded_message_ids` text DEFAULT '[]' NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conversation_messages_in_order` ON `conversation_messages` (`conversation_id`,`position`);--> statement-breakpoint
CREATE TABLE `conversation_participants` (
	`conversation_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`workflow_state` text DEFAULT 'unread' NOT NULL,
	`subscribed` integer DEFAULT true NOT NULL,
	`starred` integer DEFAULT false NOT NULL,
	`message_count` integer DEFAULT 0 NOT NULL,
	`authored_count` integer DEFAULT 0 NOT NULL,
	`last_message` text,
	`last_message_at` text,
	`last_authored_message` text,
	`last_authored_message_at` text,
	`moved_at` text NOT NULL,
	`properties` text DEFAULT '[]' NOT NULL,
	`joined_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`conversation_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `conversation_participants_inbox` ON `conversation_participants` (`user_id`,`last_message_at`,`conversation_id`) WHERE workflow_state <> 'archived' and last_message_at is not null;--> statement-breakpoint
CREATE INDEX `conversation_participants_sent` ON `conversation_participants` (`user_id`,`last_authored_message_at`,`conversation_id`) WHERE last_authored_message_at is not null;--> statement-breakpoint
CREATE INDEX `conversation_participants_by_state` ON `conversation_participants` (`user_id`,`workflow_state`,`moved_at`,`conversation_id`);--> statement-breakpoint
CREATE INDEX `conversation_participants_starred` ON `conversation_participants` (`user_id`,`moved_at`,`conversation_id`) WHERE starred = 1;--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`subject` text,
	`private` integer NOT NULL,
	`private_key` text,
	`context_type` text,
	`context_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_by_uuid` ON `conversations` (`uuid`);--> statement-breakpoint
CREATE INDEX `conversations_in_context` ON `conversations` (`context_type`,`context_id`) WHERE context_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_by_private_key` ON `conversations` (`private_key`) WHERE private_key is not null;--> statement-breakpoint
CREATE TABLE `copied_items` (
	`course_id` integer NOT NULL,
	`kind` text NOT NULL,
	`source_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`source_course_id` integer NOT NULL,
	`copy_id` integer NOT NULL,
	`migration_id` text,
	`changed` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`course_id`, `kind`, `source_id`)
);
--> statement-breakpoint
CREATE INDEX `copied_items_of_item` ON `copied_items` (`kind`,`item_id`);--> statement-breakpoint
CREATE INDEX `copied_items_by_migration_id` ON `copied_items` (`course_id`,`migration_id`) WHERE migration_id is not null;--> statement-breakpoint
CREATE INDEX `copied_items_between` ON `copied_items` (`course_id`,`source_course_id`);--> statement-breakpoint
CREATE TABLE `course_copies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`source_course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`progress_id` integer,
	`purpose` text DEFAULT 'copy' NOT NULL,
	`choice` text DEFAULT '{}' NOT NULL,
	`plan` text,
	`step` integer DEFAULT 0 NOT NULL,
	`crashes` integer DEFAULT 0 NOT NULL,
	`message` text,
	`workflow_state` text DEFAULT 'created' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `course_copies_of_course` ON `course_copies` (`course_id`,`id`);--> statement-breakpoint
CREATE INDEX `course_copies_unfinished` ON `course_copies` (`updated_at`) WHERE workflow_state in ('created', 'started');--> statement-breakpoint
CREATE TABLE `course_copying` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL
);
--> statement-breakpoint
CREATE TABLE `course_nicknames` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`nickname` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `course_nicknames_once` ON `course_nicknames` (`user_id`,`course_id`);--> statement-breakpoint
CREATE INDEX `course_nicknames_in_course` ON `course_nicknames` (`course_id`);--> statement-breakpoint
CREATE INDEX `course_nicknames_of_user` ON `course_nicknames` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `course_nicknames_by_name` ON `course_nicknames` (`user_id`,"nickname" collate nocase,`course_id`);--> statement-breakpoint
CREATE TABLE `courses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`root_account_id` integer NOT NULL,
	`enrollment_term_id` integer NOT NULL,
	`name` text NOT NULL,
	`course_code` text,
	`friendly_name` text,
	`uuid` text NOT NULL,
	`sis_course_id` text,
	`integration_id` text,
	`abstract_course_id` integer,
	`sis_import_id` integer,
	`stuck_sis_fields` text,
	`start_at` text,
	`end_at` text,
	`restrict_enrollments_to_course_dates` integer DEFAULT false NOT NULL,
	`default_view` text DEFAULT 'modules' NOT NULL,
	`time_zone` text,
	`locale` text,
	`course_format` text,
	`license` text DEFAULT 'private' NOT NULL,
	`is_public` integer DEFAULT false NOT NULL,
	`is_public_to_auth_users` integer DEFAULT false NOT NULL,
	`public_syllabus` integer DEFAULT false NOT NULL,
	`public_syllabus_to_auth` integer DEFAULT false NOT NULL,
	`public_description` text,
	`syllabus_body` text,
	`apply_assignment_group_weights` integer DEFAULT false NOT NULL,
	`grading_standard_id` integer,
	`storage_quota_mb` integer,
	`allow_student_wiki_edits` integer DEFAULT false NOT NULL,
	`allow_wiki_comments` integer DEFAULT false NOT NULL,
	`open_enrollment` integer DEFAULT false NOT NULL,
	`self_enrollment` integer DEFAULT false NOT NULL,
	`self_enrollment_code` text,
	`indexed` integer DEFAULT false NOT NULL,
	`is_blueprint` integer DEFAULT false NOT NULL,
	`blueprint_settings` text,
	`is_template` integer DEFAULT false NOT NULL,
	`replacement_course_id` integer,
	`settings` text DEFAULT '{}' NOT NULL,
	`workflow_state` text DEFAULT 'claimed' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `courses_in_account` ON `courses` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `courses_in_account_by_name` ON `courses` (`account_id`,"name" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `courses_by_name` ON `courses` ("name" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `courses_in_term` ON `courses` (`enrollment_term_id`);--> statement-breakpoint
CREATE INDEX `courses_indexed` ON `courses` (`id`) WHERE indexed = 1 and workflow_state = 'available';--> statement-breakpoint
CREATE INDEX `courses_by_uuid` ON `courses` (`uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `courses_by_sis_id` ON `courses` (`sis_course_id`) WHERE sis_course_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `courses_by_integration_id` ON `courses` (`integration_id`) WHERE integration_id is not null;--> statement-breakpoint
CREATE TABLE `favorites` (
	`user_id` integer NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `context_type`, `context_id`)
);
--> statement-breakpoint
CREATE INDEX `favorites_of_context` ON `favorites` (`context_type`,`context_id`);--> statement-breakpoint
CREATE TABLE `custom_data` (
	`user_id` integer NOT NULL,
	`namespace` text NOT NULL,
	`data` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `namespace`)
);
--> statement-breakpoint
CREATE TABLE `developer_key_account_bindings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`developer_key_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`workflow_state` text DEFAULT 'off' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `developer_key_account_bindings_once` ON `developer_key_account_bindings` (`developer_key_id`,`account_id`);--> statement-breakpoint
CREATE TABLE `developer_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer,
	`name` text,
	`email` text,
	`icon_url` text,
	`notes` text,
	`vendor_code` text,
	`redirect_uri` text,
	`redirect_uris` text DEFAULT '[]' NOT NULL,
	`client_type` text DEFAULT 'confidential' NOT NULL,
	`secret_hash` text NOT NULL,
	`auto_expire_tokens` integer DEFAULT true NOT NULL,
	`scopes` text DEFAULT '[]' NOT NULL,
	`require_scopes` integer DEFAULT false NOT NULL,
	`allow_includes` integer DEFAULT false NOT NULL,
	`visible` integer DEFAULT false NOT NULL,
	`test_cluster_only` integer DEFAULT false NOT NULL,
	`client_credentials_audience` text,
	`public_jwk` text,
	`public_jwk_url` text,
	`access_token_count` integer DEFAULT 0 NOT NULL,
	`last_used_at` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `developer_keys_of_account` ON `developer_keys` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `discussion_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`discussion_topic_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`parent_id` integer,
	`root_entry_id` integer,
	`message` text,
	`editor_id` integer,
	`attachment_id` integer,
	`rating_count` integer DEFAULT 0 NOT NULL,
	`rating_sum` integer DEFAULT 0 NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `discussion_entries_in_topic` ON `discussion_entries` (`discussion_topic_id`,`parent_id`,`id`);--> statement-breakpoint
CREATE INDEX `discussion_entries_under` ON `discussion_entries` (`root_entry_id`,`id`);--> statement-breakpoint
CREATE INDEX `discussion_entries_of_user` ON `discussion_entries` (`discussion_topic_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `discussion_entries_with_files` ON `discussion_entries` (`discussion_topic_id`) WHERE attachment_id is not null;--> statement-breakpoint
CREATE TABLE `discussion_entry_reads` (
	`discussion_entry_id` integer NOT NULL,
	`discussion_topic_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`read` integer DEFAULT true NOT NULL,
	`forced` integer DEFAULT false NOT NULL,
	`rating` integer,
	PRIMARY KEY(`discussion_entry_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `discussion_entry_reads_in_topic` ON `discussion_entry_reads` (`discussion_topic_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `discussion_topic_reads` (
	`discussion_topic_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`read` integer DEFAULT false NOT NULL,
	`subscribed` integer,
	`read_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`discussion_topic_id`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `discussion_topics` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`title` text NOT NULL,
	`message` text,
	`user_id` integer,
	`is_announcement` integer DEFAULT false NOT NULL,
	`discussion_type` text DEFAULT 'side_comment' NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`pinned` integer DEFAULT false NOT NULL,
	`locked` integer DEFAULT false NOT NULL,
	`posted_at` text,
	`last_reply_at` text,
	`delayed_post_at` text,
	`lock_at` text,
	`todo_date` text,
	`require_initial_post` integer DEFAULT false NOT NULL,
	`allow_rating` integer DEFAULT false NOT NULL,
	`only_graders_can_rate` integer DEFAULT false NOT NULL,
	`sort_by_rating` integer DEFAULT false NOT NULL,
	`podcast_enabled` integer DEFAULT false NOT NULL,
	`podcast_has_student_posts` integer DEFAULT false NOT NULL,
	`anonymous_state` text,
	`is_anonymous_author` integer DEFAULT false NOT NULL,
	`assignment_id` integer,
	`group_category_id` integer,
	`root_topic_id` integer,
	`attachment_id` integer,
	`section_ids` text,
	`sort_order` text DEFAULT 'desc' NOT NULL,
	`sort_order_locked` integer DEFAULT false NOT NULL,
	`expanded` integer DEFAULT false NOT NULL,
	`expanded_locked` integer DEFAULT false NOT NULL,
	`entry_count` integer DEFAULT 0 NOT NULL,
	`workflow_state` text DEFAULT 'unpublished' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `discussion_topics_by_title` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,"title" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `discussion_topics_of_root` ON `discussion_topics` (`root_topic_id`) WHERE root_topic_id is not null;--> statement-breakpoint
CREATE INDEX `discussion_topics_of_set` ON `discussion_topics` (`group_category_id`) WHERE group_category_id is not null;--> statement-breakpoint
CREATE INDEX `discussion_topics_of_author` ON `discussion_topics` (`user_id`);--> statement-breakpoint
CREATE INDEX `discussion_topics_of_assignment` ON `discussion_topics` (`assignment_id`);--> statement-breakpoint
CREATE INDEX `discussion_topics_graded` ON `discussion_topics` (`context_type`,`context_id`) WHERE assignment_id is not null;--> statement-breakpoint
CREATE INDEX `discussion_topics_with_files` ON `discussion_topics` (`context_type`,`context_id`) WHERE attachment_id is not null;--> statement-breakpoint
CREATE INDEX `discussion_topics_of_attachment` ON `discussion_topics` (`attachment_id`) WHERE attachment_id is not null;--> statement-breakpoint
CREATE INDEX `discussion_topics_to_post` ON `discussion_topics` (`delayed_post_at`) WHERE workflow_state = 'post_delayed';--> statement-breakpoint
CREATE TABLE `discussion_view_changes` (
	`discussion_topic_id` integer NOT NULL,
	`discussion_entry_id` integer NOT NULL,
	PRIMARY KEY(`discussion_topic_id`, `discussion_entry_id`)
);
--> statement-breakpoint
CREATE TABLE `discussion_view_parts` (
	`discussion_topic_id` integer NOT NULL,
	`part` integer NOT NULL,
	`people` text NOT NULL,
	`editors` text NOT NULL,
	`entries` text NOT NULL,
	PRIMARY KEY(`discussion_topic_id`, `part`)
);
--> statement-breakpoint
CREATE TABLE `enrollments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`course_section_id` integer NOT NULL,
	`type` text NOT NULL,
	`role_id` integer NOT NULL,
	`observed_user_id` integer DEFAULT 0 NOT NULL,
	`enrollment_state` text NOT NULL,
	`sortable_name` text collate nocase NOT NULL,
	`sort_email` text collate nocase DEFAULT '' NOT NULL,
	`sort_sis_id` text DEFAULT '' NOT NULL,
	`sort_last_login` text DEFAULT '' NOT NULL,
	`sort_course` text collate nocase DEFAULT '' NOT NULL,
	`same_id` integer GENERATED ALWAYS AS (id) VIRTUAL NOT NULL,
	`limit_privileges_to_course_section` integer DEFAULT false NOT NULL,
	`self_enrolled` integer DEFAULT false NOT NULL,
	`start_at` text,
	`end_at` text,
	`completed_at` text,
	`last_activity_at` text,
	`last_attended_at` text,
	`total_activity_time` integer DEFAULT 0 NOT NULL,
	`sis_import_id` integer,
	`temporary_enrollment_source_user_id` integer,
	`grade_publishing_status` text,
	`grade_publishing_message` text,
	`stuck_sis_fields` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_once` ON `enrollments` (`user_id`,`course_section_id`,`role_id`,`type`,`observed_user_id`);--> statement-breakpoint
CREATE INDEX `enrollments_of_user_in_course` ON `enrollments` (`user_id`,`course_id`);--> statement-breakpoint
CREATE INDEX `enrollments_in_course` ON `enrollments` (`course_id`,`type`,`sortable_name`,`id`);--> statement-breakpoint
CREATE INDEX `enrollments_by_user` ON `enrollments` (`course_id`,`type`,`enrollment_state`,`user_id`);--> statement-breakpoint
CREATE INDEX `enrollments_in_section` ON `enrollments` (`course_section_id`,`type`,`sortable_name`,`id`);--> statement-breakpoint
CREATE INDEX `enrollments_people` ON `enrollments` (`course_id`,`sortable_name`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `enrollments_of_user_by_course` ON `enrollments` (`user_id`,`sort_course`,`course_id`);--> statement-breakpoint
CREATE INDEX `enrollments_of_user_by_type` ON `enrollments` (`user_id`,`type`,`same_id`);--> statement-breakpoint
CREATE INDEX `enrollments_of_others` ON `enrollments` (`type`,`user_id`) WHERE type <> 'StudentEnrollment';--> statement-breakpoint
CREATE INDEX `enrollments_lent` ON `enrollments` (`temporary_enrollment_source_user_id`) WHERE temporary_enrollment_source_user_id is not null;--> statement-breakpoint
CREATE INDEX `enrollments_people_by_email` ON `enrollments` (`course_id`,`sort_email`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `enrollments_people_by_sis_id` ON `enrollments` (`course_id`,`sort_sis_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `enrollments_people_by_login` ON `enrollments` (`course_id`,`sort_last_login`,`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `roster_counts` (
	`course_id` integer NOT NULL,
	`course_section_id` integer NOT NULL,
	`type` text NOT NULL,
	`people` integer NOT NULL,
	PRIMARY KEY(`course_id`, `course_section_id`, `type`)
);
--> statement-breakpoint
CREATE TABLE `eportfolio_pages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`eportfolio_id` integer NOT NULL,
	`section_id` integer NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`content` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `eportfolio_pages_of` ON `eportfolio_pages` (`eportfolio_id`,`position`,`id`);--> statement-breakpoint
CREATE TABLE `eportfolio_sections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`eportfolio_id` integer NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `eportfolio_sections_of` ON `eportfolio_sections` (`eportfolio_id`,`position`,`id`);--> statement-breakpoint
CREATE TABLE `eportfolios` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`public` integer DEFAULT false NOT NULL,
	`spam_status` text,
	`deleted_at` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `eportfolios_of_user` ON `eportfolios` (`user_id`,`workflow_state`,`id`);--> statement-breakpoint
CREATE TABLE `external_feed_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`external_feed_id` integer NOT NULL,
	`key` text NOT NULL,
	`digest` text NOT NULL,
	`discussion_topic_id` integer NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `external_feed_entries_once` ON `external_feed_entries` (`external_feed_id`,`key`);--> statement-breakpoint
CREATE TABLE `external_feeds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`url` text NOT NULL,
	`title` text,
	`header_match` text,
	`verbosity` text NOT NULL,
	`refresh_at` text NOT NULL,
	`consecutive_failures` integer DEFAULT 0 NOT NULL,
	`etag` text,
	`last_modified` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `external_feeds_in_context` ON `external_feeds` (`context_type`,`context_id`,`id`);--> statement-breakpoint
CREATE INDEX `external_feeds_due` ON `external_feeds` (`refresh_at`) WHERE consecutive_failures < 5;--> statement-breakpoint
CREATE TABLE `feature_flags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`feature` text NOT NULL,
	`state` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feature_flags_once` ON `feature_flags` (`context_type`,`context_id`,`feature`);--> statement-breakpoint
CREATE TABLE `blobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` text NOT NULL,
	`unsure_since` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blobs_by_key` ON `blobs` (`key`);--> statement-breakpoint
CREATE INDEX `blobs_unsure` ON `blobs` (`unsure_since`) WHERE unsure_since is not null;--> statement-breakpoint
CREATE TABLE `file_versions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_id` integer NOT NULL,
	`version` integer NOT NULL,
	`display_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`blob_id` integer NOT NULL,
	`updated_at` text NOT NULL,
	`replaced_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `file_versions_of_file` ON `file_versions` (`file_id`,`version`);--> statement-breakpoint
CREATE INDEX `file_versions_of_blob` ON `file_versions` (`blob_id`);--> statement-breakpoint
CREATE INDEX `file_versions_by_age` ON `file_versions` (`replaced_at`);--> statement-breakpoint
CREATE TABLE `files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`folder_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`display_name` text NOT NULL,
	`filename` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`blob_id` integer,
	`user_id` integer,
	`category` text DEFAULT 'uncategorized' NOT NULL,
	`lock_at` text,
	`unlock_at` text,
	`locked` integer DEFAULT false NOT NULL,
	`hidden` integer DEFAULT false NOT NULL,
	`visibility_level` text DEFAULT 'inherit' NOT NULL,
	`usage_rights` text,
	`replacement_file_id` integer,
	`copied_from_id` integer,
	`is_submitted` integer DEFAULT false NOT NULL,
	`submission_id` integer,
	`upload` text,
	`modified_at` text,
	`workflow_state` text DEFAULT 'pending' NOT NULL,
	`version` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer) * 1024 + (random() & 1023)) NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_by_name` ON `files` (`folder_id`,`display_name`) WHERE workflow_state = 'available';--> statement-breakpoint
CREATE INDEX `files_in_folder` ON `files` (`folder_id`,`workflow_state`,"display_name" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `files_in_context` ON `files` (`context_type`,`context_id`,`workflow_state`,"display_name" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `files_in_context_by_size` ON `files` (`context_type`,`context_id`,`workflow_state`,`size`,`id`);--> statement-breakpoint
CREATE INDEX `files_in_context_by_created_at` ON `files` (`context_type`,`context_id`,`workflow_state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `files_in_context_by_updated_at` ON `files` (`context_type`,`context_id`,`workflow_state`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `files_in_context_by_content_type` ON `files` (`context_type`,`context_id`,`workflow_state`,`content_type`,`id`);--> statement-breakpoint
CREATE INDEX `files_restricted` ON `files` (`folder_id`) WHERE workflow_state = 'available' and (hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null);--> statement-breakpoint
CREATE INDEX `files_replaced` ON `files` (`replacement_file_id`) WHERE replacement_file_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `files_by_uuid` ON `files` (`uuid`);--> statement-breakpoint
CREATE INDEX `files_of_blob` ON `files` (`blob_id`);--> statement-breakpoint
CREATE INDEX `files_of_submission` ON `files` (`submission_id`,`user_id`) WHERE submission_id is not null;--> statement-breakpoint
CREATE TABLE `storage` (
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`context_type`, `context_id`)
);
--> statement-breakpoint
CREATE TABLE `folders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`parent_folder_id` integer,
	`name` text NOT NULL,
	`full_name` text NOT NULL,
	`position` integer,
	`lock_at` text,
	`unlock_at` text,
	`locked` integer DEFAULT false NOT NULL,
	`hidden` integer DEFAULT false NOT NULL,
	`for_submissions` integer DEFAULT false NOT NULL,
	`unique_type` text,
	`files_count` integer DEFAULT 0 NOT NULL,
	`folders_count` integer DEFAULT 0 NOT NULL,
	`workflow_state` text DEFAULT 'visible' NOT NULL,
	`version` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer) * 1024 + (random() & 1023)) NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `folders_root` ON `folders` (`context_type`,`context_id`) WHERE parent_folder_id is null and workflow_state <> 'deleted';--> statement-breakpoint
CREATE UNIQUE INDEX `folders_by_name` ON `folders` (`parent_folder_id`,`name`) WHERE workflow_state <> 'deleted';--> statement-breakpoint
CREATE INDEX `folders_in_context` ON `folders` (`context_type`,`context_id`,"name" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `folders_restricted` ON `folders` (`context_type`,`context_id`) WHERE workflow_state = 'visible' and (hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null);--> statement-breakpoint
CREATE INDEX `folders_restricted_in_folder` ON `folders` (`parent_folder_id`) WHERE workflow_state = 'visible' and (hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null);--> statement-breakpoint
CREATE INDEX `folders_by_path` ON `folders` (`context_type`,`context_id`,`full_name`);--> statement-breakpoint
CREATE TABLE `group_categories` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`name` text collate nocase NOT NULL,
	`role` text,
	`self_signup` text,
	`self_signup_end_at` text,
	`group_limit` integer,
	`auto_leader` text,
	`non_collaborative` integer DEFAULT false NOT NULL,
	`sis_group_category_id` text,
	`sis_import_id` integer,
	`workflow_state` text DEFAULT 'available' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `group_categories_by_name` ON `group_categories` (`context_type`,`context_id`,`name`) WHERE workflow_state = 'available';--> statement-breakpoint
CREATE UNIQUE INDEX `group_categories_by_role` ON `group_categories` (`context_type`,`context_id`,`role`) WHERE workflow_state = 'available' and role is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `group_categories_by_sis_id` ON `group_categories` (`sis_group_category_id`) WHERE sis_group_category_id is not null;--> statement-breakpoint
CREATE INDEX `group_categories_in_context` ON `group_categories` (`context_type`,`context_id`,`workflow_state`,`name`,`id`);--> statement-breakpoint
CREATE TABLE `group_memberships` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`group_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`workflow_state` text NOT NULL,
	`moderator` integer DEFAULT false NOT NULL,
	`group_category_id` integer DEFAULT 0 NOT NULL,
	`group_name` text collate nocase DEFAULT '' NOT NULL,
	`sortable_name` text collate nocase DEFAULT '' NOT NULL,
	`sis_import_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `group_memberships_once` ON `group_memberships` (`group_id`,`user_id`) WHERE workflow_state not in ('deleted', 'rejected');--> statement-breakpoint
CREATE INDEX `group_memberships_in_group` ON `group_memberships` (`group_id`,`workflow_state`,`sortable_name`,`user_id`);--> statement-breakpoint
CREATE INDEX `group_memberships_of_user` ON `group_memberships` (`user_id`,`workflow_state`,`group_name`,`group_id`);--> statement-breakpoint
CREATE INDEX `group_memberships_in_category` ON `group_memberships` (`group_category_id`,`user_id`,`workflow_state`);--> statement-breakpoint
CREATE TABLE `groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`group_category_id` integer NOT NULL,
	`name` text collate nocase NOT NULL,
	`description` text,
	`is_public` integer DEFAULT false NOT NULL,
	`join_level` text DEFAULT 'invitation_only' NOT NULL,
	`max_membership` integer,
	`storage_quota_mb` integer DEFAULT 50 NOT NULL,
	`avatar_id` integer,
	`leader_id` integer,
	`members_count` integer DEFAULT 0 NOT NULL,
	`non_collaborative` integer DEFAULT false NOT NULL,
	`uuid` text NOT NULL,
	`sis_group_id` text,
	`sis_import_id` integer,
	`stuck_sis_fields` text,
	`standing` text DEFAULT 'open' NOT NULL,
	`workflow_state` text DEFAULT 'available' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `groups_in_context` ON `groups` (`context_type`,`context_id`,`group_category_id`,`name`,`id`) WHERE workflow_state = 'available';--> statement-breakpoint
CREATE INDEX `groups_in_category` ON `groups` (`group_category_id`,`workflow_state`,`name`,`id`);--> statement-breakpoint
CREATE INDEX `groups_by_leader` ON `groups` (`leader_id`) WHERE leader_id is not null;--> statement-breakpoint
CREATE INDEX `groups_by_avatar` ON `groups` (`avatar_id`) WHERE avatar_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `groups_by_sis_id` ON `groups` (`sis_group_id`) WHERE sis_group_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `groups_by_uuid` ON `groups` (`uuid`);--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` text NOT NULL,
	`job` text NOT NULL,
	`message` text NOT NULL,
	`error` text,
	`attempts` integer NOT NULL,
	`workflow_state` text DEFAULT 'dead' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dead_letters_once` ON `dead_letters` (`message_id`);--> statement-breakpoint
CREATE INDEX `dead_letters_by_age` ON `dead_letters` (`created_at`);--> statement-breakpoint
CREATE TABLE `password_resets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`login_id` integer NOT NULL,
	`code` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `password_resets_once` ON `password_resets` (`login_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `password_resets_by_code` ON `password_resets` (`code`);--> statement-breakpoint
CREATE INDEX `password_resets_by_expiry` ON `password_resets` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`login_id` integer,
	`real_user_id` integer,
	`session_hash` text NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`is_remembered` integer DEFAULT false NOT NULL,
	`expires_at` text NOT NULL,
	`last_used_at` text,
	`address` text,
	`user_agent` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_by_hash` ON `sessions` (`session_hash`);--> statement-breakpoint
CREATE INDEX `sessions_of_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_of_login` ON `sessions` (`login_id`);--> statement-breakpoint
CREATE INDEX `sessions_of_real_user` ON `sessions` (`real_user_id`) WHERE real_user_id is not null;--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_brakes` (
	`key` text PRIMARY KEY NOT NULL,
	`level` real NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_brakes_by_age` ON `sign_in_brakes` (`at`);--> statement-breakpoint
CREATE TABLE `module_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`position` integer NOT NULL,
	`title` text NOT NULL,
	`indent` integer DEFAULT 0 NOT NULL,
	`type` text NOT NULL,
	`content_id` integer,
	`external_url` text,
	`new_tab` integer DEFAULT false NOT NULL,
	`iframe` text,
	`requirement_type` text,
	`min_score` real,
	`min_percentage` real,
	`published` integer DEFAULT false NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `module_items_in_module` ON `module_items` (`module_id`,`workflow_state`,`position`,`id`);--> statement-breakpoint
CREATE INDEX `module_items_with_requirement` ON `module_items` (`module_id`,`position`) WHERE requirement_type is not null and workflow_state = 'active';--> statement-breakpoint
CREATE INDEX `module_items_of_content` ON `module_items` (`type`,`content_id`);--> statement-breakpoint
CREATE INDEX `module_items_in_course` ON `module_items` (`course_id`,`workflow_state`);--> statement-breakpoint
CREATE TABLE `module_marks` (
	`item_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`mark` text NOT NULL,
	`accepted` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `item_id`, `mark`)
);
--> statement-breakpoint
CREATE INDEX `module_marks_of_item` ON `module_marks` (`item_id`);--> statement-breakpoint
CREATE TABLE `module_overrides` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`title` text,
	`course_section_id` integer,
	`student_ids` text DEFAULT '[]' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `module_overrides_of_module` ON `module_overrides` (`module_id`);--> statement-breakpoint
CREATE INDEX `module_overrides_in_course` ON `module_overrides` (`course_id`);--> statement-breakpoint
CREATE TABLE `module_progressions` (
	`module_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`state` text DEFAULT 'locked' NOT NULL,
	`requirements_met` text DEFAULT '[]' NOT NULL,
	`completed_at` text,
	`current_position` integer,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`module_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `module_progressions_of_user` ON `module_progressions` (`user_id`,`course_id`);--> statement-breakpoint
CREATE TABLE `modules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`unlock_at` text,
	`require_sequential_progress` integer DEFAULT false NOT NULL,
	`requirement_count` integer,
	`publish_final_grade` integer DEFAULT false NOT NULL,
	`prerequisite_module_ids` text DEFAULT '[]' NOT NULL,
	`workflow_state` text DEFAULT 'unpublished' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `modules_in_course` ON `modules` (`course_id`,`position`,`id`);--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`communication_channel_id` integer NOT NULL,
	`notification` text NOT NULL,
	`frequency` text NOT NULL,
	PRIMARY KEY(`communication_channel_id`, `notification`)
);
--> statement-breakpoint
CREATE TABLE `authorization_codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code_hash` text NOT NULL,
	`developer_key_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`real_user_id` integer,
	`redirect_uri` text NOT NULL,
	`scopes` text DEFAULT '[]' NOT NULL,
	`purpose` text,
	`remember_access` integer DEFAULT false NOT NULL,
	`code_challenge` text,
	`code_challenge_method` text,
	`token_hash` text,
	`expires_at` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `authorization_codes_by_hash` ON `authorization_codes` (`code_hash`);--> statement-breakpoint
CREATE INDEX `authorization_codes_by_age` ON `authorization_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `service_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`developer_key_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`scopes` text DEFAULT '[]' NOT NULL,
	`expires_at` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `service_tokens_by_hash` ON `service_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `service_tokens_by_age` ON `service_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `used_assertions` (
	`developer_key_id` integer NOT NULL,
	`jti_hash` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`developer_key_id`, `jti_hash`)
);
--> statement-breakpoint
CREATE INDEX `used_assertions_by_age` ON `used_assertions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `observer_pairing_codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`code` text NOT NULL,
	`expires_at` text NOT NULL,
	`observer_id` integer,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `observer_pairing_codes_once` ON `observer_pairing_codes` (`code`);--> statement-breakpoint
CREATE INDEX `observer_pairing_codes_by_expiry` ON `observer_pairing_codes` (`expires_at`);--> statement-breakpoint
CREATE INDEX `observer_pairing_codes_of_user` ON `observer_pairing_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `page_views` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`user_id` integer NOT NULL,
	`real_user_id` integer,
	`context_type` text,
	`context_id` integer,
	`asset_type` text,
	`asset_id` integer,
	`controller` text NOT NULL,
	`action` text NOT NULL,
	`participated` integer NOT NULL,
	`user_request` integer NOT NULL,
	`http_method` text NOT NULL,
	`url` text NOT NULL,
	`user_agent` text,
	`remote_ip` text,
	`app_name` text,
	`render_time` real NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `page_views_of_user` ON `page_views` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `former_page_urls` (
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`url` text NOT NULL,
	`page_id` integer NOT NULL,
	PRIMARY KEY(`context_type`, `context_id`, `url`)
);
--> statement-breakpoint
CREATE TABLE `page_revisions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page_id` integer NOT NULL,
	`revision_id` integer NOT NULL,
	`url` text NOT NULL,
	`title` text NOT NULL,
	`body` text,
	`edited_by_id` integer,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_revisions_once` ON `page_revisions` (`page_id`,`revision_id`);--> statement-breakpoint
CREATE TABLE `pages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`url` text NOT NULL,
	`title` text NOT NULL,
	`body` text,
	`editing_roles` text NOT NULL,
	`front_page` integer DEFAULT false NOT NULL,
	`publish_at` text,
	`todo_date` text,
	`last_edited_by_id` integer,
	`workflow_state` text DEFAULT 'unpublished' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pages_by_url` ON `pages` (`context_type`,`context_id`,`url`) WHERE workflow_state <> 'deleted';--> statement-breakpoint
CREATE INDEX `pages_in_context` ON `pages` (`context_type`,`context_id`,`id`);--> statement-breakpoint
CREATE INDEX `pages_by_title` ON `pages` (`context_type`,`context_id`,"title" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `pages_by_creation` ON `pages` (`context_type`,`context_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `pages_by_change` ON `pages` (`context_type`,`context_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `pages_due` ON `pages` (`publish_at`) WHERE publish_at is not null;--> statement-breakpoint
CREATE INDEX `pages_by_todo_date` ON `pages` (`context_type`,`context_id`,`todo_date`) WHERE todo_date is not null;--> statement-breakpoint
CREATE INDEX `pages_of_editor` ON `pages` (`last_edited_by_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `pages_front` ON `pages` (`context_type`,`context_id`) WHERE front_page = 1 and workflow_state <> 'deleted';--> statement-breakpoint
CREATE TABLE `hidden_stream_items` (
	`user_id` integer NOT NULL,
	`stream_id` text NOT NULL,
	`hidden_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hidden_stream_items_once` ON `hidden_stream_items` (`user_id`,`stream_id`);--> statement-breakpoint
CREATE TABLE `ignored_todos` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`asset_string` text NOT NULL,
	`purpose` text NOT NULL,
	`permanent` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ignored_todos_once` ON `ignored_todos` (`user_id`,`asset_string`,`purpose`);--> statement-breakpoint
CREATE TABLE `planner_notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer,
	`title` text NOT NULL,
	`details` text,
	`todo_date` text NOT NULL,
	`linked_object_type` text,
	`linked_object_id` integer,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`same_id` integer GENERATED ALWAYS AS (id) VIRTUAL NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `planner_notes_of_user` ON `planner_notes` (`user_id`,`workflow_state`,`todo_date`,`same_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `planner_notes_once_linked` ON `planner_notes` (`user_id`,`linked_object_type`,`linked_object_id`) WHERE workflow_state = 'active' and linked_object_id is not null;--> statement-breakpoint
CREATE TABLE `planner_overrides` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`plannable_type` text NOT NULL,
	`plannable_id` integer NOT NULL,
	`marked_complete` integer DEFAULT false NOT NULL,
	`dismissed` integer DEFAULT false NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `planner_overrides_once` ON `planner_overrides` (`user_id`,`plannable_type`,`plannable_id`);--> statement-breakpoint
CREATE INDEX `planner_overrides_of_plannable` ON `planner_overrides` (`plannable_type`,`plannable_id`);--> statement-breakpoint
CREATE INDEX `planner_overrides_of_user` ON `planner_overrides` (`user_id`,`workflow_state`,`id`);--> statement-breakpoint
CREATE TABLE `progress` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`user_id` integer,
	`tag` text NOT NULL,
	`completion` real,
	`message` text,
	`results` text,
	`arguments` text,
	`workflow_state` text DEFAULT 'queued' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `progress_of_context` ON `progress` (`context_type`,`context_id`);--> statement-breakpoint
CREATE INDEX `progress_in_state` ON `progress` (`workflow_state`,`id`);--> statement-breakpoint
CREATE TABLE `account_report_pieces` (
	`report_id` integer NOT NULL,
	`step` integer NOT NULL,
	`part` integer NOT NULL,
	`key` text NOT NULL,
	PRIMARY KEY(`report_id`, `step`)
);
--> statement-breakpoint
CREATE TABLE `account_reports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`report` text NOT NULL,
	`parameters` text DEFAULT '{}' NOT NULL,
	`wish` text NOT NULL,
	`workflow_state` text DEFAULT 'created' NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`crashes` integer DEFAULT 0 NOT NULL,
	`part` integer DEFAULT 0 NOT NULL,
	`mark` real DEFAULT 0 NOT NULL,
	`progress` integer DEFAULT 0 NOT NULL,
	`current_line` integer,
	`message` text,
	`file_id` integer,
	`started_at` text,
	`ended_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_reports_by_uuid` ON `account_reports` (`uuid`);--> statement-breakpoint
CREATE INDEX `account_reports_of_account` ON `account_reports` (`account_id`,`report`,`id`) WHERE workflow_state <> 'deleted';--> statement-breakpoint
CREATE INDEX `account_reports_unfinished` ON `account_reports` (`updated_at`) WHERE workflow_state in ('created', 'running', 'compiling');--> statement-breakpoint
CREATE TABLE `request_counts` (
	`hour` text NOT NULL,
	`route` text NOT NULL,
	`status_class` integer NOT NULL,
	`requests` integer NOT NULL,
	`ms` integer NOT NULL,
	`slowest_ms` integer NOT NULL,
	PRIMARY KEY(`hour`, `route`, `status_class`)
);
--> statement-breakpoint
CREATE TABLE `role_overrides` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	`permission` text NOT NULL,
	`enabled` integer,
	`locked` integer DEFAULT false NOT NULL,
	`applies_to_self` integer DEFAULT true NOT NULL,
	`applies_to_descendants` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `role_overrides_once` ON `role_overrides` (`account_id`,`role_id`,`permission`);--> statement-breakpoint
CREATE INDEX `role_overrides_of_role` ON `role_overrides` (`role_id`);--> statement-breakpoint
CREATE TABLE `roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer,
	`name` text NOT NULL,
	`base_role_type` text NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_by_name` ON `roles` (`account_id`,`name`);--> statement-breakpoint
CREATE INDEX `roles_in_account` ON `roles` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `sections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`nonxlist_course_id` integer,
	`name` text NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`start_at` text,
	`end_at` text,
	`restrict_enrollments_to_section_dates` integer,
	`sis_section_id` text,
	`integration_id` text,
	`sis_import_id` integer,
	`stuck_sis_fields` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sections_in_course` ON `sections` (`course_id`,"name" collate nocase,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `sections_by_sis_id` ON `sections` (`sis_section_id`) WHERE sis_section_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `sections_by_integration_id` ON `sections` (`integration_id`) WHERE integration_id is not null;--> statement-breakpoint
CREATE TABLE `abstract_courses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`enrollment_term_id` integer NOT NULL,
	`sis_abstract_course_id` text NOT NULL,
	`name` text NOT NULL,
	`short_name` text NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`sis_import_id` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `abstract_courses_by_sis_id` ON `abstract_courses` (`sis_abstract_course_id`);--> statement-breakpoint
CREATE TABLE `sis_import_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sis_import_id` integer NOT NULL,
	`model` text NOT NULL,
	`by_batch` integer DEFAULT false NOT NULL,
	`items` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sis_import_changes_of_import` ON `sis_import_changes` (`sis_import_id`,`id`);--> statement-breakpoint
CREATE TABLE `sis_import_errors` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sis_import_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`file` text NOT NULL,
	`message` text NOT NULL,
	`row` integer,
	`row_info` text,
	`failure` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sis_import_errors_of_import` ON `sis_import_errors` (`sis_import_id`,`id`);--> statement-breakpoint
CREATE INDEX `sis_import_errors_in_account` ON `sis_import_errors` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `sis_import_failures` ON `sis_import_errors` (`account_id`,`sis_import_id`,`id`) WHERE failure = 1;--> statement-breakpoint
CREATE TABLE `sis_import_files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sis_import_id` integer NOT NULL,
	`name` text NOT NULL,
	`origin` text DEFAULT 'sent' NOT NULL,
	`type` text,
	`file_id` integer,
	`size` integer DEFAULT 0 NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`columns` text,
	`first_byte` integer DEFAULT 0 NOT NULL,
	`at_byte` integer DEFAULT 0 NOT NULL,
	`at_row` integer DEFAULT 0 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`stage` text,
	`staged_rows` integer DEFAULT 0 NOT NULL,
	`stage_course` integer DEFAULT 0 NOT NULL,
	`stage_row` integer DEFAULT 0 NOT NULL,
	`workflow_state` text DEFAULT 'waiting' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sis_import_files_by_name` ON `sis_import_files` (`sis_import_id`,`origin`,`name`);--> statement-breakpoint
CREATE TABLE `sis_import_passages` (
	`sis_import_id` integer NOT NULL,
	`step` integer NOT NULL,
	`course_id` integer NOT NULL,
	`result` text NOT NULL,
	PRIMARY KEY(`sis_import_id`, `step`, `course_id`)
);
--> statement-breakpoint
CREATE TABLE `sis_import_seen` (
	`sis_import_id` integer NOT NULL,
	`model` text NOT NULL,
	`item_id` integer NOT NULL,
	PRIMARY KEY(`sis_import_id`, `model`, `item_id`)
);
--> statement-breakpoint
CREATE TABLE `sis_import_stage` (
	`sis_import_file_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`last_row` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`sis_import_file_id`, `course_id`, `last_row`)
);
--> statement-breakpoint
CREATE TABLE `sis_imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`uuid` text NOT NULL,
	`format` text NOT NULL,
	`attachment_id` integer NOT NULL,
	`options` text DEFAULT '{}' NOT NULL,
	`diffing_data_set_identifier` text,
	`diffed_against_import_id` integer,
	`diffing_threshold_exceeded` integer,
	`workflow_state` text DEFAULT 'initializing' NOT NULL,
	`phase` text DEFAULT 'unpack' NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`crashes` integer DEFAULT 0 NOT NULL,
	`crashed_at` integer DEFAULT 0 NOT NULL,
	`progress` integer DEFAULT 0 NOT NULL,
	`counts` text DEFAULT '{}' NOT NULL,
	`statistics` text DEFAULT '{}' NOT NULL,
	`error_count` integer DEFAULT 0 NOT NULL,
	`warning_count` integer DEFAULT 0 NOT NULL,
	`processing_errors` text,
	`processing_warnings` text,
	`errors_attachment_id` integer,
	`keeps_files` integer DEFAULT true NOT NULL,
	`started_at` text,
	`ended_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sis_imports_by_uuid` ON `sis_imports` (`uuid`);--> statement-breakpoint
CREATE INDEX `sis_imports_in_account` ON `sis_imports` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `sis_imports_by_state` ON `sis_imports` (`workflow_state`,`id`);--> statement-breakpoint
CREATE INDEX `sis_imports_to_collect` ON `sis_imports` (`updated_at`) WHERE keeps_files = 1;--> statement-breakpoint
CREATE INDEX `sis_imports_of_data_set` ON `sis_imports` (`diffing_data_set_identifier`,`id`) WHERE diffing_data_set_identifier is not null;--> statement-breakpoint
CREATE TABLE `sis_writing` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL
);
--> statement-breakpoint
CREATE TABLE `submission_comments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`submission_id` integer NOT NULL,
	`author_id` integer NOT NULL,
	`comment` text NOT NULL,
	`attempt` integer,
	`attachment_ids` text DEFAULT '[]' NOT NULL,
	`is_draft` integer DEFAULT false NOT NULL,
	`edited_at` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `submission_comments_of_submission` ON `submission_comments` (`submission_id`,`id`);--> statement-breakpoint
CREATE INDEX `submission_comments_of_author` ON `submission_comments` (`author_id`,`submission_id`);--> statement-breakpoint
CREATE TABLE `submission_reads` (
	`submission_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`item` text NOT NULL,
	`read` integer NOT NULL,
	`read_at` text NOT NULL,
	PRIMARY KEY(`submission_id`, `user_id`, `item`)
);
--> statement-breakpoint
CREATE TABLE `submission_versions` (
	`submission_id` integer NOT NULL,
	`attempt` integer NOT NULL,
	`version` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`submission_id`, `attempt`)
);
--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` integer PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`assignment_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`attempt` integer,
	`submission_type` text,
	`body` text,
	`url` text,
	`attachment_ids` text DEFAULT '[]' NOT NULL,
	`submitted_at` text,
	`score` real,
	`grade` text,
	`graded_attempt` integer,
	`graded_at` text,
	`grader_id` integer,
	`posted_at` text,
	`excused` integer DEFAULT false NOT NULL,
	`late_policy_status` text,
	`seconds_late_override` integer,
	`points_deducted` real,
	`extra_attempts` integer,
	`workflow_state` text DEFAULT 'unsubmitted' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_once` ON `submissions` (`assignment_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `submissions_of_user_in_course` ON `submissions` (`user_id`,`course_id`);--> statement-breakpoint
CREATE INDEX `submissions_in_course` ON `submissions` (`course_id`,`id`);--> statement-breakpoint
CREATE INDEX `submissions_handed_in` ON `submissions` (`assignment_id`) WHERE submission_type is not null;--> statement-breakpoint
CREATE INDEX `submissions_graded` ON `submissions` (`assignment_id`,`posted_at`) WHERE graded_at is not null;--> statement-breakpoint
CREATE INDEX `submissions_to_grade` ON `submissions` (`assignment_id`,`user_id`) WHERE submission_type is not null and excused = 0 and (workflow_state = 'pending_review' or (workflow_state in ('submitted', 'graded') and (score is null or graded_attempt is not attempt)));--> statement-breakpoint
CREATE INDEX `submissions_of_user_by_grade` ON `submissions` (`user_id`,`graded_at`,`assignment_id`) WHERE graded_at is not null;--> statement-breakpoint
CREATE TABLE `terms` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`start_at` text,
	`end_at` text,
	`sis_term_id` text,
	`integration_id` text,
	`sis_import_id` integer,
	`stuck_sis_fields` text,
	`is_default` integer DEFAULT false NOT NULL,
	`overrides` text DEFAULT '{}' NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `terms_by_sis_id` ON `terms` (`sis_term_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `terms_by_integration_id` ON `terms` (`integration_id`) WHERE integration_id is not null;--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`real_user_id` integer,
	`developer_key_id` integer,
	`authorization_code_id` integer,
	`token_hash` text NOT NULL,
	`token_hint` text NOT NULL,
	`refresh_token_hash` text,
	`spent_refresh_hash` text,
	`purpose` text,
	`scopes` text DEFAULT '[]' NOT NULL,
	`remember_access` integer DEFAULT false NOT NULL,
	`expires_at` text,
	`last_used_at` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_by_hash` ON `tokens` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_by_refresh_hash` ON `tokens` (`refresh_token_hash`) WHERE refresh_token_hash is not null;--> statement-breakpoint
CREATE INDEX `tokens_by_spent_refresh_hash` ON `tokens` (`spent_refresh_hash`) WHERE spent_refresh_hash is not null;--> statement-breakpoint
CREATE INDEX `tokens_of_user` ON `tokens` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `tokens_of_real_user` ON `tokens` (`real_user_id`) WHERE real_user_id is not null;--> statement-breakpoint
CREATE INDEX `tokens_of_key` ON `tokens` (`developer_key_id`,`user_id`) WHERE developer_key_id is not null;--> statement-breakpoint
CREATE INDEX `tokens_of_code` ON `tokens` (`authorization_code_id`) WHERE authorization_code_id is not null;--> statement-breakpoint
CREATE TABLE `user_merge_items` (
	`merge_id` integer NOT NULL,
	`kind` text NOT NULL,
	`row_key` text NOT NULL,
	`before` text,
	`step` text DEFAULT 'going' NOT NULL,
	PRIMARY KEY(`merge_id`, `kind`, `row_key`)
);
--> statement-breakpoint
CREATE TABLE `user_merges` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` integer NOT NULL,
	`destination_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`real_actor_id` integer NOT NULL,
	`source_state` text NOT NULL,
	`created_at` text NOT NULL,
	`settled_at` text,
	`split_at` text,
	`split_by_id` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_merges_of_source` ON `user_merges` (`source_id`) WHERE split_at is null;--> statement-breakpoint
CREATE INDEX `user_merges_into` ON `user_merges` (`destination_id`,`id`);--> statement-breakpoint
CREATE INDEX `user_merges_by_age` ON `user_merges` (`created_at`);--> statement-breakpoint
CREATE INDEX `user_merges_by_split` ON `user_merges` (`split_at`) WHERE split_at is not null;--> statement-breakpoint
CREATE INDEX `user_merges_unsettled` ON `user_merges` (`created_at`) WHERE settled_at is null;--> statement-breakpoint
CREATE TABLE `communication_channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`address` text NOT NULL,
	`type` text DEFAULT 'email' NOT NULL,
	`position` integer DEFAULT 1 NOT NULL,
	`confirmation_code` text,
	`bounce_count` integer DEFAULT 0 NOT NULL,
	`last_bounce_at` text,
	`last_bounce_summary` text,
	`workflow_state` text DEFAULT 'unconfirmed' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `communication_channels_of_user` ON `communication_channels` (`user_id`,`position`,`id`);--> statement-breakpoint
CREATE INDEX `communication_channels_by_code` ON `communication_channels` (`confirmation_code`) WHERE confirmation_code is not null;--> statement-breakpoint
CREATE INDEX `communication_channels_by_address` ON `communication_channels` (lower("address"));--> statement-breakpoint
CREATE TABLE `logins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`unique_id` text NOT NULL,
	`sis_user_id` text,
	`integration_id` text,
	`authentication_provider_id` integer,
	`declared_user_type` text,
	`sis_communication_channel_id` integer,
	`sis_import_id` integer,
	`stuck_sis_fields` text,
	`password_hash` text,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `logins_of_user` ON `logins` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `logins_by_sis_id` ON `logins` (`account_id`,`sis_user_id`) WHERE workflow_state <> 'deleted' and sis_user_id is not null;--> statement-breakpoint
CREATE INDEX `logins_deleted_by_sis_id` ON `logins` (`sis_user_id`) WHERE workflow_state = 'deleted' and sis_user_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `logins_by_integration_id` ON `logins` (`account_id`,`integration_id`) WHERE workflow_state <> 'deleted' and integration_id is not null;--> statement-breakpoint
CREATE TABLE `observers` (
	`observer_id` integer NOT NULL,
	`student_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`observer_id`, `student_id`)
);
--> statement-breakpoint
CREATE INDEX `observers_of_student` ON `observers` (`student_id`,`observer_id`);--> statement-breakpoint
CREATE TABLE `push_tokens` (
	`user_id` integer NOT NULL,
	`token` text NOT NULL,
	`communication_channel_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `token`)
);
--> statement-breakpoint
CREATE INDEX `push_tokens_of_channel` ON `push_tokens` (`communication_channel_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`sortable_name` text NOT NULL,
	`short_name` text NOT NULL,
	`uuid` text NOT NULL,
	`time_zone` text,
	`locale` text,
	`pronouns` text,
	`bio` text,
	`title` text,
	`pronunciation` text,
	`avatar_url` text,
	`avatar_state` text DEFAULT 'none' NOT NULL,
	`birthdate` text,
	`settings` text DEFAULT '{}' NOT NULL,
	`feed_code` text DEFAULT (lower(hex(randomblob(20)))) NOT NULL,
	`is_test_student` integer DEFAULT false NOT NULL,
	`merged_into_user_id` integer,
	`last_login` text,
	`stuck_sis_fields` text,
	`sort_email` text collate nocase DEFAULT '' NOT NULL,
	`sort_sis_id` text DEFAULT '' NOT NULL,
	`sort_integration_id` text DEFAULT '' NOT NULL,
	`sort_last_login` text GENERATED ALWAYS AS (coalesce(last_login, '')) VIRTUAL NOT NULL,
	`same_id` integer GENERATED ALWAYS AS (id) VIRTUAL NOT NULL,
	`workflow_state` text DEFAULT 'registered' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `users_by_sortable_name` ON `users` ("sortable_name" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (`sort_email`,`same_id`);--> statement-breakpoint
CREATE INDEX `users_by_sis_id` ON `users` (`sort_sis_id`,`same_id`);--> statement-breakpoint
CREATE INDEX `users_by_integration_id` ON `users` (`sort_integration_id`,`same_id`);--> statement-breakpoint
CREATE INDEX `users_by_last_login` ON `users` (`sort_last_login`,`same_id`);--> statement-breakpoint
CREATE INDEX `users_by_uuid` ON `users` (`uuid`);