// Submission types of assignments.

import { sql } from 'drizzle-orm';

export const submissionTypes = [
  'none',
  'on_paper',
  'online_quiz',
  'discussion_topic',
  'external_tool',
  'online_upload',
  'online_text_entry',
  'online_url',
  'media_recording',
  'student_annotation',
  'not_graded',
  'wiki_page',
] as const;

const handedInNowhere = new Set(['', 'none', 'not_graded', 'on_paper', 'wiki_page', 'external_tool']);
/** The same as `expectsSubmission`, for a row of `assignments`. */
export const expectsSubmissionSql = sql.raw(
  `exists (select 1 from json_each(assignments.submission_types) k where k.value not in (${[...handedInNowhere].map((type) => `'${type}'`).join(',')}))`,
);

/** Whether students submit something in Canvas (reference 03 §1.4). */
export const expectsSubmission = (types: readonly string[]): boolean => types.some((type) => !handedInNowhere.has(type));

/** Whether work is handed in one way only. */
export const isTheOnly = (type: (typeof submissionTypes)[number], types: readonly string[] | undefined): boolean =>
  types?.length === 1 && types[0] === type;
