// What the desk has put into the folders of students' work, in `user.db`: the names of folders, the files, the rows of `grades.csv` as they
// were written, and what has been sent from there. It is never derived again, so that nothing is written or sent twice.

import type { TakenCells, WrittenCells } from '../grading/grade_sheet';
import { stored } from './damage';
import type { Prepare } from './driver';

export const gradedFolderTables = `
  CREATE TABLE graded_folders (
    course_id INTEGER NOT NULL, assignment_id INTEGER NOT NULL, who TEXT NOT NULL, attempt INTEGER NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (course_id, assignment_id, who, attempt)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE graded_files (
    course_id INTEGER NOT NULL, assignment_id INTEGER NOT NULL, who TEXT NOT NULL, attempt INTEGER NOT NULL, piece TEXT NOT NULL,
    name TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (course_id, assignment_id, who, attempt, piece)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sheet_rows (
    course_id INTEGER NOT NULL, assignment_id INTEGER NOT NULL, who TEXT NOT NULL, base TEXT NOT NULL, nth INTEGER NOT NULL,
    grade TEXT NOT NULL, excused INTEGER NOT NULL, taken TEXT, PRIMARY KEY (course_id, assignment_id, who, base)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sent_feedback (
    assignment_id INTEGER NOT NULL, who TEXT NOT NULL, sha256 TEXT NOT NULL, name TEXT NOT NULL, sent_at TEXT NOT NULL,
    PRIMARY KEY (assignment_id, who, sha256)
  ) STRICT, WITHOUT ROWID;`;

/** A folder of an assignment is that of no student. */
export const ofNoStudent = '';
/** The piece that is noted when everything of an attempt has been written. */
const everything = '';

export interface GradedPlace {
  readonly course_id: number;
  readonly assignment_id: number;
}

/** A student's attempt; for labels and folders of assignments see `GradedFolders`. */
export interface GradedAttemptPlace extends GradedPlace {
  readonly who: string;
  readonly attempt: number;
}

export interface GradedFolder extends Omit<GradedAttemptPlace, 'course_id'> {
  readonly name: string;
}

export interface WrittenFile extends GradedAttemptPlace {
  readonly piece: string;
  readonly name: string;
  readonly sha256: string;
}

/** Code that changes it calls these methods in its own transaction. */
export class GradedFolders {
  constructor(
    private readonly prepare: Prepare,
    private readonly now: () => Date,
  ) {}

  /** Whether the course has such folders, or had them. */
  isUsedIn(courseId: number): boolean {
    return this.prepare('SELECT 1 FROM graded_folders WHERE course_id = ? LIMIT 1').get(courseId) !== undefined;
  }

  courses(): number[] {
    return this.prepare('SELECT DISTINCT course_id FROM graded_folders')
      .all()
      .map((row) => Number(row.course_id));
  }

  /** Labels of students have the assignment 0, folders of assignments no student. */
  folders(courseId: number): GradedFolder[] {
    return this.prepare('SELECT assignment_id, who, attempt, name FROM graded_folders WHERE course_id = ?').all(courseId) as never;
  }

  nameFolder({ course_id, assignment_id, who, attempt }: GradedAttemptPlace, name: string): void {
    const insert = 'INSERT OR REPLACE INTO graded_folders (course_id, assignment_id, who, attempt, name) VALUES (?, ?, ?, ?, ?)';
    this.prepare(insert).run(course_id, assignment_id, who, attempt, name);
  }

  files(courseId: number): WrittenFile[] {
    return this.prepare('SELECT * FROM graded_files WHERE course_id = ?').all(courseId) as never;
  }

  noteFile({ course_id, assignment_id, who, attempt, piece, name, sha256 }: WrittenFile): void {
    const insert =
      'INSERT OR REPLACE INTO graded_files (course_id, assignment_id, who, attempt, piece, name, sha256) VALUES (?, ?, ?, ?, ?, ?, ?)';
    this.prepare(insert).run(course_id, assignment_id, who, attempt, piece, name, sha256);
  }

  noteWhole(place: GradedAttemptPlace): void {
    this.noteFile({ ...place, piece: everything, name: '', sha256: '' });
  }

  /** The user has deleted the folder of the assignment: everything is written again. */
  forgetFiles({ course_id, assignment_id }: GradedPlace): void {
    this.prepare('DELETE FROM graded_files WHERE course_id = ? AND assignment_id = ?').run(course_id, assignment_id);
  }

