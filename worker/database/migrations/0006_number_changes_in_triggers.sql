-- The triggers of most tables write to `changes`. Otherwise the new name would be looked for in each of them while the table is missing.
PRAGMA legacy_alter_table=ON;--> statement-breakpoint
CREATE TABLE `__new_changes` (
	`seq` integer PRIMARY KEY NOT NULL,
	`scope` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`op` text NOT NULL,
	`changed_at` text NOT NULL
);
--> statement-breakpoint
-- Some tombstones are of items that lost only a part and still exist: none of them is deleted any more.
INSERT INTO `__new_changes`("seq", "scope", "kind", "item_id", "op", "changed_at") SELECT "seq", "scope", "kind", "item_id", 'upsert', "changed_at" FROM `changes`;--> statement-breakpoint
DROP TABLE `changes`;--> statement-breakpoint
ALTER TABLE `__new_changes` RENAME TO `changes`;--> statement-breakpoint
PRAGMA legacy_alter_table=OFF;--> statement-breakpoint
CREATE UNIQUE INDEX `changes_once` ON `changes` (`scope`,`kind`,`item_id`);--> statement-breakpoint
CREATE INDEX `changes_in_scope` ON `changes` (`scope`,`seq`);--> statement-breakpoint
CREATE INDEX `changes_deleted` ON `changes` (`changed_at`,`seq`) WHERE op = 'delete';