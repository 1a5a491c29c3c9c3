// Versions of submissions for conditional grading.

/** Of a submission without a row: the feed has none for a student without work, grade or comment. */
export const blankSubmissionVersion = '5b6e756c6c2c6e756c6c2c6e756c6c2c302c6e756c6c2c6e756c6c2c6e756c6c5d';
