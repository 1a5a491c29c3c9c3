// accounts.csv, terms.csv and abstract_courses.csv: what courses stand in.

import { sql } from 'drizzle-orm';
import { randomText } from '../../database/tokens';
import type { TermOverrides } from '../terms/table';
import { insertMany, inTexts, isMoved, updateMany } from './changes_of_rows';
import { by, dateIn, hasAll, isBatch, type Kind, type Row, statusOf, tooLong, valuesIn } from './rules';
import { taken } from './stickiness';
import { type Notes, rootId } from './work';

const states = ['active', 'deleted'] as const;

interface AccountFacts {
  readonly id: number;
  readonly name: string;
  readonly parent_account_id: number | null;
  readonly sis_account_id: string | null;
  readonly integration_id: string | null;
  readonly workflow_state: 'active' | 'deleted';
  readonly stuck_sis_fields: string | null;
  readonly is_held: number;
}

/** What a change of state is called. */
export function noteState(notes: Notes, model: string, id: number, before: string, after: string): void {
  if (before === after) return;
  if (after === 'deleted') notes.changed(model, 'deleted', id, before, after);
  else if (before === 'deleted') notes.changed(model, 'restored', id, before, after);
  else if (after === 'completed') notes.changed(model, 'concluded', id, before, after);
  else notes.changes.push({ model, items: [[id, before, after]] });
}

/** Rows made in this step, found again by their SIS ids. */
export const madeBy = (model: string, table: string, column: string, ids: readonly string[]) => ({
  model,
  select: sql`select id, null as before, workflow_state as after from ${sql.raw(table)} where ${sql.raw(column)} is not null and ${inTexts(column, ids)}`,
});

