// abstract_courses.csv.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, updateMany } from '../../../database/many_rows';
import { by, hasAll, type ParsedRow, type RowKind, statusOf, valuesIn } from '../row_rules';
import { madeBy, noteState } from '../state_changes';
import type { ImportOptions } from '../table';
import { type Notes, rootId } from '../work';

const states = ['active', 'deleted'] as const;

interface AbstractFacts {
  readonly id: number;
  readonly sis_abstract_course_id: string;
  readonly name: string;
  readonly short_name: string;
  readonly account_id: number;
  readonly enrollment_term_id: number;
  readonly workflow_state: 'active' | 'deleted';
}

interface Facts {
  readonly found: ReadonlyMap<string, AbstractFacts>;
  readonly accountOf: ReadonlyMap<string, { readonly id: number }>;
  readonly termOf: ReadonlyMap<string, { readonly id: number }>;
  readonly options: ImportOptions;
}

interface Drafts {
  readonly made: { readonly sis_abstract_course_id: string }[];
  readonly changed: AbstractFacts[];
}

function plan(row: ParsedRow, { found, accountOf, termOf, options }: Facts, { made, changed }: Drafts, notes: Notes) {
  const { at, cells } = row;
  if (!hasAll(row, ['abstract_course_id', 'short_name', 'long_name'], notes)) return;
  const status = statusOf(row, states, notes);
  if (!status) return;
  const sis_abstract_course_id = cells.abstract_course_id ?? '';
  const it = found.get(sis_abstract_course_id);
  const account_id = cells.account_id ? accountOf.get(cells.account_id)?.id : (it?.account_id ?? rootId);
  const enrollment_term_id = cells.term_id ? termOf.get(cells.term_id)?.id : (it?.enrollment_term_id ?? 1);
  if (account_id === undefined) return notes.warn(at, `there is no account "${cells.account_id}"`);
  if (enrollment_term_id === undefined) return notes.warn(at, `there is no term "${cells.term_id}"`);
  notes.applied += 1;
  if (status === 'deleted' && (options.skip_deletes || !it)) return;
  const names = { name: cells.long_name ?? '', short_name: cells.short_name ?? '' };
  const values = { sis_abstract_course_id, ...names, account_id, enrollment_term_id, workflow_state: status };
  if (!it) {
    made.push(values);
    notes.tally('AbstractCourse', 'created');
  } else if (JSON.stringify({ ...it, ...values }) !== JSON.stringify(it)) {
    changed.push({ ...it, ...values });
    noteState(notes, 'AbstractCourse', it.id, it.workflow_state, status);
  }
}

export const abstractCourseRows: RowKind = {
  cutting: { most: 500, touches: ({ abstract_course_id = '' }) => ({ makes: [abstract_course_id] }) },
  async apply(work, rows, notes) {
    const { build } = work.db;
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const [there, accounts, terms] = await work.read([
      build.all<AbstractFacts>(
        sql`select id, sis_abstract_course_id, name, short_name, account_id, enrollment_term_id, workflow_state from abstract_courses where ${inTexts('sis_abstract_course_id', valuesIn(rows, 'abstract_course_id'))}`,
      ),
      build.all<{ id: number; sis: string }>(
        sql`select id, sis_account_id as sis from accounts where sis_account_id is not null and workflow_state = 'active' and ${inTexts('sis_account_id', valuesIn(rows, 'account_id'))}`,
      ),
      build.all<{ id: number; sis: string | null }>(
        sql`select id, sis_term_id as sis from terms where workflow_state = 'active' and (is_default = 1 or ${inTexts('sis_term_id', valuesIn(rows, 'term_id'))})`,
      ),
    ]);
    const found = by(there, ({ sis_abstract_course_id }) => sis_abstract_course_id);
    const [accountOf, termOf] = [by(accounts, ({ sis }) => sis), by(terms, ({ sis }) => sis)];
    const drafts: Drafts = { made: [], changed: [] };
    const { made, changed } = drafts;
    for (const row of rows) plan(row, { found, accountOf, termOf, options }, drafts, notes);
    if (made.length > 0)
      notes.changes.push(
        madeBy(
          'AbstractCourse',
          'abstract_courses',
          'sis_abstract_course_id',
          made.map(({ sis_abstract_course_id: id }) => id),
        ),
      );
    const columns = {
      name: true,
      short_name: true,
      account_id: true,
      enrollment_term_id: true,
      workflow_state: true,
      sis_import_id: sql`${sis_import_id}`,
      updated_at: sql`${now}`,
    } as const;
    return {
      statements: [
        ...updateMany(work.db, 'abstract_courses', columns, changed),
        ...insertMany(work.db, 'abstract_courses', { sis_abstract_course_id: true, ...columns, created_at: sql`${now}` }, made),
      ],
    };
  },
};
