// Grading in folders: a plan that changes nothing; after the user has agreed, exactly that plan goes to the outbox. The rows and files are
// noted as taken in the transaction that queues them, so that nothing is sent twice, whenever the program is stopped.

import { existsSync } from 'node:fs';
import type { GradeEntry } from '../../../contract/gradebook';
import type {
  FolderChoices,
  FolderGradePlan,
  FolderGradesSent,
  GradingFoldersState,
  PlannedChange,
} from '../../../contract/grading_folders';
import { wordsOfHold } from '../../../language/holds';
import { t } from '../../../language/texts';
import type { Workspace } from '../../accounts/workspace';
import { studyFolderOf } from '../../disk/folder';
import { inside } from '../../disk/inside';
import type { GradeBody, WorkFile } from '../../grading/grade_entry';
import type { Intent } from '../../outbox/intents';
import { forgetBytes, takeFile } from '../../outbox/work_drafts';
import { seenByGrader } from '../../server/graded_ones';
import { mayGrade } from '../../server/grading_course';
import { wayOf } from '../../server/pull';
import { durably } from '../../store/driver';
import { gradedInFolders, gradeInFolders } from '../../store/kept_choices';
import { lookAtFolders, type PlannedOne, submissionsFolderOf } from './look_at_folders';
import { entityOfOne, renewLater } from './renew_sheet';

/** Whether the user grades in the course, and whether its work is in folders. */
export function gradingFoldersState(study: Workspace, course_id: number): GradingFoldersState {
  const { cache, user, signedIn } = study;
  const can = wayOf(cache) === 'feed' && mayGrade({ cache, signedIn }, course_id);
  const on = gradedInFolders(user).includes(course_id);
  const [root, path] = [studyFolderOf(user), on ? submissionsFolderOf(study, course_id) : undefined];
  const folder = root !== undefined && path !== undefined ? inside(root, path) : undefined;
  return { can, on, folder: folder !== undefined && existsSync(folder) ? folder : null };
}

export function switchGradingFolders(study: Workspace, courseId: number, on: boolean): void {
  if (on && !gradingFoldersState(study, courseId).can) throw new Error(t('why.mayNotGradeCourse'));
  gradeInFolders(study.user, courseId, on);
}

/** Syncs first, so that the rest are the user's changes. Without a connection, what is known here counts. */
export async function planFolderGrades(study: Workspace, courseId: number, assignmentId?: number): Promise<FolderGradePlan> {
  const { outcome, issues } = await study.sync();
  if (outcome === 'sign in' || outcome === 'failed') throw new Error(issues[0]?.why ?? t('why.cannotAsk'));
  return (await lookAtFolders(study, courseId, assignmentId, outcome === 'offline')).plan;
}

export interface AgreedFolders {
  readonly plan: string;
  readonly choices: FolderChoices;
  readonly assignment_id?: number | undefined;
}

/** Sends what was chosen of the agreed plan, or nothing. */
export async function sendFolderGrades(study: Workspace, courseId: number, agreed: AgreedFolders): Promise<FolderGradesSent> {
  const looked = await lookAtFolders(study, courseId, agreed.assignment_id);
  const outdated = async (): Promise<FolderGradesSent> => ({
    instead: (await lookAtFolders(study, courseId, agreed.assignment_id)).plan,
    sent: 0,
    waiting: 0,
    issues: [],
  });
  if (looked.plan.id !== agreed.plan) return outdated();
  const chosen = looked.ones.flatMap((one) => {
    const choice = choiceFor(one.change, agreed.choices);
    return choice ? [{ one, choice }] : [];
  });
  const copies = await Promise.all(chosen.map(({ one }) => copyFiles(one, study)));
  if (copies.some((files) => files === undefined)) return outdated();
  const bodies = chosen.flatMap(({ one, choice }, at) => bodyOf(one, choice, copies[at] ?? [], courseId) ?? []);
  queue(study, courseId, chosen, bodies);
  await study.sync();
  return {
    instead: null,
    ...resultOf(
      chosen.map(({ one }) => one),
      bodies.length,
      study,
    ),
  };
}

