// Plans the changes of one course's enrollments from the rows of an SIS file. Pure; the roster of the course applies the plan.

import { lookUp } from '@carrel/shared/wire/look_up';
import { stickyOf } from '../../../database/sticky';
import type { EnrollmentState, EnrollmentType } from '../../enrollments/table';
import { acceptedValues, type StickyOptions } from '../stickiness';

export type SisStatus = 'active' | 'completed' | 'inactive' | 'deleted' | 'deleted_last_completed';

/** A row, with references as in the file. */
export interface SisRow {
  readonly at: number;
  /** `sis:U1` or `integration:I1`. */
  readonly user: string;
  /** SIS id of a section; the course's default section when absent. */
  readonly section: string | undefined;
  readonly role: string | undefined;
  readonly role_id: number | undefined;
  readonly status: SisStatus;
  /** Null clears, undefined leaves unchanged. */
  readonly start_at: string | null | undefined;
  readonly end_at: string | null | undefined;
  readonly observed: string | undefined;
  /** For temporary enrollments: SIS id of the user being replaced. */
  readonly source?: string | undefined;
  readonly limited: boolean | undefined;
  /** Sends a notification to the user. */
  readonly notifies?: boolean | undefined;
}

/** User fields copied to the enrollment for sorting rosters. */
export interface SortKeys {
  readonly sortable_name: string;
  readonly sort_email: string;
  readonly sort_sis_id: string;
}

export interface SisPerson extends SortKeys {
  readonly user_id: number;
  readonly isGone: boolean;
}

export interface SisRole {
  readonly id: number;
  readonly name: string;
  readonly base_role_type: string;
  readonly workflow_state: string;
  readonly account_id: number | null;
}

export interface SisEnrollment {
  readonly id: number;
  readonly user_id: number;
  readonly course_section_id: number;
  readonly type: EnrollmentType;
  readonly role_id: number;
  readonly observed_user_id: number;
  readonly enrollment_state: EnrollmentState;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly limit_privileges_to_course_section: number;
  readonly temporary_enrollment_source_user_id: number | null;
  readonly stuck_sis_fields: string | null;
}

export interface SisFacts {
  readonly course: { readonly workflow_state: string } | undefined;
  readonly sections: readonly { readonly id: number; readonly sis_section_id: string | null }[];
  readonly default_section_id: number | undefined;
  readonly people: ReadonlyMap<string, SisPerson>;
  readonly roles: readonly SisRole[];
  /** Root first. */
  readonly chain: readonly number[];
  readonly there: readonly SisEnrollment[];
}

export interface SisOptions extends StickyOptions {
  readonly skip_deletes?: boolean;
}

type New = Pick<
  SisEnrollment,
  'user_id' | 'type' | 'role_id' | 'observed_user_id' | 'enrollment_state' | 'start_at' | 'end_at' | 'temporary_enrollment_source_user_id'
> & {
  /** Null: the default section, to be created. */
  readonly section_id: number | null;
  readonly limited: number;
  readonly notifies: boolean;
} & SortKeys;
type Update = Pick<
  SisEnrollment,
  | 'id'
  | 'enrollment_state'
  | 'start_at'
  | 'end_at'
  | 'limit_privileges_to_course_section'
  | 'temporary_enrollment_source_user_id'
  | 'stuck_sis_fields'
> & {
  readonly before: EnrollmentState;
  readonly notifies?: boolean;
};

export interface SisPlan {
  readonly inserts: New[];
  readonly updates: Update[];
  /** Enrollments that the rows name and leave unchanged. */
  readonly kept: number[];
  readonly warnings: { readonly at: number; readonly message: string }[];
  readonly applied: number;
}

const shortNames: Readonly<Record<string, EnrollmentType>> = {
  student: 'StudentEnrollment',
  teacher: 'TeacherEnrollment',
  ta: 'TaEnrollment',
  observer: 'ObserverEnrollment',
  designer: 'DesignerEnrollment',
};

