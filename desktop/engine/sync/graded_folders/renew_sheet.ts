// Keeps `grades.csv` up to date. While the user has changed something in it that was not sent, it stays as it is; after sending, the rows
// that were sent are written again, and all others stay.

import { readFile } from 'node:fs/promises';
import { inLocale } from '../../../language/texts';
import { writeDurably } from '../../disk/durable';
import { inFolder } from '../../disk/handles';
import { inside, stagingFolder } from '../../disk/inside';
import { hashOfFile } from '../../disk/look';
import {
  BadSheet,
  type ReadRow,
  type ReadSheet,
  type RowState,
  readEdits,
  readSheet,
  type SheetLine,
  sheetText,
} from '../../grading/grade_sheet';
import { type Expected, expected } from '../../model/ports';
import type { AssignmentJson } from '../../model/resources';
import type { Path } from '../../model/trees';
import { gradeEntity } from '../../outbox/intents';
import { type GradedOne, sheetLineOf } from '../../server/graded_ones';
import { stored } from '../../store/damage';
import { transaction } from '../../store/driver';
import { type GradedFolders, type GradedPlace, ofNoStudent } from '../../store/graded_folders';
import type { UserStore } from '../../store/user';
import type { CourseFolders } from './course_folders';
import { sheetOf } from './folder_paths';

const renewSetting = 'grades.csv to write';

/** Within a transaction of the caller: rows of these assignments were sent. */
export function renewLater(user: UserStore, assignments: readonly number[]): void {
  user.set(renewSetting, JSON.stringify([...new Set([...toRenew(user), ...assignments])]));
}

const toRenew = (user: UserStore): readonly number[] => stored<number[]>(user.setting(renewSetting) ?? '[]');

function renewed(user: UserStore, assignmentId: number): void {
  const left = toRenew(user).filter((id) => id !== assignmentId);
  user.set(renewSetting, left.length === 0 ? undefined : JSON.stringify(left));
}

/** Spreadsheets of countries with a decimal comma separate values by semicolons. */
const delimiterHere = inLocale((locale) => (new Intl.NumberFormat(locale).format(1.5).includes(',') ? ';' : ','));

export const stateOfRow = (kept: GradedFolders, place: GradedPlace, { who, base, grade, excused }: SheetLine): RowState => ({
  now: { base, grade, excused },
  written: (found) => (found === null ? kept.latestCells(place, who) : kept.cells(place, who, found)),
});

/** The piece under which the hash of the last text is noted. */
export const sheetPiece = 'grades.csv';

export async function renewSheet(assignment: AssignmentJson, ones: readonly GradedOne[], around: CourseFolders): Promise<void> {
  const { graded, paths, user, disk, careful, root } = around;
  const place = { course_id: graded.id, assignment_id: assignment.id };
  const path = sheetOf(paths.ofAssignment(assignment));
  const lines = ones.map(sheetLineOf);
  const found = await disk.hash(path);
  if (!found) {
    // It may be open in a program that forbids reading.
    const why = disk.whyUnread?.(path);
    if (why) throw why;
    await write(path, sheetText(lines, delimiterHere()), undefined, lines);
    return;
  }
  const sheet = await readOr(inside(root, path));
  if (!sheet) return;
  const byWho = new Map(lines.map((line) => [line.who, line]));
  const reading = readEdits(
    sheet,
    (who) => {
      const line = byWho.get(who);
      return line && stateOfRow(user.graded, place, line);
    },
    graded.workOf(assignment),
  );
  const isDue = toRenew(user).includes(assignment.id);
  const isEdited = reading.edits.length + reading.problems.length > 0;
  if (isEdited && !isDue) return;
  const unsent = unsentIn(around, assignment.id, ones);
  const isMade = (row: ReadRow) => byWho.has(row.who) || user.graded.latestCells(place, row.who) !== undefined;
  // A row that the desk did not write stays; so does one that is on its way to the server.
  const staysAsIs = (row: ReadRow) => !reading.unchanged.has(row.number) || unsent.has(row.who) || !isMade(row);
  const text = sheetText(lines, sheet.delimiter, { sheet, staysAsIs });
  const isOwn = user.graded
    .files(graded.id)
    .some((one) => one.assignment_id === assignment.id && one.piece === sheetPiece && one.sha256 === found.hash);
  const stays = new Set(sheet.rows.filter(staysAsIs).map(({ who }) => who));
  if (text !== (await readFile(inside(root, path), 'utf8')))
    await write(
      path,
      text,
      { stamp: expected(found), isOwn },
      lines.filter(({ who }) => !stays.has(who)),
      sheet,
    );
  if (isDue && unsent.size === 0) renewed(user, assignment.id);

  async function write(
    to: Path,
    text: string,
    over: { readonly stamp: Expected; readonly isOwn: boolean } | undefined,
    made: readonly SheetLine[],
    before?: ReadSheet,
  ): Promise<void> {
    await around.enter();
    const staged = `grades-${process.pid}-${assignment.id}.part`;
    const hash = await inFolder(root, stagingFolder, ({ entry }) => hashAfter(entry(staged), text), { make: true });
    const [placed] = await (over && !over.isOwn ? careful : disk).place([{ staged, path: to, ...(over && { over: over.stamp }) }]);
    if (placed instanceof Error) throw placed;
    const baseAt = before?.header.findIndex((name) => name.trim().toLowerCase() === 'base') ?? -1;
    const bases = new Map(before?.rows.map(({ who, cells }) => [who, cells[baseAt]?.trim()]));
    transaction(user.database, () => {
      for (const { who, ...shown } of made) user.graded.noteRow(place, who, shown, bases.get(who) !== shown.base);
      user.graded.noteFile({ ...place, who: ofNoStudent, attempt: 0, piece: sheetPiece, name: sheetPiece, sha256: hash });
    });
  }
}

async function hashAfter(file: string, text: string): Promise<string> {
  writeDurably(file, text, undefined);
  return hashOfFile(file);
}

/** Undefined if it is no table: the plan says so. */
async function readOr(file: string): Promise<ReadSheet | undefined> {
  try {
    return readSheet(await readFile(file));
  } catch (problem) {
    if (problem instanceof BadSheet) return undefined;
    throw problem;
  }
}

function unsentIn({ user }: CourseFolders, assignmentId: number, ones: readonly GradedOne[]): ReadonlySet<string> {
  const entities = new Set(
    user
      .prepare("SELECT entity FROM outbox WHERE verb = 'grade'")
      .all()
      .map(({ entity }) => String(entity)),
  );
  return new Set(ones.flatMap((one) => (entities.has(entityOfOne(assignmentId, one)) ? one.who : [])));
}

export const entityOfOne = (assignment_id: number, { user_id, who }: GradedOne): string =>
  gradeEntity(user_id === null ? { assignment_id, user_id: 0, anonymous_id: who } : { assignment_id, user_id });
