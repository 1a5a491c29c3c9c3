// What the job of a report is asked to do.

import type { CountedQuiz } from '../quiz_statistics/read';

export const quizReportJob = 'quiz_report';
export const quizReportTag = 'quiz_report';

/** What was asked for, and what the caller may see. */
export interface QuizReportRequest extends CountedQuiz {
  readonly kind: string;
  readonly file_uuid: string;
  readonly isAnonymous: boolean;
  readonly showsSisIds: boolean;
}
