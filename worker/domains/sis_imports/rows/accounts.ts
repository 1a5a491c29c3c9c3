// accounts.csv.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, isMoved, updateMany } from '../../../database/many_rows';
import { stickyOf } from '../../../database/sticky';
import { randomText } from '../../../database/tokens';
import { by, type Changing, firstReason, hasAll, type ParsedRow, type RowKind, statusOf, tooLong, valuesIn } from '../row_rules';
import { madeBy, noteState } from '../state_changes';
import { acceptedValues } from '../stickiness';
import type { ImportOptions } from '../table';
import { type Notes, rootId } from '../work';

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

interface Facts {
  readonly found: ReadonlyMap<string, AccountFacts>;
  readonly claimed: ReadonlyMap<string, { readonly id: number }>;
  /** Every account, with those above it. */
  readonly above: readonly { readonly leaf: number; readonly id: number }[];
  readonly options: ImportOptions;
}

interface Drafts {
  readonly made: { readonly sis_account_id: string | undefined }[];
  readonly changed: Changing[];
}

const parentOf = ({ cells }: ParsedRow, { found }: Facts) =>
  cells.parent_account_id ? found.get(cells.parent_account_id) : { id: rootId, workflow_state: 'active' };

function refusalOf(row: ParsedRow, status: (typeof states)[number], facts: Facts): string | undefined {
  const { cells } = row;
  const it = facts.found.get(cells.account_id ?? '');
  const parent = parentOf(row, facts);
  const owner = cells.integration_id ? facts.claimed.get(cells.integration_id) : undefined;
  const isBelowItself = it !== undefined && facts.above.some(({ leaf, id }) => leaf === parent?.id && id === it.id);
  return firstReason(
    [!parent || parent.workflow_state === 'deleted', `there is no account "${cells.parent_account_id}"`],
    [tooLong(cells.name), 'the name is longer than 255 characters'],
    [owner !== undefined && owner.id !== it?.id, `the integration id "${cells.integration_id}" already belongs to another account`],
    [it?.id === rootId, 'the root account cannot be changed by imports'],
    [isBelowItself, 'an account cannot be its own descendant'],
    [status === 'deleted' && it?.is_held === 1, 'an account with courses or sub-accounts cannot be deleted'],
  );
}

function plan(row: ParsedRow, facts: Facts, { made, changed }: Drafts, notes: Notes) {
  const { at, cells } = row;
  if (!hasAll(row, ['account_id', 'name'], notes)) return;
  const status = statusOf(row, states, notes);
  if (!status) return;
  const refusal = refusalOf(row, status, facts);
  if (refusal) return notes.warn(at, refusal);
  notes.applied += 1;
  const it = facts.found.get(cells.account_id ?? '');
  if (status === 'deleted' && (facts.options.skip_deletes || !it)) return;
  const { name } = cells;
  const parent_account_id = parentOf(row, facts)?.id;
  if (!it) {
    const integration_id = cells.integration_id || null;
    made.push({ sis_account_id: cells.account_id, ...{ name, parent_account_id, integration_id, uuid: randomText(40) } });
    return notes.tally('Account', 'created');
  }
  const wanted = { name, parent_account_id, integration_id: cells.integration_id || undefined, workflow_state: status };
  const values = acceptedValues({ ...it }, wanted, stickyOf('accounts'), facts.options);
  if (!values) return;
  changed.push({ ...values, id: it.id, stuck: it.stuck_sis_fields });
  noteState(notes, 'Account', it.id, it.workflow_state, values.workflow_state ?? it.workflow_state);
}

export const accountRows: RowKind = {
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
    const drafts: Drafts = { made: [], changed: [] };
    const { made, changed } = drafts;
    for (const row of rows) plan(row, { found, claimed, above, options }, drafts, notes);
    if (made.length > 0)
      notes.changes.push(
        madeBy(
          'Account',
          'accounts',
          'sis_account_id',
          made.map(({ sis_account_id = '' }) => sis_account_id),
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
