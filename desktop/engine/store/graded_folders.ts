// What the desk has put into the folders of students' work, in `user.db`: the names of folders, the files, the rows of `grades.csv` as they
// were written, and what has been sent from there. It is never derived again, so that nothing is written or sent twice.

import type { TakenCells, WrittenCells } from '../grading/grade_sheet';
import { stored } from './damage';
import type { Prepare } from './driver';

/** One small table: the list of tables has to fit on the first page, because damage to another page must not lose all of them. */
export const gradedTable = 'CREATE TABLE graded (place TEXT PRIMARY KEY, value TEXT) STRICT, WITHOUT ROWID;';

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
    return this.#below(key(courseId)).length > 0;
  }

  courses(): number[] {
    const next = this.prepare('SELECT min(place) AS place FROM graded WHERE place > ?');
    const found: number[] = [];
    // From one course to the next, without reading what is between.
    for (let from = ''; ; from = `${found.at(-1)}${after}`) {
      const place = next.get(from)?.place;
      if (place == null) return found;
      found.push(Number(String(place).split(separator)[0]));
    }
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
    this.#dropBelow(key(course_id, 'file', assignment_id));
  }

  /** Keeps what was sent, and the labels of students. */
  forgetCourse(courseId: number): void {
    for (const what of ['file', 'row'] as const) this.#dropBelow(key(courseId, what));
    for (const { assignment_id, who, attempt } of this.folders(courseId))
      if (assignment_id > 0) this.#drop(key(courseId, 'folder', assignment_id, who, attempt));
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
    for (const { sha256 } of files) this.#drop(key(place.course_id, 'sent', place.assignment_id, who, sha256));
    for (const { base, ...row } of this.#rows(place, who)) if (row.taken) this.#put(place, 'row', who, base, { ...row, taken: null });
  }

  /** In the order in which they were written. */
  #rows({ course_id, assignment_id }: GradedPlace, who: string): (KeptRow & { readonly base: string })[] {
    return this.#below(key(course_id, 'row', assignment_id, who))
      .map(({ item, value }) => ({ ...stored<KeptRow>(value), base: item }))
      .sort((a, b) => a.nth - b.nth);
  }

  #all(courseId: number, what: What): Kept[] {
    return this.#below(key(courseId, what));
  }

  #below(place: string): Kept[] {
    return this.prepare('SELECT place, value FROM graded WHERE place > ? AND place < ?')
      .all(place + separator, place + after)
      .map((row) => {
        const [, , assignment_id, who = '', item = ''] = String(row.place).split(separator);
        return { assignment_id: Number(assignment_id), who, item, value: row.value };
      });
  }

  #dropBelow(place: string): void {
    this.prepare('DELETE FROM graded WHERE place > ? AND place < ?').run(place + separator, place + after);
  }

  #drop(place: string): void {
    this.prepare('DELETE FROM graded WHERE place = ?').run(place);
  }

  #get<T>({ course_id, assignment_id }: GradedPlace, what: What, who: string, item: string): T | undefined {
    const row = this.prepare('SELECT value FROM graded WHERE place = ?').get(key(course_id, what, assignment_id, who, item));
    return row && stored<T>(row.value);
  }

  #put({ course_id, assignment_id }: GradedPlace, what: What, who: string, item: string, value: object): void {
    const place = key(course_id, what, assignment_id, who, item);
    this.prepare('INSERT OR REPLACE INTO graded (place, value) VALUES (?, ?)').run(place, JSON.stringify(value));
  }
}

const separator = '\t';
/** The character after the separator, which ends a range of places. */
const after = '\n';

/** Of a course, of one sort of items in it, and so on. */
const key = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => String(part).replaceAll(/[\t\n]/g, ' ')).join(separator);
