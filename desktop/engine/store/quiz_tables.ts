// The tables of attempts at quizzes.

/**
 * `clock_ahead`: milliseconds by which the server's clock is ahead of this computer's.
 * No longer than necessary: the list of tables has to fit on the first page of the database.
 * An answer was sent when `sent` is `changed`, a number that increases with every change.
 */
export const attemptTables = `CREATE TABLE quiz_attempts (
     quiz_id INTEGER PRIMARY KEY, course_id INT, submission_id INT, attempt INT, access_code TEXT, end_at TEXT, clock_ahead INT,
     questions TEXT, steps TEXT, turned_in_at TEXT, over_at TEXT, trouble TEXT
   ) STRICT;
   CREATE TABLE quiz_answers (
     quiz_id INT, question_id INT, answer TEXT, is_flagged INT, changed INT, sent INT, refused TEXT, PRIMARY KEY (quiz_id, question_id)
   ) STRICT, WITHOUT ROWID;`;
