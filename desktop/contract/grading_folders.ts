// Grading in folders: what a teacher has written in the folders of students' work, as a plan that is agreed on before anything is sent.

export interface GradingFoldersState {
  /** The user grades in this course, and the server offers the students' work. */
  readonly can: boolean;
  readonly on: boolean;
  /** The path of the folder on this computer; null until there is one. */
  readonly folder: string | null;
}

/** A grade as a person reads it; null for none. */
export interface PlannedGrade {
  readonly grade: string | null;
  readonly excused: boolean;
}

/** What is sent for one student, or for a group that is graded as one. */
export interface PlannedChange {
  /** Names it in `FolderChoices`. */
  readonly key: string;
  readonly name: string;
  /** Of a group: its members. */
  readonly members: string;
  /** The row of `grades.csv`; null if only files are sent. */
  readonly row: number | null;
  /** As the row showed it when the teacher changed it. */
  readonly from: PlannedGrade;
  /** Null: the grade stays. */
  readonly to: PlannedGrade | null;
  readonly comment: string | null;
  readonly files: readonly { readonly name: string; readonly size: number }[];
  /** The attempt that the files are about; null if it is the newest. */
  readonly for_attempt: number | null;
  /** Someone else graded, or the student handed in again, since the row was written. It is not sent unless the teacher decides. */
  readonly conflict: (PlannedGrade & { readonly why: 'graded meanwhile' | 'newer attempt'; readonly grader: string | null }) | null;
}

export interface PlannedAssignment {
  readonly assignment_id: number;
  readonly title: string;
  readonly changes: readonly PlannedChange[];
  /** What cannot be sent, and why. */
  readonly problems: readonly { readonly where: string; readonly row: number | null; readonly why: string }[];
}

export interface FolderGradePlan {
  /** Identifies exactly these changes; another plan has another id. */
  readonly id: string;
  /** The server could not be reached: what others did meanwhile is checked when the grades are sent. */
  readonly is_offline: boolean;
  /** Only those with changes or problems. */
  readonly assignments: readonly PlannedAssignment[];
}

/**
 * By key. `mine` and `theirs` end a conflict: `theirs` keeps the grade of the server, and still sends comment and files. What is not named
 * stays in the folder.
 */
export type FolderChoices = Readonly<Record<string, 'send' | 'mine' | 'theirs'>>;

export interface FolderGradesSent {
  /** The plan was out of date and nothing was sent: this is the current one. */
  readonly instead: FolderGradePlan | null;
  readonly sent: number;
  /** Queued until there is a connection. */
  readonly waiting: number;
  readonly issues: readonly { readonly where: string; readonly why: string }[];
}
