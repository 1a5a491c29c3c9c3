// accounts.csv.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, isMoved, updateMany } from '../../../database/many_rows';
import { stickyOf } from '../../../database/sticky';
import { randomText } from '../../../database/tokens';
import { by, hasAll, type Kind, statusOf, tooLong, valuesIn } from '../row_rules';
import { madeBy, noteState } from '../state_changes';
import { taken } from '../stickiness';
import { rootId } from '../work';

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
        notes.warn(at, `the integration id "${cells.integration_id}" already belongs to another account`);
      else if (it?.id === rootId) notes.warn(at, 'the root account cannot be changed by imports');
      else if (it && above.some(({ leaf, id }) => leaf === parent.id && id === it.id))
        notes.warn(at, 'an account cannot be its own descendant');
      else if (status === 'deleted' && it?.is_held === 1) notes.warn(at, 'an account with courses or sub-accounts cannot be deleted');
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
        const values = taken({ ...it }, wanted, stickyOf('accounts'), options);
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
