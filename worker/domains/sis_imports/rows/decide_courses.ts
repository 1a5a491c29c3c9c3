// Plans courses from rows of courses.csv.

import { lookUp } from '@carrel/shared/wire/look_up';
import { stickyOf } from '../../../database/sticky';
import { randomText } from '../../../database/tokens';
import { type Changing, firstReason, flagOf, hasAll, type ParsedRow, sisDateOf, statusOf, tooLong } from '../row_rules';
import { noteState } from '../state_changes';
import { acceptedValues, type StickyValues } from '../stickiness';
import type { ImportOptions } from '../table';
import { type Notes, rootId } from '../work';
import { followingOf } from './blueprints';

type State = 'created' | 'claimed' | 'available' | 'completed' | 'deleted';
const statuses = ['active', 'published', 'completed', 'deleted'] as const;
export interface CourseFacts {
  readonly id: number;
  readonly sis_course_id: string;
  readonly name: string;
  readonly course_code: string | null;
  readonly account_id: number;
  readonly enrollment_term_id: number;
  readonly workflow_state: State;
  readonly integration_id: string | null;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly restrict_enrollments_to_course_dates: number;
  readonly course_format: string | null;
  readonly friendly_name: string | null;
  readonly abstract_course_id: number | null;
  readonly settings: string;
  readonly stuck_sis_fields: string | null;
}

/** The state of a course after a row (reference 01 B16): for `active`, a new course is unpublished, an existing one keeps its state. */
export function courseState(status: (typeof statuses)[number], before: State | undefined): State {
  if (status === 'published') return 'available';
  if (status !== 'active') return status;
  if (before === 'completed') return 'available';
  return before === undefined || before === 'deleted' ? 'claimed' : before;
}

/** `<delete>` clears, a blank leaves unchanged. */
function courseDate({ at, cells }: ParsedRow, column: string, notes: Notes): string | null | undefined {
  const given = lookUp(cells, column);
  if (!given) return undefined;
  if (given.toLowerCase() === '<delete>') return null;
  const date = sisDateOf(given);
  if (date === null) notes.warn(at, `${column} "${given}" is not a date`);
  return date ?? undefined;
}

const formats = ['on_campus', 'online', 'blended'];

export interface AbstractFacts {
  readonly id: number;
  readonly sis: string;
  readonly name: string;
  readonly short_name: string;
  readonly account_id: number;
  readonly enrollment_term_id: number;
}

/** The settings of a course after a row, as stored: only those that differ from the defaults. */
export function courseSettingsAfter(before: string, homeroom: boolean | undefined, passback: string | undefined): string {
  const settings = JSON.parse(before) as Record<string, unknown>;
  const put = (name: string, value: unknown) => {
    if (value) settings[name] = value;
    else delete settings[name];
  };
  if (homeroom !== undefined) put('homeroom_course', homeroom);
  if (passback !== undefined) put('grade_passback_setting', passback === 'nightly_sync' ? passback : undefined);
  return JSON.stringify(settings);
}

export interface CourseDrafts {
  readonly made: (StickyValues & { sis_course_id: string })[];
  readonly changed: Changing[];
  readonly ending: number[];
  readonly seen: string[];
  readonly following: (readonly [string, string])[];
}

export interface CourseRowFacts {
  readonly found: ReadonlyMap<string, CourseFacts>;
  readonly claimed: ReadonlyMap<string, { readonly id: number }>;
  readonly accountOf: ReadonlyMap<string, { readonly id: number }>;
  readonly termOf: ReadonlyMap<string, { readonly id: number }>;
  readonly abstractOf: ReadonlyMap<string, AbstractFacts>;
  readonly defaultTerm: number;
  readonly blueprints: Parameters<typeof followingOf>[1];
  readonly options: ImportOptions;
}

const passbacks = ['nightly_sync', 'not_set'];

/** The reason why a row cannot be applied, if any. */
function refusalOf({ cells }: ParsedRow, { found, claimed, accountOf, termOf, abstractOf }: CourseRowFacts): string | undefined {
  const isMissing = (id: string | undefined, there: ReadonlyMap<string, unknown>) => Boolean(id) && !there.has(id ?? '');
  const owner = cells.integration_id ? claimed.get(cells.integration_id) : undefined;
  const isClaimed = owner !== undefined && owner.id !== found.get(cells.course_id ?? '')?.id;
  const isOdd = (given: string | undefined, known: readonly string[]) => Boolean(given) && !known.includes((given ?? '').toLowerCase());
  return firstReason(
    [isMissing(cells.account_id, accountOf), `there is no account "${cells.account_id}"`],
    [isMissing(cells.term_id, termOf), `there is no term "${cells.term_id}"`],
    [isMissing(cells.abstract_course_id, abstractOf), `there is no abstract course "${cells.abstract_course_id}"`],
    [tooLong(cells.long_name) || tooLong(cells.short_name), 'a name is longer than 255 characters'],
    [isOdd(cells.course_format, formats), `the format "${cells.course_format}" is not one of ${formats.join(', ')}`],
    [isOdd(cells.grade_passback_setting, passbacks), `the setting "${cells.grade_passback_setting}" is not one of ${passbacks.join(', ')}`],
    [isClaimed, `the integration id "${cells.integration_id}" already belongs to another course`],
  );
}

