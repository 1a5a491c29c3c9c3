-- What drizzle-kit cannot write: indexes over expressions with a comma, which it cuts at the comma, and the virtual tables of the searches.
CREATE INDEX `assignments_by_due_date` ON `assignments` (`course_id`,coalesce(due_at, ''),`id`) WHERE workflow_state <> 'deleted';
--> statement-breakpoint
-- An event without a date comes first.
CREATE INDEX `calendar_events_in_context` ON `calendar_events` (`context_code`,coalesce(start_at, ''),`id`) WHERE workflow_state <> 'deleted';
--> statement-breakpoint
-- One index for each order in which topics are listed.
CREATE INDEX `discussion_topics_in_context` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,iif("pinned", 1000000000 - "position", "position"),`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `discussion_topics_by_reply` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,coalesce("last_reply_at", "created_at"),`id`);
--> statement-breakpoint
CREATE INDEX `discussion_topics_by_posting` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,coalesce("delayed_post_at", "posted_at", "created_at"),`id`);
--> statement-breakpoint
-- Among plans of equal cost SQLite chooses by the order in which indexes were created, so the others of this table are created again after these.
DROP INDEX `discussion_topics_by_title`;
--> statement-breakpoint
CREATE INDEX `discussion_topics_by_title` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,"title" collate nocase,`id`);
--> statement-breakpoint
-- The day on which a planner shows the topic.
CREATE INDEX `discussion_topics_by_plan` ON `discussion_topics` (`context_type`,`context_id`,`is_announcement`,coalesce(todo_date, posted_at, delayed_post_at, created_at));
--> statement-breakpoint
DROP INDEX `discussion_topics_of_root`;
--> statement-breakpoint
CREATE INDEX `discussion_topics_of_root` ON `discussion_topics` (`root_topic_id`) WHERE root_topic_id is not null;
--> statement-breakpoint
DROP INDEX `discussion_topics_of_set`;
--> statement-breakpoint
CREATE INDEX `discussion_topics_of_set` ON `discussion_topics` (`group_category_id`) WHERE group_category_id is not null;
--> statement-breakpoint
DROP INDEX `discussion_topics_of_author`;
--> statement-breakpoint
CREATE INDEX `discussion_topics_of_author` ON `discussion_topics` (`user_id`);
--> statement-breakpoint
DROP INDEX `discussion_topics_of_assignment`;
--> statement-breakpoint
CREATE INDEX `discussion_topics_of_assignment` ON `discussion_topics` (`assignment_id`);
--> statement-breakpoint
DROP INDEX `discussion_topics_graded`;
--> statement-breakpoint
CREATE INDEX `discussion_topics_graded` ON `discussion_topics` (`context_type`,`context_id`) WHERE assignment_id is not null;
--> statement-breakpoint
DROP INDEX `discussion_topics_with_files`;
--> statement-breakpoint
CREATE INDEX `discussion_topics_with_files` ON `discussion_topics` (`context_type`,`context_id`) WHERE attachment_id is not null;
--> statement-breakpoint
DROP INDEX `discussion_topics_of_attachment`;
--> statement-breakpoint
CREATE INDEX `discussion_topics_of_attachment` ON `discussion_topics` (`attachment_id`) WHERE attachment_id is not null;
--> statement-breakpoint
DROP INDEX `discussion_topics_to_post`;
--> statement-breakpoint
CREATE INDEX `discussion_topics_to_post` ON `discussion_topics` (`delayed_post_at`) WHERE workflow_state = 'post_delayed';
--> statement-breakpoint
CREATE UNIQUE INDEX `external_feeds_once` ON `external_feeds` (`context_type`,`context_id`,`url`,`verbosity`,coalesce("header_match", ''));
--> statement-breakpoint
CREATE INDEX `terms_in_account` ON `terms` (`account_id`,`workflow_state`,coalesce(start_at, created_at),`id`);
--> statement-breakpoint
-- A name is unique at its provider. A login without a provider belongs to the first, which keeps passwords.
CREATE UNIQUE INDEX `logins_by_unique_id` ON `logins` (`account_id`,lower("unique_id"),coalesce("authentication_provider_id", 1)) WHERE workflow_state <> 'deleted';
--> statement-breakpoint
-- Runs of three letters of the names by which people, courses and accounts are found. The tables ending in _runs say how frequent each run is.
create virtual table people_search using fts5(name, sortable_name, short_name, login, sis_id, integration_id, address, tokenize = 'trigram');
--> statement-breakpoint
create virtual table people_runs using fts5vocab('people_search', 'row');
--> statement-breakpoint
create virtual table course_search using fts5(name, course_code, sis_course_id, tokenize = 'trigram');
--> statement-breakpoint
create virtual table course_runs using fts5vocab('course_search', 'row');
--> statement-breakpoint
create virtual table account_search using fts5(name, tokenize = 'trigram');
--> statement-breakpoint
create virtual table account_runs using fts5vocab('account_search', 'row');
--> statement-breakpoint
-- The words of pages, assignments and topics. The texts themselves are not stored again.
create virtual table course_words using fts5(place, title, body, content = '', contentless_delete = 1, detail = column, tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'");
