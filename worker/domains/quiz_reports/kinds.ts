// The reports of a quiz. Their ids follow from the id of the quiz, so that every quiz has its reports before one is requested.

export const quizReportTypes = ['student_analysis', 'item_analysis'] as const;

export interface ReportKind {
  readonly type: (typeof quizReportTypes)[number];
  /** An item analysis always counts all attempts. */
  readonly allVersions: boolean;
}

const kinds: readonly ReportKind[] = [
  { type: 'student_analysis', allVersions: false },
  { type: 'student_analysis', allVersions: true },
  { type: 'item_analysis', allVersions: true },
];
const room = 4;

/** @returns undefined for a type that does not exist */
export const reportKind = (type: string | undefined, allVersions: boolean): ReportKind | undefined =>
  kinds.find((one) => one.type === type && (one.type === 'item_analysis' || one.allVersions === allVersions));

export const reportId = (quiz_id: number, { type, allVersions }: ReportKind): number =>
  quiz_id * room + kinds.findIndex((one) => one.type === type && one.allVersions === allVersions);

/** @returns undefined for an id that is not of this quiz */
export const kindOfReport = (quiz_id: number, id: number): ReportKind | undefined => kinds[id - quiz_id * room];
