// View models of the gradebook and of the grading view, for people who grade.

import type { GradingType } from '@carrel/shared/grading/score_to_grade';
import type { Hold } from './work';

/** Of a course chosen for grading: its students' work is on this computer and is kept up to date. */
export type GradingChoice =
  | 'chosen'
  | 'not chosen'
  /** This user, or this server, has no students' work to offer. */
  | 'not possible';

/** A grade that was entered here and is not on the server yet. */
export interface UnsentGrade {
  /** The id for `outbox.take_back` and `outbox.retry`. */
  readonly id: string;
  /** Null while it waits for a connection. */
  readonly hold: Hold | null;
  readonly refused: string | null;
}

/** One student's result for one assignment. Without a cell there is nothing yet, or it is not assigned (`unassigned`). */
export interface GradebookCell {
  readonly user_id: number;
  readonly assignment_id: number;
  /** As entered here if it is unsent, otherwise as the server has it. */
  readonly score: number | null;
  readonly grade: string | null;
  readonly excused: boolean;
  readonly late: boolean;
  readonly missing: boolean;
  /** Null when it is not late. */
  readonly seconds_late: number | null;
  /** 0: nothing has been submitted. */
  readonly attempt: number;
  readonly submitted_at: string | null;
  /** Submitted, and not graded since. */
  readonly needs_grading: boolean;
  /** The student sees the grade. */
  readonly posted: boolean;
  readonly comments: number;
  /** A part of the grade was taken off for lateness. */
  readonly points_deducted: number | null;
  readonly unsent: UnsentGrade | null;
}

export interface GradebookColumn {
  readonly assignment_id: number;
  readonly title: string;
  readonly group_id: number | null;
  readonly due_at: string | null;
  readonly points_possible: number | null;
  readonly grading_type: GradingType;
  /** The grades of its scheme, best first; empty for other grading types. */
  readonly letters: readonly string[];
  readonly is_published: boolean;
  /** New grades stay hidden until they are posted. */
  readonly posts_manually: boolean;
  /** Its students are anonymous: it is graded in the grading view only. */
  readonly is_anonymous: boolean;
  /** Grades of the assignment may be changed by this user now. */
  readonly may_grade: boolean;
  readonly in_total: boolean;
  /** Students to whom it is not assigned. The others without a cell have nothing yet. */
  readonly unassigned: readonly number[];
}

export interface GradebookRow {
  readonly user_id: number;
  readonly name: string;
  readonly sortable_name: string;
  readonly avatar_url: string | null;
  readonly section_ids: readonly number[];
  /** Inactive and concluded students are shown on request. */
  readonly state: 'active' | 'invited' | 'inactive' | 'completed';
  readonly last_activity_at: string | null;
  /** In percent, by the same functions as on the server, with unsent grades. */
  readonly current_score: number | null;
  readonly current_grade: string | null;
  readonly final_score: number | null;
}

export interface GradebookView {
  readonly course_id: number;
  readonly choice: GradingChoice;
  /** The students' work is still being downloaded. */
  readonly is_loading: boolean;
  readonly may_grade: boolean;
  readonly is_weighted: boolean;
  readonly groups: readonly { readonly id: number; readonly name: string; readonly weight: number | null }[];
  readonly sections: readonly { readonly id: number; readonly name: string }[];
  readonly columns: readonly GradebookColumn[];
  readonly rows: readonly GradebookRow[];
  readonly cells: readonly GradebookCell[];
}

/** What a grader enters; absent fields stay as they are. */
export interface GradeEntry {
  /** As typed: points, percent, a grade of its scheme, `complete`, or null for no grade. */
  readonly grade?: string | null;
  readonly excused?: boolean;
  readonly status?: 'late' | 'missing' | 'extended' | 'none';
  readonly comment?: string;
  /** By criterion. */
  readonly rubric?: Readonly<Record<string, RubricMark>>;
}

export interface RubricMark {
  readonly points: number | null;
  readonly rating_id: string | null;
  readonly comments: string;
}

export interface GradedFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly content_type: string | null;
  /** It is on this computer and can be read offline. */
  readonly is_here: boolean;
}

export interface GradedAttempt {
  readonly attempt: number;
  readonly submitted_at: string | null;
  readonly late: boolean;
  readonly type: string | null;
  /** Clean HTML of a text. */
  readonly html: string | null;
  readonly url: string | null;
  readonly files: readonly GradedFile[];
}

export interface GradingComment {
  readonly id: number | null;
  readonly author: string | null;
  readonly is_mine: boolean;
  readonly text: string;
  readonly created_at: string | null;
  readonly files: readonly string[];
  readonly unsent: UnsentGrade | null;
}

/** One student's work on one assignment, with everything a grader needs. */
export interface GradingView {
  readonly course_id: number;
  readonly assignment: GradebookColumn;
  readonly student: Pick<GradebookRow, 'user_id' | 'name' | 'avatar_url' | 'section_ids'>;
  readonly cell: GradebookCell;
  /** Newest first. */
  readonly attempts: readonly GradedAttempt[];
  readonly comments: readonly GradingComment[];
  readonly rubric: {
    readonly criteria: readonly {
      readonly id: string;
      readonly title: string;
      readonly details: string | null;
      readonly points: number;
      readonly ratings: readonly {
        readonly id: string;
        readonly title: string;
        readonly details: string | null;
        readonly points: number;
      }[];
    }[];
    readonly marks: Readonly<Record<string, RubricMark>>;
    /** The rubric gives the grade. */
    readonly gives_grade: boolean;
  } | null;
  /** Someone else graded, or a new attempt came in, after the grade here was entered. */
  readonly conflict: GradingConflict | null;
}

/** Both sides, before anything is sent. */
export interface GradingConflict {
  readonly id: string;
  readonly why: 'graded meanwhile' | 'newer attempt';
  readonly mine: GradeEntry;
  readonly theirs: {
    readonly grade: string | null;
    readonly score: number | null;
    readonly excused: boolean;
    readonly attempt: number;
    readonly graded_at: string | null;
    readonly grader: string | null;
  };
}

/** The students of an assignment in the order of the grading view. */
export interface GradingQueue {
  readonly assignment_id: number;
  readonly title: string;
  readonly students: readonly {
    readonly user_id: number;
    readonly name: string;
    readonly state: 'nothing' | 'to grade' | 'graded' | 'excused';
    readonly is_unsent: boolean;
    readonly has_conflict: boolean;
  }[];
}
