-- Items of New Quizzes that were copied before copies of items were recorded: the copy of an item has the same content.
INSERT OR IGNORE INTO `copied_items` (`course_id`, `kind`, `source_id`, `item_id`, `source_course_id`, `copy_id`)
SELECT l.course_id, 'new_quiz_item', o.id, min(t.id), l.source_course_id, 0
FROM `copied_items` l
JOIN `new_quiz_items` o ON o.new_quiz_id = l.source_id AND o.workflow_state = 'active'
JOIN `new_quiz_items` t ON t.new_quiz_id = l.item_id AND t.workflow_state = 'active' AND t.entry_type = o.entry_type AND t.entry = o.entry
WHERE l.kind = 'assignment'
GROUP BY l.course_id, o.id;
--> statement-breakpoint
-- All items of blueprints count as changed, as those of a new blueprint do.
INSERT INTO `blueprint_changes` (`course_id`, `kind`, `item_id`)
SELECT n.course_id, 'new_quiz_item', i.id
FROM `blueprint_templates` b
JOIN `new_quizzes` n ON n.course_id = b.course_id
JOIN `new_quiz_items` i ON i.new_quiz_id = n.id AND i.workflow_state = 'active'
WHERE b.workflow_state = 'active'
  AND NOT EXISTS (SELECT 1 FROM `blueprint_changes` c WHERE c.kind = 'new_quiz_item' AND c.item_id = i.id);
