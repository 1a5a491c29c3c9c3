UPDATE `course_scores` SET `pending` = 'stale' WHERE `pending` IS NOT 'stale' AND EXISTS (
  SELECT 1 FROM `enrollments` WHERE `enrollments`.`user_id` = `course_scores`.`user_id` AND `enrollments`.`course_id` = `course_scores`.`course_id` AND `enrollments`.`enrollment_state` = 'completed'
);
