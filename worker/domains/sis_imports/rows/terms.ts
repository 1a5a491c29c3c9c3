// terms.csv: terms, and their dates per enrollment type.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, isMoved, updateMany } from '../../../database/many_rows';
import { stickyOf } from '../../../database/sticky';
import type { TermOverrides } from '../../terms/table';
import {
  by,
  type Changing,
  dateIn,
  firstReason,
  hasAll,
  isBatch,
  type ParsedRow,
  type RowKind,
  statusOf,
  tooLong,
  valuesIn,
} from '../row_rules';
import { madeBy, noteState } from '../state_changes';
import { acceptedValues } from '../stickiness';
import type { ImportOptions } from '../table';
import { type Notes, rootId } from '../work';

const states = ['active', 'deleted'] as const;

interface TermFacts {
  readonly id: number;
  readonly name: string;
  readonly sis_term_id: string;
  readonly integration_id: string | null;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly overrides: string;
  readonly is_default: number;
  readonly workflow_state: 'active' | 'deleted';
  readonly stuck_sis_fields: string | null;
  readonly is_held: number;
}

const overridable = ['StudentEnrollment', 'TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment'];

/** The overrides of a term after a row that sets or removes the dates of an enrollment type. */
export function withOverride(before: TermOverrides, type: string, start_at: string | null, end_at: string | null): TermOverrides {
  const { [type]: _, ...others } = before;
  // Keeps the order, so that repeating a row changes nothing.
  return start_at === null && end_at === null ? others : { ...before, [type]: { start_at, end_at } };
}

interface Facts {
  readonly found: ReadonlyMap<string, TermFacts>;
  readonly claimed: ReadonlyMap<string, { readonly id: number }>;
  readonly options: ImportOptions;
}

interface Drafts {
  readonly made: { readonly sis_term_id: string }[];
  readonly changed: Changing[];
}

interface Asked {
  readonly row: ParsedRow;
  readonly status: (typeof states)[number];
  readonly start_at: string | null | undefined;
  readonly end_at: string | null | undefined;
}

/** A row that gives or takes the dates of one type of enrollment. */
function planDates({ row, status, start_at, end_at }: Asked, type: string, { found }: Facts, { changed }: Drafts, notes: Notes) {
  const { at, cells } = row;
  const it = found.get(cells.term_id ?? '');
  if (!it || it.workflow_state === 'deleted') return notes.warn(at, `there is no term "${cells.term_id}"`);
  if (!overridable.includes(type)) return notes.warn(at, `there are no dates for the enrollment type "${type}"`);
  notes.applied += 1;
  const before = JSON.parse(it.overrides) as TermOverrides;
  const [start, end] = status === 'deleted' ? [null, null] : [start_at ?? null, end_at ?? null];
  const overrides = JSON.stringify(withOverride(before, type, start, end));
  if (overrides !== JSON.stringify(before)) changed.push({ ...it, overrides, stuck: it.stuck_sis_fields });
}

function refusalOf({ row: { cells }, status }: Asked, { found, claimed, options }: Facts): string | undefined {
  const it = found.get(cells.term_id ?? '');
  const owner = cells.integration_id ? claimed.get(cells.integration_id) : undefined;
  const ends = status === 'deleted';
  return firstReason(
    [tooLong(cells.name), 'the name is longer than 255 characters'],
    [owner !== undefined && owner.id !== it?.id, `the integration id "${cells.integration_id}" already belongs to another term`],
    [ends && it?.is_default === 1, 'the default term cannot be deleted'],
    [ends && it?.is_held === 1 && !options.skip_deletes, 'a term with courses cannot be deleted'],
  );
}

