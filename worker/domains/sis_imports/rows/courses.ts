// courses.csv.

import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { insertMany, inTexts, isMoved, updateMany } from '../../../database/many_rows';
import { stickyOf } from '../../../database/sticky';
import { randomText } from '../../../database/tokens';
import { endEnrollments } from '../roster/call_roster';
import {
  by,
  type Changing,
  dateOf,
  firstReason,
  flagOf,
  hasAll,
  isBatch,
  type Kind,
  type Row,
  statusOf,
  tooLong,
  valuesIn,
} from '../row_rules';
import { madeBy, noteState } from '../state_changes';
import { taken, type Values } from '../stickiness';
import type { ImportOptions } from '../table';
import { type Notes, rootId } from '../work';
import { followingOf, followStatements, selectBlueprints } from './blueprints';
import { noteSectionsOf } from './existing_sections';

type State = 'created' | 'claimed' | 'available' | 'completed' | 'deleted';
const statuses = ['active', 'published', 'completed', 'deleted'] as const;
interface CourseFacts {
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
function courseDate({ at, cells }: Row, column: string, notes: Notes): string | null | undefined {
  const given = lookUp(cells, column);
  if (!given) return undefined;
  if (given.toLowerCase() === '<delete>') return null;
  const date = dateOf(given);
  if (date === null) notes.warn(at, `${column} "${given}" is not a date`);
  return date ?? undefined;
}

const formats = ['on_campus', 'online', 'blended'];

interface Abstract {
  readonly id: number;
  readonly sis: string;
  readonly name: string;
  readonly short_name: string;
  readonly account_id: number;
  readonly enrollment_term_id: number;
}

/** The settings of a course after a row, as stored: only those that differ from the defaults. */
export function settingsAfter(before: string, homeroom: boolean | undefined, passback: string | undefined): string {
  const settings = JSON.parse(before) as Record<string, unknown>;
  const put = (name: string, value: unknown) => {
    if (value) settings[name] = value;
    else delete settings[name];
  };
  if (homeroom !== undefined) put('homeroom_course', homeroom);
  if (passback !== undefined) put('grade_passback_setting', passback === 'nightly_sync' ? passback : undefined);
  return JSON.stringify(settings);
}

interface Drafts {
  readonly made: (Values & { sis_course_id: string })[];
  readonly changed: Changing[];
  readonly ending: number[];
  readonly seen: string[];
  readonly following: (readonly [string, string])[];
}

interface Facts {
  readonly found: ReadonlyMap<string, CourseFacts>;
  readonly claimed: ReadonlyMap<string, { readonly id: number }>;
  readonly accountOf: ReadonlyMap<string, { readonly id: number }>;
  readonly termOf: ReadonlyMap<string, { readonly id: number }>;
  readonly abstractOf: ReadonlyMap<string, Abstract>;
  readonly defaultTerm: number;
  readonly blueprints: Parameters<typeof followingOf>[1];
  readonly options: ImportOptions;
}

const passbacks = ['nightly_sync', 'not_set'];

/** Why a row cannot be carried out. */
function refusalOf({ cells }: Row, { found, claimed, accountOf, termOf, abstractOf }: Facts): string | undefined {
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

type Wanted = Values & { readonly workflow_state: State };
type Dates = Partial<Record<'start_at' | 'end_at', string | null>>;

/** Whether the dates of a course hold after a row; undefined where the row changes nothing of that. */
function isDated({ start_at, end_at }: Dates, it: CourseFacts | undefined): number | undefined {
  if (start_at === undefined && end_at === undefined) return undefined;
  const [start, end] = [start_at === undefined ? it?.start_at : start_at, end_at === undefined ? it?.end_at : end_at];
  // Repeating the same dates does not say whether they hold.
  const isSame = it !== undefined && (start ?? null) === it.start_at && (end ?? null) === it.end_at;
  return isSame ? undefined : Number(Boolean(start || end));
}

/** The place of a course: as the row says, else as it is, else as the abstract course says. */
function placeOf({ cells }: Row, it: CourseFacts | undefined, abstract: Abstract | undefined, { accountOf, termOf, defaultTerm }: Facts) {
  const account = it ? undefined : (abstract?.account_id ?? rootId);
  const term = it ? undefined : (abstract?.enrollment_term_id ?? defaultTerm);
  return {
    account_id: cells.account_id ? accountOf.get(cells.account_id)?.id : account,
    enrollment_term_id: cells.term_id ? termOf.get(cells.term_id)?.id : term,
  };
}

function change(it: CourseFacts, wanted: Wanted, { cells }: Row, { options }: Facts, { changed, ending }: Drafts, notes: Notes) {
  const homeroom = flagOf(cells.homeroom_course);
  const keepsPassback = it.stuck_sis_fields?.includes(',grade_passback_setting,') && !options.override_sis_stickiness;
  const kept = settingsAfter(it.settings, homeroom, keepsPassback ? undefined : passbackOf(cells));
  const values = taken({ ...it }, { ...wanted, settings: kept === it.settings ? undefined : kept }, stickyOf('courses'), options);
  if (!values) return;
  changed.push({ ...values, id: it.id, stuck: it.stuck_sis_fields });
  noteState(notes, 'Course', it.id, it.workflow_state, values.workflow_state);
  if (values.workflow_state === 'deleted' && it.workflow_state !== 'deleted') ending.push(it.id);
}

const passbackOf = ({ grade_passback_setting }: Row['cells']) => grade_passback_setting?.toLowerCase() || undefined;

/** What a row asks for; blank cells keep what is there. */
const wantedBy = (
  row: Row,
  status: (typeof statuses)[number],
  dates: Dates,
  it: CourseFacts | undefined,
  abstract: Abstract | undefined,
  facts: Facts,
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

function plan(row: Row, facts: Facts, drafts: Drafts, notes: Notes) {
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
  const settings = settingsAfter('{}', flagOf(cells.homeroom_course), passbackOf(cells));
  const restricts = isDated(dates, undefined) ?? 0;
  drafts.made.push({ ...wanted, settings, sis_course_id, uuid: randomText(40), restrict_enrollments_to_course_dates: restricts });
  notes.tally('Course', 'created');
}

export const courseRows: Kind = {
  cutting: { most: 500, touches: ({ course_id = '' }) => ({ makes: [course_id] }) },
  async apply(work, rows, notes) {
    const { build } = work.db;
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const [there, accounts, terms, abstracts, integrations, blueprints] = await work.read([
      build.all<CourseFacts>(
        sql`select id, sis_course_id, name, course_code, account_id, enrollment_term_id, workflow_state, integration_id, start_at, end_at, restrict_enrollments_to_course_dates, course_format, friendly_name, abstract_course_id, settings, stuck_sis_fields
          from courses where sis_course_id is not null and ${inTexts('sis_course_id', valuesIn(rows, 'course_id'))}`,
      ),
      build.all<{ id: number; sis: string }>(
        sql`select id, sis_account_id as sis from accounts where sis_account_id is not null and workflow_state = 'active' and ${inTexts('sis_account_id', valuesIn(rows, 'account_id'))}`,
      ),
      build.all<{ id: number; sis: string; is_default: number }>(
        sql`select id, sis_term_id as sis, is_default from terms where workflow_state = 'active' and (is_default = 1 or ${inTexts('sis_term_id', valuesIn(rows, 'term_id'))})`,
      ),
      build.all<Abstract>(
        sql`select id, sis_abstract_course_id as sis, name, short_name, account_id, enrollment_term_id from abstract_courses where workflow_state = 'active' and ${inTexts('sis_abstract_course_id', valuesIn(rows, 'abstract_course_id'))}`,
      ),
      build.all<{ id: number; integration_id: string }>(
        sql`select id, integration_id from courses where integration_id is not null and ${inTexts('integration_id', valuesIn(rows, 'integration_id'))}`,
      ),
      selectBlueprints(work.db, rows),
    ]);
    const found = by(there, ({ sis_course_id }) => sis_course_id);
    const [accountOf, termOf, abstractOf] = [by(accounts, ({ sis }) => sis), by(terms, ({ sis }) => sis), by(abstracts, ({ sis }) => sis)];
    const claimed = by(integrations, ({ integration_id }) => integration_id);
    const defaultTerm = terms.find(({ is_default }) => is_default === 1)?.id ?? 1;
    const drafts: Drafts = { made: [], changed: [], ending: [], seen: [], following: [] };
    const { made, changed, ending, seen, following } = drafts;
    const facts: Facts = { found, claimed, accountOf, termOf, abstractOf, defaultTerm, blueprints, options };
    for (const row of rows) plan(row, facts, drafts, notes);

    const gone = sql`select value from json_each(${JSON.stringify(ending)})`;
    if (ending.length > 0) {
      await endEnrollments(work, sql`select id from enrollments where course_id in (${gone})`, 'deleted', notes);
      await noteSectionsOf(work, gone, notes);
    }
    if (made.length > 0)
      notes.changes.push(
        madeBy(
          'Course',
          'courses',
          'sis_course_id',
          made.map(({ sis_course_id }) => sis_course_id),
        ),
      );
    if (isBatch(options))
      notes.seen.push({
        model: 'Course',
        select: sql`select id from courses where sis_course_id is not null and ${inTexts('sis_course_id', seen)}`,
      });
    const columns = {
      name: true,
      course_code: true,
      account_id: true,
      enrollment_term_id: true,
      workflow_state: true,
      integration_id: true,
      start_at: true,
      end_at: true,
      restrict_enrollments_to_course_dates: true,
      course_format: true,
      friendly_name: true,
      abstract_course_id: true,
      settings: true,
      sis_import_id: sql`${sis_import_id}`,
      updated_at: sql`${now}`,
    } as const;
    return {
      statements: [
        ...updateMany(work.db, 'courses', { ...columns, stuck_sis_fields: true }, changed),
        ...(ending.length > 0
          ? [
              build.run(
                sql`update sections set workflow_state = 'deleted', updated_at = ${now} where course_id in (${gone}) and workflow_state = 'active'`,
              ),
            ]
          : []),
        ...insertMany(
          work.db,
          'courses',
          { ...columns, sis_course_id: true, uuid: true, root_account_id: sql.raw(String(rootId)), created_at: sql`${now}` },
          made,
        ),
        ...insertMany(
          work.db,
          'assignment_groups',
          {
            course_id: sql.raw("(select c.id from courses c where c.uuid = j.value ->> 'uuid')"),
            name: sql`'Assignments'`,
            position: sql.raw('1'),
            created_at: sql`${now}`,
            updated_at: sql`${now}`,
          },
          made.map(({ uuid }) => ({ uuid })),
        ),
        ...followStatements(work.db, following, now),
      ],
      moved: changed.length > 0 ? [isMoved('courses', changed)] : [],
    };
  },
};
