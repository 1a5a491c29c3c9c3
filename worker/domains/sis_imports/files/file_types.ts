// The CSV file types: columns, recognition, and the order in which they are applied (reference 01 B16).

/** In the order in which they are applied. */
export const fileTypes = [
  'change_sis_id',
  'account',
  'term',
  'abstract_course',
  'course',
  'section',
  'xlist',
  'user',
  'login',
  'enrollment',
  'admin',
  'group_category',
  'group',
  'group_membership',
  'differentiation_tag_set',
  'differentiation_tag',
  'differentiation_tag_membership',
  'grade_publishing_result',
  'user_observer',
] as const;
export type FileType = (typeof fileTypes)[number];

/** The keys of `counts`. */
export const countOf: Readonly<Record<FileType, string>> = {
  change_sis_id: 'change_sis_ids',
  account: 'accounts',
  term: 'terms',
  abstract_course: 'abstract_courses',
  course: 'courses',
  section: 'sections',
  xlist: 'xlists',
  user: 'users',
  login: 'logins',
  enrollment: 'enrollments',
  admin: 'admins',
  group_category: 'group_categories',
  group: 'groups',
  group_membership: 'group_memberships',
  differentiation_tag_set: 'differentiation_tag_sets',
  differentiation_tag: 'differentiation_tags',
  differentiation_tag_membership: 'differentiation_tag_memberships',
  grade_publishing_result: 'grade_publishing_results',
  user_observer: 'user_observers',
};

/** Alternatives: one of several columns is required. */
type Needed = string | readonly string[];

interface Facts {
  /** Columns that identify the type. */
  readonly marks: readonly Needed[];
  /** Columns that indicate another type. */
  readonly without?: readonly string[];
  /** Required columns besides the marks. */
  readonly needs?: readonly Needed[];
  /** The columns that identify a row when two files are compared. */
  readonly key: readonly string[];
}

const existing = ['existing_user_id', 'existing_integration_id', 'existing_canvas_user_id'];
const role = ['role', 'role_id'];

export const fileTypeFacts: Readonly<Record<FileType, Facts>> = {
  change_sis_id: {
    marks: [['old_id', 'old_integration_id'], ['new_id', 'new_integration_id'], 'type'],
    key: ['old_id', 'old_integration_id', 'type'],
  },
  account: { marks: ['account_id', 'parent_account_id'], needs: ['name', 'status'], key: ['account_id'] },
  xlist: { marks: ['xlist_course_id', 'section_id'], needs: ['status'], key: ['xlist_course_id', 'section_id'] },
  course: { marks: ['course_id', 'short_name'], needs: ['long_name', 'status'], key: ['course_id'] },
  abstract_course: {
    marks: ['abstract_course_id', 'short_name'],
    without: ['course_id'],
    needs: ['long_name', 'status'],
    key: ['abstract_course_id'],
  },
  section: { marks: ['section_id', 'name'], needs: ['course_id', 'status'], key: ['section_id'] },
  term: { marks: ['term_id', 'name'], needs: ['status'], key: ['term_id', 'date_override_enrollment_type'] },
  login: { marks: ['login_id', existing], needs: ['user_id'], key: ['user_id', 'login_id'] },
  user: { marks: ['user_id', 'login_id'], without: existing, needs: ['status'], key: ['user_id'] },
  enrollment: {
    marks: [['course_id', 'section_id'], ['user_id', 'user_integration_id'], 'status'],
    needs: [role],
    key: ['course_id', 'section_id', 'user_id', 'user_integration_id', 'role', 'role_id', 'associated_user_id'],
  },
  admin: { marks: ['account_id', role, 'user_id'], needs: ['status'], key: ['account_id', 'user_id', 'role', 'role_id'] },
  group_category: { marks: ['group_category_id', 'category_name'], needs: ['status'], key: ['group_category_id'] },
  group_membership: { marks: ['group_id', 'user_id'], needs: ['status'], key: ['group_id', 'user_id'] },
  group: { marks: ['group_id', 'name'], needs: ['status'], key: ['group_id'] },
  differentiation_tag_membership: { marks: ['tag_id', 'user_id'], needs: ['status'], key: ['tag_id', 'user_id'] },
  differentiation_tag_set: { marks: ['tag_set_id', 'set_name'], needs: ['course_id', 'status'], key: ['tag_set_id'] },
  differentiation_tag: { marks: ['tag_id', 'name'], needs: [['tag_set_id', 'course_id'], 'status'], key: ['tag_id'] },
  grade_publishing_result: { marks: ['enrollment_id', 'grade_publish_status'], key: ['enrollment_id'] },
  user_observer: { marks: ['observer_id', 'student_id'], needs: ['status'], key: ['observer_id', 'student_id'] },
};

const has = (columns: ReadonlySet<string>, needed: Needed) =>
  typeof needed === 'string' ? columns.has(needed) : needed.some((one) => columns.has(one));
const nameOf = (needed: Needed) => (typeof needed === 'string' ? needed : needed.join(' or '));

export type Recognised = { readonly type: FileType } | { readonly refusal: string };

export const headerOf = (cells: readonly string[]): string[] => cells.map((cell) => cell.trim().toLowerCase());

/** Identifies a file by its header. */
export function recognise(header: readonly string[]): Recognised {
  const columns = new Set(header);
  const found = (Object.entries(fileTypeFacts) as [FileType, Facts][]).find(
    ([, { marks, without = [] }]) => marks.every((mark) => has(columns, mark)) && !without.some((column) => columns.has(column)),
  );
  if (!found) return { refusal: 'these headers match no type of SIS file' };
  const [type, { needs = [] }] = found;
  const missing = needs.filter((needed) => !has(columns, needed)).map(nameOf);
  return missing.length > 0 ? { refusal: `missing columns: ${missing.join(', ')}` } : { type };
}

/** A row by column name; blank cells are empty texts, columns missing in the file are absent. */
export type Cells = Readonly<Record<string, string | undefined>>;

export interface ParsedRow {
  /** As a spreadsheet counts: the header is row 1. */
  readonly at: number;
  /** The byte offset after the row. */
  readonly end?: number;
  /** For rows grouped by course. */
  readonly course?: number;
  readonly cells: Cells;
}

export function parsedRowOf(columns: readonly string[], values: readonly string[], at: number, end?: number): ParsedRow {
  const cells: Record<string, string> = Object.create(null);
  for (let nth = 0; nth < columns.length; nth += 1) cells[columns[nth] as string] = (values[nth] ?? '').trim();
  return end === undefined ? { at, cells } : { at, end, cells };
}

/** Files that archive tools add and no one meant to upload. */
export const isLitter = (path: string): boolean =>
  path.endsWith('/') || path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX' || part === 'Thumbs.db');
