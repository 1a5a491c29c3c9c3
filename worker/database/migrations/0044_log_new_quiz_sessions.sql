-- Attempts at New Quizzes that are older than the triggers of the feed are in no change log.
INSERT INTO `changes` (`seq`, `scope`, `kind`, `item_id`, `op`, `changed_at`)
SELECT (SELECT max(coalesce((SELECT max(`seq`) FROM `changes`), 0), coalesce((SELECT cast(`value` AS integer) FROM `facts` WHERE `name` = 'oldest_seq'), 0)))
  + row_number() OVER (ORDER BY s.id), 'user_' || s.user_id, 'new_quiz_session', s.id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
FROM `quiz_submissions` s
WHERE s.quiz_id < 0
  AND NOT EXISTS (SELECT 1 FROM `changes` c WHERE c.scope = 'user_' || s.user_id AND c.kind = 'new_quiz_session' AND c.item_id = s.id);
