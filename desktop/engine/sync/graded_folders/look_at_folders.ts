// What would be sent from the folders of a course: the changed rows of `grades.csv`, and the new files of feedback. Changes nothing.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FolderGradePlan, PlannedAssignment, PlannedChange } from '../../../contract/grading_folders';
import { t } from '../../../language/texts';
import type { Workspace } from '../../accounts/workspace';
import { diskAt } from '../../disk/disk';
import { checkFolder } from '../../disk/folder';
import { inside } from '../../disk/inside';
import type { GradedWork } from '../../grading/grade_entry';
import {
  attemptOfBase,
  BadSheet,
  readEdits,
  readSheet,
  type SheetEdit,
  type SheetLine,
  type SheetProblem,
} from '../../grading/grade_sheet';
import { gradesFile } from '../../model/names';
import type { Disk } from '../../model/ports';
import type { AssignmentJson } from '../../model/resources';
import { graderOf } from '../../outbox/send_grade';
import { type GradedOne, gradedOnes, sheetLineOf } from '../../server/graded_ones';
import { mayGrade, mayGradeWork, type OpenCourse, openGradedCourse } from '../../server/grading_course';
import { wayOf } from '../../server/pull';
import { gradedInFolders } from '../../store/kept_choices';
import { whyOf } from '../reason';
import { derive } from '../wanted/derive';
import { submissionsKey } from '../wanted/wanted';
import { type FeedbackFile, type FeedbackProblem, feedbackIn } from './feedback';
import { FolderPaths, sheetOf } from './folder_paths';
import { stateOfRow } from './renew_sheet';

/** Everything that is planned for one. */
export interface PlannedOne {
  readonly change: PlannedChange;
  readonly assignment: AssignmentJson;
  readonly one: GradedOne;
  readonly edit: SheetEdit | undefined;
  readonly files: readonly FeedbackFile[];
}

export interface LookedAtFolders {
  readonly plan: FolderGradePlan;
  readonly ones: readonly PlannedOne[];
  readonly graded: OpenCourse;
}

/** The folder of students' work of a course. */
export function submissionsFolderOf({ cache, user, account }: Pick<Workspace, 'cache' | 'user' | 'account'>, courseId: number) {
  return derive(cache, user, account).paths.get(submissionsKey(courseId));
}

/** @throws if grading in folders is off, or the user may not grade there now */
export async function lookAtFolders(study: Workspace, courseId: number, only?: number, isOffline = false): Promise<LookedAtFolders> {
  const { cache, user, signedIn } = study;
  if (!gradedInFolders(user).includes(courseId)) throw new Error(t('why.foldersOff'));
  const graded = wayOf(cache) === 'feed' && mayGrade({ cache, signedIn }, courseId) ? openGradedCourse(cache, courseId) : undefined;
  const home = submissionsFolderOf(study, courseId);
  if (!graded || home === undefined) throw new Error(t('why.mayNotGradeCourse'));
  const root = checkFolder(user);
  const around = { study, graded, root, disk: diskAt(root), paths: new FolderPaths(user.graded, courseId, home) };
  const assignments: PlannedAssignment[] = [];
  const ones: PlannedOne[] = [];
  for (const assignment of graded.assignments) {
    if (only !== undefined && assignment.id !== only) continue;
    const found = await lookAtAssignment(assignment, around);
    if (!found) continue;
    ones.push(...found.ones);
    if (found.ones.length + found.problems.length === 0) continue;
    const changes = found.ones.map(({ change }) => change);
    assignments.push({ assignment_id: assignment.id, title: assignment.name, changes, problems: found.problems });
  }
  // The bytes and the states that the plan was made from are part of what the user agrees on.
  const made = ones.map(({ change, edit, files, one }) => [change, edit?.base, sheetLineOf(one).base, files.map(({ seen }) => seen.hash)]);
  const id = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 12);
  return { plan: { id, is_offline: isOffline, assignments }, ones, graded };
}

interface Around {
  readonly study: Workspace;
  readonly graded: OpenCourse;
  readonly root: string;
  readonly disk: Disk;
  readonly paths: FolderPaths;
}

interface LookedAtAssignment {
  readonly ones: readonly PlannedOne[];
  readonly problems: PlannedAssignment['problems'];
}

