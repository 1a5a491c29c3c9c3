// What a grader enters for a student until the server has it: what it means, and how later entries are added to unsent ones. Pure.

import { type GradingType, gradeFrom, type Scheme } from '@carrel/shared/grading/score_to_grade';
import type { GradeEntry, RubricMark } from '../../contract/gradebook';
import type { GradedSubmissionJson } from '../model/graded_resources';

/** The state of a submission that a grader has seen. */
export interface SeenState {
  /** Null on a server that has no versions. */
  readonly version: string | null;
  readonly attempt: number;
  readonly score: number | null;
  readonly grade: string | null;
  readonly excused: boolean;
}

/** @param blank the version of a student without a submission */
export const seenStateOf = (submission: Omit<GradedSubmissionJson, 'user_id'> | undefined, blank: string | null): SeenState => ({
  version: submission ? (submission.version ?? null) : blank,
  attempt: submission?.attempt ?? 0,
  score: submission?.score ?? null,
  grade: submission?.grade ?? null,
  excused: submission?.excused === true,
});

/** Without versions, the fields that graders change are compared. */
export const isSameState = (known: SeenState, now: SeenState): boolean =>
  known.version !== null && now.version !== null
    ? known.version === now.version
    : known.attempt === now.attempt && known.score === now.score && known.grade === now.grade && known.excused === now.excused;

/** What was graded: the type of its grades, its points and its scheme. */
export interface GradedWork {
  readonly grading_type: GradingType;
  readonly points_possible: number | null;
  readonly scheme: Scheme;
}

/** A number with a decimal comma, as people in many countries type it. */
export function withPoint(text: string): string {
  const given = text.trim().replace(/\s+%$/, '%');
  return /^[+-]?\d*,\d+%?$/.test(given) ? given.replace(',', '.') : given;
}

/** Null: there is no such grade for this work. */
export function enteredGrade(
  text: string,
  { scheme, ...graded }: GradedWork,
): { readonly score: number; readonly grade: string | null } | null {
  const { score, grade } = gradeFrom(withPoint(text), graded, scheme);
  return score === null ? null : { score, grade };
}

/** Whether an entry changes something. */
export const changesSomething = ({ grade, excused, status, comment, rubric }: GradeEntry): boolean =>
  grade !== undefined || excused !== undefined || status !== undefined || isText(comment) || Object.keys(rubric ?? {}).length > 0;

const isText = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** A later entry replaces an earlier one field by field; a comment never replaces another, it follows it. */
export function mergedEntry(earlier: GradeEntry, later: GradeEntry): GradeEntry {
  const merged = { ...earlier, ...withoutGaps(later) };
  const comments = [earlier.comment, later.comment].filter(isText).map((text) => text.trim());
  const rubric = { ...earlier.rubric, ...later.rubric };
  const { grade, excused, ...rest } = merged;
  // A grade ends an excuse, and an excuse a grade, whichever was entered last.
  const isExcused = excused === true && !(later.excused === undefined && typeof later.grade === 'string');
  return {
    ...rest,
    ...(grade !== undefined && !(isExcused && grade !== null) && { grade }),
    ...(excused !== undefined && (isExcused || excused === false) && { excused }),
    ...(comments.length > 0 && { comment: comments.join('\n\n') }),
    ...(Object.keys(rubric).length > 0 && { rubric }),
  };
}

const withoutGaps = (entry: GradeEntry): GradeEntry => Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));

/** All words of an entry: they are kept as a draft when the rest is given up. */
export const wordsOfEntry = ({ comment, rubric = {} }: GradeEntry): string =>
  [comment, ...Object.values(rubric).map(({ comments }) => comments)]
    .filter(isText)
    .map((text) => text.trim())
    .join('\n\n');

/** What the unsent entry makes of a result. */
export interface Entered {
  readonly score: number | null;
  readonly grade: string | null;
  readonly excused: boolean;
  readonly late: boolean;
  readonly missing: boolean;
}

