CREATE TABLE `changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`op` text NOT NULL,
	`changed_at` text NOT NULL
);

CREATE UNIQUE INDEX `changes_once` ON `changes` (`scope`,`kind`,`item_id`);
CREATE INDEX `changes_in_scope` ON `changes` (`scope`,`seq`);
CREATE INDEX `changes_deleted` ON `changes` (`changed_at`,`seq`) WHERE op = 'delete';
CREATE TABLE `facts` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);

CREATE TABLE `idempotency_keys` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`response` text,
	`row_ids` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);

CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`created_at`);
CREATE TABLE `live_users` (
	`user_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`connected_at` text NOT NULL
);

CREATE TABLE `log_marks` (
	`changed_at` text PRIMARY KEY NOT NULL,
	`nonce` text NOT NULL,
	`first_seq` integer NOT NULL
);

CREATE UNIQUE INDEX `log_marks_by_seq` ON `log_marks` (`first_seq`);
CREATE TABLE `moments` (
	`scope` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`field` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`kind`, `item_id`, `scope`, `field`)
);

CREATE INDEX `moments_in_scope` ON `moments` (`scope`,`at`);
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

CREATE INDEX `account_notifications_in_account` ON `account_notifications` (`account_id`,`end_at`,`id`);
CREATE INDEX `account_notifications_of_author` ON `account_notifications` (`user_id`);
CREATE TABLE `closed_account_notifications` (
	`account_notification_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`closed_at` text NOT NULL,
	PRIMARY KEY(`account_notification_id`, `user_id`)
);

CREATE TABLE `account_ancestors` (
	`ancestor_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	PRIMARY KEY(`ancestor_id`, `account_id`)
);

CREATE INDEX `account_ancestors_of_account` ON `account_ancestors` (`account_id`,`ancestor_id`);
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

CREATE INDEX `account_courses_of_course` ON `account_courses` (`course_id`);
CREATE INDEX `account_courses_by_name` ON `account_courses` (`account_id`,`name`,`course_id`);
CREATE INDEX `account_courses_by_sis_id` ON `account_courses` (`account_id`,`sis_course_id`,`course_id`);
CREATE INDEX `account_courses_by_teacher` ON `account_courses` (`account_id`,`teacher`,`course_id`);
CREATE INDEX `account_courses_by_account` ON `account_courses` (`account_id`,`account_name`,`course_id`);
CREATE INDEX `account_courses_by_term` ON `account_courses` (`account_id`,`term`,`course_id`);
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

CREATE INDEX `accounts_in_account` ON `accounts` (`parent_account_id`,`id`);
CREATE INDEX `accounts_by_name` ON `accounts` (`parent_account_id`,"name" collate nocase,`id`);
CREATE INDEX `accounts_by_calendar` ON `accounts` (`parent_account_id`,`calendar_visible`,`id`);
CREATE UNIQUE INDEX `accounts_by_sis_id` ON `accounts` (`sis_account_id`);
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

CREATE UNIQUE INDEX `admins_once` ON `admins` (`account_id`,`user_id`,`role_id`);
CREATE INDEX `admins_in_account` ON `admins` (`account_id`,`id`);
CREATE INDEX `admins_of_user` ON `admins` (`user_id`);
CREATE TABLE `appointment_group_contexts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`appointment_group_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`ends_at` text DEFAULT '' NOT NULL
);

CREATE UNIQUE INDEX `appointment_group_contexts_of_group` ON `appointment_group_contexts` (`appointment_group_id`,`course_id`);
CREATE INDEX `appointment_group_contexts_in_course` ON `appointment_group_contexts` (`course_id`,`appointment_group_id`);
CREATE INDEX `appointment_group_contexts_ahead` ON `appointment_group_contexts` (`course_id`,`ends_at`);
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

CREATE INDEX `assignment_groups_in_course` ON `assignment_groups` (`course_id`,`workflow_state`,`position`,`id`);
CREATE TABLE `assignment_override_students` (
	`assignment_override_id` integer NOT NULL,
	`assignment_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`assignment_id`, `user_id`)
);

CREATE INDEX `assignment_override_students_of_override` ON `assignment_override_students` (`assignment_override_id`);
CREATE INDEX `assignment_override_students_of_user` ON `assignment_override_students` (`user_id`,`assignment_id`);
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

CREATE INDEX `assignment_overrides_of_assignment` ON `assignment_overrides` (`assignment_id`,`workflow_state`,`set_type`);
CREATE INDEX `assignment_overrides_in_course` ON `assignment_overrides` (`course_id`);
CREATE UNIQUE INDEX `assignment_overrides_once` ON `assignment_overrides` (`assignment_id`,`set_type`,`set_id`) WHERE workflow_state = 'active' and set_id is not null;
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

CREATE INDEX `assignment_places_in_course` ON `assignment_places` (`course_id`,`group_position`,`assignment_group_id`,`position`,`assignment_id`);
CREATE INDEX `assignment_places_by_due_state` ON `assignment_places` (`course_id`,`due_state`,`group_position`,`assignment_group_id`,`position`,`assignment_id`);
CREATE INDEX `assignment_places_by_hand_in` ON `assignment_places` (`course_id`,`is_handed_in`,`group_position`,`assignment_group_id`,`position`,`assignment_id`);
CREATE INDEX `assignment_places_ahead` ON `assignment_places` (`due_at`) WHERE due_state = 'ahead';
CREATE INDEX `assignment_places_ahead_in_course` ON `assignment_places` (`course_id`,`due_at`) WHERE due_state = 'ahead';
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

CREATE INDEX `assignments_by_date_and_name` ON `assignments` (`course_id`,`sort_due`,`sort_name`,`same_id`) WHERE workflow_state <> 'deleted';
CREATE INDEX `assignments_in_course` ON `assignments` (`course_id`,`workflow_state`,`id`);
CREATE INDEX `assignments_in_group` ON `assignments` (`assignment_group_id`,`position`,`id`) WHERE workflow_state <> 'deleted';
CREATE INDEX `assignments_by_name` ON `assignments` (`course_id`,lower("name"),`position`,`id`) WHERE workflow_state <> 'deleted';
CREATE INDEX `assignments_by_due_date` ON `assignments` (`course_id`,coalesce(due_at, ''),`id`) WHERE workflow_state <> 'deleted';
CREATE INDEX `assignments_of_set` ON `assignments` (`group_category_id`) WHERE group_category_id is not null;
CREATE INDEX `assignments_for_some` ON `assignments` (`course_id`) WHERE only_visible_to_overrides = 1;
CREATE UNIQUE INDEX `assignments_by_sis_id` ON `assignments` (`sis_assignment_id`) WHERE sis_assignment_id is not null;
CREATE TABLE `acting` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`source` text NOT NULL
);

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

CREATE INDEX `authentication_events_of_login` ON `authentication_events` (`login_id`,`created_at`,`same_id`);
CREATE INDEX `authentication_events_by_place` ON `authentication_events` (`login_id`,`address`);
CREATE INDEX `authentication_events_of_account` ON `authentication_events` (`account_id`,`created_at`,`same_id`);
CREATE INDEX `authentication_events_of_user` ON `authentication_events` (`user_id`,`created_at`,`same_id`);
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

CREATE INDEX `course_events_of_course` ON `course_events` (`course_id`,`created_at`,`same_id`);
CREATE INDEX `course_events_of_account` ON `course_events` (`account_id`,`created_at`,`same_id`);
CREATE INDEX `course_events_by_time` ON `course_events` (`created_at`,`id`);
CREATE TABLE `masquerades` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`real_user_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`action` text NOT NULL,
	`path` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` text NOT NULL
);

CREATE INDEX `masquerades_of_user` ON `masquerades` (`user_id`,`id`);
CREATE INDEX `masquerades_by_real_user` ON `masquerades` (`real_user_id`,`id`);
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

CREATE INDEX `authentication_providers_of_account` ON `authentication_providers` (`account_id`,`position`,`id`);
CREATE TABLE `blueprint_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`kind` text NOT NULL,
	`item_id` integer NOT NULL
);

CREATE UNIQUE INDEX `blueprint_changes_once` ON `blueprint_changes` (`kind`,`item_id`);
CREATE INDEX `blueprint_changes_of_course` ON `blueprint_changes` (`course_id`,`seq`);
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

CREATE INDEX `blueprint_imports_of_subscription` ON `blueprint_imports` (`subscription_id`,`id`);
CREATE UNIQUE INDEX `blueprint_imports_once` ON `blueprint_imports` (`migration_id`,`subscription_id`);
CREATE INDEX `blueprint_imports_of_copy` ON `blueprint_imports` (`copy_id`);
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

CREATE INDEX `blueprint_items_of_course` ON `blueprint_items` (`course_id`);
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

CREATE INDEX `blueprint_migrations_of_template` ON `blueprint_migrations` (`template_id`,`id`);
CREATE INDEX `blueprint_migrations_unfinished` ON `blueprint_migrations` (`updated_at`) WHERE workflow_state in ('queued', 'exporting');
CREATE UNIQUE INDEX `blueprint_migrations_one_at_a_time` ON `blueprint_migrations` (`template_id`) WHERE workflow_state in ('queued', 'exporting', 'imports_queued');
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

CREATE UNIQUE INDEX `blueprint_subscriptions_once` ON `blueprint_subscriptions` (`course_id`) WHERE workflow_state = 'active';
CREATE INDEX `blueprint_subscriptions_of_template` ON `blueprint_subscriptions` (`template_id`,`workflow_state`,`course_id`);
CREATE TABLE `blueprint_templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

CREATE UNIQUE INDEX `blueprint_templates_of_course` ON `blueprint_templates` (`course_id`);
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

CREATE INDEX `bookmarks_of_user` ON `bookmarks` (`user_id`,`position`,`id`);
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

CREATE INDEX `calendar_events_in_context` ON `calendar_events` (`context_code`,coalesce(start_at, ''),`id`) WHERE workflow_state <> 'deleted';
CREATE INDEX `calendar_events_reserved` ON `calendar_events` (`context_code`,`id`) WHERE parent_event_id is not null and workflow_state <> 'deleted';
CREATE INDEX `calendar_events_of_parent` ON `calendar_events` (`parent_event_id`);
CREATE INDEX `calendar_events_in_series` ON `calendar_events` (`series_uuid`);
CREATE TABLE `course_timetables` (
	`course_id` integer PRIMARY KEY NOT NULL,
	`timetables` text NOT NULL,
	`updated_at` text NOT NULL
);

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

CREATE INDEX `collaborations_in_context` ON `collaborations` (`context_type`,`context_id`,`id`);
CREATE INDEX `collaborations_by_change` ON `collaborations` (`context_type`,`context_id`,`updated_at`,`id`) WHERE workflow_state = 'active';
CREATE TABLE `collaborators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`collaboration_id` integer NOT NULL,
	`user_id` integer,
	`group_id` integer
);

CREATE UNIQUE INDEX `collaborators_people` ON `collaborators` (`collaboration_id`,`user_id`);
CREATE UNIQUE INDEX `collaborators_groups` ON `collaborators` (`collaboration_id`,`group_id`);
CREATE INDEX `collaborators_in_order` ON `collaborators` (`collaboration_id`,`id`);
CREATE INDEX `collaborators_of_user` ON `collaborators` (`user_id`);
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

CREATE INDEX `comm_messages_of_user` ON `comm_messages` (`user_id`,`created_at`,`id`);
CREATE INDEX `comm_messages_to_do` ON `comm_messages` (`workflow_state`,`due_at`,`id`);
CREATE INDEX `comm_messages_by_age` ON `comm_messages` (`created_at`);
CREATE TABLE `happenings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`notification` text NOT NULL,
	`item_id` integer NOT NULL,
	`not_before` text NOT NULL,
	`told_up_to` integer DEFAULT 0 NOT NULL
);

CREATE INDEX `happenings_due` ON `happenings` (`not_before`,`id`);
CREATE UNIQUE INDEX `happenings_once` ON `happenings` (`notification`,`item_id`);
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

CREATE INDEX `conversation_batches_of_user` ON `conversation_batches` (`user_id`,`workflow_state`);
CREATE INDEX `conversation_batches_unsent` ON `conversation_batches` (`workflow_state`,`updated_at`);
CREATE TABLE `conversation_message_participants` (
	`conversation_message_id` integer NOT NULL,
	`conversation_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`hidden` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`conversation_id`, `user_id`, `conversation_message_id`)
);

CREATE INDEX `conversation_message_participants_of_message` ON `conversation_message_participants` (`conversation_message_id`,`user_id`);
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

CREATE UNIQUE INDEX `conversation_messages_in_order` ON `conversation_messages` (`conversation_id`,`position`);
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

CREATE INDEX `conversation_participants_inbox` ON `conversation_participants` (`user_id`,`last_message_at`,`conversation_id`) WHERE workflow_state <> 'archived' and last_message_at is not null;
CREATE INDEX `conversation_participants_sent` ON `conversation_participants` (`user_id`,`last_authored_message_at`,`conversation_id`) WHERE last_authored_message_at is not null;
CREATE INDEX `conversation_participants_by_state` ON `conversation_participants` (`user_id`,`workflow_state`,`moved_at`,`conversation_id`);
CREATE INDEX `conversation_participants_starred` ON `conversation_participants` (`user_id`,`moved_at`,`conversation_id`) WHERE starred = 1;
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

CREATE UNIQUE INDEX `conversations_by_uuid` ON `conversations` (`uuid`);
CREATE INDEX `conversations_in_context` ON `conversations` (`context_type`,`context_id`) WHERE context_id is not null;
CREATE UNIQUE INDEX `conversations_by_private_key` ON `conversations` (`private_key`) WHERE private_key is not null;
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

CREATE INDEX `copied_items_of_item` ON `copied_items` (`kind`,`item_id`);
CREATE INDEX `copied_items_by_migration_id` ON `copied_items` (`course_id`,`migration_id`) WHERE migration_id is not null;
CREATE INDEX `copied_items_between` ON `copied_items` (`course_id`,`source_course_id`);
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

CREATE INDEX `course_copies_of_course` ON `course_copies` (`course_id`,`id`);
CREATE INDEX `course_copies_unfinished` ON `course_copies` (`updated_at`) WHERE workflow_state in ('created', 'started');
CREATE TABLE `course_copying` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL
);

CREATE TABLE `course_nicknames` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`nickname` text NOT NULL,
	`created_at` text NOT NULL
);

CREATE UNIQUE INDEX `course_nicknames_once` ON `course_nicknames` (`user_id`,`course_id`);
CREATE INDEX `course_nicknames_in_course` ON `course_nicknames` (`course_id`);
CREATE INDEX `course_nicknames_of_user` ON `course_nicknames` (`user_id`,`id`);
CREATE INDEX `course_nicknames_by_name` ON `course_nicknames` (`user_id`,"nickname" collate nocase,`course_id`);
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

CREATE INDEX `courses_in_account` ON `courses` (`account_id`,`id`);
CREATE INDEX `courses_in_account_by_name` ON `courses` (`account_id`,"name" collate nocase,`id`);
CREATE INDEX `courses_by_name` ON `courses` ("name" collate nocase,`id`);
CREATE INDEX `courses_in_term` ON `courses` (`enrollment_term_id`);
CREATE INDEX `courses_indexed` ON `courses` (`id`) WHERE indexed = 1 and workflow_state = 'available';
CREATE INDEX `courses_by_uuid` ON `courses` (`uuid`);
CREATE UNIQUE INDEX `courses_by_sis_id` ON `courses` (`sis_course_id`) WHERE sis_course_id is not null;
CREATE UNIQUE INDEX `courses_by_integration_id` ON `courses` (`integration_id`) WHERE integration_id is not null;
CREATE TABLE `favorites` (
	`user_id` integer NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `context_type`, `context_id`)
);

CREATE INDEX `favorites_of_context` ON `favorites` (`context_type`,`context_id`);
CREATE TABLE `custom_data` (
	`user_id` integer NOT NULL,
	`namespace` text NOT NULL,
	`data` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `namespace`)
);

CREATE TABLE `developer_key_account_bindings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`developer_key_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`workflow_state` text DEFAULT 'off' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

CREATE UNIQUE INDEX `developer_key_account_bindings_once` ON `developer_key_account_bindings` (`developer_key_id`,`account_id`);
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

CREATE INDEX `developer_keys_of_account` ON `developer_keys` (`account_id`,`id`);
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

CREATE INDEX `discussion_entries_in_topic` ON `discussion_entries` (`discussion_topic_id`,`parent_id`,`id`);
CREATE INDEX `discussion_entries_under` ON `discussion_entries` (`root_entry_id`,`id`);
CREATE INDEX `discussion_entries_of_user` ON `discussion_entries` (`discussion_topic_id`,`user_id`);
CREATE INDEX `discussion_entries_with_files` ON `discussion_entries` (`discussion_topic_id`) WHERE attachment_id is not null;
CREATE TABLE `discussion_entry_reads` (
	`discussion_entry_id` integer NOT NULL,
	`discussion_topic_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`read` integer DEFAULT true NOT NULL,
	`forced` integer DEFAULT false NOT NULL,
	`rating` integer,
	PRIMARY KEY(`discussion_entry_id`, `user_id`)
);

CREATE INDEX `discussion_entry_reads_in_topic` ON `discussion_entry_reads` (`discussion_topic_id`,`user_id`);
CREATE TABLE `discussion_topic_reads` (
	`discussion_topic_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`read` integer DEFAULT false NOT NULL,
	`subscribed` integer,
	`read_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`discussion_topic_id`, `user_id`)
);

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

CREATE INDEX `discussion_topics_in_context` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,iif("pinned", 1000000000 - "position", "position"),`created_at`,`id`);
CREATE INDEX `discussion_topics_by_reply` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,coalesce("last_reply_at", "created_at"),`id`);
CREATE INDEX `discussion_topics_by_posting` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,coalesce("delayed_post_at", "posted_at", "created_at"),`id`);
CREATE INDEX `discussion_topics_by_title` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,"title" collate nocase,`id`);
CREATE INDEX `discussion_topics_by_plan` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,coalesce(todo_date, posted_at, delayed_post_at, created_at));
CREATE INDEX `discussion_topics_of_root` ON `discussion_topics` (`root_topic_id`) WHERE root_topic_id is not null;
CREATE INDEX `discussion_topics_of_set` ON `discussion_topics` (`group_category_id`) WHERE group_category_id is not null;
CREATE INDEX `discussion_topics_of_author` ON `discussion_topics` (`user_id`);
CREATE INDEX `discussion_topics_of_assignment` ON `discussion_topics` (`assignment_id`);
CREATE INDEX `discussion_topics_graded` ON `discussion_topics` (`context_type`,`context_id`) WHERE assignment_id is not null;
CREATE INDEX `discussion_topics_with_files` ON `discussion_topics` (`context_type`,`context_id`) WHERE attachment_id is not null;
CREATE INDEX `discussion_topics_of_attachment` ON `discussion_topics` (`attachment_id`) WHERE attachment_id is not null;
CREATE INDEX `discussion_topics_to_post` ON `discussion_topics` (`delayed_post_at`) WHERE workflow_state = 'post_delayed';
CREATE TABLE `discussion_view_changes` (
	`discussion_topic_id` integer NOT NULL,
	`discussion_entry_id` integer NOT NULL,
	PRIMARY KEY(`discussion_topic_id`, `discussion_entry_id`)
);

CREATE TABLE `discussion_view_parts` (
	`discussion_topic_id` integer NOT NULL,
	`part` integer NOT NULL,
	`people` text NOT NULL,
	`editors` text NOT NULL,
	`entries` text NOT NULL,
	PRIMARY KEY(`discussion_topic_id`, `part`)
);

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

CREATE UNIQUE INDEX `enrollments_once` ON `enrollments` (`user_id`,`course_section_id`,`role_id`,`type`,`observed_user_id`);
CREATE INDEX `enrollments_of_user_in_course` ON `enrollments` (`user_id`,`course_id`);
CREATE INDEX `enrollments_in_course` ON `enrollments` (`course_id`,`type`,`sortable_name`,`id`);
CREATE INDEX `enrollments_by_user` ON `enrollments` (`course_id`,`type`,`enrollment_state`,`user_id`);
CREATE INDEX `enrollments_in_section` ON `enrollments` (`course_section_id`,`type`,`sortable_name`,`id`);
CREATE INDEX `enrollments_people` ON `enrollments` (`course_id`,`sortable_name`,`user_id`,`id`);
CREATE INDEX `enrollments_of_user_by_course` ON `enrollments` (`user_id`,`sort_course`,`course_id`);
CREATE INDEX `enrollments_of_user_by_type` ON `enrollments` (`user_id`,`type`,`same_id`);
CREATE INDEX `enrollments_of_others` ON `enrollments` (`type`,`user_id`) WHERE type <> 'StudentEnrollment';
CREATE INDEX `enrollments_lent` ON `enrollments` (`temporary_enrollment_source_user_id`) WHERE temporary_enrollment_source_user_id is not null;
CREATE INDEX `enrollments_people_by_email` ON `enrollments` (`course_id`,`sort_email`,`user_id`,`id`);
CREATE INDEX `enrollments_people_by_sis_id` ON `enrollments` (`course_id`,`sort_sis_id`,`user_id`,`id`);
CREATE INDEX `enrollments_people_by_login` ON `enrollments` (`course_id`,`sort_last_login`,`user_id`,`id`);
CREATE TABLE `roster_counts` (
	`course_id` integer NOT NULL,
	`course_section_id` integer NOT NULL,
	`type` text NOT NULL,
	`people` integer NOT NULL,
	PRIMARY KEY(`course_id`, `course_section_id`, `type`)
);

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

CREATE INDEX `eportfolio_pages_of` ON `eportfolio_pages` (`eportfolio_id`,`position`,`id`);
CREATE TABLE `eportfolio_sections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`eportfolio_id` integer NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

CREATE INDEX `eportfolio_sections_of` ON `eportfolio_sections` (`eportfolio_id`,`position`,`id`);
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

CREATE INDEX `eportfolios_of_user` ON `eportfolios` (`user_id`,`workflow_state`,`id`);
CREATE TABLE `external_feed_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`external_feed_id` integer NOT NULL,
	`key` text NOT NULL,
	`digest` text NOT NULL,
	`discussion_topic_id` integer NOT NULL,
	`created_at` text NOT NULL
);

CREATE UNIQUE INDEX `external_feed_entries_once` ON `external_feed_entries` (`external_feed_id`,`key`);
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

CREATE INDEX `external_feeds_in_context` ON `external_feeds` (`context_type`,`context_id`,`id`);
CREATE UNIQUE INDEX `external_feeds_once` ON `external_feeds` (`context_type`,`context_id`,`url`,`verbosity`,coalesce("header_match", ''));
CREATE INDEX `external_feeds_due` ON `external_feeds` (`refresh_at`) WHERE consecutive_failures < 5;
CREATE TABLE `feature_flags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`feature` text NOT NULL,
	`state` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

CREATE UNIQUE INDEX `feature_flags_once` ON `feature_flags` (`context_type`,`context_id`,`feature`);
CREATE TABLE `blobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` text NOT NULL,
	`unsure_since` text
);

CREATE UNIQUE INDEX `blobs_by_key` ON `blobs` (`key`);
CREATE INDEX `blobs_unsure` ON `blobs` (`unsure_since`) WHERE unsure_since is not null;
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

CREATE INDEX `file_versions_of_file` ON `file_versions` (`file_id`,`version`);
CREATE INDEX `file_versions_of_blob` ON `file_versions` (`blob_id`);
CREATE INDEX `file_versions_by_age` ON `file_versions` (`replaced_at`);
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

CREATE UNIQUE INDEX `files_by_name` ON `files` (`folder_id`,`display_name`) WHERE workflow_state = 'available';
CREATE INDEX `files_in_folder` ON `files` (`folder_id`,`workflow_state`,"display_name" collate nocase,`id`);
CREATE INDEX `files_in_context` ON `files` (`context_type`,`context_id`,`workflow_state`,"display_name" collate nocase,`id`);
CREATE INDEX `files_in_context_by_size` ON `files` (`context_type`,`context_id`,`workflow_state`,`size`,`id`);
CREATE INDEX `files_in_context_by_created_at` ON `files` (`context_type`,`context_id`,`workflow_state`,`created_at`,`id`);
CREATE INDEX `files_in_context_by_updated_at` ON `files` (`context_type`,`context_id`,`workflow_state`,`updated_at`,`id`);
CREATE INDEX `files_in_context_by_content_type` ON `files` (`context_type`,`context_id`,`workflow_state`,`content_type`,`id`);
CREATE INDEX `files_restricted` ON `files` (`folder_id`) WHERE workflow_state = 'available' and (hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null);
CREATE INDEX `files_replaced` ON `files` (`replacement_file_id`) WHERE replacement_file_id is not null;
CREATE UNIQUE INDEX `files_by_uuid` ON `files` (`uuid`);
CREATE INDEX `files_of_blob` ON `files` (`blob_id`);
CREATE INDEX `files_of_submission` ON `files` (`submission_id`,`user_id`) WHERE submission_id is not null;
CREATE TABLE `storage` (
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`context_type`, `context_id`)
);

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

CREATE UNIQUE INDEX `folders_root` ON `folders` (`context_type`,`context_id`) WHERE parent_folder_id is null and workflow_state <> 'deleted';
CREATE UNIQUE INDEX `folders_by_name` ON `folders` (`parent_folder_id`,`name`) WHERE workflow_state <> 'deleted';
CREATE INDEX `folders_in_context` ON `folders` (`context_type`,`context_id`,"name" collate nocase,`id`);
CREATE INDEX `folders_restricted` ON `folders` (`context_type`,`context_id`) WHERE workflow_state = 'visible' and (hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null);
CREATE INDEX `folders_restricted_in_folder` ON `folders` (`parent_folder_id`) WHERE workflow_state = 'visible' and (hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null);
CREATE INDEX `folders_by_path` ON `folders` (`context_type`,`context_id`,`full_name`);
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

CREATE UNIQUE INDEX `group_categories_by_name` ON `group_categories` (`context_type`,`context_id`,`name`) WHERE workflow_state = 'available';
CREATE UNIQUE INDEX `group_categories_by_role` ON `group_categories` (`context_type`,`context_id`,`role`) WHERE workflow_state = 'available' and role is not null;
CREATE UNIQUE INDEX `group_categories_by_sis_id` ON `group_categories` (`sis_group_category_id`) WHERE sis_group_category_id is not null;
CREATE INDEX `group_categories_in_context` ON `group_categories` (`context_type`,`context_id`,`workflow_state`,`name`,`id`);
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

CREATE UNIQUE INDEX `group_memberships_once` ON `group_memberships` (`group_id`,`user_id`) WHERE workflow_state not in ('deleted', 'rejected');
CREATE INDEX `group_memberships_in_group` ON `group_memberships` (`group_id`,`workflow_state`,`sortable_name`,`user_id`);
CREATE INDEX `group_memberships_of_user` ON `group_memberships` (`user_id`,`workflow_state`,`group_name`,`group_id`);
CREATE INDEX `group_memberships_in_category` ON `group_memberships` (`group_category_id`,`user_id`,`workflow_state`);
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

CREATE INDEX `groups_in_context` ON `groups` (`context_type`,`context_id`,`group_category_id`,`name`,`id`) WHERE workflow_state = 'available';
CREATE INDEX `groups_in_category` ON `groups` (`group_category_id`,`workflow_state`,`name`,`id`);
CREATE INDEX `groups_by_leader` ON `groups` (`leader_id`) WHERE leader_id is not null;
CREATE INDEX `groups_by_avatar` ON `groups` (`avatar_id`) WHERE avatar_id is not null;
CREATE UNIQUE INDEX `groups_by_sis_id` ON `groups` (`sis_group_id`) WHERE sis_group_id is not null;
CREATE UNIQUE INDEX `groups_by_uuid` ON `groups` (`uuid`);
CREATE TABLE `chores` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`every_minutes` integer NOT NULL,
	`last_run_at` text NOT NULL,
	`duration_ms` integer NOT NULL,
	`next_run_at` text NOT NULL,
	`last_error` text,
	`failed_at` text
);

CREATE UNIQUE INDEX `chores_by_name` ON `chores` (`name`);
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

