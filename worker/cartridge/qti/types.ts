// Quizzes and question banks as values, between the QTI files of a package and the tables.

import type { QuestionData } from '../../domains/quiz_questions/table';

/** What could not be read as it was meant; the import continues. */
export interface PackageIssue {
  /** `error`: something is missing; `warning`: something was changed. */
  readonly type: 'warning' | 'error';
  /** For the user. */
  readonly message: string;
}

/** Its text and comments in HTML are raw: they must be sanitised before they are stored. */
export interface QtiQuestion {
  /** Unique within the file. */
  readonly identifier: string;
  readonly question_name: string;
  /** A known type. */
  readonly question_type: string;
  readonly question_text: string;
  readonly points_possible: number;
  /** As `quiz_questions.data`, with ids of answers and matches; empty texts are left out, except `text` and `comments` of answers. */
  readonly data: QuestionData;
  /** The identifier of the question of a bank that it is a copy of. */
  readonly bank_question?: string;
}

export interface QtiGroup {
  readonly identifier: string;
  readonly name: string;
  readonly pick_count: number;
  readonly question_points: number;
  /** The bank that it draws from: the identifier of a bank of the package or, when external, of the source's own. */
  readonly bank?: { readonly identifier: string; readonly context?: string; readonly isExternal: boolean };
  readonly questions: readonly QtiQuestion[];
}

export type QtiEntry =
  | { readonly question: QtiQuestion }
  | { readonly group: QtiGroup }
  /** A question of a bank that another file of the package has. */
  | { readonly reference: string };

export interface QtiAssessment {
  readonly identifier: string;
  readonly title: string;
  /** In order. */
  readonly entries: readonly QtiEntry[];
  /** Minutes. */
  readonly time_limit?: number;
  /** -1 means unlimited. */
  readonly allowed_attempts?: number;
}

export interface QtiBank {
  readonly identifier: string;
  readonly title: string;
  readonly questions: readonly QtiQuestion[];
}

export interface QtiContent {
  readonly assessments: readonly QtiAssessment[];
  readonly banks: readonly QtiBank[];
  /** Questions outside of quizzes and banks. */
  readonly questions: readonly QtiQuestion[];
  readonly issues: readonly PackageIssue[];
}