type Wanted = StickyValues & { readonly workflow_state: State };
type Dates = Partial<Record<'start_at' | 'end_at', string | null>>;

/** Whether the dates of a course restrict its enrollments after a row; undefined if the row does not change that. */
function isDated({ start_at, end_at }: Dates, it: CourseFacts | undefined): number | undefined {
  if (start_at === undefined && end_at === undefined) return undefined;
  const [start, end] = [start_at === undefined ? it?.start_at : start_at, end_at === undefined ? it?.end_at : end_at];
  // A row that repeats the current dates does not change whether they apply.
  const isSame = it !== undefined && (start ?? null) === it.start_at && (end ?? null) === it.end_at;
  return isSame ? undefined : Number(Boolean(start || end));
}

/** The account and term of a course: those of the row, else the current ones, else those of the abstract course. */
function placeOf(
  { cells }: ParsedRow,
  it: CourseFacts | undefined,
  abstract: AbstractFacts | undefined,
  { accountOf, termOf, defaultTerm }: CourseRowFacts,
) {
  const account = it ? undefined : (abstract?.account_id ?? rootId);
  const term = it ? undefined : (abstract?.enrollment_term_id ?? defaultTerm);
  return {
    account_id: cells.account_id ? accountOf.get(cells.account_id)?.id : account,
    enrollment_term_id: cells.term_id ? termOf.get(cells.term_id)?.id : term,
  };
}

function change(
  it: CourseFacts,
  wanted: Wanted,
  { cells }: ParsedRow,
  { options }: CourseRowFacts,
  { changed, ending }: CourseDrafts,
  notes: Notes,
) {
  const homeroom = flagOf(cells.homeroom_course);
  const keepsPassback = it.stuck_sis_fields?.includes(',grade_passback_setting,') && !options.override_sis_stickiness;
  const kept = courseSettingsAfter(it.settings, homeroom, keepsPassback ? undefined : passbackOf(cells));
  const values = acceptedValues({ ...it }, { ...wanted, settings: kept === it.settings ? undefined : kept }, stickyOf('courses'), options);
  if (!values) return;
  changed.push({ ...values, id: it.id, stuck: it.stuck_sis_fields });
  noteState(notes, 'Course', it.id, it.workflow_state, values.workflow_state);
  if (values.workflow_state === 'deleted' && it.workflow_state !== 'deleted') ending.push(it.id);
}

const passbackOf = ({ grade_passback_setting }: ParsedRow['cells']) => grade_passback_setting?.toLowerCase() || undefined;

/** The values that a row asks for; blank cells leave a value unchanged. */
const wantedBy = (
  row: ParsedRow,
  status: (typeof statuses)[number],
  dates: Dates,
  it: CourseFacts | undefined,
  abstract: AbstractFacts | undefined,
  facts: CourseRowFacts,
): Wanted => ({
  name: row.cells.long_name || abstract?.name,
  course_code: row.cells.short_name,
  ...placeOf(row, it, abstract, facts),
  workflow_state: courseState(status, it?.workflow_state),
  integration_id: row.cells.integration_id || undefined,
  ...dates,
  restrict_enrollments_to_course_dates: isDated(dates, it),
  course_format: row.cells.course_format?.toLowerCase() || undefined,
  friendly_name: row.cells.friendly_name || undefined,
  abstract_course_id: abstract?.id,
});

export function planCourse(row: ParsedRow, facts: CourseRowFacts, drafts: CourseDrafts, notes: Notes) {
  const { at, cells } = row;
  const abstract = cells.abstract_course_id ? facts.abstractOf.get(cells.abstract_course_id) : undefined;
  if (!hasAll(row, abstract ? ['course_id', 'short_name'] : ['course_id', 'short_name', 'long_name'], notes)) return;
  const status = statusOf(row, statuses, notes);
  if (!status) return;
  const refusal = refusalOf(row, facts);
  if (refusal) return notes.warn(at, refusal);
  const sis_course_id = cells.course_id ?? '';
  const it = facts.found.get(sis_course_id);
  const dates = { start_at: courseDate(row, 'start_date', notes), end_at: courseDate(row, 'end_date', notes) };
  const follows = followingOf(row, facts.blueprints, notes);
  if (follows) drafts.following.push(follows);
  notes.applied += 1;
  drafts.seen.push(sis_course_id);
  if (status === 'deleted' && (facts.options.skip_deletes || !it)) return;
  const wanted = wantedBy(row, status, dates, it, abstract, facts);
  if (it) return change(it, wanted, row, facts, drafts, notes);
  const settings = courseSettingsAfter('{}', flagOf(cells.homeroom_course), passbackOf(cells));
  const restricts = isDated(dates, undefined) ?? 0;
  drafts.made.push({ ...wanted, settings, sis_course_id, uuid: randomText(40), restrict_enrollments_to_course_dates: restricts });
  notes.tally('Course', 'created');
}
