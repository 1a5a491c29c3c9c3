// What people who grade have of their students, in `cache.db`: enrollments and submissions of the courses chosen for grading. They are in
// tables of their own, so that no reader of the user's own work ever meets them.

import type { Change, Kind } from '@carrel/shared/sync/protocol';
import { cellFormat, cellOf, type ResultCell } from '../grading/cells';
import type { GradedSubmissionJson, StudentEnrollmentJson } from '../model/graded_resources';
import { stored } from './damage';
import { type Database, type Prepare, prepareOnce, transaction } from './driver';

export const studentTables = `
  CREATE TABLE student_enrollments (
    id INTEGER PRIMARY KEY, course_id INTEGER NOT NULL, user_id INTEGER NOT NULL, json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX student_enrollments_in_course ON student_enrollments (course_id, user_id);
  CREATE TABLE student_submissions (
    id INTEGER PRIMARY KEY, course_id INTEGER NOT NULL, assignment_id INTEGER NOT NULL, user_id INTEGER NOT NULL, json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX student_submissions_in_course ON student_submissions (course_id, assignment_id, user_id);
  CREATE TABLE gradebook_cells (
    course_id INTEGER NOT NULL, user_id INTEGER NOT NULL, assignment_id INTEGER NOT NULL, cell TEXT NOT NULL,
    PRIMARY KEY (course_id, user_id, assignment_id)
  ) STRICT, WITHOUT ROWID;`;

type Json = Readonly<Record<string, unknown>>;

export type StudentChange = Change & { readonly kind: 'submission' | 'enrollment' };

interface Grader {
  /** The user of the account. */
  readonly owner: number;
  readonly graded: ReadonlySet<number>;
}

/** Code that stores a resource calls these methods in its own transaction. */
export class KeptStudentWork {
  readonly #prepare: Prepare;
  /** Of the course that was opened last, until something is stored. */
  #opened: { readonly courseId: number; readonly cells: readonly ResultCell[] } | undefined;

  /** Increases with everything that is stored. */
  changes = 0;

  constructor(private readonly database: Database) {
    this.#prepare = prepareOnce(database);
  }

  /**
   * Whether it is an item of a student whom this user grades.
   * @param isOwn whether an item is stored among the user's own
   */
  areAbout(change: Change, { owner, graded }: Grader, isOwn: (kind: Kind, id: number) => boolean): change is StudentChange {
    const { kind, course_id } = change;
    if (kind !== 'submission' && kind !== 'enrollment') return false;
    if (change.op === 'delete') return !isOwn(kind, change.id);
    const { user_id } = change.resource;
    return course_id !== undefined && graded.has(course_id) && typeof user_id === 'number' && user_id !== owner;
  }

  apply(change: StudentChange): void {
    this.#opened = undefined;
    this.changes++;
    if (change.op === 'delete') this.#remove(change.kind, change.id);
    else this.#put(change.kind, change.id, Number(change.course_id), change.resource);
  }