function roleOf(row: SisRow, { roles, chain }: SisFacts): SisRole | undefined {
  const name = lookUp(shortNames, row.role ?? '');
  const found =
    row.role_id !== undefined
      ? roles.find(({ id }) => id === row.role_id)
      : name !== undefined
        ? roles.find((one) => one.workflow_state === 'built_in' && one.name === name)
        : roles.find((one) => one.name === row.role && (one.account_id === null || chain.includes(one.account_id)));
  const isOfCourses = found && found.base_role_type !== 'AccountMembership' && found.name !== 'StudentViewEnrollment';
  return isOfCourses && found.workflow_state !== 'inactive' ? found : undefined;
}

/** What identifies an enrollment within a section. */
type Key = Pick<SisEnrollment, 'user_id' | 'type' | 'role_id' | 'observed_user_id'>;

interface Meant {
  readonly person: SisPerson;
  readonly key: Key;
  /** Null: the default section, to be created. */
  readonly section_id: number | null;
  readonly source_user_id: number | undefined;
}

/** Resolves the row's references, or returns the error. */
function resolved(row: SisRow, facts: SisFacts): Meant | string {
  const role = roleOf(row, facts);
  if (!role) return `there is no role "${row.role ?? row.role_id ?? ''}" in this course`;
  const person = facts.people.get(row.user);
  if (!person) return `there is no user "${row.user.slice(row.user.indexOf(':') + 1)}"`;
  const section = row.section === undefined ? undefined : facts.sections.find(({ sis_section_id }) => sis_section_id === row.section);
  if (row.section !== undefined && !section) return `there is no section "${row.section}" in this course`;
  const isObserver = role.base_role_type === 'ObserverEnrollment';
  const observed = isObserver && row.observed !== undefined ? facts.people.get(`sis:${row.observed}`) : undefined;
  if (isObserver && row.observed !== undefined && !observed) return `there is no user "${row.observed}" to observe`;
  if (observed?.user_id === person.user_id) return 'a user cannot observe themselves';
  const source = row.source === undefined ? undefined : facts.people.get(`sis:${row.source}`);
  if (row.source !== undefined && !source) return `there is no user "${row.source}" to replace`;
  const type = role.base_role_type as EnrollmentType;
  const key = { user_id: person.user_id, type, role_id: role.id, observed_user_id: observed?.user_id ?? 0 };
  return { person, key, section_id: section?.id ?? facts.default_section_id ?? null, source_user_id: source?.user_id };
}

const isLive = (state: EnrollmentState) => state === 'active' || state === 'invited' || state === 'creation_pending';

/** The state of the enrollment after the row. */
function stateFor(status: SisStatus, it: SisEnrollment | undefined, there: readonly SisEnrollment[]): EnrollmentState {
  if (status !== 'deleted_last_completed') return status;
  const isLast =
    it !== undefined &&
    isLive(it.enrollment_state) &&
    !there.some((one) => one !== it && one.user_id === it.user_id && isLive(one.enrollment_state));
  // A concluded enrollment stays concluded when the same row is imported again.
  return isLast || it?.enrollment_state === 'completed' ? 'completed' : 'deleted';
}

const isSame = (one: Key, other: Key): boolean =>
  one.user_id === other.user_id &&
  one.type === other.type &&
  one.role_id === other.role_id &&
  one.observed_user_id === other.observed_user_id;

const isEnding = ({ status }: SisRow): boolean => status === 'deleted' || status === 'deleted_last_completed';

/** The reason why the row cannot be applied, once its references are resolved. Enrollments in a deleted course can still be removed. */
function refusalOf(row: SisRow, { isGone }: SisPerson, { course }: SisFacts): string | undefined {
  if (!isEnding(row) && (!course || course.workflow_state === 'deleted')) return 'the course is deleted';
  return row.status === 'active' && isGone ? 'the user is deleted' : undefined;
}

/** What a row asks for, or the reason why it cannot be applied. */
function meant(row: SisRow, facts: SisFacts): Meant | string {
  const found = resolved(row, facts);
  return typeof found === 'string' ? found : (refusalOf(row, found.person, facts) ?? found);
}

