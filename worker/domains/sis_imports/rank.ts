// Permissions of the importer: an import cannot change users who have more permissions, nor assign roles with more.

import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { theIds } from '../../database/ids';
import { handing, mayHandOut, selectRanks, superiors } from '../users/outranks';
import type { ImportWork } from './work';

interface Handed {
  readonly account_id: number;
  readonly role_id: number;
}

const caller = ({ db }: Pick<ImportWork, 'db'>, user_id: number | null) => ({ db, me: { id: user_id ?? 0 } });

/** Of these users, those with a permission that the importer does not have. */
export async function superiorsAmong(work: ImportWork, user_id: number | null, people: readonly number[]): Promise<ReadonlySet<number>> {
  if (people.length === 0) return new Set();
  const who = caller(work, user_id);
  return superiors(who, await work.read(selectRanks(who, theIds([...new Set(people)]))));
}

/** Of these roles at accounts, those that the importer may assign. */
export async function handedOut<H extends Handed>(
  work: ImportWork,
  user_id: number | null,
  wanted: readonly H[],
): Promise<(one: H) => boolean> {
  if (wanted.length === 0) return () => true;
  const who = caller(work, user_id);
  const ids = (name: keyof Handed) => theIds([...new Set(wanted.map((one) => one[name]))]);
  const held = await work.read(handing(who, ids('role_id'), ids('account_id')));
  return (one) => mayHandOut(who, held, one);
}

type Item = readonly [id: number | string, after: string, to: string];

/** The table that leads from an item to its user, by model. */
const owned: Readonly<Record<string, string>> = { Pseudonym: 'logins', CommunicationChannel: 'communication_channels' };

/** Of the items whose states are to be restored, those that the requesting user may change. */
export async function withinRank(
  work: ImportWork,
  user_id: number | null,
  model: string,
  items: readonly Item[],
): Promise<readonly Item[]> {
  const ids = theIds(items.map(([id]) => Number(id)));
  if (model === 'AccountUser') {
    const [links] = await work.read([
      work.db.build.all<Handed & { id: number }>(sql`select id, account_id, role_id from admins where id in (${ids})`),
    ]);
    const may = await handedOut(work, user_id, links);
    return items.filter(([id]) => links.some((link) => link.id === id && may(link)));
  }
  const table = Object.hasOwn(owned, model) ? lookUp(owned, model) : undefined;
  if (table === undefined) return items;
  const [rows] = await work.read([
    work.db.build.all<{ id: number; user_id: number }>(
      sql`select t.id, t.user_id from ${sql.raw(table)} t where t.id in (${ids}) and exists (select 1 from admins a where a.user_id = t.user_id and a.workflow_state = 'active')`,
    ),
  ]);
  const above = await superiorsAmong(
    work,
    user_id,
    rows.map((row) => row.user_id),
  );
  const kept = new Set(rows.filter((row) => above.has(row.user_id)).map(({ id }) => id));
  return items.filter(([id]) => !kept.has(Number(id)));
}