/** A conflict needs a decision of its own. */
function choiceFor({ key, conflict }: PlannedChange, choices: FolderChoices): FolderChoices[string] | undefined {
  const choice = Object.hasOwn(choices, key) ? choices[key] : undefined;
  if (choice === undefined) return undefined;
  return (choice === 'send') === (conflict === null) ? choice : undefined;
}

/** Copies of the bytes that the user has agreed to; undefined if a file has changed since. */
async function copyFiles({ files }: PlannedOne, { user }: Workspace): Promise<WorkFile[] | undefined> {
  const root = studyFolderOf(user) ?? '';
  const copies: WorkFile[] = [];
  for (const { name, seen } of files) {
    const copy = await takeFile(user, inside(root, seen.path), name).catch(() => undefined);
    if (copy?.sha256 === seen.hash) copies.push(copy);
    else {
      for (const { sha256 } of copy ? [...copies, copy] : copies) await forgetBytes(user, sha256);
      return undefined;
    }
  }
  return copies;
}

/** Undefined: nothing is left to send. */
function bodyOf({ assignment, one, edit, files: found }: PlannedOne, choice: string, files: readonly WorkFile[], course_id: number) {
  const isGraded = choice !== 'theirs';
  const entry: GradeEntry = {
    ...(isGraded && edit?.grade !== undefined && { grade: edit.grade }),
    ...(isGraded && edit?.excused !== undefined && { excused: edit.excused }),
    ...(edit?.comment !== undefined && { comment: edit.comment }),
  };
  if (Object.keys(entry).length === 0 && files.length === 0) return undefined;
  const body: GradeBody = {
    course_id,
    assignment_id: assignment.id,
    user_id: one.user_id ?? 0,
    ...(one.user_id === null && { anonymous_id: one.who }),
    title: assignment.name,
    student: one.name,
    entry,
    known: seenByGrader(one),
    who: one.who,
    ...(one.is_group && { is_group: true }),
    ...(files.length > 0 && { files, attempt: Math.max(...found.map(({ attempt }) => attempt)) }),
  };
  return body;
}

function queue(study: Workspace, course_id: number, chosen: readonly { readonly one: PlannedOne }[], bodies: readonly GradeBody[]): void {
  const { user, outbox } = study;
  const also = (): void => {
    for (const { one: planned } of chosen) {
      const { assignment, one, edit, files } = planned;
      const place = { course_id, assignment_id: assignment.id };
      if (edit) user.graded.take(place, one.who, edit.base, edit.cells);
      for (const { name, seen } of files) user.graded.noteSent(place, one.who, { name, sha256: seen.hash });
    }
    renewLater(
      user,
      chosen.flatMap(({ one }) => (one.edit ? [one.assignment.id] : [])),
    );
  };
  if (bodies.length > 0) outbox.enterGrades(bodies, { also });
  else if (chosen.length > 0) durably(user.database, also);
}

function resultOf(ones: readonly PlannedOne[], queued: number, { outbox }: Workspace): Omit<FolderGradesSent, 'instead'> {
  const left = new Map<string, Intent>(outbox.pending().map((intent) => [intent.entity, intent]));
  const unsent = ones.flatMap(({ assignment, one, change }) => {
    const intent = left.get(entityOfOne(assignment.id, one));
    return intent ? [{ intent, where: `${assignment.name}: ${change.name}` }] : [];
  });
  const refused = unsent.filter(({ intent }) => intent.state === 'parked');
  return {
    sent: queued - unsent.length,
    waiting: unsent.length - refused.length,
    issues: refused.map(({ intent, where }) => ({ where, why: whyUnsent(intent) })),
  };
}

/** In the words of the desk if it knows the reason, otherwise in those of the server. */
const whyUnsent = ({ hold, reason, verb }: Intent): string =>
  hold === null || hold === 'declined' || hold === 'trouble' ? (reason ?? t('why.notTaken')) : t(wordsOfHold(hold, verb));
