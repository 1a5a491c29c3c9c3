// What the desk shows of courses and their modules.

import type { Reference } from './reading';

export interface CourseCard {
  readonly id: number;
  readonly name: string;
  readonly course_code: string;
  readonly term_name: string | null;
  readonly file_count: number;
  readonly unread_announcements: number;
  /** Share of module requirements met, 0–1; null when the course has none. */
  readonly progress: number | null;
  /** Outside its dates the school shows nothing of it; what came before is here. */
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
    /** As the server said last. */
    readonly completed: boolean | null;
    /** Looked at or marked here, which the server has not confirmed. */
    readonly pending: boolean;
    /** Where it opens in the desk; null for headings and for what is not kept offline. */
    readonly open: Reference | null;
    readonly external_url: string | null;
  }[];
}