export const accountRows: Kind = {
  cutting: {
    most: 500,
    touches: ({ account_id = '', parent_account_id }) => ({ makes: [account_id], uses: parent_account_id ? [parent_account_id] : [] }),
  },
  async apply(work, rows, notes) {
    const { build } = work.db;
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const named = inTexts('sis_account_id', valuesIn(rows, 'account_id', 'parent_account_id'));
    const [accounts, above, integrations] = await work.read([
      build.all<AccountFacts>(
        sql`select id, name, parent_account_id, sis_account_id, integration_id, workflow_state, stuck_sis_fields,
          (exists (select 1 from courses c where c.account_id = accounts.id and c.workflow_state <> 'deleted') or exists (select 1 from accounts a where a.parent_account_id = accounts.id and a.workflow_state <> 'deleted')) as is_held
          from accounts where sis_account_id is not null and ${named}`,
      ),
      build.all<{ leaf: number; id: number }>(
        sql`with recursive up(leaf, id) as (select id, id from accounts where sis_account_id is not null and ${named} union select up.leaf, a.parent_account_id from accounts a join up on a.id = up.id where a.parent_account_id is not null) select leaf, id from up`,
      ),
      build.all<{ id: number; integration_id: string }>(
        sql`select id, integration_id from accounts where integration_id is not null and ${inTexts('integration_id', valuesIn(rows, 'integration_id'))}`,
      ),
    ]);
    const found = by(accounts, ({ sis_account_id }) => sis_account_id);
    const claimed = by(integrations, ({ integration_id }) => integration_id);
    const made: object[] = [];
    const changed: (Record<string, unknown> & { id: number; stuck: string | null })[] = [];
    for (const row of rows) {
      const { at, cells } = row;
      if (!hasAll(row, ['account_id', 'name'], notes)) continue;
      const status = statusOf(row, states, notes);
      if (!status) continue;
      const it = found.get(cells.account_id ?? '');
      const parent = cells.parent_account_id ? found.get(cells.parent_account_id) : { id: rootId, workflow_state: 'active' };
      const owner = cells.integration_id ? claimed.get(cells.integration_id) : undefined;
      if (!parent || parent.workflow_state === 'deleted') notes.warn(at, `there is no account "${cells.parent_account_id}"`);
      else if (tooLong(cells.name)) notes.warn(at, 'the name is longer than 255 characters');
      else if (owner && owner.id !== it?.id)
        notes.warn(at, `the integration id "${cells.integration_id}" belongs to another account already`);
      else if (it?.id === rootId) notes.warn(at, 'the root account is not changed by imports');
      else if (it && above.some(({ leaf, id }) => leaf === parent.id && id === it.id))
        notes.warn(at, 'an account cannot stand below itself');
      else if (status === 'deleted' && it?.is_held === 1) notes.warn(at, 'an account with courses or accounts in it is not deleted');
      else {
        notes.applied += 1;
        if (status === 'deleted' && (options.skip_deletes || !it)) continue;
        if (!it) {
          made.push({
            sis_account_id: cells.account_id,
            name: cells.name,
            parent_account_id: parent.id,
            integration_id: cells.integration_id || null,
            uuid: randomText(40),
          });
          notes.tally('Account', 'created');
          continue;
        }
        const wanted = {
          name: cells.name,
          parent_account_id: parent.id,
          integration_id: cells.integration_id || undefined,
          workflow_state: status,
        };
        const values = taken({ ...it }, wanted, ['name', 'parent_account_id'], options);
        if (!values) continue;
        changed.push({ ...values, id: it.id, stuck: it.stuck_sis_fields });
        noteState(notes, 'Account', it.id, it.workflow_state, values.workflow_state ?? it.workflow_state);
      }
    }
    if (made.length > 0)
      notes.changes.push(
        madeBy(
          'Account',
          'accounts',
          'sis_account_id',
          made.map((one) => (one as { sis_account_id: string }).sis_account_id),
        ),
      );
    return {
      statements: [
        ...updateMany(
          work.db,
          'accounts',
          {
            name: true,
            parent_account_id: true,
            integration_id: true,
            workflow_state: true,
            stuck_sis_fields: true,
            sis_import_id: sql`${sis_import_id}`,
            updated_at: sql`${now}`,
          },
          changed,
        ),
        ...insertMany(
          work.db,
          'accounts',
          {
            sis_account_id: true,
            name: true,
            parent_account_id: true,
            root_account_id: sql.raw(String(rootId)),
            integration_id: true,
            uuid: true,
            default_time_zone: sql.raw("(select a.default_time_zone from accounts a where a.id = j.value ->> 'parent_account_id')"),
            settings: sql`'{}'`,
            sis_import_id: sql`${sis_import_id}`,
            created_at: sql`${now}`,
            updated_at: sql`${now}`,
          },
          made,
        ),
      ],
      moved: changed.length > 0 ? [isMoved('accounts', changed)] : [],
    };
  },
};

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

/** The overrides of a term after a row that gives or takes the dates of one type. */
export function withOverride(before: TermOverrides, type: string, start_at: string | null, end_at: string | null): TermOverrides {
  const { [type]: _, ...others } = before;
  return start_at === null && end_at === null ? others : { ...others, [type]: { start_at, end_at } };
}

