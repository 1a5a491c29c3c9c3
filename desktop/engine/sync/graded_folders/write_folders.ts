// Writes the work of students into folders: what the newest attempt of each has, once. Nothing that is there is overwritten or removed; only
// `grades.csv` is written again, as long as the user has changed nothing in it.

import { constants, copyFile } from 'node:fs/promises';
import { writeDurably } from '../../disk/durable';
import { expectRoom, spaceOn, TooFull } from '../../disk/free_space';
import { inFolder } from '../../disk/handles';
import { stagingFolder } from '../../disk/inside';
import { hashOfFile } from '../../disk/look';
import { netOf } from '../../disk/safety_net';
import { markedName } from '../../model/names';
import { keyOfPlace } from '../../model/places';
import { type Disk, Refused } from '../../model/ports';
import type { AssignmentJson } from '../../model/resources';
import { type Hash, lastOf, type Path, parentOf, parsedDate } from '../../model/trees';
import { pathOfAttachment } from '../../server/attachments';
import { rowVersionOf } from '../../server/canvas/version';
import { downloadFile } from '../../server/download';
import { isGradedOnDesk } from '../../server/feed';
import { type GradedOne, gradedOnes, hasFolder, isOnPaper } from '../../server/graded_ones';
import { mayGrade, type OpenCourse, openGradedCourse } from '../../server/grading_course';
import { Interrupted, Offline, SignInRequired } from '../../server/session';
import type { Cache } from '../../store/cache';
import { transaction } from '../../store/driver';
import { type GradedAttemptPlace, ofNoStudent } from '../../store/graded_folders';
import { gradedInFolders } from '../../store/kept_choices';
import { isDiskFull, isReadOnly } from '../disk_problems';
import { whyOf } from '../reason';
import { submissionsKey } from '../wanted/wanted';
import type { CourseFolders, WritingFolders } from './course_folders';
import { FolderPaths, feedbackOf } from './folder_paths';
import { type HandedIn, handedIn } from './pieces';
import { removeUnchanged } from './remove_folders';
import { renewSheet } from './renew_sheet';

/** Students whose files are made durable together. */
const together = 40;

/** What was in place when they were last written by this process. */
const settled = new WeakMap<Cache, string>();

/** @param isDue looks even if nothing seems to have changed */
export async function writeGradedFolders(given: WritingFolders, isDue: boolean): Promise<void> {
  const { cache, user, root } = given;
  const courses = gradedInFolders(user);
  const state = JSON.stringify([courses, cache.students.changes, cache.lately.generation, root]);
  if (!isDue && settled.get(cache) === state) return;
  settled.delete(cache);
  const known = given.issues.length;
  for (const id of user.graded.courses()) {
    const home = given.wanted.homes.get(keyOfPlace(id));
    if (!courses.includes(id) && home !== undefined) await removeUnchanged(id, { user, home, disk: given.diskOf(), enter: given.enter });
  }
  for (const id of courses) {
    const graded = isGradedOnDesk(cache, id) && mayGrade(asGrading(given), id) ? openGradedCourse(cache, id) : undefined;
    const home = given.wanted.paths.get(submissionsKey(id));
    if (!graded || home === undefined) continue;
    if (!(await writeCourse(graded, home, given))) return;
  }
  if (given.issues.length === known) settled.set(cache, state);
}

const asGrading = ({ cache, account }: WritingFolders) => ({ cache, signedIn: account });

/** False: it has to be continued later. */
async function writeCourse(graded: OpenCourse, home: Path, given: WritingFolders): Promise<boolean> {
  const { cache, user } = given;
  const around: CourseFolders = {
    ...given,
    graded,
    paths: new FolderPaths(user.graded, graded.id, home),
    // What the user has written in `grades.csv` goes to the recovery store before it is replaced.
    careful: given.diskOf(netOf(cache, user, given.now)),
    disk: given.diskOf(),
    written: new Set(user.graded.files(graded.id).map(keyOfPiece)),
  };
  for (const assignment of graded.assignments) {
    const ones = gradedOnes(cache, graded, assignment);
    if (!hasFolder(assignment, ones)) continue;
    try {
      await writeAssignment(assignment, ones, around);
    } catch (problem) {
      if (problem instanceof SignInRequired || problem instanceof Offline) throw problem;
      if (problem instanceof Interrupted) return false;
      given.issues.push({ what: 'submissions', where: around.paths.ofAssignment(assignment), ...whyOf(problem) });
      if (problem instanceof TooFull || isDiskFull(problem) || isReadOnly(problem)) return false;
    }
  }
  return true;
}

const keyOfPiece = ({ assignment_id, who, attempt, piece }: Omit<GradedAttemptPlace, 'course_id'> & { readonly piece: string }): string =>
  `${assignment_id} ${attempt} ${piece} ${who}`;

async function writeAssignment(assignment: AssignmentJson, ones: readonly GradedOne[], around: CourseFolders): Promise<void> {
  const { user, graded, paths, disk, written, enter } = around;
  const folder = paths.ofAssignment(assignment);
  const place = { course_id: graded.id, assignment_id: assignment.id };
  // The user has deleted the folder, to have it written again.
  if (!disk.isFolder?.(folder)) {
    user.graded.forgetFiles(place);
    for (const key of written) if (key.startsWith(`${assignment.id} `)) written.delete(key);
  }
  const isWhole = (who: string, attempt: number) => written.has(keyOfPiece({ ...place, who, attempt, piece: ofNoStudent }));
  const due = ones.filter(({ who, work }) => {
    const attempt = work?.attempt ?? 0;
    return (attempt > 0 || isOnPaper(assignment)) && !isWhole(who, attempt);
  });
  if (due.length > 0) await enter();
  for (let at = 0; at < due.length; at += together) await writeStudents(assignment, due.slice(at, at + together), around);
  await renewSheet(assignment, ones, around);
}