CREATE UNIQUE INDEX `dead_letters_once` ON `dead_letters` (`message_id`);
CREATE INDEX `dead_letters_by_age` ON `dead_letters` (`created_at`);
CREATE TABLE `password_resets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`login_id` integer NOT NULL,
	`code` text NOT NULL,
	`expires_at` text NOT NULL
);

CREATE UNIQUE INDEX `password_resets_once` ON `password_resets` (`login_id`);
CREATE UNIQUE INDEX `password_resets_by_code` ON `password_resets` (`code`);
CREATE INDEX `password_resets_by_expiry` ON `password_resets` (`expires_at`);
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

CREATE UNIQUE INDEX `sessions_by_hash` ON `sessions` (`session_hash`);
CREATE INDEX `sessions_of_user` ON `sessions` (`user_id`);
CREATE INDEX `sessions_of_login` ON `sessions` (`login_id`);
CREATE INDEX `sessions_of_real_user` ON `sessions` (`real_user_id`) WHERE real_user_id is not null;
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);
CREATE TABLE `sign_in_brakes` (
	`key` text PRIMARY KEY NOT NULL,
	`level` real NOT NULL,
	`at` integer NOT NULL
);

CREATE INDEX `sign_in_brakes_by_age` ON `sign_in_brakes` (`at`);
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

CREATE INDEX `module_items_in_module` ON `module_items` (`module_id`,`workflow_state`,`position`,`id`);
CREATE INDEX `module_items_with_requirement` ON `module_items` (`module_id`,`position`) WHERE requirement_type is not null and workflow_state = 'active';
CREATE INDEX `module_items_of_content` ON `module_items` (`type`,`content_id`);
CREATE INDEX `module_items_in_course` ON `module_items` (`course_id`,`workflow_state`);
CREATE TABLE `module_marks` (
	`item_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`mark` text NOT NULL,
	`accepted` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `item_id`, `mark`)
);

CREATE INDEX `module_marks_of_item` ON `module_marks` (`item_id`);
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

CREATE INDEX `module_overrides_of_module` ON `module_overrides` (`module_id`);
CREATE INDEX `module_overrides_in_course` ON `module_overrides` (`course_id`);
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

CREATE INDEX `module_progressions_of_user` ON `module_progressions` (`user_id`,`course_id`);
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

CREATE INDEX `modules_in_course` ON `modules` (`course_id`,`position`,`id`);
CREATE TABLE `notification_preferences` (
	`communication_channel_id` integer NOT NULL,
	`notification` text NOT NULL,
	`frequency` text NOT NULL,
	PRIMARY KEY(`communication_channel_id`, `notification`)
);

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

CREATE UNIQUE INDEX `authorization_codes_by_hash` ON `authorization_codes` (`code_hash`);
CREATE INDEX `authorization_codes_by_age` ON `authorization_codes` (`expires_at`);
CREATE TABLE `service_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`developer_key_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`scopes` text DEFAULT '[]' NOT NULL,
	`expires_at` text NOT NULL,
	`created_at` text NOT NULL
);

CREATE UNIQUE INDEX `service_tokens_by_hash` ON `service_tokens` (`token_hash`);
CREATE INDEX `service_tokens_by_age` ON `service_tokens` (`expires_at`);
CREATE TABLE `used_assertions` (
	`developer_key_id` integer NOT NULL,
	`jti_hash` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`developer_key_id`, `jti_hash`)
);

CREATE INDEX `used_assertions_by_age` ON `used_assertions` (`expires_at`);
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

CREATE UNIQUE INDEX `observer_pairing_codes_once` ON `observer_pairing_codes` (`code`);
CREATE INDEX `observer_pairing_codes_by_expiry` ON `observer_pairing_codes` (`expires_at`);
CREATE INDEX `observer_pairing_codes_of_user` ON `observer_pairing_codes` (`user_id`);
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

CREATE INDEX `page_views_of_user` ON `page_views` (`user_id`,`created_at`,`id`);
CREATE TABLE `former_page_urls` (
	`context_type` text NOT NULL,
	`context_id` integer NOT NULL,
	`url` text NOT NULL,
	`page_id` integer NOT NULL,
	PRIMARY KEY(`context_type`, `context_id`, `url`)
);

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

CREATE UNIQUE INDEX `page_revisions_once` ON `page_revisions` (`page_id`,`revision_id`);
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

CREATE UNIQUE INDEX `pages_by_url` ON `pages` (`context_type`,`context_id`,`url`) WHERE workflow_state <> 'deleted';
CREATE INDEX `pages_in_context` ON `pages` (`context_type`,`context_id`,`id`);
CREATE INDEX `pages_by_title` ON `pages` (`context_type`,`context_id`,"title" collate nocase,`id`);
CREATE INDEX `pages_by_creation` ON `pages` (`context_type`,`context_id`,`created_at`,`id`);
CREATE INDEX `pages_by_change` ON `pages` (`context_type`,`context_id`,`updated_at`,`id`);
CREATE INDEX `pages_due` ON `pages` (`publish_at`) WHERE publish_at is not null;
CREATE INDEX `pages_by_todo_date` ON `pages` (`context_type`,`context_id`,`todo_date`) WHERE todo_date is not null;
CREATE INDEX `pages_of_editor` ON `pages` (`last_edited_by_id`);
CREATE UNIQUE INDEX `pages_front` ON `pages` (`context_type`,`context_id`) WHERE front_page = 1 and workflow_state <> 'deleted';
CREATE TABLE `hidden_stream_items` (
	`user_id` integer NOT NULL,
	`stream_id` text NOT NULL,
	`hidden_at` text NOT NULL
);

CREATE UNIQUE INDEX `hidden_stream_items_once` ON `hidden_stream_items` (`user_id`,`stream_id`);
CREATE TABLE `ignored_todos` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`asset_string` text NOT NULL,
	`purpose` text NOT NULL,
	`permanent` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

CREATE UNIQUE INDEX `ignored_todos_once` ON `ignored_todos` (`user_id`,`asset_string`,`purpose`);
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

CREATE INDEX `planner_notes_of_user` ON `planner_notes` (`user_id`,`workflow_state`,`todo_date`,`same_id`);
CREATE UNIQUE INDEX `planner_notes_once_linked` ON `planner_notes` (`user_id`,`linked_object_type`,`linked_object_id`) WHERE workflow_state = 'active' and linked_object_id is not null;
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

CREATE UNIQUE INDEX `planner_overrides_once` ON `planner_overrides` (`user_id`,`plannable_type`,`plannable_id`);
CREATE INDEX `planner_overrides_of_plannable` ON `planner_overrides` (`plannable_type`,`plannable_id`);
CREATE INDEX `planner_overrides_of_user` ON `planner_overrides` (`user_id`,`workflow_state`,`id`);
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

CREATE INDEX `progress_of_context` ON `progress` (`context_type`,`context_id`);
CREATE INDEX `progress_in_state` ON `progress` (`workflow_state`,`id`);
CREATE TABLE `account_report_pieces` (
	`report_id` integer NOT NULL,
	`step` integer NOT NULL,
	`part` integer NOT NULL,
	`key` text NOT NULL,
	PRIMARY KEY(`report_id`, `step`)
);

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

CREATE UNIQUE INDEX `account_reports_by_uuid` ON `account_reports` (`uuid`);
CREATE INDEX `account_reports_of_account` ON `account_reports` (`account_id`,`report`,`id`) WHERE workflow_state <> 'deleted';
CREATE INDEX `account_reports_unfinished` ON `account_reports` (`updated_at`) WHERE workflow_state in ('created', 'running', 'compiling');
CREATE TABLE `request_counts` (
	`hour` text NOT NULL,
	`route` text NOT NULL,
	`status_class` integer NOT NULL,
	`requests` integer NOT NULL,
	`ms` integer NOT NULL,
	`slowest_ms` integer NOT NULL,
	PRIMARY KEY(`hour`, `route`, `status_class`)
);

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

CREATE UNIQUE INDEX `role_overrides_once` ON `role_overrides` (`account_id`,`role_id`,`permission`);
CREATE INDEX `role_overrides_of_role` ON `role_overrides` (`role_id`);
CREATE TABLE `roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer,
	`name` text NOT NULL,
	`base_role_type` text NOT NULL,
	`workflow_state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

CREATE UNIQUE INDEX `roles_by_name` ON `roles` (`account_id`,`name`);
CREATE INDEX `roles_in_account` ON `roles` (`account_id`,`id`);
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

CREATE INDEX `sections_in_course` ON `sections` (`course_id`,"name" collate nocase,`id`);
CREATE UNIQUE INDEX `sections_by_sis_id` ON `sections` (`sis_section_id`) WHERE sis_section_id is not null;
CREATE UNIQUE INDEX `sections_by_integration_id` ON `sections` (`integration_id`) WHERE integration_id is not null;
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

CREATE UNIQUE INDEX `abstract_courses_by_sis_id` ON `abstract_courses` (`sis_abstract_course_id`);
CREATE TABLE `sis_import_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sis_import_id` integer NOT NULL,
	`model` text NOT NULL,
	`by_batch` integer DEFAULT false NOT NULL,
	`items` text NOT NULL,
	`created_at` text NOT NULL
);

CREATE INDEX `sis_import_changes_of_import` ON `sis_import_changes` (`sis_import_id`,`id`);
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

CREATE INDEX `sis_import_errors_of_import` ON `sis_import_errors` (`sis_import_id`,`id`);
CREATE INDEX `sis_import_errors_in_account` ON `sis_import_errors` (`account_id`,`id`);
CREATE INDEX `sis_import_failures` ON `sis_import_errors` (`account_id`,`sis_import_id`,`id`) WHERE failure = 1;
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

CREATE UNIQUE INDEX `sis_import_files_by_name` ON `sis_import_files` (`sis_import_id`,`origin`,`name`);
CREATE TABLE `sis_import_passages` (
	`sis_import_id` integer NOT NULL,
	`step` integer NOT NULL,
	`course_id` integer NOT NULL,
	`result` text NOT NULL,
	PRIMARY KEY(`sis_import_id`, `step`, `course_id`)
);

CREATE TABLE `sis_import_seen` (
	`sis_import_id` integer NOT NULL,
	`model` text NOT NULL,
	`item_id` integer NOT NULL,
	PRIMARY KEY(`sis_import_id`, `model`, `item_id`)
);

CREATE TABLE `sis_import_stage` (
	`sis_import_file_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`last_row` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`sis_import_file_id`, `course_id`, `last_row`)
);

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

CREATE UNIQUE INDEX `sis_imports_by_uuid` ON `sis_imports` (`uuid`);
CREATE INDEX `sis_imports_in_account` ON `sis_imports` (`account_id`,`id`);
CREATE INDEX `sis_imports_by_state` ON `sis_imports` (`workflow_state`,`id`);
CREATE INDEX `sis_imports_to_collect` ON `sis_imports` (`updated_at`) WHERE keeps_files = 1;
CREATE INDEX `sis_imports_of_data_set` ON `sis_imports` (`diffing_data_set_identifier`,`id`) WHERE diffing_data_set_identifier is not null;
CREATE TABLE `sis_writing` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL
);

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

CREATE INDEX `submission_comments_of_submission` ON `submission_comments` (`submission_id`,`id`);
CREATE INDEX `submission_comments_of_author` ON `submission_comments` (`author_id`,`submission_id`);
CREATE TABLE `submission_reads` (
	`submission_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`item` text NOT NULL,
	`read` integer NOT NULL,
	`read_at` text NOT NULL,
	PRIMARY KEY(`submission_id`, `user_id`, `item`)
);

CREATE TABLE `submission_versions` (
	`submission_id` integer NOT NULL,
	`attempt` integer NOT NULL,
	`version` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`submission_id`, `attempt`)
);

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

CREATE UNIQUE INDEX `submissions_once` ON `submissions` (`assignment_id`,`user_id`);
CREATE INDEX `submissions_of_user_in_course` ON `submissions` (`user_id`,`course_id`);
CREATE INDEX `submissions_in_course` ON `submissions` (`course_id`,`id`);
CREATE INDEX `submissions_handed_in` ON `submissions` (`assignment_id`) WHERE submission_type is not null;
CREATE INDEX `submissions_graded` ON `submissions` (`assignment_id`,`posted_at`) WHERE graded_at is not null;
CREATE INDEX `submissions_to_grade` ON `submissions` (`assignment_id`,`user_id`) WHERE submission_type is not null and excused = 0 and (workflow_state = 'pending_review' or (workflow_state in ('submitted', 'graded') and (score is null or graded_attempt is not attempt)));
CREATE INDEX `submissions_of_user_by_grade` ON `submissions` (`user_id`,`graded_at`,`assignment_id`) WHERE graded_at is not null;
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

CREATE INDEX `terms_in_account` ON `terms` (`account_id`,`workflow_state`,coalesce(start_at, created_at),`id`);
CREATE UNIQUE INDEX `terms_by_sis_id` ON `terms` (`sis_term_id`);
CREATE UNIQUE INDEX `terms_by_integration_id` ON `terms` (`integration_id`) WHERE integration_id is not null;
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

CREATE UNIQUE INDEX `tokens_by_hash` ON `tokens` (`token_hash`);
CREATE UNIQUE INDEX `tokens_by_refresh_hash` ON `tokens` (`refresh_token_hash`) WHERE refresh_token_hash is not null;
CREATE INDEX `tokens_by_spent_refresh_hash` ON `tokens` (`spent_refresh_hash`) WHERE spent_refresh_hash is not null;
CREATE INDEX `tokens_of_user` ON `tokens` (`user_id`,`id`);
CREATE INDEX `tokens_of_real_user` ON `tokens` (`real_user_id`) WHERE real_user_id is not null;
CREATE INDEX `tokens_of_key` ON `tokens` (`developer_key_id`,`user_id`) WHERE developer_key_id is not null;
CREATE INDEX `tokens_of_code` ON `tokens` (`authorization_code_id`) WHERE authorization_code_id is not null;
CREATE TABLE `user_merge_items` (
	`merge_id` integer NOT NULL,
	`kind` text NOT NULL,
	`row_key` text NOT NULL,
	`before` text,
	`step` text DEFAULT 'going' NOT NULL,
	PRIMARY KEY(`merge_id`, `kind`, `row_key`)
);

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

CREATE UNIQUE INDEX `user_merges_of_source` ON `user_merges` (`source_id`) WHERE split_at is null;
CREATE INDEX `user_merges_into` ON `user_merges` (`destination_id`,`id`);
CREATE INDEX `user_merges_by_age` ON `user_merges` (`created_at`);
CREATE INDEX `user_merges_by_split` ON `user_merges` (`split_at`) WHERE split_at is not null;
CREATE INDEX `user_merges_unsettled` ON `user_merges` (`created_at`) WHERE settled_at is null;
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

CREATE INDEX `communication_channels_of_user` ON `communication_channels` (`user_id`,`position`,`id`);
CREATE INDEX `communication_channels_by_code` ON `communication_channels` (`confirmation_code`) WHERE confirmation_code is not null;
CREATE INDEX `communication_channels_by_address` ON `communication_channels` (lower("address"));
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

