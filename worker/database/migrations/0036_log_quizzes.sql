-- Quizzes and attempts that are older than the triggers of the feed are in no change log. What is logged already keeps its number.
INSERT INTO `changes` (`seq`, `scope`, `kind`, `item_id`, `op`, `changed_at`)
SELECT (SELECT max(coalesce((SELECT max(`seq`) FROM `changes`), 0), coalesce((SELECT cast(`value` AS integer) FROM `facts` WHERE `name` = 'oldest_seq'), 0)))
  + row_number() OVER (ORDER BY missing.kind, missing.id), missing.scope, missing.kind, missing.id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
FROM (
  SELECT 'course_' || q.course_id AS scope, 'quiz' AS kind, q.id AS id FROM `quizzes` q WHERE q.workflow_state <> 'deleted'
  UNION ALL SELECT 'user_' || s.user_id, 'quiz_submission', s.id FROM `quiz_submissions` s
) missing
WHERE NOT EXISTS (SELECT 1 FROM `changes` c WHERE c.scope = missing.scope AND c.kind = missing.kind AND c.item_id = missing.id);
--> statement-breakpoint
INSERT OR IGNORE INTO `scheduled_changes` (`scope`, `kind`, `item_id`, `field`, `at`)
SELECT 'course_' || q.course_id, 'quiz', q.id, d.value ->> 0, d.value ->> 1
FROM `quizzes` q, json_each(json_array(json_array('unlock_at', q.unlock_at), json_array('lock_at', q.lock_at), json_array('due_at', q.due_at))) d
WHERE q.assignment_id IS NULL AND q.workflow_state <> 'deleted' AND d.value ->> 1 IS NOT NULL
UNION ALL SELECT 'user_' || s.user_id, 'quiz_submission', s.id, 'end_at', s.end_at FROM `quiz_submissions` s WHERE s.end_at IS NOT NULL;