/** A file of a student, ready to be put in its place. */
interface Staged {
  readonly staged: string;
  readonly path: Path;
  readonly hash: Hash;
  readonly piece: string;
}

interface StagedStudent {
  readonly folder: Path;
  readonly place: GradedAttemptPlace;
  readonly pieces: readonly Staged[];
}

async function writeStudents(assignment: AssignmentJson, ones: readonly GradedOne[], around: CourseFolders): Promise<void> {
  const students: StagedStudent[] = [];
  for (const one of ones) {
    const student = await stageStudent(assignment, one, around);
    if (student) students.push(student);
  }
  const { names, failed } = await placeAll(
    students.flatMap(({ pieces }) => pieces),
    around,
  );
  const isWhole = ({ pieces }: StagedStudent) => pieces.every((piece) => !failed.has(piece));
  for (const student of students) if (isWhole(student)) await around.disk.makeFolder?.(feedbackOf(student.folder));
  const { user, issues } = around;
  transaction(user.database, () => {
    for (const student of students) {
      for (const piece of student.pieces) {
        const name = names.get(piece);
        if (name !== undefined) user.graded.noteFile({ ...student.place, piece: piece.piece, name, sha256: piece.hash });
      }
      if (isWhole(student)) user.graded.noteWhole(student.place);
    }
  });
  for (const [{ path }, problem] of failed) {
    if (isOfAll(problem)) throw problem;
    issues.push({ what: 'submissions', where: path, ...whyOf(problem) });
  }
}

/** Undefined if it failed, which is reported. */
async function stageStudent(assignment: AssignmentJson, one: GradedOne, around: CourseFolders): Promise<StagedStudent | undefined> {
  const { graded, paths, issues, account, written } = around;
  const about = { course_id: graded.id, courseName: graded.course.name ?? '', base: account.base, assignment };
  const { path: folder, attempt } = paths.ofAttempt(assignment, one);
  const place = { course_id: graded.id, assignment_id: assignment.id, who: one.who, attempt };
  try {
    const pieces: Staged[] = [];
    for (const piece of handedIn(one, about))
      if (!written.has(keyOfPiece({ ...place, piece: piece.piece })))
        pieces.push(await stage(piece, `${folder}/${piece.name}`, one, around));
    return { folder, place, pieces };
  } catch (problem) {
    if (isOfAll(problem)) throw problem;
    issues.push({ what: 'submissions', where: folder, ...whyOf(problem) });
    return undefined;
  }
}

interface PlacedPieces {
  readonly names: ReadonlyMap<Staged, string>;
  readonly failed: ReadonlyMap<Staged, unknown>;
}

async function placeAll(pieces: readonly Staged[], { disk }: CourseFolders): Promise<PlacedPieces> {
  const results = await disk.place(pieces.map(({ staged, path }) => ({ staged, path })));
  const failed = new Map<Staged, unknown>();
  const names = new Map<Staged, string>();
  for (const [at, piece] of pieces.entries()) {
    const result = results[at];
    const placed = result instanceof Error ? await besides(piece, result, disk) : lastOf(piece.path);
    if (typeof placed === 'string') names.set(piece, placed);
    else failed.set(piece, placed);
  }
  return { names, failed };
}

/** A problem that no other student's files would be free of. */
const isOfAll = (problem: unknown): boolean =>
  problem instanceof SignInRequired ||
  problem instanceof Offline ||
  problem instanceof Interrupted ||
  problem instanceof TooFull ||
  isDiskFull(problem) ||
  isReadOnly(problem);

const mostNames = 99;

/** The path is taken: by the same bytes, before a crash could be noted, or by a file of the user, beside which it is put. */
async function besides({ staged, path, hash }: Staged, problem: Error, disk: Disk): Promise<string | Error> {
  let last = problem;
  for (let nth = 1; last instanceof Refused && last.why === 'taken' && nth <= mostNames; nth++) {
    const at = nth === 1 ? path : `${parentOf(path)}/${markedName(lastOf(path), nth === 2 ? 'handed in' : `handed in ${nth - 1}`)}`;
    if ((await disk.hash(at))?.hash === hash) return lastOf(at);
    if (nth === 1) continue;
    const [placed] = await disk.place([{ staged, path: at }]);
    if (!(placed instanceof Error)) return lastOf(at);
    last = placed;
  }
  return last;
}

let stagedFiles = 0;

async function stage(piece: HandedIn, path: Path, { work }: GradedOne, around: CourseFolders): Promise<Staged> {
  const { root, user, session, transfers, disk } = around;
  const name = `graded-${process.pid}-${stagedFiles++}.part`;
  const modified = parsedDate(work?.submitted_at);
  return inFolder(
    root,
    stagingFolder,
    async ({ way, entry }) => {
      const target = entry(name);
      if ('text' in piece) writeDurably(target, piece.text, modified);
      else {
        const { id, size = 0, url } = piece.file;
        const here = pathOfAttachment(user, id);
        expectRoom([size], await spaceOn(disk));
        if (here !== undefined) await copyFile(here, target, constants.COPYFILE_FICLONE);
        else {
          if (transfers?.waitsFor) throw new Interrupted(transfers.waitsFor);
          // The server reports no hash, so the bytes are identified by id and size.
          const wanted = { path, hash: rowVersionOf({ id, size }), size, available: true, generated: false, ...(modified && { modified }) };
          await downloadFile({
            session,
            folder: way,
            name,
            url: new URL(url ?? '', session.url).href,
            wanted,
            ...(transfers && { transfers }),
          });
        }
      }
      return { staged: name, path, piece: piece.piece, hash: await hashOfFile(target) };
    },
    { make: true },
  );
}
