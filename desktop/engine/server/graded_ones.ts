// Who is graded for an assignment, each with a folder and a row: students, students by their anonymous ids, or groups that are graded as one.

import { blankSubmissionVersion } from '@carrel/shared/sync/submission_version';
import { t } from '../../language/texts';
import { type SeenState, seenStateOf } from '../grading/grade_entry';
import { baseOfState, type SheetLine } from '../grading/grade_sheet';
import type { GradedSubmissionJson } from '../model/graded_resources';
import type { AssignmentJson, CommentJson } from '../model/resources';
import type { Cache } from '../store/cache';
import { type AnonymousWork, anonymousWork } from './anonymous_work';
import { assignedIn, type EnrolledStudent, type OpenCourse, studentsIn } from './grading_course';
import { gradedGroupSet, type TeamGradedAsOne } from './grading_facts';

export interface GradedOne {
  /** The id of the student, the anonymous id, or `group 5`. */
  readonly who: string;
  readonly name: string;
  /** Sections; of a group, its members. */
  readonly section: string;
  /** Whose submission it is; null for an anonymous student. */
  readonly user_id: number | null;
  readonly is_group: boolean;
  readonly work: GradedSubmissionJson | AnonymousWork | undefined;
}

export const isGradedAnonymously = ({ anonymize_students }: AssignmentJson): boolean => anonymize_students === true;

export function gradedOnes(cache: Cache, graded: OpenCourse, assignment: AssignmentJson): GradedOne[] {
  if (isGradedAnonymously(assignment)) return anonymousWork(cache, assignment.id).map(anonymousOne);
  const work = new Map(cache.students.ofAssignment(graded.id, assignment.id).map((one) => [one.user_id, one]));
  const isAssigned = assignedIn(graded.facts, assignment);
  const sections = new Map(graded.facts.sections.map(({ id, name }) => [id, name]));
  const students = studentsIn(cache, graded.id).filter(
    ({ user_id, state }) => work.has(user_id) || ((state === 'active' || state === 'invited') && (isAssigned?.(user_id) ?? true)),
  );
  const one = ({ user_id, name, section_ids }: EnrolledStudent): GradedOne => ({
    who: `${user_id}`,
    name,
    section: section_ids.map((id) => sections.get(id) ?? `${id}`).join(', '),
    user_id,
    is_group: false,
    work: work.get(user_id),
  });
  const set = gradedGroupSet(assignment);
  const groups = set === undefined ? [] : (graded.facts.groups?.[set] ?? []);
  const inGroups = groups.flatMap((group) => oneOfGroup(group, students, work) ?? []);
  const grouped = new Set(groups.flatMap(({ user_ids }) => user_ids));
  // A student without a group is graded alone.
  return [...inGroups, ...students.filter(({ user_id }) => !grouped.has(user_id)).map(one)];
}

const anonymousOne = (work: AnonymousWork): GradedOne => ({
  who: work.anonymous_id,
  name: t('sheet.anonymous', { id: work.anonymous_id }),
  section: '',
  user_id: null,
  is_group: false,
  work,
});

/** The submission of a group is that of the member who has the newest attempt; the server gives the grade to all. */
function oneOfGroup(
  { id, name, user_ids }: TeamGradedAsOne,
  students: readonly EnrolledStudent[],
  work: ReadonlyMap<number, GradedSubmissionJson>,
): GradedOne | undefined {
  const members = students.filter(({ user_id }) => user_ids.includes(user_id));
  const [first] = members.toSorted(
    (a, b) => (work.get(b.user_id)?.attempt ?? 0) - (work.get(a.user_id)?.attempt ?? 0) || a.user_id - b.user_id,
  );
  if (!first) return undefined;
  const section = members.map((one) => one.name).join(', ');
  return { who: `group ${id}`, name, section, user_id: first.user_id, is_group: true, work: work.get(first.user_id) };
}

/** On paper, or in class: grades and feedback need no submission. */
export const isOnPaper = ({ submission_types = [] }: AssignmentJson): boolean =>
  submission_types.length === 0 || submission_types.some((type) => type === 'on_paper' || type === 'none');

/** An assignment has a folder once something is handed in. */
export const hasFolder = (assignment: AssignmentJson, ones: readonly GradedOne[]): boolean =>
  assignment.published !== false &&
  !(assignment.submission_types ?? []).includes('not_graded') &&
  (isOnPaper(assignment) ? ones.length > 0 : ones.some(({ work }) => (work?.attempt ?? 0) > 0));

/** What a grader has seen of it: the server refuses a grade for another state. */
export function seenByGrader({ work, user_id }: GradedOne): SeenState {
  // Of anonymous students the server sends no version: the desk compares before it sends.
  return user_id === null ? { ...seenStateOf(work, null), version: null } : seenStateOf(work, blankSubmissionVersion);
}

/** Before points were deducted for lateness: this is what a grader enters. */
export const gradeShown = (work: GradedOne['work']): string =>
  work?.excused || work?.score == null ? (work?.excused ? '' : (work?.grade ?? '')) : (work.entered_grade ?? work.grade ?? `${work.score}`);

export const sheetLineOf = (one: GradedOne): SheetLine => ({
  who: one.who,
  name: one.name,
  section: one.section,
  state: stateText(one.work),
  grade: gradeShown(one.work),
  excused: one.work?.excused === true,
  said: saidLast(one.work?.submission_comments),
  base: baseOfState(one.work ?? {}),
});

function stateText(work: GradedOne['work']): string {
  if (work?.excused) return t('sheet.excused');
  const attempt = work?.attempt ?? 0;
  const isGraded = work?.score != null || work?.grade != null;
  const handed =
    attempt > 0 ? t(work?.late ? 'sheet.late' : 'sheet.handedIn', { attempt }) : t(work?.missing ? 'sheet.missing' : 'sheet.nothing');
  return isGraded ? t('sheet.graded', { handed }) : handed;
}

const longestSaid = 300;

function saidLast(comments: readonly CommentJson[] = []): string {
  const last = comments.toSorted((a, b) => a.created_at.localeCompare(b.created_at)).at(-1);
  if (!last) return '';
  const text = [last.author_name, last.comment?.trim()].filter(Boolean).join(': ');
  return text.length > longestSaid ? `${text.slice(0, longestSaid)}…` : text;
}