  #put(kind: 'submission' | 'enrollment', id: number, courseId: number, resource: Json): void {
    // Before the course was chosen it may have been that of an observed student.
    this.#prepare('DELETE FROM resources WHERE kind = ? AND id = ?').run(kind, id);
    if (kind === 'enrollment') {
      this.#prepare('INSERT OR REPLACE INTO student_enrollments (id, course_id, user_id, json) VALUES (?, ?, ?, ?)').run(
        id,
        courseId,
        Number(resource.user_id),
        JSON.stringify(resource),
      );
      return;
    }
    const { assignment_id, user_id } = resource as { assignment_id: number; user_id: number };
    this.#prepare('INSERT OR REPLACE INTO student_submissions (id, course_id, assignment_id, user_id, json) VALUES (?, ?, ?, ?, ?)').run(
      id,
      courseId,
      assignment_id,
      user_id,
      JSON.stringify(resource),
    );
    this.#putCell(courseId, resource as Json & GradedSubmissionJson);
  }

  #putCell(courseId: number, submission: GradedSubmissionJson): void {
    const { user_id, assignment_id } = submission;
    this.#prepare('INSERT OR REPLACE INTO gradebook_cells (course_id, user_id, assignment_id, cell) VALUES (?, ?, ?, ?)').run(
      courseId,
      user_id,
      assignment_id,
      JSON.stringify(cellOf(submission)),
    );
  }

  #remove(kind: 'submission' | 'enrollment', id: number): void {
    if (kind === 'enrollment') {
      this.#prepare('DELETE FROM student_enrollments WHERE id = ?').run(id);
      return;
    }
    const row = this.#prepare('SELECT course_id, user_id, assignment_id FROM student_submissions WHERE id = ?').get(id);
    if (!row) return;
    this.#prepare('DELETE FROM student_submissions WHERE id = ?').run(id);
    const { course_id = null, user_id = null, assignment_id = null } = row;
    this.#prepare('DELETE FROM gradebook_cells WHERE course_id = ? AND user_id = ? AND assignment_id = ?').run(
      course_id,
      user_id,
      assignment_id,
    );
  }

  removeCourse(courseId: number): void {
    this.#opened = undefined;
    for (const table of ['student_enrollments', 'student_submissions', 'gradebook_cells'])
      this.#prepare(`DELETE FROM ${table} WHERE course_id = ?`).run(courseId);
  }

  clear(): void {
    this.#opened = undefined;
    this.#noteFormat();
    for (const table of ['student_enrollments', 'student_submissions', 'gradebook_cells']) this.#prepare(`DELETE FROM ${table}`).run();
  }

  /** Makes the cells again if they were made by another version of the program. */
  renewCells(): void {
    if (this.#prepare("SELECT value FROM meta WHERE name = 'cells'").get()?.value === cellFormat) return;
    transaction(this.database, () => {
      this.#prepare('DELETE FROM gradebook_cells').run();
      for (const { course_id, json } of this.#prepare('SELECT course_id, json FROM student_submissions').iterate())
        this.#putCell(Number(course_id), stored<GradedSubmissionJson>(json));
      this.#noteFormat();
    });
  }

  #noteFormat(): void {
    this.#prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('cells', ?)").run(cellFormat);
  }

  /** All cells of a course, in one text that is parsed once: a hundred thousand rows would take three times as long. */
  cells(courseId: number): readonly ResultCell[] {
    if (this.#opened?.courseId === courseId) return this.#opened.cells;
    const row = this.#prepare(
      "SELECT '[' || coalesce(group_concat(cell), '') || ']' AS cells FROM gradebook_cells WHERE course_id = ?",
    ).get(courseId);
    const cells = stored<ResultCell[]>(row?.cells);
    this.#opened = { courseId, cells };
    return cells;
  }

  cellsOfAssignment(courseId: number, assignmentId: number): ResultCell[] {
    return this.#prepare('SELECT cell FROM gradebook_cells WHERE course_id = ? AND assignment_id = ?')
      .all(courseId, assignmentId)
      .map(({ cell }) => stored<ResultCell>(cell));
  }

  enrollments(courseId: number): StudentEnrollmentJson[] {
    return this.#prepare('SELECT json FROM student_enrollments WHERE course_id = ? ORDER BY id')
      .all(courseId)
      .map(({ json }) => stored<StudentEnrollmentJson>(json));
  }

  enrollmentsOf(courseId: number, userId: number): StudentEnrollmentJson[] {
    return this.#prepare('SELECT json FROM student_enrollments WHERE course_id = ? AND user_id = ? ORDER BY id')
      .all(courseId, userId)
      .map(({ json }) => stored<StudentEnrollmentJson>(json));
  }

  submission(courseId: number, assignmentId: number, userId: number): GradedSubmissionJson | undefined {
    const row = this.#prepare('SELECT json FROM student_submissions WHERE course_id = ? AND assignment_id = ? AND user_id = ?').get(
      courseId,
      assignmentId,
      userId,
    );
    return row && stored<GradedSubmissionJson>(row.json);
  }

  ofAssignment(courseId: number, assignmentId: number): GradedSubmissionJson[] {
    return this.#prepare('SELECT json FROM student_submissions WHERE course_id = ? AND assignment_id = ?')
      .all(courseId, assignmentId)
      .map(({ json }) => stored<GradedSubmissionJson>(json));
  }

  /** Submissions that have files. */
  *withFiles(): Generator<{ readonly course_id: number; readonly submission: GradedSubmissionJson }> {
    const sql = `SELECT course_id, json FROM student_submissions WHERE json LIKE '%"attachments":[{%'`;
    for (const { course_id, json } of this.#prepare(sql).iterate())
      yield { course_id: Number(course_id), submission: stored<GradedSubmissionJson>(json) };
  }

  /** For debugging and tests. */
  item(kind: Kind, id: number): Json | undefined {
    if (kind !== 'submission' && kind !== 'enrollment') return undefined;
    const row = this.#prepare(`SELECT json FROM student_${kind}s WHERE id = ?`).get(id);
    return row && stored<Json>(row.json);
  }
}
