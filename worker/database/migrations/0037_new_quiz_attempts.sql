ALTER TABLE `new_quiz_items` ADD `bank_question_id` integer;--> statement-breakpoint
ALTER TABLE `new_quiz_items` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `quiz_attempts` ADD `reached` integer DEFAULT 1 NOT NULL;