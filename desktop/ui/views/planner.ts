// What the desk shows of a plan.

export interface PlannerEntry {
  readonly plannable_type: 'assignment' | 'discussion_topic' | 'announcement' | 'wiki_page' | 'planner_note' | 'calendar_event';
  readonly plannable_id: number;
  readonly title: string;
  /** UTC, `YYYY-MM-DDTHH:MM:SSZ`; null for what has no date: it is in the lists of its course, and in no plan. */
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
  /** Others are to do it: in this course one only teaches. */
  readonly taught?: boolean;
  /** An edit made here that the server has not confirmed. */
  readonly pending: boolean;
}

/** What is in a plan has a date. */
export type DatedEntry = PlannerEntry & { readonly date: string };
