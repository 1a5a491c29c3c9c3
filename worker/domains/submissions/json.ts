// Submissions as clients see them.

import { telling } from '../assignments/submissions/serializer';
import { assignmentWithTopic } from '../discussion_topics/topic_of_assignment';

export type { SubmissionRow, ToldRow } from '../assignments/submissions/columns';

export const submissionIncludes = [
  'submission_history',
  'submission_comments',
  'submission_html_comments',
  'rubric_assessment',
  'full_rubric_assessment',
  'assignment',
  'visibility',
  'course',
  'user',
  'group',
  'read_status',
  'read_state',
  'html_url',
  'student_entered_score',
] as const;

export const submission = telling(assignmentWithTopic);
/** In the response to submitting. */
export const newSubmission = telling(assignmentWithTopic, ['submission_comments']);
/** In the response to grading, with every submission that changed. */
export const gradedSubmission = telling(assignmentWithTopic, ['submission_comments', 'all_submissions']);
