// View models of the planner.

export interface PlannerEntry {
  readonly plannable_type: 'assignment' | 'discussion_topic' | 'announcement' | 'wiki_page' | 'planner_note' | 'calendar_event';
  readonly plannable_id: number;
  readonly title: string;
  /** UTC, `YYYY-MM-DDTHH:MM:SSZ`; null for undated items, which appear in the lists of their course but not in the planner. */
  readonly date: string | null;
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly points_possible: number | null;
  readonly details: string | null;
  readonly submitted: boolean;
  readonly graded: boolean;
  readonly late: boolean;
  readonly missing: boolean;
  readonly marked_complete: boolean;
  /** It is work for students of a course in which the user only teaches. */
  readonly taught?: boolean;
  /** It belongs to a course in which the user observes a student, whose work this is. It cannot be marked. */
  readonly observed?: boolean;
  /** An edit made here that the server has not confirmed. */
  readonly pending: boolean;
}

/** Every planner item has a date. */
export type DatedEntry = PlannerEntry & { readonly date: string };