  /** Keeps what was sent, and that the folder of students' work is the program's own. */
  forgetCourse(courseId: number): void {
    this.prepare('DELETE FROM graded_files WHERE course_id = ?').run(courseId);
    this.prepare('DELETE FROM sheet_rows WHERE course_id = ?').run(courseId);
    this.prepare('DELETE FROM graded_folders WHERE course_id = ? AND assignment_id > 0').run(courseId);
  }

  /** What the desk wrote into the row of a student when it had this base. */
  cells({ course_id, assignment_id }: GradedPlace, who: string, base: string): WrittenCells | undefined {
    const sql = 'SELECT base, grade, excused, taken FROM sheet_rows WHERE course_id = ? AND assignment_id = ? AND who = ? AND base = ?';
    return writtenCells(this.prepare(sql).get(course_id, assignment_id, who, base));
  }

  latestCells({ course_id, assignment_id }: GradedPlace, who: string): WrittenCells | undefined {
    const sql =
      'SELECT base, grade, excused, taken FROM sheet_rows WHERE course_id = ? AND assignment_id = ? AND who = ? ORDER BY nth DESC LIMIT 1';
    return writtenCells(this.prepare(sql).get(course_id, assignment_id, who));
  }

  /** @param isNew the row in the file had another base: what was taken of an earlier row with this base does not count */
  noteRow(
    { course_id, assignment_id }: GradedPlace,
    who: string,
    { base, grade, excused }: Omit<WrittenCells, 'taken'>,
    isNew: boolean,
  ): void {
    const keep = isNew ? 'NULL' : 'sheet_rows.taken';
    const insert = `INSERT INTO sheet_rows (course_id, assignment_id, who, base, nth, grade, excused, taken)
      VALUES (?, ?, ?, ?, (SELECT coalesce(max(nth), 0) + 1 FROM sheet_rows), ?, ?, NULL)
      ON CONFLICT DO UPDATE SET nth = excluded.nth, grade = excluded.grade, excused = excluded.excused, taken = ${keep}`;
    this.prepare(insert).run(course_id, assignment_id, who, base, grade, excused ? 1 : 0);
  }

  /** The user has agreed to send these cells, or to drop them. */
  take(place: GradedPlace, who: string, base: string, cells: TakenCells): void {
    if (!this.cells(place, who, base)) this.noteRow(place, who, { base, grade: cells.grade, excused: cells.excused }, true);
    const update = 'UPDATE sheet_rows SET taken = ? WHERE course_id = ? AND assignment_id = ? AND who = ? AND base = ?';
    this.prepare(update).run(JSON.stringify(cells), place.course_id, place.assignment_id, who, base);
  }

  isSent(assignmentId: number, who: string, sha256: string): boolean {
    const sql = 'SELECT 1 FROM sent_feedback WHERE assignment_id = ? AND who = ? AND sha256 = ?';
    return this.prepare(sql).get(assignmentId, who, sha256) !== undefined;
  }

  noteSent(assignmentId: number, who: string, { sha256, name }: { readonly sha256: string; readonly name: string }): void {
    this.prepare('INSERT OR REPLACE INTO sent_feedback (assignment_id, who, sha256, name, sent_at) VALUES (?, ?, ?, ?, ?)').run(
      assignmentId,
      who,
      sha256,
      name,
      this.now().toISOString(),
    );
  }

  /** It was taken back before it was sent: the next plan shows it again. */
  giveBack(place: GradedPlace, who: string, files: readonly { readonly sha256: string }[]): void {
    const drop = this.prepare('DELETE FROM sent_feedback WHERE assignment_id = ? AND who = ? AND sha256 = ?');
    for (const { sha256 } of files) drop.run(place.assignment_id, who, sha256);
    const sql = 'UPDATE sheet_rows SET taken = NULL WHERE course_id = ? AND assignment_id = ? AND who = ?';
    this.prepare(sql).run(place.course_id, place.assignment_id, who);
  }
}

function writtenCells(row: Readonly<Record<string, unknown>> | undefined): WrittenCells | undefined {
  if (!row) return undefined;
  return {
    base: String(row.base),
    grade: String(row.grade),
    excused: row.excused === 1,
    taken: row.taken === null ? null : stored<TakenCells>(row.taken),
  };
}
