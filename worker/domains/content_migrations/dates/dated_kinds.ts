// The dates of imported content that a shift moves or removes, by kind (reference 06 §1.8). Plain data.

export interface DatedKind {
  readonly kind: 'assignment' | 'quiz' | 'discussion_topic' | 'calendar_event' | 'file' | 'folder' | 'module' | 'page';
  readonly table: string;
  /** Columns with times in UTC. */
  readonly times: readonly string[];
  /** Columns with days. */
  readonly days?: readonly string[];
  /** A time inside the JSON column `options`. */
  readonly option?: string;
  /** A condition on rows `o`. */
  readonly only?: string;
}

/** In the order in which they are shifted. */
export const datedKinds: readonly DatedKind[] = [
  { kind: 'assignment', table: 'assignments', times: ['due_at', 'lock_at', 'unlock_at'], option: 'peer_reviews_assign_at' },
  { kind: 'quiz', table: 'quizzes', times: ['show_correct_answers_at', 'hide_correct_answers_at'] },
  // A graded quiz follows its assignment.
  { kind: 'quiz', table: 'quizzes', times: ['due_at', 'lock_at', 'unlock_at'], only: 'o.assignment_id is null' },
  { kind: 'discussion_topic', table: 'discussion_topics', times: ['delayed_post_at', 'lock_at', 'todo_date'] },
  { kind: 'calendar_event', table: 'calendar_events', times: ['start_at', 'end_at'], days: ['all_day_date'] },
  { kind: 'file', table: 'files', times: ['lock_at', 'unlock_at'] },
  { kind: 'folder', table: 'folders', times: ['lock_at', 'unlock_at'] },
  { kind: 'module', table: 'modules', times: ['unlock_at'] },
  { kind: 'page', table: 'pages', times: ['todo_date', 'publish_at'] },
];
