ALTER TABLE `acting` ADD `graded_anonymously` integer;--> statement-breakpoint
ALTER TABLE `provisional_grades` ADD `graded_anonymously` integer;