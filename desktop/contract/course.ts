// View models of courses and modules.

import type { Reference } from './reading';

export interface CourseCard {
  readonly id: number;
  readonly name: string;
  readonly course_code: string;
  readonly term_name: string | null;
  readonly file_count: number;
  readonly unread_announcements: number;
  /** The share of module requirements met, 0–1; null when the course has none. */
  readonly progress: number | null;
  /** Outside the course dates the server hides its content; what was synced before is still here. */
  readonly is_shut?: boolean;
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
    readonly external_url: string | null;
  }[];
}
