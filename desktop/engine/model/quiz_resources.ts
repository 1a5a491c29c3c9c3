// What the desk reads of quizzes, of the user's own attempts, and of their questions.

import type { LockInfo } from './resources';

export interface QuizJson {
  readonly id: number;
  readonly course_id: number;
  readonly title: string;
  readonly html_url?: string | null;
  readonly description?: string | null;
  readonly quiz_type?: string;
  readonly assignment_id?: number | null;
  /** Minutes. */
  readonly time_limit?: number | null;
  readonly timer_autosubmit_disabled?: boolean;
  /** -1: unlimited. */
  readonly allowed_attempts?: number;
  readonly one_question_at_a_time?: boolean;
  readonly cant_go_back?: boolean;
  readonly question_count?: number;
  readonly points_possible?: number | null;
  readonly has_access_code?: boolean;
  readonly require_lockdown_browser?: boolean;
  readonly due_at?: string | null;
  readonly unlock_at?: string | null;
  readonly lock_at?: string | null;
  readonly published?: boolean;
  readonly locked_for_user?: boolean;
  readonly lock_info?: LockInfo;
}

export interface QuizSubmissionJson {
  readonly id: number;
  readonly quiz_id: number;
  readonly user_id?: number | null;
  readonly attempt?: number | null;
  readonly extra_attempts?: number | null;
  readonly started_at?: string | null;
  readonly finished_at?: string | null;
  readonly end_at?: string | null;
  readonly score?: number | null;
  readonly kept_score?: number | null;
  readonly workflow_state: string;
  readonly validation_token?: string | null;
  /** -1: unlimited. */
  readonly attempts_left?: number;
}

/** A question of an attempt. */
export interface AttemptQuestionJson {
  readonly id: number;
  readonly flagged?: boolean;
  readonly position?: number;
  readonly question_name?: string;
  readonly question_type?: string;
  readonly question_text?: string | null;
  readonly answers?:
    | readonly {
        readonly id: number;
        readonly text?: string | null;
        readonly html?: string | null;
        readonly blank_id?: string | null;
        /** Of a right answer, once it is shown: more than 0. */
        readonly weight?: number | null;
      }[]
    | null;
  readonly matches?: readonly { readonly match_id: number; readonly text: string }[] | null;
  readonly answer?: unknown;
  readonly correct?: boolean | string | null;
  readonly points?: number | null;
  readonly comment?: string | null;
}
