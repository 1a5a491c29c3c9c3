// Submissions as clients see them.

import { submissionSerializer } from '../assignments/submissions/serializer';
import { assignmentWithTopic } from '../discussion_topics/topic_of_assignment';

export type { SubmissionRow, SubmissionWithColumns } from '../assignments/submissions/columns';

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
  'provisional_grades',
  'sub_assignment_submissions',
] as const;

export const submission = submissionSerializer(assignmentWithTopic, ['discussion_entries']);
/** In the feed, which has the discussions themselves, and in the activity stream. */
export const submissionAlone = submissionSerializer(assignmentWithTopic);
/** In the response to submitting. */
export const newSubmission = submissionSerializer(assignmentWithTopic, ['submission_comments']);
/** In the response to grading, with every submission that changed. */
export const gradedSubmission = submissionSerializer(assignmentWithTopic, ['submission_comments', 'all_submissions']);
