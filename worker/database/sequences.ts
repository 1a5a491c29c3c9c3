// The order of `sqlite_sequence`, where SQLite stores the last id of each table with AUTOINCREMENT, one row a table. A statement that may insert into
// such a table, itself or by a trigger, searches its row from the beginning, even if no trigger inserts anything. Behind the rows of a hundred other
// tables, an update of a submission would read hundreds of rows.

/** Tables with AUTOINCREMENT that triggers or the most frequent writes fill, the most frequent first. */
export const frequentlyNumbered = [
  'webhook_deliveries',
  'grade_changes',
  'blueprint_changes',
  'late_policy_runs',
  'notification_queue',
  'quiz_submission_events',
  'outcome_results',
  'course_events',
  'assignment_places',
  'discussion_topics',
  'blueprint_templates',
  'file_versions',
  'media_tracks',
  'term_score_runs',
  'submission_comments',
  'conversation_messages',
  'discussion_entries',
] as const;

/** The tables at the beginning, in order. */
export const firstNumbered = `select name from sqlite_sequence order by rowid limit ${frequentlyNumbered.length}`;

/** Moves the rows of these tables to the beginning, with the ids that they have reached. */
export const orderSequences: readonly string[] = [
  `with wanted(place, name) as (values ${frequentlyNumbered.map((name, place) => `(${place}, '${name}')`).join(', ')})
    insert into sqlite_sequence (rowid, name, seq)
    select coalesce((select min(rowid) from sqlite_sequence), 0) - ${frequentlyNumbered.length} + place, name,
      coalesce((select max(s.seq) from sqlite_sequence s where s.name = wanted.name), 0) from wanted;`,
  `delete from sqlite_sequence where rowid >= (select min(rowid) from sqlite_sequence) + ${frequentlyNumbered.length}
    and name in (${frequentlyNumbered.map((name) => `'${name}'`).join(', ')});`,
];