/** @param givesGrade the rubric gives the grade */
export function withEntry<R extends Entered>(result: R, entry: GradeEntry, work: GradedWork, givesGrade: boolean): R {
  const marked = givesGrade && entry.rubric ? sumOfMarks(entry.rubric) : undefined;
  const text = marked ?? entry.grade;
  const graded =
    text === undefined
      ? undefined
      : text === null
        ? { score: null, grade: null }
        : (enteredGrade(text, work) ?? { score: null, grade: null });
  const excused = entry.excused ?? (typeof text === 'string' ? false : result.excused);
  const status = entry.status;
  return {
    ...result,
    ...graded,
    ...(excused && entry.excused && { score: null, grade: null }),
    excused,
    ...(status !== undefined && { late: status === 'late', missing: status === 'missing' }),
    ...(typeof text === 'string' && status === undefined && { missing: false }),
  };
}

/** Undefined if nothing has points. */
function sumOfMarks(marks: Readonly<Record<string, RubricMark>>): string | undefined {
  const points = Object.values(marks).flatMap((mark) => mark.points ?? []);
  return points.length === 0 ? undefined : String(Number(points.reduce((sum, one) => sum + one, 0).toFixed(10)));
}

/** The server already has all of this, for example because another grader entered the same. Words are always sent. */
export function isAlreadySo(entry: GradeEntry, now: SeenState, work: GradedWork): boolean {
  if (wordsOfEntry(entry) !== '' || entry.rubric || entry.status !== undefined) return false;
  if (entry.excused !== undefined && entry.excused !== now.excused) return false;
  if (entry.grade === undefined) return true;
  if (entry.grade === null) return now.score === null && now.grade === null;
  const entered = enteredGrade(entry.grade, work);
  return !now.excused && entered !== null && entered.score === now.score && entered.grade === now.grade;
}

/** What another grader, or the student, has made of it meanwhile. */
export interface MeanwhileState extends SeenState {
  readonly graded_at: string | null;
  readonly grader: string | null;
}

/** The grade of one student on its way to the server. */
export interface GradeBody {
  readonly course_id: number;
  readonly assignment_id: number;
  readonly user_id: number;
  /** The names to show, even if the items are gone. */
  readonly title: string;
  readonly student: string;
  readonly entry: GradeEntry;
  /** What the grader had seen when the first of it was entered. */
  readonly known: SeenState;
  /** What the server had instead: the user decides. */
  readonly meanwhile?: MeanwhileState;
  /** Of a student who is anonymous to the grader; `user_id` is 0 then. */
  readonly anonymous_id?: string;
  /** Of a group that is graded as one: the comment is for all of them. */
  readonly is_group?: boolean;
  /** Attached to the comment. */
  readonly files?: readonly WorkFile[];
  /** The attempt that the comment is about; by default the one that the grader had seen. */
  readonly attempt?: number;
  /** It was entered in `grades.csv` or in a feedback folder, as this row. */
  readonly who?: string;
}

/** A file of the user whose bytes are stored until the server has them. */
export interface WorkFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  /** Set once the server has the bytes. */
  readonly file_id?: number;
}

/** What is entered later is added to what was not sent yet. It keeps what the grader had seen first. */
export function mergedBody(earlier: GradeBody, later: GradeBody): GradeBody {
  const files = [...(earlier.files ?? []), ...(later.files ?? [])];
  const { is_group = earlier.is_group, attempt = earlier.attempt, who = earlier.who } = later;
  return {
    ...earlier,
    entry: mergedEntry(earlier.entry, later.entry),
    ...(files.length > 0 && { files }),
    ...(is_group !== undefined && { is_group }),
    ...(attempt !== undefined && { attempt }),
    ...(who !== undefined && { who }),
  };
}

export const saysSomethingToStudent = ({ entry, files = [] }: GradeBody): boolean => isText(entry.comment) || files.length > 0;