async function lookAtAssignment(assignment: AssignmentJson, around: Around): Promise<LookedAtAssignment | undefined> {
  const { study, graded, disk, paths } = around;
  const { cache, user } = study;
  const folder = paths.ofKnownAssignment(assignment.id);
  if (folder === undefined) return undefined;
  const all = gradedOnes(cache, graded, assignment);
  const byWho = new Map(all.map((one) => [one.who, one]));
  const sheet = await sheetAt(sheetOf(folder), assignment, all, around);
  const attempts = paths.attemptsOf(assignment.id);
  const found = await feedbackIn({
    disk,
    kept: user.graded,
    folder,
    place: { course_id: graded.id, assignment_id: assignment.id },
    attempts,
  });
  const isLost = ({ who }: FeedbackFile) => !byWho.has(who);
  const lost = found.files.filter(isLost).map(({ seen }) => ({ path: seen.path, why: t('why.notAStudent') }));
  const edits = new Map(sheet.edits.map((edit) => [edit.who, edit]));
  const files = Map.groupBy(
    found.files.filter((file) => !isLost(file)),
    ({ who }) => who,
  );
  const ones = all.flatMap((one) => {
    const [edit, own = []] = [edits.get(one.who), files.get(one.who)];
    return edit || own.length > 0 ? [plannedOne(assignment, one, edit, own, around)] : [];
  });
  const where = ({ path, why }: FeedbackProblem) => ({ where: path.slice(folder.length + 1), row: null, why });
  return { ones, problems: [...sheet.problems, ...[...found.problems, ...lost].map(where)] };
}

interface SheetAt {
  readonly edits: readonly SheetEdit[];
  readonly problems: PlannedAssignment['problems'];
}

async function sheetAt(
  path: string,
  assignment: AssignmentJson,
  all: readonly GradedOne[],
  { study, graded, root }: Around,
): Promise<SheetAt> {
  const lines = new Map<string, SheetLine>(all.map((one) => [one.who, sheetLineOf(one)]));
  const place = { course_id: graded.id, assignment_id: assignment.id };
  const work = graded.workOf(assignment);
  try {
    const sheet = readSheet(await readFile(inside(root, path)));
    const reading = readEdits(
      sheet,
      (who) => {
        const line = lines.get(who);
        return line && stateOfRow(study.user.graded, place, line);
      },
      work,
    );
    const isOpen = mayGradeWork({ ...assignment, anonymize_students: false });
    const shut = isOpen ? [] : reading.edits.filter(changesGrade);
    const problems = [
      ...reading.problems.map((problem) => ({ where: gradesFile, row: problem.row, why: wordsOf(problem, work) })),
      ...shut.map(({ row }) => ({ where: gradesFile, row, why: t('why.mayNotGrade') })),
    ];
    return { edits: reading.edits.filter((edit) => !shut.includes(edit)), problems };
  } catch (problem) {
    // A user who only puts files into the folders may delete it.
    if (problem instanceof Error && 'code' in problem && problem.code === 'ENOENT') return { edits: [], problems: [] };
    const why = problem instanceof BadSheet ? t(problem.code) : whyInWords(problem);
    return { edits: [], problems: [{ where: gradesFile, row: null, why }] };
  }
}

function whyInWords(problem: unknown): string {
  const { why, reason } = whyOf(problem);
  return reason ? t(reason.code, reason.values) : why;
}

const changesGrade = ({ grade, excused }: SheetEdit): boolean => grade !== undefined || excused !== undefined;

function wordsOf({ code, values }: SheetProblem, { grading_type, scheme }: GradedWork): string {
  const names = scheme.entries.map(({ name }) => name).join(', ');
  return t(code, { ...values, how: t('why.notAGrade', { type: grading_type, names }) });
}

function plannedOne(
  assignment: AssignmentJson,
  one: GradedOne,
  edit: SheetEdit | undefined,
  files: readonly FeedbackFile[],
  around: Around,
): PlannedOne {
  const shown = edit?.before ?? sheetLineOf(one);
  const changes = edit !== undefined && changesGrade(edit);
  const to = changes ? { grade: edit.excused ? null : (edit.grade ?? null), excused: edit.excused === true } : null;
  const attempt = Math.max(0, ...files.map((file) => file.attempt));
  const change: PlannedChange = {
    key: `${assignment.id} ${one.who}`,
    name: one.name,
    members: one.is_group ? one.section : '',
    row: edit?.row ?? null,
    from: { grade: shown.grade === '' ? null : shown.grade, excused: shown.excused },
    to,
    comment: edit?.comment ?? null,
    files: files.map(({ name, seen }) => ({ name, size: seen.stamp.size })),
    for_attempt: files.length > 0 && attempt < (one.work?.attempt ?? 0) ? attempt : null,
    conflict: changes ? conflictOf(one, edit, around) : null,
  };
  return { change, assignment, one, edit, files };
}

/** Null: the submission is as the row showed it. */
function conflictOf(one: GradedOne, { base }: SheetEdit, { study, graded }: Around): PlannedChange['conflict'] {
  const now = sheetLineOf(one);
  if (base === now.base) return null;
  return {
    why: (one.work?.attempt ?? 0) > attemptOfBase(base) ? 'newer attempt' : 'graded meanwhile',
    grade: now.grade === '' ? null : now.grade,
    excused: now.excused,
    grader: one.work ? graderOf(one.work, graded.id, study.cache) : null,
  };
}
