// The tables of attempts at quizzes.

/**
 * `clock_ahead`: milliseconds by which the server's clock is ahead of this computer's.
 * An answer was sent when `sent` is `changed`, a number that increases with every change.
 */
export const attemptTables = `CREATE TABLE quiz_attempts (
     quiz_id INTEGER PRIMARY KEY, course_id INTEGER NOT NULL, submission_id INTEGER NOT NULL, attempt INTEGER NOT NULL,
     access_code TEXT, end_at TEXT, clock_ahead INTEGER NOT NULL, questions TEXT NOT NULL,
     turned_in_at TEXT, over_at TEXT, trouble TEXT
   ) STRICT;
   CREATE TABLE quiz_answers (
     quiz_id INTEGER NOT NULL, question_id INTEGER NOT NULL, answer TEXT NOT NULL,
     is_flagged INTEGER NOT NULL, changed INTEGER NOT NULL, sent INTEGER NOT NULL, refused TEXT, PRIMARY KEY (quiz_id, question_id)
   ) STRICT, WITHOUT ROWID;`;
