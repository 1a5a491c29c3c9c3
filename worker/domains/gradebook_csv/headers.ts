// The header of a gradebook file: which columns an export has, and what the columns of an uploaded file are. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { NamedStudent, UploadColumn } from './table';

export const pointsRow = 'Points Possible';
export const manualPosting = 'Manual Posting';
export const readOnly = '(read only)';

/** The scores of an assignment group, and of the course. */
export const scoreTotals = {
  'Current Points': 'current_points',
  'Final Points': 'final_points',
  'Current Score': 'current_score',
  'Unposted Current Score': 'unposted_current_score',
  'Final Score': 'final_score',
  'Unposted Final Score': 'unposted_final_score',
} as const;

/** Where the course has a grading scheme. */
export const gradeTotals = {
  'Current Grade': 'current_score',
  'Unposted Current Grade': 'unposted_current_score',
  'Final Grade': 'final_score',
  'Unposted Final Grade': 'unposted_final_score',
} as const;

export const scoreHeaders = Object.keys(scoreTotals) as (keyof typeof scoreTotals)[];
export const gradeHeaders = Object.keys(gradeTotals) as (keyof typeof gradeTotals)[];
/** Where the course allows overrides of final grades; the grade where it has a grading scheme, too. */
export const overrideHeaders = ['Override Score', 'Override Grade'] as const;

export const assignmentHeader = ({ id, name }: { readonly id: number; readonly name: string }): string => `${name} (${id})`;

const studentHeaders: Readonly<Record<string, keyof NamedStudent | 'unused'>> = {
  student: 'name',
  lastname: 'unused',
  firstname: 'unused',
  id: 'id',
  'sis user id': 'sis_user_id',
  'sis login id': 'login',
  'integration id': 'unused',
  'root account': 'unused',
  section: 'unused',
};

const folded = (header: string) => header.trim().toLowerCase();

/** Where the file has each value that names a student; the first column of a name counts. */
export function studentColumns(headers: readonly string[]): ReadonlyMap<keyof NamedStudent, number> {
  const places = new Map<keyof NamedStudent, number>();
  for (const [at, header] of headers.entries()) {
    const kind = lookUp(studentHeaders, folded(header));
    if (kind && kind !== 'unused' && !places.has(kind)) places.set(kind, at);
  }
  return places;
}

/** Whether students can be found by the columns. */
export const namesStudents = (places: ReadonlyMap<keyof NamedStudent, number>): boolean =>
  places.has('id') || places.has('sis_user_id') || places.has('login');

export interface KnownColumns {
  /** Those of the gradebook; with a reason, the assignment takes no grades from a file. */
  readonly assignments: readonly { readonly id: number; readonly name: string; readonly refused?: string }[];
  readonly customColumns: readonly { readonly id: number; readonly title: string; readonly read_only: boolean }[];
  /** Names. */
  readonly groups: readonly string[];
  /** Whether the course allows overrides of final grades. */
  readonly hasOverrides: boolean;
}

type Kind = Pick<UploadColumn, 'kind' | 'assignment_id' | 'custom_column_id' | 'message'>;
const ignored = (message: string): Kind => ({ kind: 'ignored', message });
const readOnlyKind: Kind = { kind: 'read_only' };
const [overrideScore] = overrideHeaders;

const assignmentKind = ({ id, refused }: KnownColumns['assignments'][number]): Kind =>
  refused === undefined ? { kind: 'assignment', assignment_id: id } : ignored(refused);

/** The kind of a column by its whole header; undefined for one that is unknown. */
function kindByName(header: string, { assignments, customColumns }: KnownColumns): Kind | undefined {
  const named = assignments.filter(({ name }) => folded(name) === folded(header));
  const titled = customColumns.filter(({ title }) => folded(title) === folded(header));
  if (named.length + titled.length > 1) return ignored('several columns of the gradebook have this name');
  const [assignment] = named;
  if (assignment) return assignmentKind(assignment);
  const [column] = titled;
  if (column) return column.read_only ? readOnlyKind : { kind: 'custom_column', custom_column_id: column.id };
  return undefined;
}

/** The assignment of a header that ends with an id, as exports write it. */
function kindById(header: string, { assignments }: KnownColumns): Kind | undefined {
  const id = /\((\d{1,15})\)\s*$/.exec(header)?.[1];
  const found = id === undefined ? undefined : assignments.find((one) => one.id === Number(id));
  return found && assignmentKind(found);
}

/** The kind of a column of totals; of these, files change overrides alone. */
function kindOfTotal(header: string, { groups, hasOverrides }: KnownColumns): Kind | undefined {
  const name = folded(header);
  if (hasOverrides && name === folded(overrideScore)) return { kind: 'override' };
  const ofGroups = groups.flatMap((group) => scoreHeaders.map((one) => `${group} ${one}`));
  return [...ofGroups, ...scoreHeaders, ...gradeHeaders, ...overrideHeaders].some((one) => folded(one) === name) ? readOnlyKind : undefined;
}

/** What each column is. An assignment is found by the id in its header, then by its title. */
export function columnsOf(headers: readonly string[], known: KnownColumns, points: readonly string[] | undefined): UploadColumn[] {
  const used = new Set<string>();
  return headers.map((header, at) => {
    const here = { column: at + 1, header: header.slice(0, 300) };
    if (lookUp(studentHeaders, folded(header))) return { ...here, kind: 'student' };
    if (header.trim() === '') return { ...here, ...ignored('the column has no name') };
    const kind = kindById(header, known) ?? kindOfTotal(header, known) ?? kindByName(header, known);
    const possible = points?.[at]?.trim() ?? '';
    if (kind?.kind === 'read_only' || kind?.kind === 'ignored') return { ...here, ...kind };
    if (!kind && possible === readOnly) return { ...here, ...readOnlyKind };
    const key = kind ? `${kind.kind} ${kind.assignment_id ?? kind.custom_column_id}` : folded(header);
    if (used.has(key)) return { ...here, ...ignored('an earlier column has the same name') };
    used.add(key);
    return { ...here, ...(kind ?? newColumn(header, possible)) };
  });
}

/** An assignment that the gradebook does not have. */
function newColumn(header: string, possible: string): Pick<UploadColumn, 'kind' | 'points_possible' | 'message'> {
  if (/\(\d{1,15}\)\s*$/.test(header)) return ignored('the gradebook has no assignment with this id and name');
  if (header.trim().length > 255) return ignored('the name is too long');
  const points = possible === '' ? 0 : Number(possible);
  if (!Number.isFinite(points) || points < 0) return ignored('the points possible are not a number');
  return { kind: 'new_assignment', points_possible: points };
}