type Draft = { -readonly [K in keyof SisPlan]: SisPlan[K] extends readonly (infer One)[] ? One[] : SisPlan[K] };

interface Planning {
  /** The enrollments after the previous rows. */
  readonly there: SisEnrollment[];
  readonly options: SisOptions;
  readonly plan: Draft;
}

/** Two rows may refer to the same enrollment by different ids: the later row wins. */
export function planSisRows(rows: readonly SisRow[], facts: SisFacts, options: SisOptions): SisPlan {
  const plan: Draft = { inserts: [], updates: [], kept: [], warnings: [], applied: 0 };
  const there = facts.there.map((one) => ({ ...one }));
  for (const row of rows) {
    const asked = meant(row, facts);
    if (typeof asked === 'string') plan.warnings.push({ at: row.at, message: asked });
    else planRow(row, asked, { there, options, plan });
  }
  return plan;
}

function planRow(row: SisRow, asked: Meant, planning: Planning): void {
  const { there, options, plan } = planning;
  plan.applied += 1;
  const it = there.find((one) => one.course_section_id === asked.section_id && isSame(one, asked.key));
  if (isEnding(row) && options.skip_deletes === true) {
    if (it) plan.kept.push(it.id);
  } else if (it) planUpdate(row, asked, it, planning);
  else planInsert(row, asked, planning);
}

/** A row that ends an enrollment without a record only removes what an earlier row would add. */
function planInsert(row: SisRow, { person, key, section_id, source_user_id }: Meant, { there, plan }: Planning): void {
  const earlier = plan.inserts.findIndex((one) => one.section_id === section_id && isSame(one, key));
  if (earlier >= 0) plan.inserts.splice(earlier, 1);
  if (isEnding(row)) return;
  const enrollment_state = stateFor(row.status, undefined, there);
  plan.inserts.push({
    ...key,
    section_id,
    enrollment_state,
    sortable_name: person.sortable_name,
    sort_email: person.sort_email,
    sort_sis_id: person.sort_sis_id,
    limited: row.limited ? 1 : 0,
    temporary_enrollment_source_user_id: source_user_id ?? null,
    notifies: row.notifies === true && enrollment_state === 'active',
    start_at: row.start_at ?? null,
    end_at: row.end_at ?? null,
  });
}

/** Changes `it` as well, so that later rows see the enrollment as this one leaves it. */
function planUpdate(row: SisRow, { source_user_id }: Meant, it: SisEnrollment, { there, options, plan }: Planning): void {
  const after = stateFor(row.status, it, there);
  const wanted = {
    enrollment_state: after,
    start_at: row.start_at,
    end_at: row.end_at,
    limit_privileges_to_course_section: row.limited === undefined ? undefined : Number(row.limited),
    temporary_enrollment_source_user_id: source_user_id,
  };
  const values = acceptedValues({ ...it }, wanted, stickyOf('enrollments'), options);
  if (!values || (it.enrollment_state === 'deleted' && after === 'deleted')) {
    plan.kept.push(it.id);
    return;
  }
  const earlier = plan.updates.findIndex(({ id }) => id === it.id);
  const before = earlier < 0 ? it.enrollment_state : (plan.updates.splice(earlier, 1)[0] as Update).before;
  const notifies = row.notifies === true && after === 'active' && before !== 'active';
  plan.updates.push({ ...(values as Omit<Update, 'id' | 'before'>), id: it.id, before, notifies });
  Object.assign(it, values);
}

/** The counter for a change of state. */
export function tallied(
  before: string | null,
  after: string,
): 'created' | 'concluded' | 'deactivated' | 'restored' | 'deleted' | undefined {
  if (before === null) return 'created';
  if (before === after) return undefined;
  if (after === 'deleted') return 'deleted';
  if (before === 'deleted') return 'restored';
  if (after === 'completed') return 'concluded';
  return after === 'inactive' ? 'deactivated' : undefined;
}