export const termRows: Kind = {
  cutting: { most: 500, touches: ({ term_id = '' }) => ({ makes: [term_id] }) },
  async apply(work, rows, notes) {
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const [terms] = await work.read([
      work.db.build.all<TermFacts>(
        sql`select id, name, sis_term_id, integration_id, start_at, end_at, overrides, is_default, workflow_state, stuck_sis_fields,
          exists (select 1 from courses c where c.enrollment_term_id = terms.id and c.workflow_state <> 'deleted') as is_held
          from terms where sis_term_id is not null and ${inTexts('sis_term_id', valuesIn(rows, 'term_id'))}`,
      ),
    ]);
    const found = by(terms, ({ sis_term_id }) => sis_term_id);
    const made: { sis_term_id: string }[] = [];
    const changed: (Record<string, unknown> & { id: number; stuck: string | null })[] = [];
    const plan = (row: Row) => {
      const { at, cells } = row;
      const type = cells.date_override_enrollment_type;
      if (!hasAll(row, type ? ['term_id'] : ['term_id', 'name'], notes)) return;
      const status = statusOf(row, states, notes);
      if (!status) return;
      const it = found.get(cells.term_id ?? '');
      const [start_at, end_at] = [dateIn(row, 'start_date', notes), dateIn(row, 'end_date', notes)];
      if (start_at && end_at && end_at < start_at) return notes.warn(at, 'the term ends before it begins');
      if (type) {
        if (!it || it.workflow_state === 'deleted') return notes.warn(at, `there is no term "${cells.term_id}"`);
        if (!overridable.includes(type)) return notes.warn(at, `there are no dates of the type "${type}"`);
        notes.applied += 1;
        const overrides = withOverride(
          JSON.parse(it.overrides) as TermOverrides,
          type,
          status === 'deleted' ? null : (start_at ?? null),
          status === 'deleted' ? null : (end_at ?? null),
        );
        if (JSON.stringify(overrides) !== JSON.stringify(JSON.parse(it.overrides)))
          changed.push({ ...it, overrides: JSON.stringify(overrides), stuck: it.stuck_sis_fields });
        return;
      }
      if (tooLong(cells.name)) return notes.warn(at, 'the name is longer than 255 characters');
      if (status === 'deleted' && it?.is_default === 1) return notes.warn(at, 'the default term is not deleted');
      if (status === 'deleted' && it?.is_held === 1 && !options.skip_deletes)
        return notes.warn(at, 'a term with courses in it is not deleted');
      notes.applied += 1;
      if (status === 'deleted' && (options.skip_deletes || !it)) return;
      if (!it) {
        made.push({
          sis_term_id: cells.term_id ?? '',
          ...{ name: cells.name, integration_id: cells.integration_id || null, start_at: start_at ?? null, end_at: end_at ?? null },
        });
        notes.tally('EnrollmentTerm', 'created');
        return;
      }
      const wanted = { name: cells.name, integration_id: cells.integration_id || undefined, start_at, end_at, workflow_state: status };
      const values = taken({ ...it }, wanted, ['name', 'start_at', 'end_at'], options);
      if (!values) return;
      changed.push({ overrides: it.overrides, ...values, id: it.id, stuck: it.stuck_sis_fields });
      noteState(notes, 'EnrollmentTerm', it.id, it.workflow_state, values.workflow_state ?? it.workflow_state);
    };
    rows.forEach(plan);
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

interface AbstractFacts {
  readonly id: number;
  readonly sis_abstract_course_id: string;
  readonly name: string;
  readonly short_name: string;
  readonly account_id: number;
  readonly enrollment_term_id: number;
  readonly workflow_state: 'active' | 'deleted';
}

export const abstractCourseRows: Kind = {
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
    const made: { sis_abstract_course_id: string }[] = [];
    const changed: (AbstractFacts & object)[] = [];
    for (const row of rows) {
      const { at, cells } = row;
      if (!hasAll(row, ['abstract_course_id', 'short_name', 'long_name'], notes)) continue;
      const status = statusOf(row, states, notes);
      if (!status) continue;
      const it = found.get(cells.abstract_course_id ?? '');
      const account = cells.account_id ? accountOf.get(cells.account_id)?.id : (it?.account_id ?? rootId);
      const term = cells.term_id ? termOf.get(cells.term_id)?.id : (it?.enrollment_term_id ?? 1);
      if (account === undefined) notes.warn(at, `there is no account "${cells.account_id}"`);
      else if (term === undefined) notes.warn(at, `there is no term "${cells.term_id}"`);
      else {
        notes.applied += 1;
        if (status === 'deleted' && (options.skip_deletes || !it)) continue;
        const values = {
          sis_abstract_course_id: cells.abstract_course_id ?? '',
          name: cells.long_name ?? '',
          short_name: cells.short_name ?? '',
          account_id: account,
          enrollment_term_id: term,
          workflow_state: status,
        };
        if (!it) {
          made.push(values);
          notes.tally('AbstractCourse', 'created');
        } else if (JSON.stringify({ ...it, ...values }) !== JSON.stringify(it)) {
          changed.push({ ...it, ...values });
          noteState(notes, 'AbstractCourse', it.id, it.workflow_state, status);
        }
      }
    }
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