CREATE INDEX `logins_of_user` ON `logins` (`user_id`);
CREATE UNIQUE INDEX `logins_by_unique_id` ON `logins` (`account_id`,lower("unique_id"),coalesce("authentication_provider_id", 1)) WHERE workflow_state <> 'deleted';
CREATE UNIQUE INDEX `logins_by_sis_id` ON `logins` (`account_id`,`sis_user_id`) WHERE workflow_state <> 'deleted' and sis_user_id is not null;
CREATE INDEX `logins_deleted_by_sis_id` ON `logins` (`sis_user_id`) WHERE workflow_state = 'deleted' and sis_user_id is not null;
CREATE UNIQUE INDEX `logins_by_integration_id` ON `logins` (`account_id`,`integration_id`) WHERE workflow_state <> 'deleted' and integration_id is not null;
CREATE TABLE `observers` (
	`observer_id` integer NOT NULL,
	`student_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`observer_id`, `student_id`)
);

CREATE INDEX `observers_of_student` ON `observers` (`student_id`,`observer_id`);
CREATE TABLE `push_tokens` (
	`user_id` integer NOT NULL,
	`token` text NOT NULL,
	`communication_channel_id` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`user_id`, `token`)
);

CREATE INDEX `push_tokens_of_channel` ON `push_tokens` (`communication_channel_id`);
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

CREATE INDEX `users_by_sortable_name` ON `users` ("sortable_name" collate nocase,`id`);
CREATE INDEX `users_by_email` ON `users` (`sort_email`,`same_id`);
CREATE INDEX `users_by_sis_id` ON `users` (`sort_sis_id`,`same_id`);
CREATE INDEX `users_by_integration_id` ON `users` (`sort_integration_id`,`same_id`);
CREATE INDEX `users_by_last_login` ON `users` (`sort_last_login`,`same_id`);
CREATE INDEX `users_by_uuid` ON `users` (`uuid`);
create trigger change_0_account_notifications_insert after insert on account_notifications begin
  delete from changes where (scope, kind, item_id) in (select 'accounts' as scope, 'account_notification' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'accounts' as scope, 'account_notification' as kind, new.id as item_id);
end;
create trigger change_0_account_notifications_update after update on account_notifications begin
  delete from changes where (scope, kind, item_id) in (select 'accounts' as scope, 'account_notification' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'accounts' as scope, 'account_notification' as kind, new.id as item_id);
end;
create trigger change_0_account_notifications_delete after delete on account_notifications begin
  delete from changes where (scope, kind, item_id) in (select 'accounts' as scope, 'account_notification' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'accounts' as scope, 'account_notification' as kind, old.id as item_id);
end;
create trigger change_1_closed_account_notifications_hands_old after update of user_id on closed_account_notifications when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'account_notification' as kind, old.account_notification_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'account_notification' as kind, old.account_notification_id as item_id);
end;
create trigger change_1_closed_account_notifications_insert after insert on closed_account_notifications begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'account_notification' as kind, new.account_notification_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'account_notification' as kind, new.account_notification_id as item_id);
end;
create trigger change_1_closed_account_notifications_update after update on closed_account_notifications begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'account_notification' as kind, new.account_notification_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'account_notification' as kind, new.account_notification_id as item_id);
end;
create trigger change_1_closed_account_notifications_delete after delete on closed_account_notifications begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'account_notification' as kind, old.account_notification_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'account_notification' as kind, old.account_notification_id as item_id);
end;
create trigger change_2_users_update after update of name on users when (new.name is not old.name) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'accounts', 'account_notification', n.id from account_notifications n where n.user_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'accounts', 'account_notification', n.id from account_notifications n where n.user_id = new.id) select distinct * from chosen);
end;
create trigger change_3_roles_update after update of name on roles when (new.name is not old.name) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'accounts', 'account_notification', n.id from account_notifications n where exists (select 1 from json_each(n.role_ids) j where j.value = new.id)) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'accounts', 'account_notification', n.id from account_notifications n where exists (select 1 from json_each(n.role_ids) j where j.value = new.id)) select distinct * from chosen);
end;
create trigger change_4_users_insert after insert on users begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.id as scope, 'user' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.id as scope, 'user' as kind, new.id as item_id);
end;
create trigger change_4_users_update after update on users begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.id as scope, 'user' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.id as scope, 'user' as kind, new.id as item_id);
end;
create trigger change_4_users_delete after delete on users begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.id as scope, 'user' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.id as scope, 'user' as kind, old.id as item_id);
end;
create trigger change_5_users_update after update of name, short_name, pronouns, avatar_url on users when (new.name is not old.name or new.short_name is not old.short_name or new.pronouns is not old.pronouns or new.avatar_url is not old.avatar_url) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = 'user_' || new.id and e.workflow_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = 'user_' || new.id and e.workflow_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_6_users_update after update of name, short_name, pronouns, avatar_url on users when (new.name is not old.name or new.short_name is not old.short_name or new.pronouns is not old.pronouns or new.avatar_url is not old.avatar_url) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.user_id = new.id and t.workflow_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.user_id = new.id and t.workflow_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_7_users_update after update of name, short_name, pronouns, avatar_url on users when (new.name is not old.name or new.short_name is not old.short_name or new.pronouns is not old.pronouns or new.avatar_url is not old.avatar_url) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(p.context_type) || '_' || p.context_id, 'page', p.id from pages p where p.last_edited_by_id = new.id and p.workflow_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(p.context_type) || '_' || p.context_id, 'page', p.id from pages p where p.last_edited_by_id = new.id and p.workflow_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_8_users_update after update of name, short_name, pronouns, avatar_url on users when (new.name is not old.name or new.short_name is not old.short_name or new.pronouns is not old.pronouns or new.avatar_url is not old.avatar_url) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id in (select c.submission_id from submission_comments c where c.author_id = new.id and c.workflow_state = 'active')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id in (select c.submission_id from submission_comments c where c.author_id = new.id and c.workflow_state = 'active')) select distinct * from chosen);
end;
create trigger change_9_users_update after update of name, short_name, pronouns, avatar_url on users when (new.name is not old.name or new.short_name is not old.short_name or new.pronouns is not old.pronouns or new.avatar_url is not old.avatar_url) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'conversation', p.conversation_id from conversation_participants mine join conversation_participants p on p.conversation_id = mine.conversation_id where mine.user_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'conversation', p.conversation_id from conversation_participants mine join conversation_participants p on p.conversation_id = mine.conversation_id where mine.user_id = new.id) select distinct * from chosen);
end;
create trigger change_10_users_update after update of settings on users when (new.settings is not old.settings) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.id, 'calendar_event', e.id from json_each(coalesce(new.settings -> 'new.custom_colors', '{}')) c
      join calendar_events e on e.workflow_state <> 'deleted' and (e.context_code = c.key or e.parent_event_id in (select o.id from calendar_events o where o.context_code = c.key and o.workflow_state <> 'deleted'))
      where c.value is not (old.settings -> 'new.custom_colors' ->> c.key)) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.id, 'calendar_event', e.id from json_each(coalesce(new.settings -> 'new.custom_colors', '{}')) c
      join calendar_events e on e.workflow_state <> 'deleted' and (e.context_code = c.key or e.parent_event_id in (select o.id from calendar_events o where o.context_code = c.key and o.workflow_state <> 'deleted'))
      where c.value is not (old.settings -> 'new.custom_colors' ->> c.key)) select distinct * from chosen);
end;
create trigger change_11_logins_hands_old after update of user_id on logins when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'user' as kind, old.user_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'user' as kind, old.user_id as item_id);
end;
create trigger change_11_logins_insert after insert on logins begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'user' as kind, new.user_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'user' as kind, new.user_id as item_id);
end;
create trigger change_11_logins_update after update on logins begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'user' as kind, new.user_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'user' as kind, new.user_id as item_id);
end;
create trigger change_11_logins_delete after delete on logins begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'user' as kind, old.user_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'user' as kind, old.user_id as item_id);
end;
create trigger change_12_logins_hands_old after update of user_id on logins when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = old.user_id and e.enrollment_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = old.user_id and e.enrollment_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_12_logins_hands_new after update of user_id on logins when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = new.user_id and e.enrollment_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = new.user_id and e.enrollment_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_12_logins_insert after insert on logins begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = new.user_id and e.enrollment_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = new.user_id and e.enrollment_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_12_logins_update after update of sis_user_id, workflow_state on logins when (new.sis_user_id is not old.sis_user_id or new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = new.user_id and e.enrollment_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = new.user_id and e.enrollment_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_12_logins_delete after delete on logins begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = old.user_id and e.enrollment_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = old.user_id and e.enrollment_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_13_communication_channels_hands_old after update of user_id on communication_channels when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'user' as kind, old.user_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'user' as kind, old.user_id as item_id);
end;
create trigger change_13_communication_channels_insert after insert on communication_channels begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'user' as kind, new.user_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'user' as kind, new.user_id as item_id);
end;
create trigger change_13_communication_channels_update after update on communication_channels begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'user' as kind, new.user_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'user' as kind, new.user_id as item_id);
end;
create trigger change_13_communication_channels_delete after delete on communication_channels begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'user' as kind, old.user_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'user' as kind, old.user_id as item_id);
end;
create trigger change_14_courses_insert after insert on courses begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.id as scope, 'course' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.id as scope, 'course' as kind, new.id as item_id);
end;
create trigger change_14_courses_update after update on courses begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.id as scope, 'course' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.id as scope, 'course' as kind, new.id as item_id);
end;
create trigger change_14_courses_delete after delete on courses begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || old.id as scope, 'course' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || old.id as scope, 'course' as kind, old.id as item_id);
end;
create trigger change_15_courses_update after update of name, friendly_name on courses when (new.name is not old.name or new.friendly_name is not old.friendly_name) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || new.id and e.workflow_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || new.id and e.workflow_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_16_courses_update after update of name on courses when (new.name is not old.name) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'conversation', p.conversation_id from conversations c join conversation_participants p on p.conversation_id = c.id where c.context_type = 'Course' and c.context_id = new.id and c.context_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'conversation', p.conversation_id from conversations c join conversation_participants p on p.conversation_id = c.id where c.context_type = 'Course' and c.context_id = new.id and c.context_id is not null) select distinct * from chosen);
end;
create trigger change_17_sections_update after update of name on sections when (new.name is not old.name) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = 'course_section_' || new.id and e.workflow_state <> 'deleted'
      union all select o.context_code, 'calendar_event', o.id from calendar_events o where o.workflow_state <> 'deleted' and o.id in (select e.parent_event_id from calendar_events e where e.context_code = 'course_section_' || new.id and e.workflow_state <> 'deleted')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = 'course_section_' || new.id and e.workflow_state <> 'deleted'
      union all select o.context_code, 'calendar_event', o.id from calendar_events o where o.workflow_state <> 'deleted' and o.id in (select e.parent_event_id from calendar_events e where e.context_code = 'course_section_' || new.id and e.workflow_state <> 'deleted')) select distinct * from chosen);
end;
create trigger change_18_course_nicknames_hands_old after update of user_id on course_nicknames when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || old.course_id and e.workflow_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || old.course_id and e.workflow_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_18_course_nicknames_insert after insert on course_nicknames begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || new.course_id and e.workflow_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || new.course_id and e.workflow_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_18_course_nicknames_update after update on course_nicknames begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || new.course_id and e.workflow_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || new.course_id and e.workflow_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_18_course_nicknames_delete after delete on course_nicknames begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || old.course_id and e.workflow_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || old.course_id and e.workflow_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_19_course_nicknames_hands_old after update of user_id on course_nicknames when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'course' as kind, old.course_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'course' as kind, old.course_id as item_id);
end;
create trigger change_19_course_nicknames_insert after insert on course_nicknames begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'course' as kind, new.course_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'course' as kind, new.course_id as item_id);
end;
create trigger change_19_course_nicknames_update after update on course_nicknames begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'course' as kind, new.course_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'course' as kind, new.course_id as item_id);
end;
create trigger change_19_course_nicknames_delete after delete on course_nicknames begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'course' as kind, old.course_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'course' as kind, old.course_id as item_id);
end;
create trigger change_20_favorites_hands_old after update of user_id on favorites when (new.user_id <> old.user_id) and (old.context_type = 'Course') begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'course' as kind, old.context_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'course' as kind, old.context_id as item_id);
end;
create trigger change_20_favorites_insert after insert on favorites when (new.context_type = 'Course') begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'course' as kind, new.context_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'course' as kind, new.context_id as item_id);
end;
create trigger change_20_favorites_update after update on favorites when (new.context_type = 'Course') begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'course' as kind, new.context_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'course' as kind, new.context_id as item_id);
end;
create trigger change_20_favorites_delete after delete on favorites when (old.context_type = 'Course') begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'course' as kind, old.context_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'course' as kind, old.context_id as item_id);
end;
create trigger change_21_enrollments_hands_old after update of user_id on enrollments when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'enrollment' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'enrollment' as kind, old.id as item_id);
end;
create trigger change_21_enrollments_insert after insert on enrollments begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'enrollment' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'enrollment' as kind, new.id as item_id);
end;
create trigger change_21_enrollments_update after update of user_id, course_id, course_section_id, type, role_id, observed_user_id, enrollment_state, sortable_name, limit_privileges_to_course_section, self_enrolled, start_at, end_at, completed_at, last_activity_at, last_attended_at, total_activity_time, sis_import_id, updated_at on enrollments when (new.user_id is not old.user_id or new.course_id is not old.course_id or new.course_section_id is not old.course_section_id or new.type is not old.type or new.role_id is not old.role_id or new.observed_user_id is not old.observed_user_id or new.enrollment_state is not old.enrollment_state or new.sortable_name is not old.sortable_name or new.limit_privileges_to_course_section is not old.limit_privileges_to_course_section or new.self_enrolled is not old.self_enrolled or new.start_at is not old.start_at or new.end_at is not old.end_at or new.completed_at is not old.completed_at or new.last_activity_at is not old.last_activity_at or new.last_attended_at is not old.last_attended_at or new.total_activity_time is not old.total_activity_time or new.sis_import_id is not old.sis_import_id or new.updated_at is not old.updated_at) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'enrollment' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'enrollment' as kind, new.id as item_id);
end;
create trigger change_21_enrollments_delete after delete on enrollments begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'enrollment' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'enrollment' as kind, old.id as item_id);
end;
create trigger change_22_enrollments_hands_old after update of user_id on enrollments when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = old.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = old.user_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = old.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = old.user_id) select distinct * from chosen);
end;
create trigger change_22_enrollments_hands_new after update of user_id on enrollments when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = new.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = new.user_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = new.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = new.user_id) select distinct * from chosen);
end;
create trigger change_22_enrollments_insert after insert on enrollments begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = new.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = new.user_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = new.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = new.user_id) select distinct * from chosen);
end;
create trigger change_22_enrollments_update after update of enrollment_state, course_id on enrollments when (new.enrollment_state is not old.enrollment_state or new.course_id is not old.course_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = new.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = new.user_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = new.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = new.user_id) select distinct * from chosen);
end;
create trigger change_22_enrollments_delete after delete on enrollments begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = old.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = old.user_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = old.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = old.user_id) select distinct * from chosen);
end;
create trigger change_23_enrollments_update after update of course_id on enrollments when (new.course_id is not old.course_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = old.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = old.user_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = old.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = old.user_id) select distinct * from chosen);
end;
create trigger change_24_enrollments_hands_old after update of user_id on enrollments when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = old.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = old.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')) select distinct * from chosen);
end;
create trigger change_24_enrollments_hands_new after update of user_id on enrollments when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = new.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = new.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')) select distinct * from chosen);
end;
create trigger change_24_enrollments_insert after insert on enrollments begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = new.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = new.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')) select distinct * from chosen);
end;
create trigger change_24_enrollments_update after update of enrollment_state, course_id, course_section_id on enrollments when (new.enrollment_state is not old.enrollment_state or new.course_id is not old.course_id or new.course_section_id is not old.course_section_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = new.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = new.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')) select distinct * from chosen);
end;
create trigger change_24_enrollments_delete after delete on enrollments begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = old.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = old.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')) select distinct * from chosen);
end;
create trigger change_25_assignment_groups_insert after insert on assignment_groups begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'assignment_group' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'assignment_group' as kind, new.id as item_id);
end;
create trigger change_25_assignment_groups_update after update on assignment_groups begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'assignment_group' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'assignment_group' as kind, new.id as item_id);
end;
create trigger change_25_assignment_groups_delete after delete on assignment_groups begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || old.course_id as scope, 'assignment_group' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || old.course_id as scope, 'assignment_group' as kind, old.id as item_id);
end;
create trigger change_26_assignments_insert after insert on assignments begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'assignment' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'assignment' as kind, new.id as item_id);
end;
create trigger change_26_assignments_update after update on assignments begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'assignment' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'assignment' as kind, new.id as item_id);
end;
create trigger change_26_assignments_delete after delete on assignments begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || old.course_id as scope, 'assignment' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || old.course_id as scope, 'assignment' as kind, old.id as item_id);
end;
create trigger change_27_assignment_overrides_insert after insert on assignment_overrides begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
end;
create trigger change_27_assignment_overrides_update after update on assignment_overrides begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
end;
create trigger change_27_assignment_overrides_delete after delete on assignment_overrides begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || old.course_id as scope, 'assignment' as kind, old.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || old.course_id as scope, 'assignment' as kind, old.assignment_id as item_id);
end;
create trigger change_28_assignment_override_students_insert after insert on assignment_override_students begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || a.course_id, 'assignment', a.id from assignments a where a.id = new.assignment_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || a.course_id, 'assignment', a.id from assignments a where a.id = new.assignment_id) select distinct * from chosen);
end;
create trigger change_28_assignment_override_students_update after update on assignment_override_students begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || a.course_id, 'assignment', a.id from assignments a where a.id = new.assignment_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || a.course_id, 'assignment', a.id from assignments a where a.id = new.assignment_id) select distinct * from chosen);
end;
create trigger change_28_assignment_override_students_delete after delete on assignment_override_students begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || a.course_id, 'assignment', a.id from assignments a where a.id = old.assignment_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || a.course_id, 'assignment', a.id from assignments a where a.id = old.assignment_id) select distinct * from chosen);
end;
create trigger change_29_submissions_hands_old after update of user_id on submissions when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'submission' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'submission' as kind, old.id as item_id);
end;
create trigger change_29_submissions_insert after insert on submissions begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'submission' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'submission' as kind, new.id as item_id);
end;
create trigger change_29_submissions_update after update on submissions begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'submission' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'submission' as kind, new.id as item_id);
end;
create trigger change_29_submissions_delete after delete on submissions begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'submission' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'submission' as kind, old.id as item_id);
end;
create trigger change_30_submissions_insert after insert on submissions begin
  delete from changes where (scope, kind, item_id) in (select 'staff_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'staff_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
end;
create trigger change_30_submissions_update after update of submission_type, attempt, workflow_state, score, excused, graded_attempt, posted_at on submissions when (new.submission_type is not old.submission_type or new.attempt is not old.attempt or new.workflow_state is not old.workflow_state or new.score is not old.score or new.excused is not old.excused or new.graded_attempt is not old.graded_attempt or new.posted_at is not old.posted_at) begin
  delete from changes where (scope, kind, item_id) in (select 'staff_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'staff_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
end;
create trigger change_30_submissions_delete after delete on submissions begin
  delete from changes where (scope, kind, item_id) in (select 'staff_' || old.course_id as scope, 'assignment' as kind, old.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'staff_' || old.course_id as scope, 'assignment' as kind, old.assignment_id as item_id);
end;
create trigger change_31_submissions_insert after insert on submissions when ((new.submission_type is not null and not exists (select 1 from submissions s where s.assignment_id = new.assignment_id and s.id <> new.id and s.submission_type is not null))
      or (new.graded_at is not null and not exists (select 1 from submissions s where s.assignment_id = new.assignment_id and s.id <> new.id and s.graded_at is not null))) begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
end;
create trigger change_31_submissions_update after update of submission_type, graded_at, posted_at, workflow_state on submissions when ((new.submission_type is not null and not exists (select 1 from submissions s where s.assignment_id = new.assignment_id and s.id <> new.id and s.submission_type is not null))
      or (new.graded_at is not null and not exists (select 1 from submissions s where s.assignment_id = new.assignment_id and s.id <> new.id and s.graded_at is not null))) and (new.submission_type is not old.submission_type or new.graded_at is not old.graded_at or new.posted_at is not old.posted_at or new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'assignment' as kind, new.assignment_id as item_id);
end;
create trigger change_31_submissions_delete after delete on submissions when ((old.submission_type is not null and not exists (select 1 from submissions s where s.assignment_id = old.assignment_id and s.id <> old.id and s.submission_type is not null))
      or (old.graded_at is not null and not exists (select 1 from submissions s where s.assignment_id = old.assignment_id and s.id <> old.id and s.graded_at is not null))) begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || old.course_id as scope, 'assignment' as kind, old.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || old.course_id as scope, 'assignment' as kind, old.assignment_id as item_id);
end;
create trigger change_32_submissions_hands_old after update of user_id on submissions when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'assignment' as kind, old.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'assignment' as kind, old.assignment_id as item_id);
end;
create trigger change_32_submissions_hands_new after update of user_id on submissions when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'assignment' as kind, new.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'assignment' as kind, new.assignment_id as item_id);
end;
create trigger change_32_submissions_insert after insert on submissions begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'assignment' as kind, new.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'assignment' as kind, new.assignment_id as item_id);
end;
create trigger change_32_submissions_update after update of graded_at, posted_at on submissions when (new.graded_at is not old.graded_at or new.posted_at is not old.posted_at) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'assignment' as kind, new.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'assignment' as kind, new.assignment_id as item_id);
end;
create trigger change_32_submissions_delete after delete on submissions begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'assignment' as kind, old.assignment_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'assignment' as kind, old.assignment_id as item_id);
end;
create trigger change_33_submission_comments_insert after insert on submission_comments begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = new.submission_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = new.submission_id) select distinct * from chosen);
end;
create trigger change_33_submission_comments_update after update on submission_comments begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = new.submission_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = new.submission_id) select distinct * from chosen);
end;
create trigger change_33_submission_comments_delete after delete on submission_comments begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = old.submission_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = old.submission_id) select distinct * from chosen);
end;
create trigger change_34_modules_insert after insert on modules begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'module' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'module' as kind, new.id as item_id);
end;
create trigger change_34_modules_update after update on modules begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'module' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'module' as kind, new.id as item_id);
end;
create trigger change_34_modules_delete after delete on modules begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || old.course_id as scope, 'module' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || old.course_id as scope, 'module' as kind, old.id as item_id);
end;
create trigger change_35_modules_insert after insert on modules begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_35_modules_update after update of name, position, workflow_state, unlock_at, prerequisite_module_ids, require_sequential_progress on modules when (new.name is not old.name or new.position is not old.position or new.workflow_state is not old.workflow_state or new.unlock_at is not old.unlock_at or new.prerequisite_module_ids is not old.prerequisite_module_ids or new.require_sequential_progress is not old.require_sequential_progress) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_35_modules_delete after delete on modules begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || old.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || old.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || old.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || old.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_36_modules_update after update of name, workflow_state on modules when (new.name is not old.name or new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (select m.id from modules m, json_each(m.prerequisite_module_ids) p where m.course_id = new.course_id and p.value = new.id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (select m.id from modules m, json_each(m.prerequisite_module_ids) p where m.course_id = new.course_id and p.value = new.id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (select m.id from modules m, json_each(m.prerequisite_module_ids) p where m.course_id = new.course_id and p.value = new.id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (select m.id from modules m, json_each(m.prerequisite_module_ids) p where m.course_id = new.course_id and p.value = new.id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_37_module_items_insert after insert on module_items begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'module' as kind, new.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'module' as kind, new.module_id as item_id);
end;
create trigger change_37_module_items_update after update on module_items begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'module' as kind, new.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'module' as kind, new.module_id as item_id);
end;
create trigger change_37_module_items_delete after delete on module_items begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || old.course_id as scope, 'module' as kind, old.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || old.course_id as scope, 'module' as kind, old.module_id as item_id);
end;
create trigger change_38_module_items_update after update of module_id on module_items when (new.module_id is not old.module_id) begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || old.course_id as scope, 'module' as kind, old.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || old.course_id as scope, 'module' as kind, old.module_id as item_id);
end;
create trigger change_39_module_items_insert after insert on module_items begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case new.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), new.content_id where new.content_id is not null and new.type in ('Page', 'Assignment', 'Discussion', 'File')
      union all select 'course_' || new.course_id, 'assignment', t.assignment_id from discussion_topics t where new.type = 'Discussion' and t.id = new.content_id and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case new.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), new.content_id where new.content_id is not null and new.type in ('Page', 'Assignment', 'Discussion', 'File')
      union all select 'course_' || new.course_id, 'assignment', t.assignment_id from discussion_topics t where new.type = 'Discussion' and t.id = new.content_id and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_39_module_items_update after update of module_id, position, content_id, requirement_type, workflow_state on module_items when (new.module_id is not old.module_id or new.position is not old.position or new.content_id is not old.content_id or new.requirement_type is not old.requirement_type or new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case new.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), new.content_id where new.content_id is not null and new.type in ('Page', 'Assignment', 'Discussion', 'File')
      union all select 'course_' || new.course_id, 'assignment', t.assignment_id from discussion_topics t where new.type = 'Discussion' and t.id = new.content_id and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case new.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), new.content_id where new.content_id is not null and new.type in ('Page', 'Assignment', 'Discussion', 'File')
      union all select 'course_' || new.course_id, 'assignment', t.assignment_id from discussion_topics t where new.type = 'Discussion' and t.id = new.content_id and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_39_module_items_delete after delete on module_items begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || old.course_id, (case old.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), old.content_id where old.content_id is not null and old.type in ('Page', 'Assignment', 'Discussion', 'File')
      union all select 'course_' || old.course_id, 'assignment', t.assignment_id from discussion_topics t where old.type = 'Discussion' and t.id = old.content_id and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || old.course_id, (case old.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), old.content_id where old.content_id is not null and old.type in ('Page', 'Assignment', 'Discussion', 'File')
      union all select 'course_' || old.course_id, 'assignment', t.assignment_id from discussion_topics t where old.type = 'Discussion' and t.id = old.content_id and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_40_module_items_insert after insert on module_items when (new.requirement_type is not null) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_40_module_items_update after update of requirement_type, min_score, min_percentage, workflow_state, module_id on module_items when (new.requirement_type is not null) and (new.requirement_type is not old.requirement_type or new.min_score is not old.min_score or new.min_percentage is not old.min_percentage or new.workflow_state is not old.workflow_state or new.module_id is not old.module_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_40_module_items_delete after delete on module_items when (old.requirement_type is not null) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || old.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || old.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || old.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || old.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_41_module_items_update after update of requirement_type, min_score, min_percentage, workflow_state, module_id on module_items when (old.requirement_type is not null) and (new.requirement_type is not old.requirement_type or new.min_score is not old.min_score or new.min_percentage is not old.min_percentage or new.workflow_state is not old.workflow_state or new.module_id is not old.module_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || old.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || old.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || old.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || old.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_42_module_overrides_insert after insert on module_overrides begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'module' as kind, new.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'module' as kind, new.module_id as item_id);
end;
create trigger change_42_module_overrides_update after update on module_overrides begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || new.course_id as scope, 'module' as kind, new.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || new.course_id as scope, 'module' as kind, new.module_id as item_id);
end;
create trigger change_42_module_overrides_delete after delete on module_overrides begin
  delete from changes where (scope, kind, item_id) in (select 'course_' || old.course_id as scope, 'module' as kind, old.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'course_' || old.course_id as scope, 'module' as kind, old.module_id as item_id);
end;
create trigger change_43_module_overrides_insert after insert on module_overrides begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_43_module_overrides_update after update on module_overrides begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || new.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || new.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_43_module_overrides_delete after delete on module_overrides begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'course_' || old.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || old.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'course_' || old.course_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'course_' || old.course_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_44_module_progressions_insert after insert on module_progressions when (new.state <> 'unlocked' or exists (select 1 from modules m where m.id = new.module_id and m.prerequisite_module_ids <> '[]')) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'module' as kind, new.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'module' as kind, new.module_id as item_id);
end;
create trigger change_45_module_progressions_hands_old after update of user_id on module_progressions when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'module' as kind, old.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'module' as kind, old.module_id as item_id);
end;
create trigger change_45_module_progressions_hands_new after update of user_id on module_progressions when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'module' as kind, new.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'module' as kind, new.module_id as item_id);
end;
create trigger change_45_module_progressions_update after update of state, requirements_met, current_position on module_progressions when (new.state is not old.state or new.requirements_met is not old.requirements_met or new.current_position is not old.current_position) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'module' as kind, new.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'module' as kind, new.module_id as item_id);
end;
create trigger change_45_module_progressions_delete after delete on module_progressions begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'module' as kind, old.module_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'module' as kind, old.module_id as item_id);
end;
create trigger change_46_module_progressions_insert after insert on module_progressions when (new.state <> 'unlocked' or exists (select 1 from modules m where m.id = new.module_id and m.prerequisite_module_ids <> '[]')) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'user_' || new.user_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'user_' || new.user_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_47_module_progressions_hands_old after update of user_id on module_progressions when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'user_' || old.user_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'user_' || old.user_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_47_module_progressions_hands_new after update of user_id on module_progressions when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'user_' || new.user_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'user_' || new.user_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_47_module_progressions_update after update of state, current_position on module_progressions when (new.state is not old.state or new.current_position is not old.current_position) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'user_' || new.user_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'user_' || new.user_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (new.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_47_module_progressions_delete after delete on module_progressions begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'user_' || old.user_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, (case i.type when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' when 'File' then 'file' end), i.content_id from module_items i where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.content_id is not null and i.type in ('Page', 'Assignment', 'Discussion', 'File')
    union all select 'user_' || old.user_id, 'assignment', t.assignment_id from module_items i join discussion_topics t on t.id = i.content_id where i.module_id in (old.module_id) and i.workflow_state = 'active' and i.type = 'Discussion' and t.assignment_id is not null) select distinct * from chosen);
end;
create trigger change_48_discussion_topics_insert after insert on discussion_topics begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'discussion_topic' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'discussion_topic' as kind, new.id as item_id);
end;
create trigger change_48_discussion_topics_update after update on discussion_topics begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'discussion_topic' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'discussion_topic' as kind, new.id as item_id);
end;
create trigger change_48_discussion_topics_delete after delete on discussion_topics begin
  delete from changes where (scope, kind, item_id) in (select lower(old.context_type) || '_' || old.context_id as scope, 'discussion_topic' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(old.context_type) || '_' || old.context_id as scope, 'discussion_topic' as kind, old.id as item_id);
end;
create trigger change_49_discussion_topics_insert after insert on discussion_topics begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
end;
create trigger change_49_discussion_topics_update after update of title, workflow_state, delayed_post_at, lock_at, section_ids, assignment_id on discussion_topics when (new.title is not old.title or new.workflow_state is not old.workflow_state or new.delayed_post_at is not old.delayed_post_at or new.lock_at is not old.lock_at or new.section_ids is not old.section_ids or new.assignment_id is not old.assignment_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
end;
create trigger change_49_discussion_topics_delete after delete on discussion_topics begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = old.id and i.workflow_state = 'active') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = old.id and i.workflow_state = 'active') select distinct * from chosen);
end;
create trigger change_50_discussion_entries_insert after insert on discussion_entries begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.id = new.discussion_topic_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.id = new.discussion_topic_id) select distinct * from chosen);
end;
create trigger change_50_discussion_entries_update after update on discussion_entries begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.id = new.discussion_topic_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.id = new.discussion_topic_id) select distinct * from chosen);
end;
create trigger change_50_discussion_entries_delete after delete on discussion_entries begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.id = old.discussion_topic_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.id = old.discussion_topic_id) select distinct * from chosen);
end;
create trigger change_51_discussion_entries_insert after insert on discussion_entries begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'staff_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = new.discussion_topic_id and i.workflow_state = 'active'
      and not exists (select 1 from discussion_entries o join enrollments n on n.user_id = o.user_id and n.course_id = i.course_id and n.type = 'StudentEnrollment'
        where o.discussion_topic_id = new.discussion_topic_id and o.id <> new.id and o.workflow_state = 'active')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'staff_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = new.discussion_topic_id and i.workflow_state = 'active'
      and not exists (select 1 from discussion_entries o join enrollments n on n.user_id = o.user_id and n.course_id = i.course_id and n.type = 'StudentEnrollment'
        where o.discussion_topic_id = new.discussion_topic_id and o.id <> new.id and o.workflow_state = 'active')) select distinct * from chosen);
end;
create trigger change_51_discussion_entries_update after update of workflow_state on discussion_entries when (new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'staff_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = new.discussion_topic_id and i.workflow_state = 'active'
      and not exists (select 1 from discussion_entries o join enrollments n on n.user_id = o.user_id and n.course_id = i.course_id and n.type = 'StudentEnrollment'
        where o.discussion_topic_id = new.discussion_topic_id and o.id <> new.id and o.workflow_state = 'active')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'staff_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = new.discussion_topic_id and i.workflow_state = 'active'
      and not exists (select 1 from discussion_entries o join enrollments n on n.user_id = o.user_id and n.course_id = i.course_id and n.type = 'StudentEnrollment'
        where o.discussion_topic_id = new.discussion_topic_id and o.id <> new.id and o.workflow_state = 'active')) select distinct * from chosen);
end;
create trigger change_51_discussion_entries_delete after delete on discussion_entries begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'staff_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = old.discussion_topic_id and i.workflow_state = 'active'
      and not exists (select 1 from discussion_entries o join enrollments n on n.user_id = o.user_id and n.course_id = i.course_id and n.type = 'StudentEnrollment'
        where o.discussion_topic_id = old.discussion_topic_id and o.id <> old.id and o.workflow_state = 'active')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'staff_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = old.discussion_topic_id and i.workflow_state = 'active'
      and not exists (select 1 from discussion_entries o join enrollments n on n.user_id = o.user_id and n.course_id = i.course_id and n.type = 'StudentEnrollment'
        where o.discussion_topic_id = old.discussion_topic_id and o.id <> old.id and o.workflow_state = 'active')) select distinct * from chosen);
end;
create trigger change_52_discussion_topic_reads_hands_old after update of user_id on discussion_topic_reads when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'discussion_topic' as kind, old.discussion_topic_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'discussion_topic' as kind, old.discussion_topic_id as item_id);
end;
create trigger change_52_discussion_topic_reads_insert after insert on discussion_topic_reads begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'discussion_topic' as kind, new.discussion_topic_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'discussion_topic' as kind, new.discussion_topic_id as item_id);
end;
create trigger change_52_discussion_topic_reads_update after update on discussion_topic_reads begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'discussion_topic' as kind, new.discussion_topic_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'discussion_topic' as kind, new.discussion_topic_id as item_id);
end;
create trigger change_52_discussion_topic_reads_delete after delete on discussion_topic_reads begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'discussion_topic' as kind, old.discussion_topic_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'discussion_topic' as kind, old.discussion_topic_id as item_id);
end;
create trigger change_53_discussion_topics_insert after insert on discussion_topics when (new.root_topic_id is not null) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(r.context_type) || '_' || r.context_id, 'discussion_topic', r.id from discussion_topics r where r.id = new.root_topic_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(r.context_type) || '_' || r.context_id, 'discussion_topic', r.id from discussion_topics r where r.id = new.root_topic_id) select distinct * from chosen);
end;
create trigger change_53_discussion_topics_update after update of workflow_state, entry_count on discussion_topics when (new.root_topic_id is not null) and (new.workflow_state is not old.workflow_state or new.entry_count is not old.entry_count) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(r.context_type) || '_' || r.context_id, 'discussion_topic', r.id from discussion_topics r where r.id = new.root_topic_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(r.context_type) || '_' || r.context_id, 'discussion_topic', r.id from discussion_topics r where r.id = new.root_topic_id) select distinct * from chosen);
end;
create trigger change_53_discussion_topics_delete after delete on discussion_topics when (old.root_topic_id is not null) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(r.context_type) || '_' || r.context_id, 'discussion_topic', r.id from discussion_topics r where r.id = old.root_topic_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(r.context_type) || '_' || r.context_id, 'discussion_topic', r.id from discussion_topics r where r.id = old.root_topic_id) select distinct * from chosen);
end;
create trigger change_54_discussion_topic_reads_hands_old after update of user_id on discussion_topic_reads when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = old.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = old.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_54_discussion_topic_reads_hands_new after update of user_id on discussion_topic_reads when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_54_discussion_topic_reads_insert after insert on discussion_topic_reads begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_54_discussion_topic_reads_update after update of subscribed on discussion_topic_reads when (new.subscribed is not old.subscribed) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_54_discussion_topic_reads_delete after delete on discussion_topic_reads begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = old.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = old.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_55_discussion_entries_hands_old after update of user_id on discussion_entries when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = old.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = old.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_55_discussion_entries_hands_new after update of user_id on discussion_entries when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_55_discussion_entries_insert after insert on discussion_entries begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_55_discussion_entries_update after update of workflow_state on discussion_entries when (new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = new.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_55_discussion_entries_delete after delete on discussion_entries begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = old.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.id = old.discussion_topic_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_56_group_memberships_hands_old after update of user_id on group_memberships when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.context_type = 'Group' and t.context_id = old.group_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.context_type = 'Group' and t.context_id = old.group_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_56_group_memberships_insert after insert on group_memberships begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.context_type = 'Group' and t.context_id = new.group_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.context_type = 'Group' and t.context_id = new.group_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_56_group_memberships_update after update of user_id, workflow_state on group_memberships when (new.user_id is not old.user_id or new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.context_type = 'Group' and t.context_id = new.group_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.context_type = 'Group' and t.context_id = new.group_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_56_group_memberships_delete after delete on group_memberships begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.context_type = 'Group' and t.context_id = old.group_id and t.root_topic_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where t.context_type = 'Group' and t.context_id = old.group_id and t.root_topic_id is not null) select distinct * from chosen);
end;
create trigger change_57_discussion_entry_reads_hands_old after update of user_id on discussion_entry_reads when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'discussion_topic' as kind, old.discussion_topic_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'discussion_topic' as kind, old.discussion_topic_id as item_id);
end;
create trigger change_57_discussion_entry_reads_insert after insert on discussion_entry_reads begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'discussion_topic' as kind, new.discussion_topic_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'discussion_topic' as kind, new.discussion_topic_id as item_id);
end;
create trigger change_57_discussion_entry_reads_update after update on discussion_entry_reads begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'discussion_topic' as kind, new.discussion_topic_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'discussion_topic' as kind, new.discussion_topic_id as item_id);
end;
create trigger change_57_discussion_entry_reads_delete after delete on discussion_entry_reads begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'discussion_topic' as kind, old.discussion_topic_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'discussion_topic' as kind, old.discussion_topic_id as item_id);
end;
create trigger change_58_conversation_messages_insert after insert on conversation_messages when (new.generated = 1) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'conversation', p.conversation_id from conversation_participants p where p.conversation_id = new.conversation_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'conversation', p.conversation_id from conversation_participants p where p.conversation_id = new.conversation_id) select distinct * from chosen);
end;
create trigger change_59_conversation_participants_hands_old after update of user_id on conversation_participants when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'conversation' as kind, old.conversation_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'conversation' as kind, old.conversation_id as item_id);
end;
create trigger change_59_conversation_participants_insert after insert on conversation_participants begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'conversation' as kind, new.conversation_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'conversation' as kind, new.conversation_id as item_id);
end;
create trigger change_59_conversation_participants_update after update on conversation_participants begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'conversation' as kind, new.conversation_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'conversation' as kind, new.conversation_id as item_id);
end;
create trigger change_59_conversation_participants_delete after delete on conversation_participants begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'conversation' as kind, old.conversation_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'conversation' as kind, old.conversation_id as item_id);
end;
create trigger change_60_calendar_events_insert after insert on calendar_events begin
  delete from changes where (scope, kind, item_id) in (select coalesce(new.effective_context_code, new.context_code) as scope, 'calendar_event' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select coalesce(new.effective_context_code, new.context_code) as scope, 'calendar_event' as kind, new.id as item_id);
end;
create trigger change_60_calendar_events_update after update on calendar_events begin
  delete from changes where (scope, kind, item_id) in (select coalesce(new.effective_context_code, new.context_code) as scope, 'calendar_event' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select coalesce(new.effective_context_code, new.context_code) as scope, 'calendar_event' as kind, new.id as item_id);
end;
create trigger change_60_calendar_events_delete after delete on calendar_events begin
  delete from changes where (scope, kind, item_id) in (select coalesce(old.effective_context_code, old.context_code) as scope, 'calendar_event' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select coalesce(old.effective_context_code, old.context_code) as scope, 'calendar_event' as kind, old.id as item_id);
end;
create trigger change_61_calendar_events_update after update of context_code, effective_context_code on calendar_events when (new.context_code is not old.context_code or new.effective_context_code is not old.effective_context_code) begin
  delete from changes where (scope, kind, item_id) in (select coalesce(old.effective_context_code, old.context_code) as scope, 'calendar_event' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select coalesce(old.effective_context_code, old.context_code) as scope, 'calendar_event' as kind, old.id as item_id);
end;
create trigger change_62_calendar_events_insert after insert on calendar_events when (new.parent_event_id is not null) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select coalesce(o.effective_context_code, o.context_code), 'calendar_event', o.id from calendar_events o where o.id = new.parent_event_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select coalesce(o.effective_context_code, o.context_code), 'calendar_event', o.id from calendar_events o where o.id = new.parent_event_id) select distinct * from chosen);
end;
create trigger change_62_calendar_events_update after update on calendar_events when (new.parent_event_id is not null) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select coalesce(o.effective_context_code, o.context_code), 'calendar_event', o.id from calendar_events o where o.id = new.parent_event_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select coalesce(o.effective_context_code, o.context_code), 'calendar_event', o.id from calendar_events o where o.id = new.parent_event_id) select distinct * from chosen);
end;
create trigger change_62_calendar_events_delete after delete on calendar_events when (old.parent_event_id is not null) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select coalesce(o.effective_context_code, o.context_code), 'calendar_event', o.id from calendar_events o where o.id = old.parent_event_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select coalesce(o.effective_context_code, o.context_code), 'calendar_event', o.id from calendar_events o where o.id = old.parent_event_id) select distinct * from chosen);
end;
create trigger change_63_planner_notes_hands_old after update of user_id on planner_notes when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'planner_note' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'planner_note' as kind, old.id as item_id);
end;
create trigger change_63_planner_notes_insert after insert on planner_notes begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'planner_note' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'planner_note' as kind, new.id as item_id);
end;
create trigger change_63_planner_notes_update after update on planner_notes begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'planner_note' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'planner_note' as kind, new.id as item_id);
end;
create trigger change_63_planner_notes_delete after delete on planner_notes begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'planner_note' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'planner_note' as kind, old.id as item_id);
end;
create trigger change_64_planner_overrides_hands_old after update of user_id on planner_overrides when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'planner_override' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'planner_override' as kind, old.id as item_id);
end;
create trigger change_64_planner_overrides_insert after insert on planner_overrides begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'planner_override' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'planner_override' as kind, new.id as item_id);
end;
create trigger change_64_planner_overrides_update after update on planner_overrides begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'planner_override' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'planner_override' as kind, new.id as item_id);
end;
create trigger change_64_planner_overrides_delete after delete on planner_overrides begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'planner_override' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'planner_override' as kind, old.id as item_id);
end;
create trigger change_65_bookmarks_hands_old after update of user_id on bookmarks when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'bookmark' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'bookmark' as kind, old.id as item_id);
end;
create trigger change_65_bookmarks_insert after insert on bookmarks begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'bookmark' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'bookmark' as kind, new.id as item_id);
end;
create trigger change_65_bookmarks_update after update on bookmarks begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'bookmark' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'bookmark' as kind, new.id as item_id);
end;
create trigger change_65_bookmarks_delete after delete on bookmarks begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'bookmark' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'bookmark' as kind, old.id as item_id);
end;
create trigger change_66_planner_notes_insert after insert on planner_notes begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('planner_note') and p.plannable_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('planner_note') and p.plannable_id = new.id) select distinct * from chosen);
end;
create trigger change_66_planner_notes_update after update of workflow_state on planner_notes when (new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('planner_note') and p.plannable_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('planner_note') and p.plannable_id = new.id) select distinct * from chosen);
end;
create trigger change_66_planner_notes_delete after delete on planner_notes begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('planner_note') and p.plannable_id = old.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('planner_note') and p.plannable_id = old.id) select distinct * from chosen);
end;
create trigger change_67_assignments_insert after insert on assignments begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('assignment') and p.plannable_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('assignment') and p.plannable_id = new.id) select distinct * from chosen);
end;
create trigger change_67_assignments_update after update of workflow_state on assignments when (new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('assignment') and p.plannable_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('assignment') and p.plannable_id = new.id) select distinct * from chosen);
end;
create trigger change_67_assignments_delete after delete on assignments begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('assignment') and p.plannable_id = old.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('assignment') and p.plannable_id = old.id) select distinct * from chosen);
end;
create trigger change_68_pages_insert after insert on pages begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('wiki_page') and p.plannable_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('wiki_page') and p.plannable_id = new.id) select distinct * from chosen);
end;
create trigger change_68_pages_update after update of workflow_state on pages when (new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('wiki_page') and p.plannable_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('wiki_page') and p.plannable_id = new.id) select distinct * from chosen);
end;
create trigger change_68_pages_delete after delete on pages begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('wiki_page') and p.plannable_id = old.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('wiki_page') and p.plannable_id = old.id) select distinct * from chosen);
end;
create trigger change_69_discussion_topics_insert after insert on discussion_topics begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('discussion_topic', 'announcement') and p.plannable_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('discussion_topic', 'announcement') and p.plannable_id = new.id) select distinct * from chosen);
end;
create trigger change_69_discussion_topics_update after update of workflow_state on discussion_topics when (new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('discussion_topic', 'announcement') and p.plannable_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('discussion_topic', 'announcement') and p.plannable_id = new.id) select distinct * from chosen);
end;
create trigger change_69_discussion_topics_delete after delete on discussion_topics begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('discussion_topic', 'announcement') and p.plannable_id = old.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('discussion_topic', 'announcement') and p.plannable_id = old.id) select distinct * from chosen);
end;
create trigger change_70_calendar_events_insert after insert on calendar_events begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('calendar_event') and p.plannable_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('calendar_event') and p.plannable_id = new.id) select distinct * from chosen);
end;
create trigger change_70_calendar_events_update after update of workflow_state on calendar_events when (new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('calendar_event') and p.plannable_id = new.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('calendar_event') and p.plannable_id = new.id) select distinct * from chosen);
end;
create trigger change_70_calendar_events_delete after delete on calendar_events begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('calendar_event') and p.plannable_id = old.id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'planner_override', p.id from planner_overrides p where p.plannable_type in ('calendar_event') and p.plannable_id = old.id) select distinct * from chosen);
end;
create trigger change_71_pages_insert after insert on pages begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'page' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'page' as kind, new.id as item_id);
end;
create trigger change_71_pages_update after update on pages begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'page' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'page' as kind, new.id as item_id);
end;
create trigger change_71_pages_delete after delete on pages begin
  delete from changes where (scope, kind, item_id) in (select lower(old.context_type) || '_' || old.context_id as scope, 'page' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(old.context_type) || '_' || old.context_id as scope, 'page' as kind, old.id as item_id);
end;
create trigger change_72_pages_insert after insert on pages begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Page' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Page' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
end;
create trigger change_72_pages_update after update of title, url, workflow_state, front_page, publish_at on pages when (new.title is not old.title or new.url is not old.url or new.workflow_state is not old.workflow_state or new.front_page is not old.front_page or new.publish_at is not old.publish_at) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Page' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Page' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
end;
create trigger change_72_pages_delete after delete on pages begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Page' and i.content_id = old.id and i.workflow_state = 'active') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Page' and i.content_id = old.id and i.workflow_state = 'active') select distinct * from chosen);
end;
create trigger change_73_folders_insert after insert on folders when (new.context_type <> 'Account') begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.id as item_id);
end;
create trigger change_73_folders_update after update on folders when (new.context_type <> 'Account') and (new.version is old.version) begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.id as item_id);
end;
create trigger change_73_folders_delete after delete on folders when (old.context_type <> 'Account') begin
  delete from changes where (scope, kind, item_id) in (select lower(old.context_type) || '_' || old.context_id as scope, 'folder' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(old.context_type) || '_' || old.context_id as scope, 'folder' as kind, old.id as item_id);
end;
create trigger change_74_folders_update after update of locked, hidden, lock_at, unlock_at on folders when (new.locked is not old.locked or new.hidden is not old.hidden or new.lock_at is not old.lock_at or new.unlock_at is not old.unlock_at) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(f.context_type) || '_' || f.context_id, 'file', f.id from files f
    where f.folder_id in (select new.id union all select d.id from folders d where d.context_type = new.context_type and d.context_id = new.context_id and d.full_name > new.full_name || '/' and d.full_name < new.full_name || '0')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(f.context_type) || '_' || f.context_id, 'file', f.id from files f
    where f.folder_id in (select new.id union all select d.id from folders d where d.context_type = new.context_type and d.context_id = new.context_id and d.full_name > new.full_name || '/' and d.full_name < new.full_name || '0')) select distinct * from chosen);
end;
create trigger change_75_folders_update after update of locked, hidden, lock_at, unlock_at on folders when (new.locked is not old.locked or new.hidden is not old.hidden or new.lock_at is not old.lock_at or new.unlock_at is not old.unlock_at) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(d.context_type) || '_' || d.context_id, 'folder', d.id from folders d where d.context_type = new.context_type and d.context_id = new.context_id and d.full_name > new.full_name || '/' and d.full_name < new.full_name || '0') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(d.context_type) || '_' || d.context_id, 'folder', d.id from folders d where d.context_type = new.context_type and d.context_id = new.context_id and d.full_name > new.full_name || '/' and d.full_name < new.full_name || '0') select distinct * from chosen);
end;
create trigger change_76_folders_update after update of parent_folder_id on folders when (exists (select 1 from folders r where r.context_type = new.context_type and r.context_id = new.context_id
    and r.workflow_state = 'visible' and (r.hidden = 1 or r.locked = 1 or r.lock_at is not null or r.unlock_at is not null))) and (new.parent_folder_id is not old.parent_folder_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select lower(f.context_type) || '_' || f.context_id, 'file', f.id from files f
    where f.folder_id in (select new.id union all select d.id from folders d where d.context_type = new.context_type and d.context_id = new.context_id and d.full_name > new.full_name || '/' and d.full_name < new.full_name || '0') union all select lower(d.context_type) || '_' || d.context_id, 'folder', d.id from folders d where d.context_type = new.context_type and d.context_id = new.context_id and d.full_name > new.full_name || '/' and d.full_name < new.full_name || '0') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select lower(f.context_type) || '_' || f.context_id, 'file', f.id from files f
    where f.folder_id in (select new.id union all select d.id from folders d where d.context_type = new.context_type and d.context_id = new.context_id and d.full_name > new.full_name || '/' and d.full_name < new.full_name || '0') union all select lower(d.context_type) || '_' || d.context_id, 'folder', d.id from folders d where d.context_type = new.context_type and d.context_id = new.context_id and d.full_name > new.full_name || '/' and d.full_name < new.full_name || '0') select distinct * from chosen);
end;
create trigger change_77_folders_insert after insert on folders when (new.parent_folder_id is not null and new.context_type <> 'Account') begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.parent_folder_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.parent_folder_id as item_id);
end;
create trigger change_77_folders_update after update of locked, hidden, lock_at, unlock_at on folders when (new.parent_folder_id is not null and new.context_type <> 'Account') and (new.locked is not old.locked or new.hidden is not old.hidden or new.lock_at is not old.lock_at or new.unlock_at is not old.unlock_at) begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.parent_folder_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.parent_folder_id as item_id);
end;
create trigger change_77_folders_delete after delete on folders when (old.parent_folder_id is not null and old.context_type <> 'Account') begin
  delete from changes where (scope, kind, item_id) in (select lower(old.context_type) || '_' || old.context_id as scope, 'folder' as kind, old.parent_folder_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(old.context_type) || '_' || old.context_id as scope, 'folder' as kind, old.parent_folder_id as item_id);
end;
create trigger change_78_files_insert after insert on files when (new.workflow_state <> 'pending' and new.context_type <> 'Account') begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'file' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'file' as kind, new.id as item_id);
end;
create trigger change_78_files_update after update on files when (new.workflow_state <> 'pending' and new.context_type <> 'Account') and (new.version is old.version and (new.workflow_state <> 'deleted' or old.workflow_state <> 'deleted')) begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'file' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'file' as kind, new.id as item_id);
end;
create trigger change_78_files_delete after delete on files when (old.workflow_state <> 'pending' and old.context_type <> 'Account') begin
  delete from changes where (scope, kind, item_id) in (select lower(old.context_type) || '_' || old.context_id as scope, 'file' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(old.context_type) || '_' || old.context_id as scope, 'file' as kind, old.id as item_id);
end;
create trigger change_79_files_insert after insert on files when (new.workflow_state <> 'pending' and new.context_type <> 'Account') begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.folder_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.folder_id as item_id);
end;
create trigger change_79_files_update after update of workflow_state, locked, hidden, lock_at, unlock_at, folder_id on files when (new.workflow_state <> 'pending' and new.context_type <> 'Account') and (new.workflow_state is not old.workflow_state or new.locked is not old.locked or new.hidden is not old.hidden or new.lock_at is not old.lock_at or new.unlock_at is not old.unlock_at or new.folder_id is not old.folder_id) begin
  delete from changes where (scope, kind, item_id) in (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.folder_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(new.context_type) || '_' || new.context_id as scope, 'folder' as kind, new.folder_id as item_id);
end;
create trigger change_79_files_delete after delete on files when (old.workflow_state <> 'pending' and old.context_type <> 'Account') begin
  delete from changes where (scope, kind, item_id) in (select lower(old.context_type) || '_' || old.context_id as scope, 'folder' as kind, old.folder_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select lower(old.context_type) || '_' || old.context_id as scope, 'folder' as kind, old.folder_id as item_id);
end;
create trigger change_80_files_insert after insert on files when (new.workflow_state <> 'pending') begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'File' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'File' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
end;
create trigger change_80_files_update after update of display_name, workflow_state, locked, hidden, lock_at, unlock_at, usage_rights on files when (new.workflow_state <> 'pending') and (new.display_name is not old.display_name or new.workflow_state is not old.workflow_state or new.locked is not old.locked or new.hidden is not old.hidden or new.lock_at is not old.lock_at or new.unlock_at is not old.unlock_at or new.usage_rights is not old.usage_rights) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'File' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'File' and i.content_id = new.id and i.workflow_state = 'active') select distinct * from chosen);
end;
create trigger change_80_files_delete after delete on files when (old.workflow_state <> 'pending') begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'File' and i.content_id = old.id and i.workflow_state = 'active') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select distinct 'course_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'File' and i.content_id = old.id and i.workflow_state = 'active') select distinct * from chosen);
end;
create trigger change_81_groups_insert after insert on groups begin
  delete from changes where (scope, kind, item_id) in (select 'group_' || new.id as scope, 'group' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'group_' || new.id as scope, 'group' as kind, new.id as item_id);
end;
create trigger change_81_groups_update after update on groups begin
  delete from changes where (scope, kind, item_id) in (select 'group_' || new.id as scope, 'group' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'group_' || new.id as scope, 'group' as kind, new.id as item_id);
end;
create trigger change_81_groups_delete after delete on groups begin
  delete from changes where (scope, kind, item_id) in (select 'group_' || old.id as scope, 'group' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'group_' || old.id as scope, 'group' as kind, old.id as item_id);
end;
create trigger change_82_group_memberships_insert after insert on group_memberships begin
  delete from changes where (scope, kind, item_id) in (select 'group_' || new.group_id as scope, 'group_membership' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'group_' || new.group_id as scope, 'group_membership' as kind, new.id as item_id);
end;
create trigger change_82_group_memberships_update after update of user_id, workflow_state, moderator, sis_import_id on group_memberships when (new.user_id is not old.user_id or new.workflow_state is not old.workflow_state or new.moderator is not old.moderator or new.sis_import_id is not old.sis_import_id) begin
  delete from changes where (scope, kind, item_id) in (select 'group_' || new.group_id as scope, 'group_membership' as kind, new.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'group_' || new.group_id as scope, 'group_membership' as kind, new.id as item_id);
end;
create trigger change_82_group_memberships_delete after delete on group_memberships begin
  delete from changes where (scope, kind, item_id) in (select 'group_' || old.group_id as scope, 'group_membership' as kind, old.id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'group_' || old.group_id as scope, 'group_membership' as kind, old.id as item_id);
end;
create trigger change_83_groups_update after update of sis_group_id on groups when (new.sis_group_id is not old.sis_group_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'group_' || new.id, 'group_membership', m.id from group_memberships m where m.group_id = new.id and m.workflow_state not in ('deleted', 'rejected')) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'group_' || new.id, 'group_membership', m.id from group_memberships m where m.group_id = new.id and m.workflow_state not in ('deleted', 'rejected')) select distinct * from chosen);
end;
create trigger change_84_groups_update after update of name on groups when (new.name is not old.name) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = 'group_' || new.id and e.workflow_state <> 'deleted') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select coalesce(e.effective_context_code, e.context_code), 'calendar_event', e.id from calendar_events e where e.context_code = 'group_' || new.id and e.workflow_state <> 'deleted') select distinct * from chosen);
end;
create trigger change_85_groups_update after update of name on groups when (new.name is not old.name) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'conversation', p.conversation_id from conversations c join conversation_participants p on p.conversation_id = c.id where c.context_type = 'Group' and c.context_id = new.id and c.context_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || p.user_id, 'conversation', p.conversation_id from conversations c join conversation_participants p on p.conversation_id = c.id where c.context_type = 'Group' and c.context_id = new.id and c.context_id is not null) select distinct * from chosen);
end;
create trigger change_86_courses_update after update of name, workflow_state on courses when (new.name is not old.name or new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'group_' || g.id, 'group', g.id from groups g where g.context_type = 'Course' and g.context_id = new.id and g.workflow_state = 'available') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'group_' || g.id, 'group', g.id from groups g where g.context_type = 'Course' and g.context_id = new.id and g.workflow_state = 'available') select distinct * from chosen);
end;
create trigger change_87_accounts_update after update of name on accounts when (new.name is not old.name) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'group_' || g.id, 'group', g.id from groups g where g.context_type = 'Account' and g.context_id = new.id and g.workflow_state = 'available') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'group_' || g.id, 'group', g.id from groups g where g.context_type = 'Account' and g.context_id = new.id and g.workflow_state = 'available') select distinct * from chosen);
end;
create trigger change_88_users_update after update of name, short_name, pronouns, avatar_url on users when (new.name is not old.name or new.short_name is not old.short_name or new.pronouns is not old.pronouns or new.avatar_url is not old.avatar_url) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'group_' || g.id, 'group', g.id from groups g where g.leader_id = new.id and g.workflow_state = 'available') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'group_' || g.id, 'group', g.id from groups g where g.leader_id = new.id and g.workflow_state = 'available') select distinct * from chosen);
end;
create trigger change_89_files_update after update of uuid, workflow_state on files when (new.uuid is not old.uuid or new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'group_' || g.id, 'group', g.id from groups g where g.avatar_id = new.id and g.workflow_state = 'available') select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'group_' || g.id, 'group', g.id from groups g where g.avatar_id = new.id and g.workflow_state = 'available') select distinct * from chosen);
end;
create trigger change_90_group_memberships_hands_old after update of user_id on group_memberships when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
      cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      cross join group_memberships m on m.user_id = other.user_id and m.group_id = old.group_id
      cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
      where mine.user_id = old.user_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
      cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      cross join group_memberships m on m.user_id = other.user_id and m.group_id = old.group_id
      cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
      where mine.user_id = old.user_id) select distinct * from chosen);
end;
create trigger change_90_group_memberships_insert after insert on group_memberships begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
      cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      cross join group_memberships m on m.user_id = other.user_id and m.group_id = new.group_id
      cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
      where mine.user_id = new.user_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
      cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      cross join group_memberships m on m.user_id = other.user_id and m.group_id = new.group_id
      cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
      where mine.user_id = new.user_id) select distinct * from chosen);
end;
create trigger change_90_group_memberships_update after update of user_id, workflow_state on group_memberships when (new.user_id is not old.user_id or new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
      cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      cross join group_memberships m on m.user_id = other.user_id and m.group_id = new.group_id
      cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
      where mine.user_id = new.user_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
      cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      cross join group_memberships m on m.user_id = other.user_id and m.group_id = new.group_id
      cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
      where mine.user_id = new.user_id) select distinct * from chosen);
end;
create trigger change_90_group_memberships_delete after delete on group_memberships begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
      cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      cross join group_memberships m on m.user_id = other.user_id and m.group_id = old.group_id
      cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
      where mine.user_id = old.user_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
      cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      cross join group_memberships m on m.user_id = other.user_id and m.group_id = old.group_id
      cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
      where mine.user_id = old.user_id) select distinct * from chosen);
end;
create trigger change_91_submissions_hands_old after update of user_id on submissions when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = old.user_id and m.workflow_state = 'accepted'
      where a.id = old.assignment_id and a.group_category_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = old.user_id and m.workflow_state = 'accepted'
      where a.id = old.assignment_id and a.group_category_id is not null) select distinct * from chosen);
end;
create trigger change_91_submissions_hands_new after update of user_id on submissions when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = new.user_id and m.workflow_state = 'accepted'
      where a.id = new.assignment_id and a.group_category_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = new.user_id and m.workflow_state = 'accepted'
      where a.id = new.assignment_id and a.group_category_id is not null) select distinct * from chosen);
end;
create trigger change_91_submissions_insert after insert on submissions begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = new.user_id and m.workflow_state = 'accepted'
      where a.id = new.assignment_id and a.group_category_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = new.user_id and m.workflow_state = 'accepted'
      where a.id = new.assignment_id and a.group_category_id is not null) select distinct * from chosen);
end;
create trigger change_91_submissions_update after update of submission_type on submissions when (new.submission_type is not old.submission_type) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = new.user_id and m.workflow_state = 'accepted'
      where a.id = new.assignment_id and a.group_category_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = new.user_id and m.workflow_state = 'accepted'
      where a.id = new.assignment_id and a.group_category_id is not null) select distinct * from chosen);
end;
create trigger change_91_submissions_delete after delete on submissions begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = old.user_id and m.workflow_state = 'accepted'
      where a.id = old.assignment_id and a.group_category_id is not null) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'group_' || m.group_id, 'group', m.group_id from assignments a cross join group_memberships m on m.group_category_id = a.group_category_id and m.user_id = old.user_id and m.workflow_state = 'accepted'
      where a.id = old.assignment_id and a.group_category_id is not null) select distinct * from chosen);
end;
create trigger change_92_group_memberships_hands_old after update of user_id on group_memberships when (new.user_id <> old.user_id) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'assignment', o.assignment_id from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id where g.id = old.group_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'assignment', o.assignment_id from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id where g.id = old.group_id) select distinct * from chosen);
end;
create trigger change_92_group_memberships_insert after insert on group_memberships begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'assignment', o.assignment_id from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id where g.id = new.group_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'assignment', o.assignment_id from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id where g.id = new.group_id) select distinct * from chosen);
end;
create trigger change_92_group_memberships_update after update of user_id, workflow_state on group_memberships when (new.user_id is not old.user_id or new.workflow_state is not old.workflow_state) begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'assignment', o.assignment_id from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id where g.id = new.group_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || new.user_id, 'assignment', o.assignment_id from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id where g.id = new.group_id) select distinct * from chosen);
end;
create trigger change_92_group_memberships_delete after delete on group_memberships begin
  delete from changes where (scope, kind, item_id) in (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'assignment', o.assignment_id from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id where g.id = old.group_id) select distinct * from chosen);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (with chosen(scope, kind, item_id) as (select 'user_' || old.user_id, 'assignment', o.assignment_id from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id where g.id = old.group_id) select distinct * from chosen);
end;
create trigger change_93_favorites_hands_old after update of user_id on favorites when (new.user_id <> old.user_id) and (old.context_type = 'Group') begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'group' as kind, old.context_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'group' as kind, old.context_id as item_id);
end;
create trigger change_93_favorites_insert after insert on favorites when (new.context_type = 'Group') begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'group' as kind, new.context_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'group' as kind, new.context_id as item_id);
end;
create trigger change_93_favorites_update after update on favorites when (new.context_type = 'Group') begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || new.user_id as scope, 'group' as kind, new.context_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || new.user_id as scope, 'group' as kind, new.context_id as item_id);
end;
create trigger change_93_favorites_delete after delete on favorites when (old.context_type = 'Group') begin
  delete from changes where (scope, kind, item_id) in (select 'user_' || old.user_id as scope, 'group' as kind, old.context_id as item_id);
  insert into changes (scope, kind, item_id, op, changed_at) select scope, kind, item_id, 'delete', strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select 'user_' || old.user_id as scope, 'group' as kind, old.context_id as item_id);
end;
create trigger mark_log after insert on changes when not exists (select 1 from log_marks where log_marks.changed_at = new.changed_at) begin
  insert into log_marks (changed_at, nonce, first_seq) values (new.changed_at, lower(hex(randomblob(8))), new.seq);
end;
create trigger moment_assignments_assignment_unlock_at_insert after insert on assignments begin
  delete from moments where kind = 'assignment' and item_id = new.id and scope = 'course_' || new.course_id and field = 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.id, 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_assignments_assignment_unlock_at_update after update of unlock_at on assignments begin
  delete from moments where kind = 'assignment' and item_id = new.id and scope = 'course_' || new.course_id and field = 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.id, 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_assignments_assignment_unlock_at_delete after delete on assignments begin
  delete from moments where kind = 'assignment' and item_id = old.id and scope = 'course_' || old.course_id and field = 'unlock_at';
end;
create trigger moment_assignments_assignment_lock_at_insert after insert on assignments begin
  delete from moments where kind = 'assignment' and item_id = new.id and scope = 'course_' || new.course_id and field = 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.id, 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_assignments_assignment_lock_at_update after update of lock_at on assignments begin
  delete from moments where kind = 'assignment' and item_id = new.id and scope = 'course_' || new.course_id and field = 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.id, 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_assignments_assignment_lock_at_delete after delete on assignments begin
  delete from moments where kind = 'assignment' and item_id = old.id and scope = 'course_' || old.course_id and field = 'lock_at';
end;
create trigger moment_assignments_assignment_due_at_insert after insert on assignments begin
  delete from moments where kind = 'assignment' and item_id = new.id and scope = 'course_' || new.course_id and field = 'due_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.id, 'due_at', new.due_at where new.due_at is not null;
end;
create trigger moment_assignments_assignment_due_at_update after update of due_at on assignments begin
  delete from moments where kind = 'assignment' and item_id = new.id and scope = 'course_' || new.course_id and field = 'due_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.id, 'due_at', new.due_at where new.due_at is not null;
end;
create trigger moment_assignments_assignment_due_at_delete after delete on assignments begin
  delete from moments where kind = 'assignment' and item_id = old.id and scope = 'course_' || old.course_id and field = 'due_at';
end;
create trigger moment_assignment_overrides_assignment_unlock_at_insert after insert on assignment_overrides begin
  delete from moments where kind = 'assignment' and item_id = new.assignment_id and scope = 'course_' || new.course_id and field = 'override_' || new.id || '_' || 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.assignment_id, 'override_' || new.id || '_' || 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_assignment_overrides_assignment_unlock_at_update after update of unlock_at on assignment_overrides begin
  delete from moments where kind = 'assignment' and item_id = new.assignment_id and scope = 'course_' || new.course_id and field = 'override_' || new.id || '_' || 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.assignment_id, 'override_' || new.id || '_' || 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_assignment_overrides_assignment_unlock_at_delete after delete on assignment_overrides begin
  delete from moments where kind = 'assignment' and item_id = old.assignment_id and scope = 'course_' || old.course_id and field = 'override_' || old.id || '_' || 'unlock_at';
end;
create trigger moment_assignment_overrides_assignment_lock_at_insert after insert on assignment_overrides begin
  delete from moments where kind = 'assignment' and item_id = new.assignment_id and scope = 'course_' || new.course_id and field = 'override_' || new.id || '_' || 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.assignment_id, 'override_' || new.id || '_' || 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_assignment_overrides_assignment_lock_at_update after update of lock_at on assignment_overrides begin
  delete from moments where kind = 'assignment' and item_id = new.assignment_id and scope = 'course_' || new.course_id and field = 'override_' || new.id || '_' || 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.assignment_id, 'override_' || new.id || '_' || 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_assignment_overrides_assignment_lock_at_delete after delete on assignment_overrides begin
  delete from moments where kind = 'assignment' and item_id = old.assignment_id and scope = 'course_' || old.course_id and field = 'override_' || old.id || '_' || 'lock_at';
end;
create trigger moment_assignment_overrides_assignment_due_at_insert after insert on assignment_overrides begin
  delete from moments where kind = 'assignment' and item_id = new.assignment_id and scope = 'course_' || new.course_id and field = 'override_' || new.id || '_' || 'due_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.assignment_id, 'override_' || new.id || '_' || 'due_at', new.due_at where new.due_at is not null;
end;
create trigger moment_assignment_overrides_assignment_due_at_update after update of due_at on assignment_overrides begin
  delete from moments where kind = 'assignment' and item_id = new.assignment_id and scope = 'course_' || new.course_id and field = 'override_' || new.id || '_' || 'due_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'assignment', new.assignment_id, 'override_' || new.id || '_' || 'due_at', new.due_at where new.due_at is not null;
end;
create trigger moment_assignment_overrides_assignment_due_at_delete after delete on assignment_overrides begin
  delete from moments where kind = 'assignment' and item_id = old.assignment_id and scope = 'course_' || old.course_id and field = 'override_' || old.id || '_' || 'due_at';
end;
create trigger moment_modules_module_unlock_at_insert after insert on modules begin
  delete from moments where kind = 'module' and item_id = new.id and scope = 'course_' || new.course_id and field = 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'module', new.id, 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_modules_module_unlock_at_update after update of unlock_at on modules begin
  delete from moments where kind = 'module' and item_id = new.id and scope = 'course_' || new.course_id and field = 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select 'course_' || new.course_id, 'module', new.id, 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_modules_module_unlock_at_delete after delete on modules begin
  delete from moments where kind = 'module' and item_id = old.id and scope = 'course_' || old.course_id and field = 'unlock_at';
end;
create trigger moment_discussion_topics_discussion_topic_delayed_post_at_insert after insert on discussion_topics begin
  delete from moments where kind = 'discussion_topic' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'delayed_post_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'discussion_topic', new.id, 'delayed_post_at', new.delayed_post_at where new.delayed_post_at is not null;
end;
create trigger moment_discussion_topics_discussion_topic_delayed_post_at_update after update of delayed_post_at on discussion_topics begin
  delete from moments where kind = 'discussion_topic' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'delayed_post_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'discussion_topic', new.id, 'delayed_post_at', new.delayed_post_at where new.delayed_post_at is not null;
end;
create trigger moment_discussion_topics_discussion_topic_delayed_post_at_delete after delete on discussion_topics begin
  delete from moments where kind = 'discussion_topic' and item_id = old.id and scope = lower(old.context_type) || '_' || old.context_id and field = 'delayed_post_at';
end;
create trigger moment_discussion_topics_discussion_topic_lock_at_insert after insert on discussion_topics begin
  delete from moments where kind = 'discussion_topic' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'discussion_topic', new.id, 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_discussion_topics_discussion_topic_lock_at_update after update of lock_at on discussion_topics begin
  delete from moments where kind = 'discussion_topic' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'discussion_topic', new.id, 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_discussion_topics_discussion_topic_lock_at_delete after delete on discussion_topics begin
  delete from moments where kind = 'discussion_topic' and item_id = old.id and scope = lower(old.context_type) || '_' || old.context_id and field = 'lock_at';
end;
create trigger moment_pages_page_publish_at_insert after insert on pages begin
  delete from moments where kind = 'page' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'publish_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'page', new.id, 'publish_at', new.publish_at where new.publish_at is not null;
end;
create trigger moment_pages_page_publish_at_update after update of publish_at on pages begin
  delete from moments where kind = 'page' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'publish_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'page', new.id, 'publish_at', new.publish_at where new.publish_at is not null;
end;
create trigger moment_pages_page_publish_at_delete after delete on pages begin
  delete from moments where kind = 'page' and item_id = old.id and scope = lower(old.context_type) || '_' || old.context_id and field = 'publish_at';
end;
create trigger moment_folders_folder_unlock_at_insert after insert on folders begin
  delete from moments where kind = 'folder' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'folder', new.id, 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_folders_folder_unlock_at_update after update of unlock_at on folders begin
  delete from moments where kind = 'folder' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'folder', new.id, 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_folders_folder_unlock_at_delete after delete on folders begin
  delete from moments where kind = 'folder' and item_id = old.id and scope = lower(old.context_type) || '_' || old.context_id and field = 'unlock_at';
end;
create trigger moment_folders_folder_lock_at_insert after insert on folders begin
  delete from moments where kind = 'folder' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'folder', new.id, 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_folders_folder_lock_at_update after update of lock_at on folders begin
  delete from moments where kind = 'folder' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'folder', new.id, 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_folders_folder_lock_at_delete after delete on folders begin
  delete from moments where kind = 'folder' and item_id = old.id and scope = lower(old.context_type) || '_' || old.context_id and field = 'lock_at';
end;
create trigger moment_account_notifications_account_notification_start_at_insert after insert on account_notifications begin
  delete from moments where kind = 'account_notification' and item_id = new.id and scope = 'accounts' and field = 'start_at';
  insert into moments (scope, kind, item_id, field, at) select 'accounts', 'account_notification', new.id, 'start_at', new.start_at where new.start_at is not null;
end;
create trigger moment_account_notifications_account_notification_start_at_update after update of start_at on account_notifications begin
  delete from moments where kind = 'account_notification' and item_id = new.id and scope = 'accounts' and field = 'start_at';
  insert into moments (scope, kind, item_id, field, at) select 'accounts', 'account_notification', new.id, 'start_at', new.start_at where new.start_at is not null;
end;
create trigger moment_account_notifications_account_notification_start_at_delete after delete on account_notifications begin
  delete from moments where kind = 'account_notification' and item_id = old.id and scope = 'accounts' and field = 'start_at';
end;
create trigger moment_account_notifications_account_notification_end_at_insert after insert on account_notifications begin
  delete from moments where kind = 'account_notification' and item_id = new.id and scope = 'accounts' and field = 'end_at';
  insert into moments (scope, kind, item_id, field, at) select 'accounts', 'account_notification', new.id, 'end_at', new.end_at where new.end_at is not null;
end;
create trigger moment_account_notifications_account_notification_end_at_update after update of end_at on account_notifications begin
  delete from moments where kind = 'account_notification' and item_id = new.id and scope = 'accounts' and field = 'end_at';
  insert into moments (scope, kind, item_id, field, at) select 'accounts', 'account_notification', new.id, 'end_at', new.end_at where new.end_at is not null;
end;
create trigger moment_account_notifications_account_notification_end_at_delete after delete on account_notifications begin
  delete from moments where kind = 'account_notification' and item_id = old.id and scope = 'accounts' and field = 'end_at';
end;
create trigger moment_files_file_unlock_at_insert after insert on files begin
  delete from moments where kind = 'file' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'file', new.id, 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_files_file_unlock_at_update after update of unlock_at on files begin
  delete from moments where kind = 'file' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'file', new.id, 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_files_file_unlock_at_delete after delete on files begin
  delete from moments where kind = 'file' and item_id = old.id and scope = lower(old.context_type) || '_' || old.context_id and field = 'unlock_at';
end;
create trigger moment_files_file_lock_at_insert after insert on files begin
  delete from moments where kind = 'file' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'file', new.id, 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_files_file_lock_at_update after update of lock_at on files begin
  delete from moments where kind = 'file' and item_id = new.id and scope = lower(new.context_type) || '_' || new.context_id and field = 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'file', new.id, 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_files_file_lock_at_delete after delete on files begin
  delete from moments where kind = 'file' and item_id = old.id and scope = lower(old.context_type) || '_' || old.context_id and field = 'lock_at';
end;
create trigger moment_files_folder_unlock_at_insert after insert on files begin
  delete from moments where kind = 'folder' and item_id = new.folder_id and scope = lower(new.context_type) || '_' || new.context_id and field = 'file_' || new.id || '_' || 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'folder', new.folder_id, 'file_' || new.id || '_' || 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_files_folder_unlock_at_update after update of unlock_at on files begin
  delete from moments where kind = 'folder' and item_id = new.folder_id and scope = lower(new.context_type) || '_' || new.context_id and field = 'file_' || new.id || '_' || 'unlock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'folder', new.folder_id, 'file_' || new.id || '_' || 'unlock_at', new.unlock_at where new.unlock_at is not null;
end;
create trigger moment_files_folder_unlock_at_delete after delete on files begin
  delete from moments where kind = 'folder' and item_id = old.folder_id and scope = lower(old.context_type) || '_' || old.context_id and field = 'file_' || old.id || '_' || 'unlock_at';
end;
create trigger moment_files_folder_lock_at_insert after insert on files begin
  delete from moments where kind = 'folder' and item_id = new.folder_id and scope = lower(new.context_type) || '_' || new.context_id and field = 'file_' || new.id || '_' || 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'folder', new.folder_id, 'file_' || new.id || '_' || 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_files_folder_lock_at_update after update of lock_at on files begin
  delete from moments where kind = 'folder' and item_id = new.folder_id and scope = lower(new.context_type) || '_' || new.context_id and field = 'file_' || new.id || '_' || 'lock_at';
  insert into moments (scope, kind, item_id, field, at) select lower(new.context_type) || '_' || new.context_id, 'folder', new.folder_id, 'file_' || new.id || '_' || 'lock_at', new.lock_at where new.lock_at is not null;
end;
create trigger moment_files_folder_lock_at_delete after delete on files begin
  delete from moments where kind = 'folder' and item_id = old.folder_id and scope = lower(old.context_type) || '_' || old.context_id and field = 'file_' || old.id || '_' || 'lock_at';
end;
create trigger copy_account_insert after insert on accounts when new.workflow_state <> 'deleted' begin
  insert or ignore into account_ancestors (ancestor_id, account_id) values (new.id, new.id);
  insert or ignore into account_ancestors (ancestor_id, account_id)
    select up.ancestor_id, down.account_id from account_ancestors up cross join account_ancestors down
    where up.account_id = new.parent_account_id and down.ancestor_id = new.id;
end;
create trigger copy_account_move after update of parent_account_id on accounts when new.parent_account_id is not old.parent_account_id begin
  delete from account_ancestors where account_id in (select t.account_id from account_ancestors t where t.ancestor_id = new.id)
    and ancestor_id not in (select t.account_id from account_ancestors t where t.ancestor_id = new.id);
  insert or ignore into account_ancestors (ancestor_id, account_id)
    select up.ancestor_id, down.account_id from account_ancestors up cross join account_ancestors down
    where up.account_id = new.parent_account_id and down.ancestor_id = new.id;
end;
create trigger copy_account_restore after update of workflow_state on accounts when new.workflow_state <> 'deleted' and old.workflow_state = 'deleted' begin
  insert or ignore into account_ancestors (ancestor_id, account_id) values (new.id, new.id);
  insert or ignore into account_ancestors (ancestor_id, account_id)
    select up.ancestor_id, down.account_id from account_ancestors up cross join account_ancestors down
    where up.account_id = new.parent_account_id and down.ancestor_id = new.id;
end;
create trigger copy_account_state after update of workflow_state on accounts when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  delete from account_ancestors where account_id = new.id;
end;
create trigger copy_account_delete after delete on accounts begin
  delete from account_ancestors where account_id = old.id;
end;
create trigger copy_child_count_insert after insert on accounts begin
  update accounts set sub_account_count = sub_account_count + 1 where id = new.parent_account_id and new.workflow_state <> 'deleted';
end;
create trigger copy_child_count_update after update of workflow_state, parent_account_id on accounts begin
  update accounts set sub_account_count = sub_account_count - 1 where id = old.parent_account_id and old.workflow_state <> 'deleted';
  update accounts set sub_account_count = sub_account_count + 1 where id = new.parent_account_id and new.workflow_state <> 'deleted';
end;
create trigger copy_child_count_delete after delete on accounts begin
  update accounts set sub_account_count = sub_account_count - 1 where id = old.parent_account_id and old.workflow_state <> 'deleted';
end;
create trigger copy_calendars_insert after insert on account_ancestors when exists (select 1 from accounts a where a.id = new.account_id and a.calendar_visible) begin
  update accounts set visible_calendar_count = visible_calendar_count + 1 where id = new.ancestor_id;
end;
create trigger copy_calendars_delete after delete on account_ancestors when exists (select 1 from accounts a where a.id = old.account_id and a.calendar_visible) begin
  update accounts set visible_calendar_count = visible_calendar_count - 1 where id = old.ancestor_id;
end;
create trigger copy_calendars_shown after update of calendar_visible on accounts when new.calendar_visible is not old.calendar_visible begin
  update accounts set visible_calendar_count = visible_calendar_count + new.calendar_visible - old.calendar_visible
    where id in (select t.ancestor_id from account_ancestors t where t.account_id = new.id);
end;
create trigger copy_course_insert after insert on courses begin
  insert or ignore into account_courses (account_id, course_id, name, sis_course_id, teacher, account_name, term)
    select up.ancestor_id, c.id, c.name, coalesce(c.sis_course_id, ''), coalesce((select e.sortable_name from enrollments e where e.course_id = c.id and e.type = 'TeacherEnrollment' and e.enrollment_state in ('active', 'invited') order by e.sortable_name limit 1), ''), a.name, t.name
    from account_ancestors up cross join courses c on c.account_id = up.account_id cross join accounts a on a.id = c.account_id cross join terms t on t.id = c.enrollment_term_id
    where up.account_id = new.account_id and c.id = new.id;
end;
create trigger copy_course_move after update of account_id on courses when new.account_id is not old.account_id begin
  delete from account_courses where course_id = new.id;
  insert or ignore into account_courses (account_id, course_id, name, sis_course_id, teacher, account_name, term)
    select up.ancestor_id, c.id, c.name, coalesce(c.sis_course_id, ''), coalesce((select e.sortable_name from enrollments e where e.course_id = c.id and e.type = 'TeacherEnrollment' and e.enrollment_state in ('active', 'invited') order by e.sortable_name limit 1), ''), a.name, t.name
    from account_ancestors up cross join courses c on c.account_id = up.account_id cross join accounts a on a.id = c.account_id cross join terms t on t.id = c.enrollment_term_id
    where up.account_id = new.account_id and c.id = new.id;
end;
create trigger copy_course_words after update of name, sis_course_id, enrollment_term_id on courses when new.name is not old.name or new.sis_course_id is not old.sis_course_id or new.enrollment_term_id is not old.enrollment_term_id begin
  update account_courses set name = new.name, sis_course_id = coalesce(new.sis_course_id, ''), term = (select t.name from terms t where t.id = new.enrollment_term_id)
    where course_id = new.id;
end;
create trigger copy_course_delete after delete on courses begin
  delete from account_courses where course_id = old.id;
end;
create trigger copy_courses_below after insert on account_ancestors begin
  insert or ignore into account_courses (account_id, course_id, name, sis_course_id, teacher, account_name, term)
    select up.ancestor_id, c.id, c.name, coalesce(c.sis_course_id, ''), coalesce((select e.sortable_name from enrollments e where e.course_id = c.id and e.type = 'TeacherEnrollment' and e.enrollment_state in ('active', 'invited') order by e.sortable_name limit 1), ''), a.name, t.name
    from account_ancestors up cross join courses c on c.account_id = up.account_id cross join accounts a on a.id = c.account_id cross join terms t on t.id = c.enrollment_term_id
    where up.ancestor_id = new.ancestor_id and up.account_id = new.account_id;
end;
create trigger copy_courses_away after delete on account_ancestors begin
  delete from account_courses where account_id = old.ancestor_id and course_id in (select c.id from courses c where c.account_id = old.account_id);
end;
create trigger copy_account_name after update of name on accounts when new.name is not old.name begin
  update account_courses set account_name = new.name where course_id in (select c.id from courses c where c.account_id = new.id);
end;
create trigger copy_term_name after update of name on terms when new.name is not old.name begin
  update account_courses set term = new.name where course_id in (select c.id from courses c where c.enrollment_term_id = new.id);
end;
create trigger copy_teacher_insert after insert on enrollments when (new.type = 'TeacherEnrollment') begin
  update account_courses set teacher = coalesce((select e.sortable_name from enrollments e where e.course_id = new.course_id and e.type = 'TeacherEnrollment' and e.enrollment_state in ('active', 'invited') order by e.sortable_name limit 1), '') where course_id = new.course_id;
end;
create trigger copy_teacher_update after update of enrollment_state, sortable_name, course_id, type on enrollments when (new.type = 'TeacherEnrollment' or old.type = 'TeacherEnrollment') begin
  update account_courses set teacher = coalesce((select e.sortable_name from enrollments e where e.course_id = new.course_id and e.type = 'TeacherEnrollment' and e.enrollment_state in ('active', 'invited') order by e.sortable_name limit 1), '') where course_id = new.course_id;
end;
create trigger copy_teacher_update_left after update of enrollment_state, sortable_name, course_id, type on enrollments when (new.type = 'TeacherEnrollment' or old.type = 'TeacherEnrollment') and new.course_id <> old.course_id begin
  update account_courses set teacher = coalesce((select e.sortable_name from enrollments e where e.course_id = old.course_id and e.type = 'TeacherEnrollment' and e.enrollment_state in ('active', 'invited') order by e.sortable_name limit 1), '') where course_id = old.course_id;
end;
create trigger copy_teacher_delete after delete on enrollments when (old.type = 'TeacherEnrollment') begin
  update account_courses set teacher = coalesce((select e.sortable_name from enrollments e where e.course_id = old.course_id and e.type = 'TeacherEnrollment' and e.enrollment_state in ('active', 'invited') order by e.sortable_name limit 1), '') where course_id = old.course_id;
end;
create trigger copy_appointments_in after insert on appointment_group_contexts begin
  update appointment_group_contexts set ends_at = coalesce((select g.end_at from appointment_groups g where g.id = new.appointment_group_id and g.workflow_state <> 'deleted'), '') where id = new.id;
end;
create trigger copy_appointments_end after update of end_at, workflow_state on appointment_groups when new.end_at is not old.end_at or new.workflow_state is not old.workflow_state begin
  update appointment_group_contexts set ends_at = coalesce((select g.end_at from appointment_groups g where g.id = new.id and g.workflow_state <> 'deleted'), '') where appointment_group_id = new.id;
end;
create trigger copy_person after update of sortable_name, sort_email, sort_sis_id, last_login on users when new.sortable_name is not old.sortable_name or new.sort_email is not old.sort_email or new.sort_sis_id is not old.sort_sis_id or new.last_login is not old.last_login begin
  update enrollments set sortable_name = new.sortable_name, sort_email = new.sort_email, sort_sis_id = new.sort_sis_id, sort_last_login = coalesce(new.last_login, '')
    where user_id = new.id;
end;
create trigger copy_person_into_roster after insert on enrollments begin
  update enrollments set (sort_email, sort_sis_id, sort_last_login) = (select u.sort_email, u.sort_sis_id, coalesce(u.last_login, '') from users u where u.id = new.user_id),
    sort_course = coalesce((select coalesce(c.friendly_name, c.name) from courses c where c.id = new.course_id), '')
    where id = new.id and exists (select 1 from users u where u.id = new.user_id
      and (u.sort_email is not new.sort_email or u.sort_sis_id is not new.sort_sis_id or coalesce(u.last_login, '') is not new.sort_last_login
        or new.sort_course is not coalesce((select coalesce(c.friendly_name, c.name) from courses c where c.id = new.course_id), '')));
end;
create trigger copy_course_of_enrollment after update of course_id on enrollments when new.course_id is not old.course_id begin
  update enrollments set sort_course = coalesce((select coalesce(c.friendly_name, c.name) from courses c where c.id = new.course_id), '') where id = new.id;
end;
create trigger copy_course_into_roster after update of name, friendly_name on courses when new.name is not old.name or new.friendly_name is not old.friendly_name begin
  update enrollments set sort_course = coalesce(new.friendly_name, new.name) where course_id = new.id;
end;
create trigger copy_logins_insert after insert on logins begin
  update users set sort_sis_id = coalesce((select l.sis_user_id from logins l where l.user_id = new.user_id and l.workflow_state <> 'deleted' order by l.id limit 1), ''), sort_integration_id = coalesce((select l.integration_id from logins l where l.user_id = new.user_id and l.workflow_state <> 'deleted' order by l.id limit 1), '') where id = new.user_id;
end;
create trigger copy_logins_update after update of sis_user_id, integration_id, workflow_state on logins begin
  update users set sort_sis_id = coalesce((select l.sis_user_id from logins l where l.user_id = new.user_id and l.workflow_state <> 'deleted' order by l.id limit 1), ''), sort_integration_id = coalesce((select l.integration_id from logins l where l.user_id = new.user_id and l.workflow_state <> 'deleted' order by l.id limit 1), '') where id = new.user_id;
end;
create trigger copy_logins_delete after delete on logins begin
  update users set sort_sis_id = coalesce((select l.sis_user_id from logins l where l.user_id = old.user_id and l.workflow_state <> 'deleted' order by l.id limit 1), ''), sort_integration_id = coalesce((select l.integration_id from logins l where l.user_id = old.user_id and l.workflow_state <> 'deleted' order by l.id limit 1), '') where id = old.user_id;
end;
create trigger copy_communication_channels_insert after insert on communication_channels begin
  update users set sort_email = coalesce((select c.address from communication_channels c where c.user_id = new.user_id and c.type = 'email' and c.workflow_state <> 'deleted' order by c.position, c.id limit 1), '') where id = new.user_id;
end;
create trigger copy_communication_channels_update after update of address, type, position, workflow_state on communication_channels begin
  update users set sort_email = coalesce((select c.address from communication_channels c where c.user_id = new.user_id and c.type = 'email' and c.workflow_state <> 'deleted' order by c.position, c.id limit 1), '') where id = new.user_id;
end;
create trigger copy_communication_channels_delete after delete on communication_channels begin
  update users set sort_email = coalesce((select c.address from communication_channels c where c.user_id = old.user_id and c.type = 'email' and c.workflow_state <> 'deleted' order by c.position, c.id limit 1), '') where id = old.user_id;
end;
create trigger copy_place_of_assignment_insert after insert on assignments begin
  insert into assignment_places (assignment_id, course_id, group_position, assignment_group_id, position, due_at, due_state, is_handed_in) select new.id, new.course_id, coalesce((select g.position from assignment_groups g where g.id = new.assignment_group_id), 0), new.assignment_group_id, new.position, coalesce(new.due_at, '9999'), (case when new.due_at is null then 'undated' when new.due_at < strftime('%Y-%m-%dT%H:%M:%SZ', 'now') then 'past' else 'ahead' end), exists (select 1 from submissions s where s.assignment_id = new.id and s.submission_type is not null) where new.workflow_state <> 'deleted';
end;
create trigger copy_place_of_assignment_update after update of course_id, assignment_group_id, position, due_at, workflow_state on assignments when new.course_id is not old.course_id or new.assignment_group_id is not old.assignment_group_id or new.position is not old.position or new.due_at is not old.due_at or new.workflow_state is not old.workflow_state begin
  delete from assignment_places where assignment_id = new.id;
  insert into assignment_places (assignment_id, course_id, group_position, assignment_group_id, position, due_at, due_state, is_handed_in) select new.id, new.course_id, coalesce((select g.position from assignment_groups g where g.id = new.assignment_group_id), 0), new.assignment_group_id, new.position, coalesce(new.due_at, '9999'), (case when new.due_at is null then 'undated' when new.due_at < strftime('%Y-%m-%dT%H:%M:%SZ', 'now') then 'past' else 'ahead' end), exists (select 1 from submissions s where s.assignment_id = new.id and s.submission_type is not null) where new.workflow_state <> 'deleted';
end;
create trigger copy_place_of_assignment_delete after delete on assignments begin
  delete from assignment_places where assignment_id = old.id;
end;
create trigger copy_place_of_group after update of position on assignment_groups when new.position <> old.position begin
  update assignment_places set group_position = new.position where assignment_id in (select a.id from assignments a where a.assignment_group_id = new.id and a.workflow_state <> 'deleted');
end;
create trigger copy_hand_in_insert after insert on submissions when new.submission_type is not null begin
  update assignment_places set is_handed_in = 1 where assignment_id = new.assignment_id and is_handed_in = 0;
end;
create trigger copy_hand_in_update after update of submission_type on submissions when (new.submission_type is null) <> (old.submission_type is null) begin
  update assignment_places set is_handed_in = exists (select 1 from submissions s where s.assignment_id = new.assignment_id and s.submission_type is not null) where assignment_id = new.assignment_id;
end;
create trigger copy_hand_in_delete after delete on submissions when old.submission_type is not null begin
  update assignment_places set is_handed_in = exists (select 1 from submissions s where s.assignment_id = old.assignment_id and s.submission_type is not null) where assignment_id = old.assignment_id;
end;
create trigger copy_roster_count_insert after insert on enrollments when new.enrollment_state in ('active', 'invited') begin
  insert into roster_counts (course_id, course_section_id, type, people) select new.course_id, s.value, t.value, 0
    from json_each(json_array(0, new.course_section_id)) s cross join json_each(json_array('', new.type)) t
    where new.enrollment_state in ('active', 'invited') and not exists (select 1 from roster_counts r where r.course_id = new.course_id and r.course_section_id = s.value and r.type = t.value);
  update roster_counts set people = people + 1
    where new.enrollment_state in ('active', 'invited') and course_id = new.course_id and course_section_id in (0, new.course_section_id) and type in ('', new.type)
      and not exists (select 1 from enrollments o where o.user_id = new.user_id and o.course_id = new.course_id and o.id <> new.id and o.enrollment_state in ('active', 'invited')
        and roster_counts.course_section_id in (0, o.course_section_id) and roster_counts.type in ('', o.type));
end;
create trigger copy_roster_count_update after update of enrollment_state, user_id, course_id, course_section_id, type on enrollments when (new.enrollment_state in ('active', 'invited')) <> (old.enrollment_state in ('active', 'invited')) or (new.enrollment_state in ('active', 'invited') and (new.user_id is not old.user_id or new.course_id is not old.course_id or new.course_section_id is not old.course_section_id or new.type is not old.type)) begin
  update roster_counts set people = people - 1
    where old.enrollment_state in ('active', 'invited') and course_id = old.course_id and course_section_id in (0, old.course_section_id) and type in ('', old.type)
      and not exists (select 1 from enrollments o where o.user_id = old.user_id and o.course_id = old.course_id and o.id <> old.id and o.enrollment_state in ('active', 'invited')
        and roster_counts.course_section_id in (0, o.course_section_id) and roster_counts.type in ('', o.type));
  insert into roster_counts (course_id, course_section_id, type, people) select new.course_id, s.value, t.value, 0
    from json_each(json_array(0, new.course_section_id)) s cross join json_each(json_array('', new.type)) t
    where new.enrollment_state in ('active', 'invited') and not exists (select 1 from roster_counts r where r.course_id = new.course_id and r.course_section_id = s.value and r.type = t.value);
  update roster_counts set people = people + 1
    where new.enrollment_state in ('active', 'invited') and course_id = new.course_id and course_section_id in (0, new.course_section_id) and type in ('', new.type)
      and not exists (select 1 from enrollments o where o.user_id = new.user_id and o.course_id = new.course_id and o.id <> new.id and o.enrollment_state in ('active', 'invited')
        and roster_counts.course_section_id in (0, o.course_section_id) and roster_counts.type in ('', o.type));
end;
create trigger copy_roster_count_delete after delete on enrollments when old.enrollment_state in ('active', 'invited') begin
  update roster_counts set people = people - 1
    where old.enrollment_state in ('active', 'invited') and course_id = old.course_id and course_section_id in (0, old.course_section_id) and type in ('', old.type)
      and not exists (select 1 from enrollments o where o.user_id = old.user_id and o.course_id = old.course_id and o.id <> old.id and o.enrollment_state in ('active', 'invited')
        and roster_counts.course_section_id in (0, o.course_section_id) and roster_counts.type in ('', o.type));
end;
create virtual table people_search using fts5(name, sortable_name, short_name, login, sis_id, integration_id, address, tokenize = 'trigram');
create virtual table people_runs using fts5vocab('people_search', 'row');
create virtual table course_search using fts5(name, course_code, sis_course_id, tokenize = 'trigram');
create virtual table course_runs using fts5vocab('course_search', 'row');
create virtual table account_search using fts5(name, tokenize = 'trigram');
create virtual table account_runs using fts5vocab('account_search', 'row');
create trigger search_users_insert after insert on users begin
  insert into people_search (rowid, name, sortable_name, short_name, login, sis_id, integration_id, address) select new.id, (select coalesce(w.name || '  ', '') from users w where w.id = new.id), (select coalesce(w.sortable_name || '  ', '') from users w where w.id = new.id), (select coalesce(w.short_name || '  ', '') from users w where w.id = new.id), coalesce((select group_concat(word || '  ', char(10)) from (select w.unique_id as word from logins w where w.user_id = new.id and w.workflow_state <> 'deleted' order by w.id limit 50)), ''), coalesce((select group_concat(word || '  ', char(10)) from (select w.sis_user_id as word from logins w where w.user_id = new.id and w.workflow_state <> 'deleted' order by w.id limit 50)), ''), coalesce((select group_concat(word || '  ', char(10)) from (select w.integration_id as word from logins w where w.user_id = new.id and w.workflow_state <> 'deleted' order by w.id limit 50)), ''), coalesce((select group_concat(word || '  ', char(10)) from (select w.address as word from communication_channels w where w.user_id = new.id and w.workflow_state <> 'deleted' order by w.position, w.id limit 50)), '');
end;
create trigger search_users_update after update of name, sortable_name, short_name on users when new.name is not old.name or new.sortable_name is not old.sortable_name or new.short_name is not old.short_name begin
  update people_search set name = (select coalesce(w.name || '  ', '') from users w where w.id = new.id), sortable_name = (select coalesce(w.sortable_name || '  ', '') from users w where w.id = new.id), short_name = (select coalesce(w.short_name || '  ', '') from users w where w.id = new.id) where rowid = new.id;
end;
create trigger search_users_delete after delete on users begin
  delete from people_search where rowid = old.id;
end;
create trigger search_logins_insert after insert on logins begin
  update people_search set login = coalesce((select group_concat(word || '  ', char(10)) from (select w.unique_id as word from logins w where w.user_id = new.user_id and w.workflow_state <> 'deleted' order by w.id limit 50)), ''), sis_id = coalesce((select group_concat(word || '  ', char(10)) from (select w.sis_user_id as word from logins w where w.user_id = new.user_id and w.workflow_state <> 'deleted' order by w.id limit 50)), ''), integration_id = coalesce((select group_concat(word || '  ', char(10)) from (select w.integration_id as word from logins w where w.user_id = new.user_id and w.workflow_state <> 'deleted' order by w.id limit 50)), '') where rowid = new.user_id;
end;
create trigger search_logins_update after update of unique_id, sis_user_id, integration_id, workflow_state on logins begin
  update people_search set login = coalesce((select group_concat(word || '  ', char(10)) from (select w.unique_id as word from logins w where w.user_id = new.user_id and w.workflow_state <> 'deleted' order by w.id limit 50)), ''), sis_id = coalesce((select group_concat(word || '  ', char(10)) from (select w.sis_user_id as word from logins w where w.user_id = new.user_id and w.workflow_state <> 'deleted' order by w.id limit 50)), ''), integration_id = coalesce((select group_concat(word || '  ', char(10)) from (select w.integration_id as word from logins w where w.user_id = new.user_id and w.workflow_state <> 'deleted' order by w.id limit 50)), '') where rowid = new.user_id;
end;
create trigger search_logins_delete after delete on logins begin
  update people_search set login = coalesce((select group_concat(word || '  ', char(10)) from (select w.unique_id as word from logins w where w.user_id = old.user_id and w.workflow_state <> 'deleted' order by w.id limit 50)), ''), sis_id = coalesce((select group_concat(word || '  ', char(10)) from (select w.sis_user_id as word from logins w where w.user_id = old.user_id and w.workflow_state <> 'deleted' order by w.id limit 50)), ''), integration_id = coalesce((select group_concat(word || '  ', char(10)) from (select w.integration_id as word from logins w where w.user_id = old.user_id and w.workflow_state <> 'deleted' order by w.id limit 50)), '') where rowid = old.user_id;
end;
create trigger search_communication_channels_insert after insert on communication_channels begin
  update people_search set address = coalesce((select group_concat(word || '  ', char(10)) from (select w.address as word from communication_channels w where w.user_id = new.user_id and w.workflow_state <> 'deleted' order by w.position, w.id limit 50)), '') where rowid = new.user_id;
end;
create trigger search_communication_channels_update after update of address, workflow_state on communication_channels begin
  update people_search set address = coalesce((select group_concat(word || '  ', char(10)) from (select w.address as word from communication_channels w where w.user_id = new.user_id and w.workflow_state <> 'deleted' order by w.position, w.id limit 50)), '') where rowid = new.user_id;
end;
create trigger search_communication_channels_delete after delete on communication_channels begin
  update people_search set address = coalesce((select group_concat(word || '  ', char(10)) from (select w.address as word from communication_channels w where w.user_id = old.user_id and w.workflow_state <> 'deleted' order by w.position, w.id limit 50)), '') where rowid = old.user_id;
end;
create trigger search_courses_insert after insert on courses begin
  insert into course_search (rowid, name, course_code, sis_course_id) select new.id, (select coalesce(w.name || '  ', '') from courses w where w.id = new.id), (select coalesce(w.course_code || '  ', '') from courses w where w.id = new.id), (select coalesce(w.sis_course_id || '  ', '') from courses w where w.id = new.id);
end;
create trigger search_courses_update after update of name, course_code, sis_course_id on courses when new.name is not old.name or new.course_code is not old.course_code or new.sis_course_id is not old.sis_course_id begin
  update course_search set name = (select coalesce(w.name || '  ', '') from courses w where w.id = new.id), course_code = (select coalesce(w.course_code || '  ', '') from courses w where w.id = new.id), sis_course_id = (select coalesce(w.sis_course_id || '  ', '') from courses w where w.id = new.id) where rowid = new.id;
end;
create trigger search_courses_delete after delete on courses begin
  delete from course_search where rowid = old.id;
end;
create trigger search_accounts_insert after insert on accounts begin
  insert into account_search (rowid, name) select new.id, (select coalesce(w.name || '  ', '') from accounts w where w.id = new.id);
end;
create trigger search_accounts_update after update of name on accounts when new.name is not old.name begin
  update account_search set name = (select coalesce(w.name || '  ', '') from accounts w where w.id = new.id) where rowid = new.id;
end;
create trigger search_accounts_delete after delete on accounts begin
  delete from account_search where rowid = old.id;
end;
create virtual table course_words using fts5(place, title, body, content = '', contentless_delete = 1, detail = column, tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'");
create trigger search_pages_insert after insert on pages begin
  insert into course_words (rowid, place, title, body) select (new.id * 4 + 0), 'p' || cast(new.context_id as int) || iif(new.workflow_state = 'active' or new.publish_at is not null, ' po' || cast(new.context_id as int), ''), (with recursive whole(said) as materialized (select new.title),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole), (with recursive whole(said) as materialized (select (select group_concat(iif(j.key = 0, j.value, substr(j.value, instr(j.value, '>') + 1)), ' ') from json_each('[' || replace(json_quote(coalesce(new.body, '')), '<', '","') || ']') j)),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole)
    where new.context_type = 'Course' and new.workflow_state <> 'deleted';
end;
create trigger search_pages_update after update of title, body, context_type, context_id, workflow_state, publish_at on pages when new.title is not old.title or new.body is not old.body or new.context_type is not old.context_type or new.context_id is not old.context_id or new.workflow_state is not old.workflow_state or new.publish_at is not old.publish_at begin
  delete from course_words where rowid = (old.id * 4 + 0);
  insert into course_words (rowid, place, title, body) select (new.id * 4 + 0), 'p' || cast(new.context_id as int) || iif(new.workflow_state = 'active' or new.publish_at is not null, ' po' || cast(new.context_id as int), ''), (with recursive whole(said) as materialized (select new.title),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole), (with recursive whole(said) as materialized (select (select group_concat(iif(j.key = 0, j.value, substr(j.value, instr(j.value, '>') + 1)), ' ') from json_each('[' || replace(json_quote(coalesce(new.body, '')), '<', '","') || ']') j)),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole)
    where new.context_type = 'Course' and new.workflow_state <> 'deleted';
end;
create trigger search_pages_delete after delete on pages begin
  delete from course_words where rowid = (old.id * 4 + 0);
end;
create trigger search_assignments_insert after insert on assignments begin
  insert into course_words (rowid, place, title, body) select (new.id * 4 + 1), 'a' || cast(new.course_id as int) || iif(new.workflow_state = 'published', ' ao' || cast(new.course_id as int), ''), (with recursive whole(said) as materialized (select new.name),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole), (with recursive whole(said) as materialized (select (select group_concat(iif(j.key = 0, j.value, substr(j.value, instr(j.value, '>') + 1)), ' ') from json_each('[' || replace(json_quote(coalesce(new.description, '')), '<', '","') || ']') j)),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole)
    where 1 and new.workflow_state <> 'deleted';
end;
create trigger search_assignments_update after update of name, description, course_id, workflow_state on assignments when new.name is not old.name or new.description is not old.description or new.course_id is not old.course_id or new.workflow_state is not old.workflow_state begin
  delete from course_words where rowid = (old.id * 4 + 1);
  insert into course_words (rowid, place, title, body) select (new.id * 4 + 1), 'a' || cast(new.course_id as int) || iif(new.workflow_state = 'published', ' ao' || cast(new.course_id as int), ''), (with recursive whole(said) as materialized (select new.name),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole), (with recursive whole(said) as materialized (select (select group_concat(iif(j.key = 0, j.value, substr(j.value, instr(j.value, '>') + 1)), ' ') from json_each('[' || replace(json_quote(coalesce(new.description, '')), '<', '","') || ']') j)),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole)
    where 1 and new.workflow_state <> 'deleted';
end;
create trigger search_assignments_delete after delete on assignments begin
  delete from course_words where rowid = (old.id * 4 + 1);
end;
create trigger search_discussion_topics_insert after insert on discussion_topics begin
  insert into course_words (rowid, place, title, body) select (new.id * 4 + 2), 't' || cast(new.context_id as int) || iif(new.workflow_state <> 'unpublished', ' to' || cast(new.context_id as int), ''), (with recursive whole(said) as materialized (select new.title),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole), (with recursive whole(said) as materialized (select (select group_concat(iif(j.key = 0, j.value, substr(j.value, instr(j.value, '>') + 1)), ' ') from json_each('[' || replace(json_quote(coalesce(new.message, '')), '<', '","') || ']') j)),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole)
    where new.context_type = 'Course' and new.workflow_state <> 'deleted';
end;
create trigger search_discussion_topics_update after update of title, message, context_type, context_id, workflow_state on discussion_topics when new.title is not old.title or new.message is not old.message or new.context_type is not old.context_type or new.context_id is not old.context_id or new.workflow_state is not old.workflow_state begin
  delete from course_words where rowid = (old.id * 4 + 2);
  insert into course_words (rowid, place, title, body) select (new.id * 4 + 2), 't' || cast(new.context_id as int) || iif(new.workflow_state <> 'unpublished', ' to' || cast(new.context_id as int), ''), (with recursive whole(said) as materialized (select new.title),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole), (with recursive whole(said) as materialized (select (select group_concat(iif(j.key = 0, j.value, substr(j.value, instr(j.value, '>') + 1)), ' ') from json_each('[' || replace(json_quote(coalesce(new.message, '')), '<', '","') || ']') j)),
    part(rest, said) as (select said, '' from whole union all select substr(rest, 513), substr(rest, 1, 513) from part where rest <> ''),
    bit(rest, said) as (select said, '' from part union all select substr(rest, 25), substr(rest, 1, 25) from bit where rest <> ''),
    letter(rest, pair) as (select said, '' from bit union all select substr(rest, 2), substr(rest, 1, 2) from letter where rest <> '')
    select iif(said glob '*[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*', said || ' ' || (select group_concat(pair, ' ') from letter where pair glob '[฀-໿က-႟ក-៿぀-鿿豈-﫿𠀀-𿿿]*'), said) from whole)
    where new.context_type = 'Course' and new.workflow_state <> 'deleted';
end;
create trigger search_discussion_topics_delete after delete on discussion_topics begin
  delete from course_words where rowid = (old.id * 4 + 2);
end;
create trigger copy_course_of_section after update of course_id on sections when new.course_id <> old.course_id begin
  update calendar_events set effective_context_code = 'course_' || new.course_id where context_code = 'course_section_' || new.id and workflow_state <> 'deleted';
end;
create trigger count_entries_insert after insert on discussion_entries begin
  update discussion_topics set entry_count = entry_count + (new.workflow_state = 'active') where id = new.discussion_topic_id;
end;
create trigger count_entries_update after update of workflow_state on discussion_entries begin
  update discussion_topics set entry_count = entry_count + (new.workflow_state = 'active') - (old.workflow_state = 'active') where id = new.discussion_topic_id;
end;
create trigger count_entries_delete after delete on discussion_entries begin
  update discussion_topics set entry_count = entry_count + -(old.workflow_state = 'active') where id = old.discussion_topic_id;
end;
create trigger count_tokens_insert after insert on tokens when new.developer_key_id is not null begin
  update developer_keys set access_token_count = access_token_count + (new.workflow_state = 'active') where id = new.developer_key_id;
end;
create trigger count_tokens_update after update of workflow_state on tokens when new.developer_key_id is not null begin
  update developer_keys set access_token_count = access_token_count + (new.workflow_state = 'active') - (old.workflow_state = 'active') where id = new.developer_key_id;
end;
create trigger count_tokens_delete after delete on tokens when old.developer_key_id is not null begin
  update developer_keys set access_token_count = access_token_count + -(old.workflow_state = 'active') where id = old.developer_key_id;
end;
create trigger note_use_of_key after update of last_used_at on tokens when new.developer_key_id is not null begin
  update developer_keys set last_used_at = max(coalesce(last_used_at, ''), new.last_used_at) where id = new.developer_key_id and new.last_used_at is not null;
end;
create trigger count_files_insert after insert on files when (new.workflow_state = 'available') begin
  update folders set files_count = files_count + 1 where id = new.folder_id and (new.workflow_state = 'available');
end;
create trigger count_files_update after update of workflow_state, folder_id on files when (new.workflow_state = 'available') <> (old.workflow_state = 'available') or new.folder_id is not old.folder_id begin
  update folders set files_count = files_count - 1 where id = old.folder_id and (old.workflow_state = 'available');
  update folders set files_count = files_count + 1 where id = new.folder_id and (new.workflow_state = 'available');
end;
create trigger count_files_delete after delete on files when (old.workflow_state = 'available') begin
  update folders set files_count = files_count - 1 where id = old.folder_id and (old.workflow_state = 'available');
end;
create trigger count_folders_insert after insert on folders when (new.workflow_state = 'visible') begin
  update folders set folders_count = folders_count + 1 where id = new.parent_folder_id and (new.workflow_state = 'visible');
end;
create trigger count_folders_update after update of workflow_state, parent_folder_id on folders when (new.workflow_state = 'visible') <> (old.workflow_state = 'visible') or new.parent_folder_id is not old.parent_folder_id begin
  update folders set folders_count = folders_count - 1 where id = old.parent_folder_id and (old.workflow_state = 'visible');
  update folders set folders_count = folders_count + 1 where id = new.parent_folder_id and (new.workflow_state = 'visible');
end;
create trigger count_folders_delete after delete on folders when (old.workflow_state = 'visible') begin
  update folders set folders_count = folders_count - 1 where id = old.parent_folder_id and (old.workflow_state = 'visible');
end;
create trigger count_storage_insert after insert on files begin
  insert into storage (context_type, context_id, bytes) select new.context_type, new.context_id, 0 where not exists (select 1 from storage where storage.context_type = new.context_type and storage.context_id = new.context_id);
  update storage set bytes = bytes + ((new.workflow_state = 'available' and new.copied_from_id is null and new.is_submitted = 0) * max(new.size, 512)) where storage.context_type = new.context_type and storage.context_id = new.context_id;
end;
create trigger count_storage_update after update of workflow_state, size, copied_from_id, is_submitted on files begin
  insert into storage (context_type, context_id, bytes) select new.context_type, new.context_id, 0 where not exists (select 1 from storage where storage.context_type = new.context_type and storage.context_id = new.context_id);
  update storage set bytes = bytes + ((new.workflow_state = 'available' and new.copied_from_id is null and new.is_submitted = 0) * max(new.size, 512) - (old.workflow_state = 'available' and old.copied_from_id is null and old.is_submitted = 0) * max(old.size, 512)) where storage.context_type = new.context_type and storage.context_id = new.context_id;
end;
create trigger count_storage_delete after delete on files begin
  insert into storage (context_type, context_id, bytes) select old.context_type, old.context_id, 0 where not exists (select 1 from storage where storage.context_type = old.context_type and storage.context_id = old.context_id);
  update storage set bytes = bytes + (-(old.workflow_state = 'available' and old.copied_from_id is null and old.is_submitted = 0) * max(old.size, 512)) where storage.context_type = old.context_type and storage.context_id = old.context_id;
end;
create trigger release_blob_0 after update of workflow_state on files when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' and old.blob_id is not null begin
  update blobs set unsure_since = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where id = old.blob_id;
end;
create trigger release_blob_1 after update of blob_id on files when old.blob_id is not null and new.blob_id is not old.blob_id begin
  update blobs set unsure_since = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where id = old.blob_id;
end;
create trigger release_blob_2 after delete on files when old.blob_id is not null begin
  update blobs set unsure_since = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where id = old.blob_id;
end;
create trigger count_reads_insert after insert on discussion_entry_reads when new.read = 1 begin
  insert into discussion_topic_reads (discussion_topic_id, user_id) select new.discussion_topic_id, new.user_id where not exists (select 1 from discussion_topic_reads where discussion_topic_reads.discussion_topic_id = new.discussion_topic_id and discussion_topic_reads.user_id = new.user_id);
  update discussion_topic_reads set read_count = read_count + (select count(*) from discussion_entries e where e.id = new.discussion_entry_id and e.workflow_state = 'active') where discussion_topic_reads.discussion_topic_id = new.discussion_topic_id and discussion_topic_reads.user_id = new.user_id;
end;
create trigger count_reads_update after update of read on discussion_entry_reads when new.read <> old.read begin
  insert into discussion_topic_reads (discussion_topic_id, user_id) select new.discussion_topic_id, new.user_id where not exists (select 1 from discussion_topic_reads where discussion_topic_reads.discussion_topic_id = new.discussion_topic_id and discussion_topic_reads.user_id = new.user_id);
  update discussion_topic_reads set read_count = read_count + (new.read - old.read) * (select count(*) from discussion_entries e where e.id = new.discussion_entry_id and e.workflow_state = 'active') where discussion_topic_reads.discussion_topic_id = new.discussion_topic_id and discussion_topic_reads.user_id = new.user_id;
end;
create trigger count_reads_delete after delete on discussion_entry_reads when old.read = 1 begin
  update discussion_topic_reads set read_count = read_count - (select count(*) from discussion_entries e where e.id = old.discussion_entry_id and e.workflow_state = 'active') where discussion_topic_reads.discussion_topic_id = old.discussion_topic_id and discussion_topic_reads.user_id = old.user_id;
end;
create trigger count_reads_entry after update of workflow_state on discussion_entries when new.workflow_state <> old.workflow_state begin
  update discussion_topic_reads set read_count = read_count + (new.workflow_state = 'active') - (old.workflow_state = 'active') where discussion_topic_id = new.discussion_topic_id and user_id in (select r.user_id from discussion_entry_reads r where r.discussion_entry_id = new.id and r.read = 1);
end;
create trigger rename_items_of_pages after update of title on pages when new.title <> old.title begin
  update module_items set title = new.title, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where type = 'Page' and content_id = new.id and workflow_state = 'active';
end;
create trigger delete_items_of_pages after update of workflow_state on pages when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  update module_items set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where type = 'Page' and content_id = new.id and workflow_state = 'active';
end;
create trigger rename_items_of_assignments after update of name on assignments when new.name <> old.name begin
  update module_items set title = new.name, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where type = 'Assignment' and content_id = new.id and workflow_state = 'active';
end;
create trigger delete_items_of_assignments after update of workflow_state on assignments when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  update module_items set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where type = 'Assignment' and content_id = new.id and workflow_state = 'active';
end;
create trigger rename_items_of_discussion_topics after update of title on discussion_topics when new.title <> old.title begin
  update module_items set title = new.title, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where type = 'Discussion' and content_id = new.id and workflow_state = 'active';
end;
create trigger delete_items_of_discussion_topics after update of workflow_state on discussion_topics when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  update module_items set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where type = 'Discussion' and content_id = new.id and workflow_state = 'active';
end;
create trigger rename_items_of_files after update of display_name on files when new.display_name <> old.display_name begin
  update module_items set title = new.display_name, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where type = 'File' and content_id = new.id and workflow_state = 'active';
end;
create trigger delete_items_of_files after update of workflow_state on files when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  update module_items set content_id = coalesce(new.replacement_file_id, content_id), workflow_state = (case when new.replacement_file_id is null then 'deleted' else 'active' end), updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where type = 'File' and content_id = new.id and workflow_state = 'active';
end;
create trigger step_topic after update of name, description, workflow_state on assignments
when new.name <> old.name or new.description is not old.description or new.workflow_state <> old.workflow_state begin
  update discussion_topics set title = new.name, message = new.description, updated_at = new.updated_at,
    posted_at = (case when workflow_state = 'unpublished' and new.workflow_state = 'published' then new.updated_at else posted_at end),
    last_reply_at = (case when workflow_state = 'unpublished' and new.workflow_state = 'published' then new.updated_at else last_reply_at end),
    workflow_state = (case new.workflow_state when 'published' then case workflow_state when 'unpublished' then 'active' else workflow_state end else new.workflow_state end)
  where assignment_id = new.id and workflow_state <> 'deleted' and (title <> new.name or message is not new.description
    or (workflow_state = 'unpublished') <> (new.workflow_state = 'unpublished') or new.workflow_state = 'deleted');
end;
create trigger step_assignment after update of title, message, workflow_state on discussion_topics
when new.assignment_id is not null and (new.title <> old.title or new.message is not old.message or new.workflow_state <> old.workflow_state) begin
  update assignments set name = new.title, description = new.message, updated_at = new.updated_at,
    workflow_state = (case new.workflow_state when 'deleted' then 'deleted' when 'unpublished' then 'unpublished' else 'published' end)
  where id = new.assignment_id and workflow_state <> 'deleted' and (name <> new.title or description is not new.message
    or workflow_state <> (case new.workflow_state when 'deleted' then 'deleted' when 'unpublished' then 'unpublished' else 'published' end));
end;
create trigger code_for_channel after insert on communication_channels when new.workflow_state = 'unconfirmed' and new.confirmation_code is null begin
  update communication_channels set confirmation_code = lower(hex(randomblob(12))) where id = new.id;
end;
create trigger happens_0_new_announcement after insert on discussion_topics when (new.context_type = 'Course' and new.is_announcement = 1 and new.workflow_state = 'active' and new.root_topic_id is null) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'new_announcement', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'new_announcement' and h.item_id = new.id);
end;
create trigger happens_1_new_announcement after update of workflow_state on discussion_topics when (new.context_type = 'Course' and new.is_announcement = 1 and new.workflow_state = 'active' and new.root_topic_id is null and old.workflow_state in ('unpublished', 'post_delayed')) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'new_announcement', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'new_announcement' and h.item_id = new.id);
end;
create trigger happens_2_new_discussion_topic after insert on discussion_topics when (new.context_type = 'Course' and new.is_announcement = 0 and new.workflow_state = 'active' and new.root_topic_id is null) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'new_discussion_topic', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'new_discussion_topic' and h.item_id = new.id);
end;
create trigger happens_3_new_discussion_topic after update of workflow_state on discussion_topics when (new.context_type = 'Course' and new.is_announcement = 0 and new.workflow_state = 'active' and new.root_topic_id is null and old.workflow_state in ('unpublished', 'post_delayed')) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'new_discussion_topic', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'new_discussion_topic' and h.item_id = new.id);
end;
create trigger happens_4_new_discussion_entry after insert on discussion_entries when (new.workflow_state = 'active') and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'new_discussion_entry', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'new_discussion_entry' and h.item_id = new.id);
end;
create trigger happens_5_assignment_created after insert on assignments when (new.workflow_state = 'published') and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'assignment_created', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'assignment_created' and h.item_id = new.id);
end;
create trigger happens_6_assignment_created after update of workflow_state on assignments when (new.workflow_state = 'published' and old.workflow_state = 'unpublished') and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'assignment_created', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'assignment_created' and h.item_id = new.id);
end;
create trigger happens_7_assignment_due_date_changed after update of due_at on assignments when (new.workflow_state = 'published' and old.workflow_state = 'published' and new.due_at is not old.due_at) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'assignment_due_date_changed', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'assignment_due_date_changed' and h.item_id = new.id);
end;
create trigger happens_8_assignment_changed after update of name, description, points_possible on assignments when (new.workflow_state = 'published' and old.workflow_state = 'published' and (new.name <> old.name or new.description is not old.description or new.points_possible is not old.points_possible)) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'assignment_changed', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'assignment_changed' and h.item_id = new.id);
end;
create trigger happens_9_submission_graded after insert on submissions when (new.workflow_state = 'graded' and new.posted_at is not null and new.score is not null) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'submission_graded', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'submission_graded' and h.item_id = new.id);
end;
create trigger happens_10_submission_graded after update of score, posted_at on submissions when (new.workflow_state = 'graded' and new.posted_at is not null and new.score is not null and (old.posted_at is null or new.score is not old.score)) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'submission_graded', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'submission_graded' and h.item_id = new.id);
end;
create trigger happens_11_submission_comment after insert on submission_comments when (new.is_draft = 0 and new.workflow_state = 'active') and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'submission_comment', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'submission_comment' and h.item_id = new.id);
end;
create trigger happens_12_new_wiki_page after insert on pages when (new.context_type = 'Course' and new.workflow_state = 'active') and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'new_wiki_page', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'new_wiki_page' and h.item_id = new.id);
end;
create trigger happens_13_new_wiki_page after update of workflow_state on pages when (new.context_type = 'Course' and new.workflow_state = 'active' and old.workflow_state = 'unpublished') and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'new_wiki_page', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'new_wiki_page' and h.item_id = new.id);
end;
create trigger happens_14_updated_wiki_page after update of body on pages when (new.context_type = 'Course' and new.workflow_state = 'active' and old.workflow_state = 'active' and new.body is not old.body) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'updated_wiki_page', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'updated_wiki_page' and h.item_id = new.id);
end;
create trigger happens_15_new_file_added after update of workflow_state on files when (new.context_type = 'Course' and new.workflow_state = 'available' and old.workflow_state = 'pending' and new.is_submitted = 0) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'new_file_added', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'new_file_added' and h.item_id = new.id);
end;
create trigger happens_16_conversation_message after insert on conversation_messages when (new.generated = 0) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'conversation_message', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'conversation_message' and h.item_id = new.id);
end;
create trigger happens_17_added_to_conversation after insert on conversation_messages when (new.generated = 1) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'added_to_conversation', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'added_to_conversation' and h.item_id = new.id);
end;
create trigger happens_18_enrollment_invitation after insert on enrollments when (new.enrollment_state = 'invited') and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'enrollment_invitation', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'enrollment_invitation' and h.item_id = new.id);
end;
create trigger happens_19_enrollment_invitation after update of enrollment_state on enrollments when (new.enrollment_state = 'invited' and old.enrollment_state = 'creation_pending') and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'enrollment_invitation', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'enrollment_invitation' and h.item_id = new.id);
end;
create trigger happens_20_new_event_created after insert on calendar_events when (new.workflow_state = 'active' and new.context_code like 'course%') and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'new_event_created', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'new_event_created' and h.item_id = new.id);
end;
create trigger happens_21_blueprint_sync_complete after update of workflow_state on blueprint_migrations when (new.workflow_state = 'completed' and old.workflow_state <> 'completed' and json_extract(new.options, '$.send_notification')) begin
  insert into happenings (notification, item_id, not_before) select 'blueprint_sync_complete', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'blueprint_sync_complete' and h.item_id = new.id);
end;
create trigger happens_22_blueprint_content_added after update of workflow_state on blueprint_imports when (new.workflow_state = 'completed' and old.workflow_state <> 'completed' and exists (select 1 from blueprint_migrations m where m.id = new.migration_id and json_extract(m.options, '$.send_notification'))) begin
  insert into happenings (notification, item_id, not_before) select 'blueprint_content_added', new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where not exists (select 1 from happenings h where h.notification = 'blueprint_content_added' and h.item_id = new.id);
end;
create trigger happens_23_account_notification after insert on account_notifications when (1) and not exists (select 1 from course_copying c where c.id = 1) begin
  insert into happenings (notification, item_id, not_before) select 'account_notification', new.id, new.start_at
    where not exists (select 1 from happenings h where h.notification = 'account_notification' and h.item_id = new.id);
end;
create trigger end_sessions_of_login after update of workflow_state, password_hash on logins
when new.workflow_state <> 'active' or (new.password_hash is not old.password_hash and not coalesce(new.password_hash glob 'pbkdf2-sha256$*' and old.password_hash glob 'pbkdf2-sha256$*' and substr(new.password_hash, -69, 24) = substr(old.password_hash, -69, 24), 0)) begin
  delete from sessions where login_id = new.id or real_user_id = new.user_id;
end;
create trigger end_sessions_of_user after update of workflow_state on users when new.workflow_state = 'deleted' begin
  delete from sessions where user_id = new.id or real_user_id = new.id;
end;
create trigger stick_users after update of name, sortable_name, short_name, pronouns on users when not exists (select 1 from sis_writing) and (new.name is not old.name or new.sortable_name is not old.sortable_name or new.short_name is not old.short_name or new.pronouns is not old.pronouns) begin
  update users set stuck_sis_fields = coalesce(stuck_sis_fields, ',') || (case when new.name is not old.name and instr(coalesce(stuck_sis_fields, ','), ',name,') = 0 then 'name,' else '' end) || (case when new.sortable_name is not old.sortable_name and instr(coalesce(stuck_sis_fields, ','), ',sortable_name,') = 0 then 'sortable_name,' else '' end) || (case when new.short_name is not old.short_name and instr(coalesce(stuck_sis_fields, ','), ',short_name,') = 0 then 'short_name,' else '' end) || (case when new.pronouns is not old.pronouns and instr(coalesce(stuck_sis_fields, ','), ',pronouns,') = 0 then 'pronouns,' else '' end) where id = new.id;
end;
create trigger stick_logins after update of unique_id, workflow_state on logins when not exists (select 1 from sis_writing) and (new.unique_id is not old.unique_id or new.workflow_state is not old.workflow_state) begin
  update logins set stuck_sis_fields = coalesce(stuck_sis_fields, ',') || (case when new.unique_id is not old.unique_id and instr(coalesce(stuck_sis_fields, ','), ',unique_id,') = 0 then 'unique_id,' else '' end) || (case when new.workflow_state is not old.workflow_state and instr(coalesce(stuck_sis_fields, ','), ',workflow_state,') = 0 then 'workflow_state,' else '' end) where id = new.id;
end;
create trigger stick_accounts after update of name, parent_account_id on accounts when not exists (select 1 from sis_writing) and (new.name is not old.name or new.parent_account_id is not old.parent_account_id) begin
  update accounts set stuck_sis_fields = coalesce(stuck_sis_fields, ',') || (case when new.name is not old.name and instr(coalesce(stuck_sis_fields, ','), ',name,') = 0 then 'name,' else '' end) || (case when new.parent_account_id is not old.parent_account_id and instr(coalesce(stuck_sis_fields, ','), ',parent_account_id,') = 0 then 'parent_account_id,' else '' end) where id = new.id;
end;
create trigger stick_terms after update of name, start_at, end_at on terms when not exists (select 1 from sis_writing) and (new.name is not old.name or new.start_at is not old.start_at or new.end_at is not old.end_at) begin
  update terms set stuck_sis_fields = coalesce(stuck_sis_fields, ',') || (case when new.name is not old.name and instr(coalesce(stuck_sis_fields, ','), ',name,') = 0 then 'name,' else '' end) || (case when new.start_at is not old.start_at and instr(coalesce(stuck_sis_fields, ','), ',start_at,') = 0 then 'start_at,' else '' end) || (case when new.end_at is not old.end_at and instr(coalesce(stuck_sis_fields, ','), ',end_at,') = 0 then 'end_at,' else '' end) where id = new.id;
end;
create trigger stick_courses after update of name, course_code, account_id, enrollment_term_id, workflow_state, start_at, end_at, settings on courses when not exists (select 1 from sis_writing) and (new.name is not old.name or new.course_code is not old.course_code or new.account_id is not old.account_id or new.enrollment_term_id is not old.enrollment_term_id or new.workflow_state is not old.workflow_state or new.start_at is not old.start_at or new.end_at is not old.end_at or new.settings ->> '$.grade_passback_setting' is not old.settings ->> '$.grade_passback_setting') and not (old.workflow_state = 'created' and new.workflow_state = 'claimed') begin
  update courses set stuck_sis_fields = coalesce(stuck_sis_fields, ',') || (case when new.name is not old.name and instr(coalesce(stuck_sis_fields, ','), ',name,') = 0 then 'name,' else '' end) || (case when new.course_code is not old.course_code and instr(coalesce(stuck_sis_fields, ','), ',course_code,') = 0 then 'course_code,' else '' end) || (case when new.account_id is not old.account_id and instr(coalesce(stuck_sis_fields, ','), ',account_id,') = 0 then 'account_id,' else '' end) || (case when new.enrollment_term_id is not old.enrollment_term_id and instr(coalesce(stuck_sis_fields, ','), ',enrollment_term_id,') = 0 then 'enrollment_term_id,' else '' end) || (case when new.workflow_state is not old.workflow_state and instr(coalesce(stuck_sis_fields, ','), ',workflow_state,') = 0 then 'workflow_state,' else '' end) || (case when new.start_at is not old.start_at and instr(coalesce(stuck_sis_fields, ','), ',start_at,') = 0 then 'start_at,' else '' end) || (case when new.end_at is not old.end_at and instr(coalesce(stuck_sis_fields, ','), ',end_at,') = 0 then 'end_at,' else '' end) || (case when new.settings ->> '$.grade_passback_setting' is not old.settings ->> '$.grade_passback_setting' and instr(coalesce(stuck_sis_fields, ','), ',grade_passback_setting,') = 0 then 'grade_passback_setting,' else '' end) where id = new.id;
end;
create trigger stick_sections after update of course_id, name, start_at, end_at on sections when not exists (select 1 from sis_writing) and (new.course_id is not old.course_id or new.name is not old.name or new.start_at is not old.start_at or new.end_at is not old.end_at) begin
  update sections set stuck_sis_fields = coalesce(stuck_sis_fields, ',') || (case when new.course_id is not old.course_id and instr(coalesce(stuck_sis_fields, ','), ',course_id,') = 0 then 'course_id,' else '' end) || (case when new.name is not old.name and instr(coalesce(stuck_sis_fields, ','), ',name,') = 0 then 'name,' else '' end) || (case when new.start_at is not old.start_at and instr(coalesce(stuck_sis_fields, ','), ',start_at,') = 0 then 'start_at,' else '' end) || (case when new.end_at is not old.end_at and instr(coalesce(stuck_sis_fields, ','), ',end_at,') = 0 then 'end_at,' else '' end) where id = new.id;
end;
create trigger stick_enrollments after update of start_at, end_at on enrollments when not exists (select 1 from sis_writing) and (new.start_at is not old.start_at or new.end_at is not old.end_at) begin
  update enrollments set stuck_sis_fields = coalesce(stuck_sis_fields, ',') || (case when new.start_at is not old.start_at and instr(coalesce(stuck_sis_fields, ','), ',start_at,') = 0 then 'start_at,' else '' end) || (case when new.end_at is not old.end_at and instr(coalesce(stuck_sis_fields, ','), ',end_at,') = 0 then 'end_at,' else '' end) where id = new.id;
end;
create trigger stick_groups after update of name on groups when not exists (select 1 from sis_writing) and (new.name is not old.name) begin
  update groups set stuck_sis_fields = coalesce(stuck_sis_fields, ',') || (case when new.name is not old.name and instr(coalesce(stuck_sis_fields, ','), ',name,') = 0 then 'name,' else '' end) where id = new.id;
end;
create trigger say_self_registration_insert after insert on authentication_providers when new.auth_type = 'canvas' begin
  update accounts set settings = json_set(settings, '$.self_registration', coalesce((select p.settings ->> '$.self_registration' from authentication_providers p where p.account_id = new.account_id and p.auth_type = 'canvas' and p.workflow_state = 'active' order by p.position, p.id limit 1), 'none')) where id = new.account_id;
end;
create trigger say_self_registration_update after update on authentication_providers when new.auth_type = 'canvas' begin
  update accounts set settings = json_set(settings, '$.self_registration', coalesce((select p.settings ->> '$.self_registration' from authentication_providers p where p.account_id = new.account_id and p.auth_type = 'canvas' and p.workflow_state = 'active' order by p.position, p.id limit 1), 'none')) where id = new.account_id;
end;
create trigger say_self_registration_delete after delete on authentication_providers when old.auth_type = 'canvas' begin
  update accounts set settings = json_set(settings, '$.self_registration', coalesce((select p.settings ->> '$.self_registration' from authentication_providers p where p.account_id = old.account_id and p.auth_type = 'canvas' and p.workflow_state = 'active' order by p.position, p.id limit 1), 'none')) where id = old.account_id;
end;
create trigger audit_course_insert after insert on courses begin
  insert into course_events (course_id, account_id, event_type, event_source, event_data, user_id, sis_import_id, created_at)
    select new.id, new.account_id, 'created', iif(exists (select 1 from sis_writing), 'sis', coalesce((select a.source from acting a), 'system')), (select json_group_object(k.key, json_array(json(coalesce(s.o -> ('$.' || json_quote(k.key)), 'null')), json(coalesce(s.n -> ('$.' || json_quote(k.key)), 'null'))))
      from (select '{}' as o, json_patch(json_patch(json_patch(json_patch('{}', json_object('name', new.name, 'course_code', new.course_code, 'friendly_name', new.friendly_name, 'account_id', new.account_id, 'enrollment_term_id', new.enrollment_term_id, 'sis_course_id', new.sis_course_id, 'integration_id', new.integration_id, 'start_at', new.start_at, 'conclude_at', new.end_at, 'default_view', new.default_view, 'time_zone', new.time_zone, 'locale', new.locale, 'course_format', new.course_format, 'license', new.license, 'public_description', new.public_description)), json_object('syllabus_body', new.syllabus_body, 'grading_standard_id', new.grading_standard_id, 'storage_quota', new.storage_quota_mb, 'restrict_enrollments_to_course_dates', json(iif(new.restrict_enrollments_to_course_dates, 'true', 'false')), 'is_public', json(iif(new.is_public, 'true', 'false')), 'is_public_to_auth_users', json(iif(new.is_public_to_auth_users, 'true', 'false')), 'public_syllabus', json(iif(new.public_syllabus, 'true', 'false')), 'public_syllabus_to_auth', json(iif(new.public_syllabus_to_auth, 'true', 'false')), 'apply_assignment_group_weights', json(iif(new.apply_assignment_group_weights, 'true', 'false')), 'allow_student_wiki_edits', json(iif(new.allow_student_wiki_edits, 'true', 'false')), 'allow_wiki_comments', json(iif(new.allow_wiki_comments, 'true', 'false')), 'open_enrollment', json(iif(new.open_enrollment, 'true', 'false')), 'self_enrollment', json(iif(new.self_enrollment, 'true', 'false')), 'indexed', json(iif(new.indexed, 'true', 'false')), 'is_blueprint', json(iif(new.is_blueprint, 'true', 'false')))), json_object('is_template', json(iif(new.is_template, 'true', 'false')), 'workflow_state', new.workflow_state)), new.settings) as n) s cross join json_each(json_patch(s.o, s.n)) k where (s.o -> ('$.' || json_quote(k.key))) is not (s.n -> ('$.' || json_quote(k.key))) and (s.n -> ('$.' || json_quote(k.key))) <> 'false'),
      iif(exists (select 1 from sis_writing), (select i.user_id from sis_imports i where i.id = (select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1)), (select a.user_id from acting a)), iif(exists (select 1 from sis_writing), (select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1), null), strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where 1;
end;
create trigger audit_course_update after update of name, course_code, friendly_name, account_id, enrollment_term_id, sis_course_id, integration_id, start_at, end_at, default_view, time_zone, locale, course_format, license, public_description, syllabus_body, grading_standard_id, storage_quota_mb, restrict_enrollments_to_course_dates, is_public, is_public_to_auth_users, public_syllabus, public_syllabus_to_auth, apply_assignment_group_weights, allow_student_wiki_edits, allow_wiki_comments, open_enrollment, self_enrollment, indexed, is_blueprint, is_template, workflow_state, settings on courses when new.name is not old.name or new.course_code is not old.course_code or new.friendly_name is not old.friendly_name or new.account_id is not old.account_id or new.enrollment_term_id is not old.enrollment_term_id or new.sis_course_id is not old.sis_course_id or new.integration_id is not old.integration_id or new.start_at is not old.start_at or new.end_at is not old.end_at or new.default_view is not old.default_view or new.time_zone is not old.time_zone or new.locale is not old.locale or new.course_format is not old.course_format or new.license is not old.license or new.public_description is not old.public_description or new.syllabus_body is not old.syllabus_body or new.grading_standard_id is not old.grading_standard_id or new.storage_quota_mb is not old.storage_quota_mb or new.restrict_enrollments_to_course_dates is not old.restrict_enrollments_to_course_dates or new.is_public is not old.is_public or new.is_public_to_auth_users is not old.is_public_to_auth_users or new.public_syllabus is not old.public_syllabus or new.public_syllabus_to_auth is not old.public_syllabus_to_auth or new.apply_assignment_group_weights is not old.apply_assignment_group_weights or new.allow_student_wiki_edits is not old.allow_student_wiki_edits or new.allow_wiki_comments is not old.allow_wiki_comments or new.open_enrollment is not old.open_enrollment or new.self_enrollment is not old.self_enrollment or new.indexed is not old.indexed or new.is_blueprint is not old.is_blueprint or new.is_template is not old.is_template or new.workflow_state is not old.workflow_state or new.settings is not old.settings begin
  insert into course_events (course_id, account_id, event_type, event_source, event_data, user_id, sis_import_id, created_at)
    select new.id, new.account_id, 'updated', iif(exists (select 1 from sis_writing), 'sis', coalesce((select a.source from acting a), 'system')), d.data,
      iif(exists (select 1 from sis_writing), (select i.user_id from sis_imports i where i.id = (select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1)), (select a.user_id from acting a)), iif(exists (select 1 from sis_writing), (select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1), null), strftime('%Y-%m-%dT%H:%M:%SZ', 'now') from (select (select json_group_object(k.key, json_array(json(coalesce(s.o -> ('$.' || json_quote(k.key)), 'null')), json(coalesce(s.n -> ('$.' || json_quote(k.key)), 'null'))))
      from (select json_patch(json_patch(json_patch(json_patch('{}', json_object('name', old.name, 'course_code', old.course_code, 'friendly_name', old.friendly_name, 'account_id', old.account_id, 'enrollment_term_id', old.enrollment_term_id, 'sis_course_id', old.sis_course_id, 'integration_id', old.integration_id, 'start_at', old.start_at, 'conclude_at', old.end_at, 'default_view', old.default_view, 'time_zone', old.time_zone, 'locale', old.locale, 'course_format', old.course_format, 'license', old.license, 'public_description', old.public_description)), json_object('syllabus_body', old.syllabus_body, 'grading_standard_id', old.grading_standard_id, 'storage_quota', old.storage_quota_mb, 'restrict_enrollments_to_course_dates', json(iif(old.restrict_enrollments_to_course_dates, 'true', 'false')), 'is_public', json(iif(old.is_public, 'true', 'false')), 'is_public_to_auth_users', json(iif(old.is_public_to_auth_users, 'true', 'false')), 'public_syllabus', json(iif(old.public_syllabus, 'true', 'false')), 'public_syllabus_to_auth', json(iif(old.public_syllabus_to_auth, 'true', 'false')), 'apply_assignment_group_weights', json(iif(old.apply_assignment_group_weights, 'true', 'false')), 'allow_student_wiki_edits', json(iif(old.allow_student_wiki_edits, 'true', 'false')), 'allow_wiki_comments', json(iif(old.allow_wiki_comments, 'true', 'false')), 'open_enrollment', json(iif(old.open_enrollment, 'true', 'false')), 'self_enrollment', json(iif(old.self_enrollment, 'true', 'false')), 'indexed', json(iif(old.indexed, 'true', 'false')), 'is_blueprint', json(iif(old.is_blueprint, 'true', 'false')))), json_object('is_template', json(iif(old.is_template, 'true', 'false')), 'workflow_state', iif((new.workflow_state is not old.workflow_state and not (old.workflow_state = 'created' and new.workflow_state = 'claimed')), new.workflow_state, old.workflow_state))), old.settings) as o, json_patch(json_patch(json_patch(json_patch('{}', json_object('name', new.name, 'course_code', new.course_code, 'friendly_name', new.friendly_name, 'account_id', new.account_id, 'enrollment_term_id', new.enrollment_term_id, 'sis_course_id', new.sis_course_id, 'integration_id', new.integration_id, 'start_at', new.start_at, 'conclude_at', new.end_at, 'default_view', new.default_view, 'time_zone', new.time_zone, 'locale', new.locale, 'course_format', new.course_format, 'license', new.license, 'public_description', new.public_description)), json_object('syllabus_body', new.syllabus_body, 'grading_standard_id', new.grading_standard_id, 'storage_quota', new.storage_quota_mb, 'restrict_enrollments_to_course_dates', json(iif(new.restrict_enrollments_to_course_dates, 'true', 'false')), 'is_public', json(iif(new.is_public, 'true', 'false')), 'is_public_to_auth_users', json(iif(new.is_public_to_auth_users, 'true', 'false')), 'public_syllabus', json(iif(new.public_syllabus, 'true', 'false')), 'public_syllabus_to_auth', json(iif(new.public_syllabus_to_auth, 'true', 'false')), 'apply_assignment_group_weights', json(iif(new.apply_assignment_group_weights, 'true', 'false')), 'allow_student_wiki_edits', json(iif(new.allow_student_wiki_edits, 'true', 'false')), 'allow_wiki_comments', json(iif(new.allow_wiki_comments, 'true', 'false')), 'open_enrollment', json(iif(new.open_enrollment, 'true', 'false')), 'self_enrollment', json(iif(new.self_enrollment, 'true', 'false')), 'indexed', json(iif(new.indexed, 'true', 'false')), 'is_blueprint', json(iif(new.is_blueprint, 'true', 'false')))), json_object('is_template', json(iif(new.is_template, 'true', 'false')), 'workflow_state', new.workflow_state)), new.settings) as n) s cross join json_each(json_patch(s.o, s.n)) k where (s.o -> ('$.' || json_quote(k.key))) is not (s.n -> ('$.' || json_quote(k.key))) and 1) as data) d where d.data <> '{}';
end;
create trigger audit_course_move after update of workflow_state on courses when (new.workflow_state is not old.workflow_state and not (old.workflow_state = 'created' and new.workflow_state = 'claimed')) and not (new.workflow_state = 'deleted' and new.replacement_course_id is not old.replacement_course_id) begin
  insert into course_events (course_id, account_id, event_type, event_source, event_data, user_id, sis_import_id, created_at)
    select new.id, new.account_id, iif(new.workflow_state = 'deleted', 'deleted', iif(old.workflow_state = 'deleted', 'restored', iif(new.workflow_state = 'completed', 'concluded', iif(old.workflow_state = 'completed', 'unconcluded', iif(new.workflow_state = 'available', 'published', 'claimed'))))), iif(exists (select 1 from sis_writing), 'sis', coalesce((select a.source from acting a), 'system')), '{}',
      iif(exists (select 1 from sis_writing), (select i.user_id from sis_imports i where i.id = (select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1)), (select a.user_id from acting a)), iif(exists (select 1 from sis_writing), (select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1), null), strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where 1;
end;
create trigger audit_course_reset after update of replacement_course_id on courses when new.replacement_course_id is not null and old.replacement_course_id is not new.replacement_course_id begin
  insert into course_events (course_id, account_id, event_type, event_source, event_data, user_id, sis_import_id, created_at)
    select new.id, new.account_id, 'reset_to', iif(exists (select 1 from sis_writing), 'sis', coalesce((select a.source from acting a), 'system')), json_object('reset_to', new.replacement_course_id),
      iif(exists (select 1 from sis_writing), (select i.user_id from sis_imports i where i.id = (select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1)), (select a.user_id from acting a)), iif(exists (select 1 from sis_writing), (select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1), null), strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where 1;
  insert into course_events (course_id, account_id, event_type, event_source, event_data, user_id, sis_import_id, created_at)
    select new.replacement_course_id, new.account_id, 'reset_from', iif(exists (select 1 from sis_writing), 'sis', coalesce((select a.source from acting a), 'system')), json_object('reset_from', new.id),
      iif(exists (select 1 from sis_writing), (select i.user_id from sis_imports i where i.id = (select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1)), (select a.user_id from acting a)), iif(exists (select 1 from sis_writing), (select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1), null), strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where 1;
end;
create trigger copy_membership after insert on group_memberships begin
  update group_memberships set group_category_id = (select g.group_category_id from groups g where g.id = new.group_id),
    group_name = (select g.name from groups g where g.id = new.group_id), sortable_name = coalesce((select u.sortable_name from users u where u.id = new.user_id), '') where id = new.id;
end;
create trigger copy_membership_moved after update of user_id on group_memberships when new.user_id <> old.user_id begin
  update group_memberships set group_category_id = (select g.group_category_id from groups g where g.id = new.group_id),
    group_name = (select g.name from groups g where g.id = new.group_id), sortable_name = coalesce((select u.sortable_name from users u where u.id = new.user_id), '') where id = new.id;
end;
create trigger count_members_insert after insert on group_memberships when new.workflow_state = 'accepted' begin
  update group_memberships set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where user_id = new.user_id and group_category_id = (select c.id from group_categories c join groups g on g.group_category_id = c.id where g.id = new.group_id) and group_id <> new.group_id and workflow_state not in ('deleted', 'rejected')
      and coalesce((select c.role from group_categories c join groups g on g.group_category_id = c.id where g.id = new.group_id), '') not in ('communities', 'student_organized');
  update groups set members_count = members_count + 1,
    leader_id = coalesce(leader_id, case when (select c.auto_leader from group_categories c join groups g on g.group_category_id = c.id where g.id = new.group_id) = 'first' then new.user_id end) where id = new.group_id;
end;
create trigger count_members_joined after update of workflow_state on group_memberships when new.workflow_state = 'accepted' and old.workflow_state <> 'accepted' begin
  update group_memberships set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where user_id = new.user_id and group_category_id = (select c.id from group_categories c join groups g on g.group_category_id = c.id where g.id = new.group_id) and group_id <> new.group_id and workflow_state not in ('deleted', 'rejected')
      and coalesce((select c.role from group_categories c join groups g on g.group_category_id = c.id where g.id = new.group_id), '') not in ('communities', 'student_organized');
  update groups set members_count = members_count + 1,
    leader_id = coalesce(leader_id, case when (select c.auto_leader from group_categories c join groups g on g.group_category_id = c.id where g.id = new.group_id) = 'first' then new.user_id end) where id = new.group_id;
end;
create trigger count_members_left after update of workflow_state on group_memberships when old.workflow_state = 'accepted' and new.workflow_state <> 'accepted' begin
  update groups set members_count = members_count - 1,
    leader_id = case when leader_id is not old.user_id then leader_id when (select c.auto_leader from group_categories c join groups g on g.group_category_id = c.id where g.id = old.group_id) = 'first' then (select m.user_id from group_memberships m where m.group_id = old.group_id and m.workflow_state = 'accepted' and m.user_id <> old.user_id order by m.id limit 1)
      when (select c.auto_leader from group_categories c join groups g on g.group_category_id = c.id where g.id = old.group_id) = 'random' then (select m.user_id from group_memberships m where m.group_id = old.group_id and m.workflow_state = 'accepted' and m.user_id <> old.user_id order by random() limit 1) end where id = old.group_id;
end;
create trigger count_members_gone after delete on group_memberships when old.workflow_state = 'accepted' begin
  update groups set members_count = members_count - 1,
    leader_id = case when leader_id is not old.user_id then leader_id when (select c.auto_leader from group_categories c join groups g on g.group_category_id = c.id where g.id = old.group_id) = 'first' then (select m.user_id from group_memberships m where m.group_id = old.group_id and m.workflow_state = 'accepted' and m.user_id <> old.user_id order by m.id limit 1)
      when (select c.auto_leader from group_categories c join groups g on g.group_category_id = c.id where g.id = old.group_id) = 'random' then (select m.user_id from group_memberships m where m.group_id = old.group_id and m.workflow_state = 'accepted' and m.user_id <> old.user_id order by random() limit 1) end where id = old.group_id;
end;
create trigger copy_group_name after update of name on groups when new.name <> old.name begin
  update group_memberships set group_name = new.name where group_id = new.id;
end;
create trigger copy_member_name after update of sortable_name on users when new.sortable_name <> old.sortable_name begin
  update group_memberships set sortable_name = new.sortable_name where user_id = new.id;
end;
create trigger end_group after update of workflow_state on groups when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  update group_memberships set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where workflow_state not in ('deleted', 'rejected') and group_id = new.id;
end;
create trigger end_group_category after update of workflow_state on group_categories when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  update groups set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where group_category_id = new.id and workflow_state = 'available';
end;
create trigger end_memberships after update of enrollment_state on enrollments when new.enrollment_state in ('deleted', 'rejected') and old.enrollment_state not in ('deleted', 'rejected') begin
  update group_memberships set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where workflow_state not in ('deleted', 'rejected') and user_id = new.user_id and group_id in (select g.id from groups g where g.context_type = 'Course' and g.context_id = new.course_id)
      and not exists (select 1 from enrollments e where e.user_id = new.user_id and e.course_id = new.course_id and e.enrollment_state not in ('deleted', 'rejected'));
end;
create trigger end_memberships_of_person after update of workflow_state on users when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' begin
  update group_memberships set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where workflow_state not in ('deleted', 'rejected') and user_id = new.id;
end;
create trigger group_topics_begin after insert on discussion_topics when new.group_category_id is not null and new.root_topic_id is null and new.context_type = 'Course' begin
  insert into discussion_topics (context_type, context_id, title, user_id, position, root_topic_id, workflow_state, posted_at, last_reply_at, message, discussion_type, locked, delayed_post_at, lock_at, require_initial_post, allow_rating, only_graders_can_rate, sort_by_rating, created_at, updated_at)
  select 'Group', g.id, substr(r.title || ' - ' || g.name, 1, 250), r.user_id,
    (select coalesce(max(o.position), 0) + 1 from discussion_topics o where o.context_type = 'Group' and o.context_id = g.id and o.is_announcement = 0 and o.pinned = 0),
    r.id, r.workflow_state, r.posted_at, r.last_reply_at, r.message, r.discussion_type, r.locked, r.delayed_post_at, r.lock_at, r.require_initial_post, r.allow_rating, r.only_graders_can_rate, r.sort_by_rating, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
  from discussion_topics r join groups g on g.group_category_id = r.group_category_id and g.workflow_state = 'available'
  where r.group_category_id is not null and r.root_topic_id is null and r.context_type = 'Course' and r.workflow_state <> 'deleted' and r.id = new.id
    and not exists (select 1 from discussion_topics t where t.root_topic_id = r.id and t.context_type = 'Group' and t.context_id = g.id);
end;
create trigger group_topics_step after update of title, workflow_state, posted_at, message, discussion_type, locked, delayed_post_at, lock_at, require_initial_post, allow_rating, only_graders_can_rate, sort_by_rating on discussion_topics when new.group_category_id is not null and new.root_topic_id is null and new.context_type = 'Course' begin
  update discussion_topics set title = (select substr(new.title || ' - ' || g.name, 1, 250) from groups g where g.id = discussion_topics.context_id),
    message = new.message, discussion_type = new.discussion_type, locked = new.locked, delayed_post_at = new.delayed_post_at, lock_at = new.lock_at, require_initial_post = new.require_initial_post, allow_rating = new.allow_rating, only_graders_can_rate = new.only_graders_can_rate, sort_by_rating = new.sort_by_rating, posted_at = new.posted_at, workflow_state = new.workflow_state, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
  where root_topic_id = new.id and context_type = 'Group' and context_id in (select g.id from groups g where g.group_category_id = new.group_category_id);
end;
create trigger group_topics_set after update of group_category_id on discussion_topics when new.group_category_id is not old.group_category_id and new.root_topic_id is null begin
  update discussion_topics set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where root_topic_id = new.id and workflow_state <> 'deleted' and not (new.group_category_id is not null and context_type = 'Group' and context_id in (select g.id from groups g where g.group_category_id = new.group_category_id));
  update discussion_topics set title = (select substr(new.title || ' - ' || g.name, 1, 250) from groups g where g.id = discussion_topics.context_id),
    message = new.message, discussion_type = new.discussion_type, locked = new.locked, delayed_post_at = new.delayed_post_at, lock_at = new.lock_at, require_initial_post = new.require_initial_post, allow_rating = new.allow_rating, only_graders_can_rate = new.only_graders_can_rate, sort_by_rating = new.sort_by_rating, posted_at = new.posted_at, workflow_state = new.workflow_state, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
  where root_topic_id = new.id and context_type = 'Group' and context_id in (select g.id from groups g where g.group_category_id = new.group_category_id);
  insert into discussion_topics (context_type, context_id, title, user_id, position, root_topic_id, workflow_state, posted_at, last_reply_at, message, discussion_type, locked, delayed_post_at, lock_at, require_initial_post, allow_rating, only_graders_can_rate, sort_by_rating, created_at, updated_at)
  select 'Group', g.id, substr(r.title || ' - ' || g.name, 1, 250), r.user_id,
    (select coalesce(max(o.position), 0) + 1 from discussion_topics o where o.context_type = 'Group' and o.context_id = g.id and o.is_announcement = 0 and o.pinned = 0),
    r.id, r.workflow_state, r.posted_at, r.last_reply_at, r.message, r.discussion_type, r.locked, r.delayed_post_at, r.lock_at, r.require_initial_post, r.allow_rating, r.only_graders_can_rate, r.sort_by_rating, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
  from discussion_topics r join groups g on g.group_category_id = r.group_category_id and g.workflow_state = 'available'
  where r.group_category_id is not null and r.root_topic_id is null and r.context_type = 'Course' and r.workflow_state <> 'deleted' and r.id = new.id
    and not exists (select 1 from discussion_topics t where t.root_topic_id = r.id and t.context_type = 'Group' and t.context_id = g.id);
end;
create trigger group_topics_of_group after insert on groups begin
  insert into discussion_topics (context_type, context_id, title, user_id, position, root_topic_id, workflow_state, posted_at, last_reply_at, message, discussion_type, locked, delayed_post_at, lock_at, require_initial_post, allow_rating, only_graders_can_rate, sort_by_rating, created_at, updated_at)
  select 'Group', g.id, substr(r.title || ' - ' || g.name, 1, 250), r.user_id,
    (select coalesce(max(o.position), 0) + 1 from discussion_topics o where o.context_type = 'Group' and o.context_id = g.id and o.is_announcement = 0 and o.pinned = 0),
    r.id, r.workflow_state, r.posted_at, r.last_reply_at, r.message, r.discussion_type, r.locked, r.delayed_post_at, r.lock_at, r.require_initial_post, r.allow_rating, r.only_graders_can_rate, r.sort_by_rating, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
  from discussion_topics r join groups g on g.group_category_id = r.group_category_id and g.workflow_state = 'available'
  where r.group_category_id is not null and r.root_topic_id is null and r.context_type = 'Course' and r.workflow_state <> 'deleted' and r.group_category_id = new.group_category_id and g.id = new.id
    and not exists (select 1 from discussion_topics t where t.root_topic_id = r.id and t.context_type = 'Group' and t.context_id = g.id);
end;
create trigger group_topics_named after update of name on groups when new.name <> old.name begin
  update discussion_topics set title = (select substr(r.title || ' - ' || new.name, 1, 250) from discussion_topics r where r.id = discussion_topics.root_topic_id), updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where context_type = 'Group' and context_id = new.id and root_topic_id is not null;
end;
create trigger step_assignment_set_0 after insert on discussion_topics when new.assignment_id is not null and new.root_topic_id is null begin
  update assignments set group_category_id = new.group_category_id, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where id = new.assignment_id and group_category_id is not new.group_category_id;
end;
create trigger step_assignment_set_1 after update of group_category_id, assignment_id on discussion_topics when new.assignment_id is not null and new.root_topic_id is null begin
  update assignments set group_category_id = new.group_category_id, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where id = new.assignment_id and group_category_id is not new.group_category_id;
end;
create trigger step_topic_set after update of group_category_id on assignments when new.group_category_id is not old.group_category_id begin
  update discussion_topics set group_category_id = new.group_category_id, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where assignment_id = new.id and group_category_id is not new.group_category_id;
end;
create trigger note_entry_insert after insert on discussion_entries begin
  insert or ignore into discussion_view_changes (discussion_topic_id, discussion_entry_id) values (new.discussion_topic_id, new.id);
end;
create trigger note_entry_update after update of user_id, parent_id, message, editor_id, attachment_id, rating_count, rating_sum, workflow_state, updated_at on discussion_entries begin
  insert or ignore into discussion_view_changes (discussion_topic_id, discussion_entry_id) values (new.discussion_topic_id, new.id);
end;
create trigger note_entry_delete after delete on discussion_entries begin
  insert or ignore into discussion_view_changes (discussion_topic_id, discussion_entry_id) values (old.discussion_topic_id, old.id);
end;
create trigger blueprint_note_assignment_insert after insert on assignments when 1 and exists (select 1 from blueprint_templates b where b.course_id = new.course_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'assignment' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.course_id, 'assignment', new.id);
end;
create trigger blueprint_note_assignment_update after update on assignments when 1 and exists (select 1 from blueprint_templates b where b.course_id = new.course_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'assignment' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.course_id, 'assignment', new.id);
end;
create trigger blueprint_note_page_insert after insert on pages when new.context_type = 'Course' and exists (select 1 from blueprint_templates b where b.course_id = new.context_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'page' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.context_id, 'page', new.id);
end;
create trigger blueprint_note_page_update after update on pages when new.context_type = 'Course' and exists (select 1 from blueprint_templates b where b.course_id = new.context_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'page' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.context_id, 'page', new.id);
end;
create trigger blueprint_note_discussion_topic_insert after insert on discussion_topics when new.context_type = 'Course' and exists (select 1 from blueprint_templates b where b.course_id = new.context_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'discussion_topic' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.context_id, 'discussion_topic', new.id);
end;
create trigger blueprint_note_discussion_topic_update after update of title, message, discussion_type, pinned, locked, delayed_post_at, lock_at, todo_date, require_initial_post, allow_rating, only_graders_can_rate, sort_by_rating, podcast_enabled, podcast_has_student_posts, assignment_id, attachment_id, section_ids, sort_order, sort_order_locked, expanded, expanded_locked, workflow_state on discussion_topics when new.context_type = 'Course' and exists (select 1 from blueprint_templates b where b.course_id = new.context_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'discussion_topic' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.context_id, 'discussion_topic', new.id);
end;
create trigger blueprint_note_file_insert after insert on files when new.context_type = 'Course' and new.workflow_state <> 'pending' and exists (select 1 from blueprint_templates b where b.course_id = new.context_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'file' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.context_id, 'file', new.id);
end;
create trigger blueprint_note_file_update after update on files when new.context_type = 'Course' and new.workflow_state <> 'pending' and exists (select 1 from blueprint_templates b where b.course_id = new.context_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'file' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.context_id, 'file', new.id);
end;
create trigger blueprint_note_folder_insert after insert on folders when new.context_type = 'Course' and exists (select 1 from blueprint_templates b where b.course_id = new.context_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'folder' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.context_id, 'folder', new.id);
end;
create trigger blueprint_note_folder_update after update of name, parent_folder_id, lock_at, unlock_at, locked, hidden, workflow_state on folders when new.context_type = 'Course' and exists (select 1 from blueprint_templates b where b.course_id = new.context_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'folder' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.context_id, 'folder', new.id);
end;
create trigger blueprint_note_assignment_group_insert after insert on assignment_groups when 1 and exists (select 1 from blueprint_templates b where b.course_id = new.course_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'assignment_group' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.course_id, 'assignment_group', new.id);
end;
create trigger blueprint_note_assignment_group_update after update on assignment_groups when 1 and exists (select 1 from blueprint_templates b where b.course_id = new.course_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'assignment_group' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.course_id, 'assignment_group', new.id);
end;
create trigger blueprint_note_calendar_event_insert after insert on calendar_events when new.context_code glob 'course_[0-9]*' and exists (select 1 from blueprint_templates b where b.course_id = cast(substr(new.context_code, 8) as integer) and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'calendar_event' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (cast(substr(new.context_code, 8) as integer), 'calendar_event', new.id);
end;
create trigger blueprint_note_calendar_event_update after update on calendar_events when new.context_code glob 'course_[0-9]*' and exists (select 1 from blueprint_templates b where b.course_id = cast(substr(new.context_code, 8) as integer) and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'calendar_event' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (cast(substr(new.context_code, 8) as integer), 'calendar_event', new.id);
end;
create trigger blueprint_note_module_insert after insert on modules when 1 and exists (select 1 from blueprint_templates b where b.course_id = new.course_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'module' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.course_id, 'module', new.id);
end;
create trigger blueprint_note_module_update after update on modules when 1 and exists (select 1 from blueprint_templates b where b.course_id = new.course_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'module' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.course_id, 'module', new.id);
end;
create trigger blueprint_note_module_item_insert after insert on module_items when 1 and exists (select 1 from blueprint_templates b where b.course_id = new.course_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'module_item' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.course_id, 'module_item', new.id);
end;
create trigger blueprint_note_module_item_update after update on module_items when 1 and exists (select 1 from blueprint_templates b where b.course_id = new.course_id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'module_item' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.course_id, 'module_item', new.id);
end;
create trigger blueprint_note_syllabus after update of syllabus_body on courses when new.syllabus_body is not old.syllabus_body and exists (select 1 from blueprint_templates b where b.course_id = new.id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'syllabus' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.id, 'syllabus', new.id);
end;
create trigger blueprint_note_settings after update of settings, default_view, license on courses when (new.settings is not old.settings or new.default_view is not old.default_view or new.license is not old.license) and exists (select 1 from blueprint_templates b where b.course_id = new.id and b.workflow_state = 'active') begin
  delete from blueprint_changes where kind = 'settings' and item_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) values (new.id, 'settings', new.id);
end;
create trigger blueprint_mark_syllabus after update of syllabus_body on courses when new.syllabus_body is not old.syllabus_body and not exists (select 1 from course_copying) begin
  update blueprint_subscriptions set syllabus_changed = 1 where course_id = new.id and workflow_state = 'active';
end;
create trigger blueprint_made_insert after insert on courses when new.is_blueprint = 1 begin
  insert into blueprint_templates (course_id, created_at, updated_at) select new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where not exists (select 1 from blueprint_templates t where t.course_id = new.id);
  update blueprint_templates set workflow_state = 'active', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where course_id = new.id and workflow_state <> 'active';
  delete from blueprint_changes where course_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'assignment', t.id from assignments t where 1 and t.course_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'page', t.id from pages t where t.context_type = 'Course' and t.context_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'discussion_topic', t.id from discussion_topics t where t.context_type = 'Course' and t.context_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'file', t.id from files t where t.context_type = 'Course' and t.workflow_state <> 'pending' and t.context_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'folder', t.id from folders t where t.context_type = 'Course' and t.context_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'assignment_group', t.id from assignment_groups t where 1 and t.course_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'calendar_event', t.id from calendar_events t where t.context_code glob 'course_[0-9]*' and t.context_code = 'course_' || new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'module', t.id from modules t where 1 and t.course_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'module_item', t.id from module_items t where 1 and t.course_id = new.id and t.workflow_state <> 'deleted';
end;
create trigger blueprint_made_update after update of is_blueprint on courses when new.is_blueprint = 1 and old.is_blueprint = 0 begin
  insert into blueprint_templates (course_id, created_at, updated_at) select new.id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where not exists (select 1 from blueprint_templates t where t.course_id = new.id);
  update blueprint_templates set workflow_state = 'active', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where course_id = new.id and workflow_state <> 'active';
  delete from blueprint_changes where course_id = new.id;
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'assignment', t.id from assignments t where 1 and t.course_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'page', t.id from pages t where t.context_type = 'Course' and t.context_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'discussion_topic', t.id from discussion_topics t where t.context_type = 'Course' and t.context_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'file', t.id from files t where t.context_type = 'Course' and t.workflow_state <> 'pending' and t.context_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'folder', t.id from folders t where t.context_type = 'Course' and t.context_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'assignment_group', t.id from assignment_groups t where 1 and t.course_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'calendar_event', t.id from calendar_events t where t.context_code glob 'course_[0-9]*' and t.context_code = 'course_' || new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'module', t.id from modules t where 1 and t.course_id = new.id and t.workflow_state <> 'deleted';
  insert into blueprint_changes (course_id, kind, item_id) select new.id, 'module_item', t.id from module_items t where 1 and t.course_id = new.id and t.workflow_state <> 'deleted';
end;
create trigger blueprint_unmade after update of is_blueprint on courses when new.is_blueprint = 0 and old.is_blueprint = 1 begin
  update blueprint_templates set workflow_state = 'deleted', updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where course_id = new.id;
end;
create trigger blueprint_lock_assignment_content before update of name, description on assignments when (new.name is not old.name or new.description is not old.description) and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'assignment' and l.item_id = new.id and b.content = 1) begin
  select raise(abort, 'refused 400 cannot change content: locked by the blueprint of this course');
end;
create trigger blueprint_lock_assignment_points before update of points_possible on assignments when (new.points_possible is not old.points_possible) and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'assignment' and l.item_id = new.id and b.points = 1) begin
  select raise(abort, 'refused 400 cannot change points: locked by the blueprint of this course');
end;
create trigger blueprint_lock_assignment_due_dates before update of due_at on assignments when (new.due_at is not old.due_at) and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'assignment' and l.item_id = new.id and b.due_dates = 1) begin
  select raise(abort, 'refused 400 cannot change due_dates: locked by the blueprint of this course');
end;
create trigger blueprint_lock_assignment_availability_dates before update of unlock_at, lock_at on assignments when (new.unlock_at is not old.unlock_at or new.lock_at is not old.lock_at) and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'assignment' and l.item_id = new.id and b.availability_dates = 1) begin
  select raise(abort, 'refused 400 cannot change availability_dates: locked by the blueprint of this course');
end;
create trigger blueprint_lock_assignment_state before update of workflow_state on assignments when (new.workflow_state is not old.workflow_state) and not exists (select 1 from course_copying) and not (new.workflow_state = 'deleted' and old.workflow_state <> 'deleted') and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'assignment' and l.item_id = new.id and b.state = 1) begin
  select raise(abort, 'refused 400 cannot change state: locked by the blueprint of this course');
end;
create trigger blueprint_lock_assignment_there before update of workflow_state on assignments when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'assignment' and l.item_id = new.id and (b.content or b.points or b.due_dates or b.availability_dates or b.state)) begin
  select raise(abort, 'refused 401 cannot delete: locked by the blueprint of this course');
end;
create trigger blueprint_lock_page_content before update of title, body on pages when (new.title is not old.title or new.body is not old.body) and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'page' and l.item_id = new.id and b.content = 1) begin
  select raise(abort, 'refused 400 cannot change content: locked by the blueprint of this course');
end;
create trigger blueprint_lock_page_state before update of workflow_state on pages when (new.workflow_state is not old.workflow_state) and not exists (select 1 from course_copying) and not (new.workflow_state = 'deleted' and old.workflow_state <> 'deleted') and not (old.publish_at is not null and old.publish_at <= strftime('%Y-%m-%dT%H:%M:%SZ', 'now') and new.workflow_state = 'active') and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'page' and l.item_id = new.id and b.state = 1) begin
  select raise(abort, 'refused 400 cannot change state: locked by the blueprint of this course');
end;
create trigger blueprint_lock_page_there before update of workflow_state on pages when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'page' and l.item_id = new.id and (b.content or b.points or b.due_dates or b.availability_dates or b.state)) begin
  select raise(abort, 'refused 401 cannot delete: locked by the blueprint of this course');
end;
create trigger blueprint_lock_discussion_topic_content before update of title, message on discussion_topics when (new.title is not old.title or new.message is not old.message) and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'discussion_topic' and l.item_id = new.id and b.content = 1) begin
  select raise(abort, 'refused 400 cannot change content: locked by the blueprint of this course');
end;
create trigger blueprint_lock_discussion_topic_availability_dates before update of delayed_post_at, lock_at on discussion_topics when (new.delayed_post_at is not old.delayed_post_at or new.lock_at is not old.lock_at) and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'discussion_topic' and l.item_id = new.id and b.availability_dates = 1) begin
  select raise(abort, 'refused 400 cannot change availability_dates: locked by the blueprint of this course');
end;
create trigger blueprint_lock_discussion_topic_state before update of workflow_state on discussion_topics when (new.workflow_state is not old.workflow_state) and not exists (select 1 from course_copying) and not (new.workflow_state = 'deleted' and old.workflow_state <> 'deleted') and not (old.workflow_state = 'post_delayed' and new.workflow_state = 'active') and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'discussion_topic' and l.item_id = new.id and b.state = 1) begin
  select raise(abort, 'refused 400 cannot change state: locked by the blueprint of this course');
end;
create trigger blueprint_lock_discussion_topic_there before update of workflow_state on discussion_topics when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'discussion_topic' and l.item_id = new.id and (b.content or b.points or b.due_dates or b.availability_dates or b.state)) begin
  select raise(abort, 'refused 401 cannot delete: locked by the blueprint of this course');
end;
create trigger blueprint_lock_file_content before update of display_name, blob_id on files when (new.display_name is not old.display_name or new.blob_id is not old.blob_id) and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'file' and l.item_id = new.id and b.content = 1) begin
  select raise(abort, 'refused 400 cannot change content: locked by the blueprint of this course');
end;
create trigger blueprint_lock_file_availability_dates before update of unlock_at, lock_at on files when (new.unlock_at is not old.unlock_at or new.lock_at is not old.lock_at) and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'file' and l.item_id = new.id and b.availability_dates = 1) begin
  select raise(abort, 'refused 400 cannot change availability_dates: locked by the blueprint of this course');
end;
create trigger blueprint_lock_file_state before update of locked, hidden on files when (new.locked is not old.locked or new.hidden is not old.hidden) and not exists (select 1 from course_copying) and not (new.workflow_state = 'deleted' and old.workflow_state <> 'deleted') and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'file' and l.item_id = new.id and b.state = 1) begin
  select raise(abort, 'refused 400 cannot change state: locked by the blueprint of this course');
end;
create trigger blueprint_lock_file_there before update of workflow_state on files when new.workflow_state = 'deleted' and old.workflow_state <> 'deleted' and not exists (select 1 from course_copying) and exists (select 1 from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = 'file' and l.item_id = new.id and (b.content or b.points or b.due_dates or b.availability_dates or b.state)) begin
  select raise(abort, 'refused 401 cannot delete: locked by the blueprint of this course');
end;
create trigger blueprint_mark_assignment after update of name, description, points_possible, due_at, unlock_at, lock_at, workflow_state on assignments when (new.name is not old.name or new.description is not old.description or new.points_possible is not old.points_possible or new.due_at is not old.due_at or new.unlock_at is not old.unlock_at or new.lock_at is not old.lock_at or new.workflow_state is not old.workflow_state) and not exists (select 1 from course_copying) and new.workflow_state <> 'deleted'
    and exists (select 1 from copied_items l join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active' where l.kind = 'assignment' and l.item_id = new.id) begin
  update copied_items set changed = changed || (case when (new.name is not old.name or new.description is not old.description) and instr(changed, ',content') = 0 then ',content' else '' end) || (case when (new.points_possible is not old.points_possible) and instr(changed, ',points') = 0 then ',points' else '' end) || (case when (new.due_at is not old.due_at) and instr(changed, ',due_dates') = 0 then ',due_dates' else '' end) || (case when (new.unlock_at is not old.unlock_at or new.lock_at is not old.lock_at) and instr(changed, ',availability_dates') = 0 then ',availability_dates' else '' end) || (case when (new.workflow_state is not old.workflow_state) and instr(changed, ',state') = 0 then ',state' else '' end) where kind = 'assignment' and item_id = new.id;
end;
create trigger blueprint_mark_page after update of title, body, workflow_state on pages when (new.title is not old.title or new.body is not old.body or new.workflow_state is not old.workflow_state) and not exists (select 1 from course_copying) and new.workflow_state <> 'deleted'
    and exists (select 1 from copied_items l join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active' where l.kind = 'page' and l.item_id = new.id) begin
  update copied_items set changed = changed || (case when (new.title is not old.title or new.body is not old.body) and instr(changed, ',content') = 0 then ',content' else '' end) || (case when (new.workflow_state is not old.workflow_state) and instr(changed, ',state') = 0 then ',state' else '' end) where kind = 'page' and item_id = new.id;
end;
create trigger blueprint_mark_discussion_topic after update of title, message, delayed_post_at, lock_at, workflow_state on discussion_topics when (new.title is not old.title or new.message is not old.message or new.delayed_post_at is not old.delayed_post_at or new.lock_at is not old.lock_at or new.workflow_state is not old.workflow_state) and not exists (select 1 from course_copying) and new.workflow_state <> 'deleted'
    and exists (select 1 from copied_items l join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active' where l.kind = 'discussion_topic' and l.item_id = new.id) begin
  update copied_items set changed = changed || (case when (new.title is not old.title or new.message is not old.message) and instr(changed, ',content') = 0 then ',content' else '' end) || (case when (new.delayed_post_at is not old.delayed_post_at or new.lock_at is not old.lock_at) and instr(changed, ',availability_dates') = 0 then ',availability_dates' else '' end) || (case when (new.workflow_state is not old.workflow_state) and instr(changed, ',state') = 0 then ',state' else '' end) where kind = 'discussion_topic' and item_id = new.id;
end;
create trigger blueprint_mark_file after update of display_name, blob_id, unlock_at, lock_at, locked, hidden on files when (new.display_name is not old.display_name or new.blob_id is not old.blob_id or new.unlock_at is not old.unlock_at or new.lock_at is not old.lock_at or new.locked is not old.locked or new.hidden is not old.hidden) and not exists (select 1 from course_copying) and new.workflow_state <> 'deleted'
    and exists (select 1 from copied_items l join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active' where l.kind = 'file' and l.item_id = new.id) begin
  update copied_items set changed = changed || (case when (new.display_name is not old.display_name or new.blob_id is not old.blob_id) and instr(changed, ',content') = 0 then ',content' else '' end) || (case when (new.unlock_at is not old.unlock_at or new.lock_at is not old.lock_at) and instr(changed, ',availability_dates') = 0 then ',availability_dates' else '' end) || (case when (new.locked is not old.locked or new.hidden is not old.hidden) and instr(changed, ',state') = 0 then ',state' else '' end) where kind = 'file' and item_id = new.id;
end;
create trigger blueprint_import_ended after update of workflow_state on course_copies when new.purpose = 'blueprint' and new.workflow_state in ('completed', 'failed') and old.workflow_state <> new.workflow_state begin
  update blueprint_imports set workflow_state = (case new.workflow_state when 'completed' then 'completed' else 'imports_failed' end), updated_at = new.updated_at where copy_id = new.id;
  update blueprint_subscriptions set synced_seq = (select i.upto_seq from blueprint_imports i where i.copy_id = new.id) where id = (select i.subscription_id from blueprint_imports i where i.copy_id = new.id) and new.workflow_state = 'completed';
  update blueprint_migrations set imports_completed_at = new.updated_at, updated_at = new.updated_at,
    workflow_state = (case when exists (select 1 from blueprint_imports i where i.migration_id = blueprint_migrations.id and i.workflow_state = 'imports_failed') then 'imports_failed' else 'completed' end)
    where id = (select i.migration_id from blueprint_imports i where i.copy_id = new.id) and workflow_state = 'imports_queued'
      and not exists (select 1 from blueprint_imports i where i.migration_id = blueprint_migrations.id and i.workflow_state = 'imports_queued');
end;
create trigger version_files after update of display_name, folder_id, blob_id, workflow_state on files when new.display_name is not old.display_name or new.folder_id is not old.folder_id or new.blob_id is not old.blob_id or new.workflow_state is not old.workflow_state begin
  update files set version = max(max(old.version, coalesce((select max(r.version) from files r where r.replacement_file_id = new.id), 0)) + 1, (cast(unixepoch('subsec') * 1000 as integer) * 1024 + (random() & 1023))) where id = new.id;
end;
create trigger version_folders after update of name, parent_folder_id, workflow_state on folders when new.name is not old.name or new.parent_folder_id is not old.parent_folder_id or new.workflow_state is not old.workflow_state begin
  update folders set version = max(old.version + 1, (cast(unixepoch('subsec') * 1000 as integer) * 1024 + (random() & 1023))) where id = new.id;
end;
create trigger keep_replaced_file after update of workflow_state on files when old.workflow_state = 'available' and new.workflow_state = 'deleted' and new.replacement_file_id is not null and old.blob_id is not null begin
  update file_versions set file_id = new.replacement_file_id where file_id = old.id;
  insert into file_versions (file_id, version, display_name, content_type, size, blob_id, updated_at, replaced_at)
    values (new.replacement_file_id, old.version, old.display_name, old.content_type, old.size, old.blob_id, coalesce(old.modified_at, old.created_at), strftime('%Y-%m-%dT%H:%M:%SZ', 'now'));
  delete from file_versions where id in (select v.id from file_versions v where v.file_id = new.replacement_file_id order by v.version desc, v.id desc limit -1 offset 200);
end;
create trigger keep_replaced_bytes after update of blob_id on files when old.workflow_state = 'available' and old.blob_id is not null and new.blob_id is not old.blob_id begin
  insert into file_versions (file_id, version, display_name, content_type, size, blob_id, updated_at, replaced_at)
    values (new.id, old.version, old.display_name, old.content_type, old.size, old.blob_id, coalesce(old.modified_at, old.created_at), strftime('%Y-%m-%dT%H:%M:%SZ', 'now'));
  delete from file_versions where id in (select v.id from file_versions v where v.file_id = new.id order by v.version desc, v.id desc limit -1 offset 200);
end;
create trigger forget_versions_of_deleted after update of workflow_state on files when old.workflow_state = 'available' and new.workflow_state = 'deleted' and new.replacement_file_id is null begin
  delete from file_versions where file_id = old.id;
end;
create trigger forget_versions_of_removed after delete on files begin
  delete from file_versions where file_id = old.id;
end;
create trigger release_blob_of_version after delete on file_versions begin
  update blobs set unsure_since = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') where id = old.blob_id;
end;
insert into accounts (id, name, uuid, default_storage_quota_mb, default_user_storage_quota_mb, default_group_storage_quota_mb, created_at, updated_at) values (1, 'New Institution', lower(hex(randomblob(20))), 500, 50, 50, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into terms (id, account_id, name, is_default, created_at, updated_at) values (1, 1, 'Default Term', 1, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into roles (id, name, base_role_type, workflow_state, created_at, updated_at) values (1, 'AccountAdmin', 'AccountMembership', 'built_in', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into roles (id, name, base_role_type, workflow_state, created_at, updated_at) values (3, 'StudentEnrollment', 'StudentEnrollment', 'built_in', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into roles (id, name, base_role_type, workflow_state, created_at, updated_at) values (4, 'TeacherEnrollment', 'TeacherEnrollment', 'built_in', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into roles (id, name, base_role_type, workflow_state, created_at, updated_at) values (5, 'TaEnrollment', 'TaEnrollment', 'built_in', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into roles (id, name, base_role_type, workflow_state, created_at, updated_at) values (6, 'DesignerEnrollment', 'DesignerEnrollment', 'built_in', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into roles (id, name, base_role_type, workflow_state, created_at, updated_at) values (7, 'ObserverEnrollment', 'ObserverEnrollment', 'built_in', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into roles (id, name, base_role_type, workflow_state, created_at, updated_at) values (8, 'StudentViewEnrollment', 'StudentEnrollment', 'built_in', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into authentication_providers (id, account_id, auth_type, position, created_at, updated_at) values (1, 1, 'canvas', 1, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into developer_keys (id, account_id, name, notes, vendor_code, redirect_uris, client_type, secret_hash, created_at, updated_at) values (1, 1, 'Carrel desk', 'Signs people in at the desk on their own computers.', 'carrel-desk', '["http://127.0.0.1/back"]', 'public', '', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into developer_key_account_bindings (developer_key_id, account_id, workflow_state, created_at, updated_at) values (1, 1, 'on', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
insert into facts (name, value) values ('epoch', lower(hex(randomblob(8)))), ('oldest_seq', '0');
