// View models of courses and modules.

import type { Reference } from './reading';

/** What the user is in the course: the most active one. A group is studied in. */
export type CourseRole = 'studies' | 'teaches' | 'observes';

/** A student whom the user observes. */
export interface StudentChoice {
  readonly id: number;
  readonly name: string;
  readonly chosen: boolean;
}

export interface CourseCard {
  readonly id: number;
  readonly name: string;
  readonly course_code: string;
  readonly term_name: string | null;
  readonly role: CourseRole;
  /** The user grades students there. */
  readonly may_grade?: boolean;
  /** In an observed course: the student whose work is shown. */
  readonly student?: { readonly id: number; readonly name: string };
  /** In an observed course: the ids of all students whom the user observes there. */
  readonly students?: readonly number[];
  /** Observed, but not by way of the chosen student. */
  readonly out_of_sight?: boolean;
  /** The feed of its calendar, for other programs; it needs no sign-in, so it is private. */
  readonly calendar_url?: string;
  readonly file_count: number;
  readonly unread_announcements: number;
  /** The user may write pages there. */
  readonly may_author?: boolean;
  /** For students: there are quizzes to take. */
  readonly has_quizzes?: boolean;
  /** For students: there are outcomes. */
  readonly has_outcomes?: boolean;
  /** The share of module requirements met, 0–1; null when the course has none. */
  readonly progress: number | null;
  /** Outside the course dates the server hides its content; what was synced before is still here. */
  readonly is_shut?: boolean;
}

export interface PageCard {
  /** Negative: it only exists here. */
  readonly id: number;
  readonly title: string;
  readonly front_page: boolean;
  /** For those who teach: students do not see it. */
  readonly is_draft?: boolean;
  /** A change of the user that is not sent. */
  readonly unsent?: 'waits' | 'refused' | 'changed meanwhile' | 'being written';
}

export interface ModuleView {
  readonly id: number;
  readonly name: string;
  readonly position: number;
  readonly state: 'locked' | 'unlocked' | 'started' | 'completed' | null;
  readonly unlock_at: string | null;
  readonly items: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly indent: number;
    readonly requirement: string | null;
    /** As the server last reported it. */
    readonly completed: boolean | null;
    /** Viewed or marked here, and not confirmed by the server. */
    readonly pending: boolean;
    /** The address in the desk; null for headings and for items that are not available offline. */
    readonly open: Reference | null;
    /** The quiz, for students. */
    readonly quiz_id?: number;
    readonly external_url: string | null;
  }[];
}
