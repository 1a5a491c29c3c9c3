// What the desk has put into the folders of students' work, in `user.db`: the names of folders, the files, the rows of `grades.csv` as they
// were written, and what has been sent from there. It is never derived again, so that nothing is written or sent twice.

import type { TakenCells, WrittenCells } from '../grading/grade_sheet';
import { stored } from './damage';
import type { Prepare } from './driver';

/** One table: the list of tables has to fit on the first page, which is the only one that cannot be lost. */
export const gradedTable = `CREATE TABLE graded (
  course_id INTEGER, what TEXT, assignment_id INTEGER, who TEXT, item TEXT, value TEXT,
  PRIMARY KEY (course_id, what, assignment_id, who, item)
) STRICT, WITHOUT ROWID;`;

/** A folder of an assignment is that of no student. */
export const ofNoStudent = '';
/** The piece that is noted when everything of an attempt has been written. */
const everything = '';

type What = 'folder' | 'file' | 'row' | 'sent';

export interface GradedPlace {
  readonly course_id: number;
  readonly assignment_id: number;
}

/** A student's attempt; labels of students have the assignment 0. */
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

/** A row with the order in which it was written. */
type KeptRow = Omit<WrittenCells, 'base'> & { readonly nth: number };

interface Kept {
  readonly assignment_id: number;
  readonly who: string;
  readonly item: string;
  readonly value: unknown;
}

/** Code that changes it calls these methods in its own transaction. */
export class GradedFolders {
  constructor(
    private readonly prepare: Prepare,
    private readonly now: () => Date,
  ) {}

  /** Whether the course has such folders, or had them. */
  isUsedIn(courseId: number): boolean {
    return this.prepare('SELECT 1 FROM graded WHERE course_id = ? LIMIT 1').get(courseId) !== undefined;
  }

  courses(): number[] {
    return this.prepare('SELECT DISTINCT course_id FROM graded')
      .all()
      .map((row) => Number(row.course_id));
  }

  folders(courseId: number): GradedFolder[] {
    return this.#all(courseId, 'folder').map(({ assignment_id, who, item, value }) => ({
      assignment_id,
      who,
      attempt: Number(item),
      ...stored<{ name: string }>(value),
    }));
  }

  nameFolder(place: GradedAttemptPlace, name: string): void {
    this.#put(place, 'folder', place.who, `${place.attempt}`, { name });
  }

  files(courseId: number): WrittenFile[] {
    return this.#all(courseId, 'file').map(({ assignment_id, who, item, value }) => {
      const [, attempt, piece = ''] = /^(\d+) (.*)$/s.exec(item) ?? [];
      return {
        course_id: courseId,
        assignment_id,
        who,
        attempt: Number(attempt),
        piece,
        ...stored<{ name: string; sha256: string }>(value),
      };
    });
  }

  noteFile({ attempt, piece, who, name, sha256, ...place }: WrittenFile): void {
    this.#put(place, 'file', who, `${attempt} ${piece}`, { name, sha256 });
  }

  noteWhole(place: GradedAttemptPlace): void {
    this.noteFile({ ...place, piece: everything, name: '', sha256: '' });
  }

  /** The user has deleted the folder of the assignment: everything is written again. */
  forgetFiles({ course_id, assignment_id }: GradedPlace): void {
    this.prepare("DELETE FROM graded WHERE course_id = ? AND what = 'file' AND assignment_id = ?").run(course_id, assignment_id);
  }

  /** Keeps what was sent, and the labels of students. */
  forgetCourse(courseId: number): void {
    const others = "(what IN ('file', 'row') OR (what = 'folder' AND assignment_id > 0))";
    this.prepare(`DELETE FROM graded WHERE course_id = ? AND ${others}`).run(courseId);
  }

  /** What the desk wrote into the row of a student when it had this base. */
  cells(place: GradedPlace, who: string, base: string): WrittenCells | undefined {
    const found = this.#get<KeptRow>(place, 'row', who, base);
    return found && { ...found, base };
  }

  latestCells(place: GradedPlace, who: string): WrittenCells | undefined {
    return this.#rows(place, who).at(-1);
  }

  /** @param isNew the row in the file had another base: what was taken of an earlier row with this base does not count */
  noteRow(place: GradedPlace, who: string, { base, grade, excused }: Omit<WrittenCells, 'taken'>, isNew: boolean): void {
    const nth = (this.#rows(place, who).at(-1)?.nth ?? 0) + 1;
    const taken = isNew ? null : (this.cells(place, who, base)?.taken ?? null);
    this.#put(place, 'row', who, base, { nth, grade, excused, taken } satisfies KeptRow);
  }

  /** The user has agreed to send these cells, or to drop them. */
  take(place: GradedPlace, who: string, base: string, taken: TakenCells): void {
    if (!this.cells(place, who, base)) this.noteRow(place, who, { base, grade: taken.grade, excused: taken.excused }, true);
    const { base: _, ...row } = this.#rows(place, who).find((one) => one.base === base) ?? { base, nth: 1, ...taken };
    this.#put(place, 'row', who, base, { ...row, taken });
  }

  isSent(place: GradedPlace, who: string, sha256: string): boolean {
    return this.#get(place, 'sent', who, sha256) !== undefined;
  }

  noteSent(place: GradedPlace, who: string, { sha256, name }: { readonly sha256: string; readonly name: string }): void {
    this.#put(place, 'sent', who, sha256, { name, sent_at: this.now().toISOString() });
  }

  /** It was taken back before it was sent: the next plan shows it again. */
  giveBack(place: GradedPlace, who: string, files: readonly { readonly sha256: string }[]): void {
    const drop = this.prepare("DELETE FROM graded WHERE course_id = ? AND what = 'sent' AND assignment_id = ? AND who = ? AND item = ?");
    for (const { sha256 } of files) drop.run(place.course_id, place.assignment_id, who, sha256);
    for (const { base, ...row } of this.#rows(place, who)) if (row.taken) this.#put(place, 'row', who, base, { ...row, taken: null });
  }

  /** In the order in which they were written. */
  #rows({ course_id, assignment_id }: GradedPlace, who: string): (KeptRow & { readonly base: string })[] {
    return this.prepare("SELECT item, value FROM graded WHERE course_id = ? AND what = 'row' AND assignment_id = ? AND who = ?")
      .all(course_id, assignment_id, who)
      .map(({ item, value }) => ({ ...stored<KeptRow>(value), base: String(item) }))
      .sort((a, b) => a.nth - b.nth);
  }

  #all(courseId: number, what: What): Kept[] {
    return this.prepare('SELECT assignment_id, who, item, value FROM graded WHERE course_id = ? AND what = ?')
      .all(courseId, what)
      .map(({ assignment_id, who, item, value }) => ({
        assignment_id: Number(assignment_id),
        who: String(who),
        item: String(item),
        value,
      }));
  }

  #get<T>({ course_id, assignment_id }: GradedPlace, what: What, who: string, item: string): T | undefined {
    const sql = 'SELECT value FROM graded WHERE course_id = ? AND what = ? AND assignment_id = ? AND who = ? AND item = ?';
    const row = this.prepare(sql).get(course_id, what, assignment_id, who, item);
    return row && stored<T>(row.value);
  }

  #put({ course_id, assignment_id }: GradedPlace, what: What, who: string, item: string, value: object): void {
    const sql = 'INSERT OR REPLACE INTO graded (course_id, what, assignment_id, who, item, value) VALUES (?, ?, ?, ?, ?, ?)';
    this.prepare(sql).run(course_id, what, assignment_id, who, item, JSON.stringify(value));
  }
}
