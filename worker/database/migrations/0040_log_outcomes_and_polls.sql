-- Outcomes of courses, results and open polls that are older than the triggers of the feed are in no change log.
INSERT INTO `changes` (`seq`, `scope`, `kind`, `item_id`, `op`, `changed_at`)
SELECT (SELECT max(coalesce((SELECT max(`seq`) FROM `changes`), 0), coalesce((SELECT cast(`value` AS integer) FROM `facts` WHERE `name` = 'oldest_seq'), 0)))
  + row_number() OVER (ORDER BY missing.kind, missing.id), missing.scope, missing.kind, missing.id, 'upsert', strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
FROM (
  SELECT 'course_' || g.context_id AS scope, 'outcome_group' AS kind, g.id AS id FROM `learning_outcome_groups` g WHERE g.context_type = 'Course' AND g.workflow_state = 'active'
  UNION ALL SELECT 'course_' || l.context_id, 'outcome_link', l.id FROM `learning_outcome_links` l WHERE l.context_type = 'Course'
  UNION ALL SELECT 'user_' || r.user_id, 'outcome_result', r.id FROM `outcome_results` r
  UNION ALL SELECT 'course_' || s.course_id, 'poll_session', s.id FROM `poll_sessions` s WHERE s.is_published = 1
) missing
WHERE NOT EXISTS (SELECT 1 FROM `changes` c WHERE c.scope = missing.scope AND c.kind = missing.kind AND c.item_id = missing.id);
