// Compares users by their account roles when the path does not name the user (contexts/rank.ts has the rule).

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { above } from '../../contexts/account_tree';
import { coversRights, type Ranking } from '../../contexts/rank';
import type { AdminLink } from '../../contexts/viewer';
import { isInSelect } from '../../database/ids';
import type { Database, ResultsOf } from '../../database/open';
import type { Call } from '../../http/call';
import { admins } from '../admins/table';
import { role_overrides, roles } from '../roles/table';

type Caller = Pick<Call, 'db'> & { readonly me: { readonly id: number } };

/** Reads the selected roles, their overrides, and the accounts involved: the input of `coversRights`. */
export const ranking = ({ build }: Database, roleIds: SQL, accountIds: SQL) =>
  [
    build.select().from(roles).where(isInSelect(roles.id, roleIds)),
    build.select().from(role_overrides).where(isInSelect(role_overrides.role_id, roleIds)),
    build.all<{ id: number; parent_account_id: number | null }>(
      sql`select id, parent_account_id from accounts where id in (${above(sql`select * from (${accountIds}) union select account_id from role_overrides where role_id in (${roleIds})`)})`,
    ),
  ] as const;
export type RankingRows = ResultsOf<ReturnType<typeof ranking>>;

export const rankingOf = ([, overrides, tree]: RankingRows): Ranking => ({
  root: { id: tree.find((one) => one.parent_account_id === null)?.id ?? 0 },
  accounts: new Map(tree.map((one) => [one.id, one])),
  overrides,
});

/** Reads what is needed to compare roles, as held in an account, with the caller's. */
export const grantRows = ({ db, me }: Caller, which: SQL | undefined, account_id: number) =>
  ranking(
    db,
    sql`select id from roles where ${which} union select role_id from admins where user_id = ${me.id} and workflow_state = 'active'`,
    sql`select ${account_id} union select account_id from admins where user_id = ${me.id} and workflow_state = 'active'`,
  );

/**
 * Reads the administrative roles of some users and the caller.
 * @param people a select of their ids
 */
export const selectRanks = ({ db, me }: Caller, people: SQL) => {
  const everyone = sql`select * from (${people}) union select ${me.id}`;
  const theirs = (column: string) =>
    sql`select ${sql.raw(`admins.${column}`)} from admins where admins.user_id in (${everyone}) and admins.workflow_state = 'active'`;
  return [
    db.build
      .select()
      .from(admins)
      .where(and(isInSelect(admins.user_id, everyone), eq(admins.workflow_state, 'active'))),
    ...ranking(db, theirs('role_id'), theirs('account_id')),
  ] as const;
};
type Standing = ResultsOf<ReturnType<typeof selectRanks>>;

const linksOf = (user_id: number, [links, roleRows]: Standing): AdminLink[] =>
  links.flatMap((link) => {
    const role = roleRows.find((one) => one.id === link.role_id && one.workflow_state !== 'inactive');
    return link.user_id === user_id && role ? [{ account_id: link.account_id, role }] : [];
  });

/** The users with a permission that the caller does not have. */
export function superiors({ me }: Pick<Caller, 'me'>, held: Standing): Set<number> {
  const [links, ...rows] = held;
  const others = new Set(links.map(({ user_id }) => user_id).filter((id) => id !== me.id));
  return new Set([...others].filter((id) => !coversRights(linksOf(me.id, held), linksOf(id, held), rankingOf(rows))));
}

/** Whether the caller has every permission of these users, wherever they have it. */
export const outranks = (call: Pick<Caller, 'me'>, held: Standing): boolean => superiors(call, held).size === 0;

/** Reads what decides which roles a user may assign in some accounts. */
export const handing = ({ db, me }: Caller, roleIds: SQL, accountIds: SQL) => {
  const mine = and(eq(admins.user_id, me.id), eq(admins.workflow_state, 'active'));
  return [
    db.build.select().from(admins).where(mine),
    ...ranking(
      db,
      sql`select * from (${roleIds}) union select role_id from admins where ${mine}`,
      sql`select * from (${accountIds}) union select account_id from admins where ${mine}`,
    ),
  ] as const;
};

/** Whether a role in an account grants no more than the user has. */
export function mayHandOut(
  { me }: Pick<Caller, 'me'>,
  held: Standing,
  { account_id, role_id }: { account_id: number; role_id: number },
): boolean {
  const [, ...rows] = held;
  const role = rows[0].find(({ id }) => id === role_id);
  return role === undefined || coversRights(linksOf(me.id, held), [{ account_id, role }], rankingOf(rows));
}