/** A row that makes, changes or deletes a term. */
function planTerm(asked: Asked, facts: Facts, { made, changed }: Drafts, notes: Notes) {
  const { row, status, start_at, end_at } = asked;
  const { at, cells } = row;
  const refusal = refusalOf(asked, facts);
  if (refusal) return notes.warn(at, refusal);
  notes.applied += 1;
  const it = facts.found.get(cells.term_id ?? '');
  if (status === 'deleted' && (facts.options.skip_deletes || !it)) return;
  if (!it) {
    const dates = { start_at: start_at ?? null, end_at: end_at ?? null };
    made.push({ sis_term_id: cells.term_id ?? '', ...{ name: cells.name, integration_id: cells.integration_id || null, ...dates } });
    return notes.tally('EnrollmentTerm', 'created');
  }
  const wanted = { name: cells.name, integration_id: cells.integration_id || undefined, start_at, end_at, workflow_state: status };
  const values = acceptedValues({ ...it }, wanted, stickyOf('terms'), facts.options);
  if (!values) return;
  changed.push({ overrides: it.overrides, ...values, id: it.id, stuck: it.stuck_sis_fields });
  noteState(notes, 'EnrollmentTerm', it.id, it.workflow_state, values.workflow_state ?? it.workflow_state);
}

function plan(row: ParsedRow, facts: Facts, drafts: Drafts, notes: Notes) {
  const type = row.cells.date_override_enrollment_type;
  if (!hasAll(row, type ? ['term_id'] : ['term_id', 'name'], notes)) return;
  const status = statusOf(row, states, notes);
  if (!status) return;
  const [start_at, end_at] = [dateIn(row, 'start_date', notes), dateIn(row, 'end_date', notes)];
  if (start_at && end_at && end_at < start_at) return notes.warn(row.at, 'the term ends before it starts');
  const asked: Asked = { row, status, start_at, end_at };
  if (type) planDates(asked, type, facts, drafts, notes);
  else planTerm(asked, facts, drafts, notes);
}

export const termRows: RowKind = {
  cutting: { most: 500, touches: ({ term_id = '' }) => ({ makes: [term_id] }) },
  async apply(work, rows, notes) {
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const [terms, integrations] = await work.read([
      work.db.build.all<TermFacts>(
        sql`select id, name, sis_term_id, integration_id, start_at, end_at, overrides, is_default, workflow_state, stuck_sis_fields,
          exists (select 1 from courses c where c.enrollment_term_id = terms.id and c.workflow_state <> 'deleted') as is_held
          from terms where sis_term_id is not null and ${inTexts('sis_term_id', valuesIn(rows, 'term_id'))}`,
      ),
      work.db.build.all<{ id: number; integration_id: string }>(
        sql`select id, integration_id from terms where integration_id is not null and ${inTexts('integration_id', valuesIn(rows, 'integration_id'))}`,
      ),
    ]);
    const claimed = by(integrations, ({ integration_id }) => integration_id);
    const found = by(terms, ({ sis_term_id }) => sis_term_id);
    const drafts: Drafts = { made: [], changed: [] };
    const { made, changed } = drafts;
    for (const row of rows) plan(row, { found, claimed, options }, drafts, notes);
    if (made.length > 0)
      notes.changes.push(
        madeBy(
          'EnrollmentTerm',
          'terms',
          'sis_term_id',
          made.map(({ sis_term_id }) => sis_term_id),
        ),
      );
    if (isBatch(options))
      notes.seen.push({
        model: 'EnrollmentTerm',
        select: sql`select id from terms where sis_term_id is not null and ${inTexts('sis_term_id', valuesIn(rows, 'term_id'))}`,
      });
    const all = sql`${sis_import_id}`;
    return {
      statements: [
        ...updateMany(
          work.db,
          'terms',
          {
            name: true,
            integration_id: true,
            start_at: true,
            end_at: true,
            overrides: true,
            workflow_state: true,
            stuck_sis_fields: true,
            sis_import_id: all,
            updated_at: sql`${now}`,
          },
          changed,
        ),
        ...insertMany(
          work.db,
          'terms',
          {
            account_id: sql.raw(String(rootId)),
            sis_term_id: true,
            name: true,
            integration_id: true,
            start_at: true,
            end_at: true,
            overrides: sql`'{}'`,
            sis_import_id: all,
            created_at: sql`${now}`,
            updated_at: sql`${now}`,
          },
          made,
        ),
      ],
      moved: changed.length > 0 ? [isMoved('terms', changed)] : [],
    };
  },
};
