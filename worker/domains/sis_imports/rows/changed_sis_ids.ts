// change_sis_id.csv: changes the SIS ids of existing objects.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { theIds } from '../../../database/ids';
import { inTexts } from '../../../database/many_rows';
import type { Statement } from '../../../database/open';
import { superiorsAmong } from '../rank';
import { type Cells, firstReason, type ParsedRow, type RowKind, valuesIn } from '../row_rules';
import { rootId } from '../work';

interface Named {
  readonly id: number;
  readonly sis: string | null;
  readonly integration: string | null;
}

interface Place {
  readonly table: string;
  readonly sis: string;
  readonly live: string;
  /** Has no integration id. */
  readonly isPlain?: boolean;
}

const places: Readonly<Record<string, Place>> = {
  account: { table: 'accounts', sis: 'sis_account_id', live: 'true' },
  term: { table: 'terms', sis: 'sis_term_id', live: 'true' },
  course: { table: 'courses', sis: 'sis_course_id', live: 'true' },
  section: { table: 'sections', sis: 'sis_section_id', live: 'true' },
  group: { table: 'groups', sis: 'sis_group_id', live: 'true', isPlain: true },
  group_category: { table: 'group_categories', sis: 'sis_group_category_id', live: 'true', isPlain: true },
  user: { table: 'logins', sis: 'sis_user_id', live: `account_id = ${rootId} and workflow_state <> 'deleted'` },
};

const cleared = (given: string | undefined) => given?.toLowerCase() === '<delete>';

const selectOf = ({ table, sis, live, isPlain }: Place, rows: readonly ParsedRow[]): SQL => {
  const columns = sql.raw(
    `select id, ${sis} as sis, ${isPlain ? 'null' : 'integration_id'} as integration from ${table} where ${live} and`,
  );
  const named = sql`${columns} ${sql.raw(sis)} is not null and ${inTexts(sis, valuesIn(rows, 'old_id', 'new_id'))}`;
  if (isPlain) return named;
  return sql`${named}
    union ${columns} integration_id is not null and ${inTexts('integration_id', valuesIn(rows, 'old_integration_id', 'new_integration_id'))}`;
};

const unknownType = (type = '') => `the type "${type}" is not one of ${Object.keys(places).join(', ')}`;

/** Why the ids of a row make no sense, whatever is there. */
const refusalOfIds = ({ type = '', old_id, new_id, old_integration_id, new_integration_id }: Cells, { isPlain }: Place) =>
  firstReason(
    [!old_id && !old_integration_id, 'old_id or old_integration_id is missing'],
    [!new_id && !new_integration_id, 'new_id or new_integration_id is missing'],
    [isPlain === true && Boolean(new_integration_id), `a ${type.toLowerCase()} has no integration id`],
    [cleared(new_id), 'SIS ids can only be changed, not deleted'],
  );

/** Why what a row names cannot take its new ids. */
function refusalOfChange(
  { type: given = '', old_id, new_id, old_integration_id, new_integration_id }: Cells,
  it: Named | undefined,
  others: readonly Named[],
  isAbove: (login_id: number) => boolean,
): string | undefined {
  const type = given.toLowerCase();
  if (!it) return `there is no ${type} "${old_id || old_integration_id}"`;
  const isOther = Boolean(old_id && old_integration_id) && it.integration !== old_integration_id;
  const isTaken = Boolean(new_id) && others.some(({ sis }) => sis === new_id);
  const isIntegrationTaken = Boolean(new_integration_id) && others.some(({ integration }) => integration === new_integration_id);
  return firstReason(
    [isOther, `the ${type} "${old_id}" does not have the integration id "${old_integration_id}"`],
    [type === 'user' && isAbove(it.id), 'the user has more permissions than the importer'],
    [type === 'account' && it.id === rootId, 'the root account cannot be changed by imports'],
    [isTaken, `a ${type} "${new_id}" already exists`],
    [isIntegrationTaken, `a ${type} with the integration id "${new_integration_id}" already exists`],
  );
}

export const sisIdRows: RowKind = {
  cutting: {
    most: 300,
    // One row may reuse an id that another row gives up.
    touches: ({ type, old_id, new_id, old_integration_id, new_integration_id }) => ({
      makes: [
        ...[old_id, new_id].filter((id) => id && !cleared(id)).map((id) => `${type} ${id}`),
        ...[old_integration_id, new_integration_id].filter((id) => id && !cleared(id)).map((id) => `${type} integration ${id}`),
      ].filter((one, at, all) => all.indexOf(one) === at),
    }),
  },
  async apply(work, rows, notes) {
    const { build } = work.db;
    const types = Object.keys(places);
    const ofType = (type: string) => rows.filter(({ cells }) => cells.type?.toLowerCase() === type);
    const read = await work.read(types.map((type) => build.all<Named>(selectOf(lookUp(places, type) as Place, ofType(type)))));
    const [administrators] = await work.read([
      build.all<{ id: number; user_id: number }>(
        sql`select l.id, l.user_id from logins l where l.id in (${theIds((read[types.indexOf('user')] as Named[]).map(({ id }) => id))}) and exists (select 1 from admins a where a.user_id = l.user_id and a.workflow_state = 'active')`,
      ),
    ]);
    const superiors = await superiorsAmong(
      work,
      work.it.user_id,
      administrators.map(({ user_id }) => user_id),
    );
    const isAbove = (login_id: number) => administrators.some(({ id, user_id }) => id === login_id && superiors.has(user_id));
    const statements: Statement[] = [];
    const now = work.now();
    for (const { at, cells } of rows) {
      const type = cells.type?.toLowerCase() ?? '';
      const there = (read[types.indexOf(type)] ?? []) as Named[];
      const { old_id, new_id, old_integration_id, new_integration_id } = cells;
      const it = there.find(({ sis, integration }) =>
        old_id ? sis === old_id : integration !== null && integration === old_integration_id,
      );
      const place = lookUp(places, type);
      const others = there.filter((one) => one !== it);
      const refusal = place ? (refusalOfIds(cells, place) ?? refusalOfChange(cells, it, others, isAbove)) : unknownType(cells.type);
      if (refusal !== undefined || !place || !it) {
        notes.warn(at, refusal ?? '');
        continue;
      }
      notes.applied += 1;
      const sis = new_id || it.sis;
      const integration = cleared(new_integration_id) ? null : new_integration_id || it.integration;
      if (sis === it.sis && integration === it.integration) continue;
      statements.push(
        build.run(
          sql`update ${sql.raw(place.table)} set ${sql.raw(place.sis)} = ${sis} ${place.isPlain ? sql`` : sql`, integration_id = ${integration}`}, updated_at = ${now} where id = ${it.id}`,
        ),
      );
    }
    return { statements };
  },
};
