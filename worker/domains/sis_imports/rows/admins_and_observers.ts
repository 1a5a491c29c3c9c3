// admins.csv and user_observers.csv: links between users and accounts, and between users.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, updateMany } from '../../../database/many_rows';
import type { Database, Statement } from '../../../database/open';
import { observerEnrollments, observerEnrollmentsEnded } from '../../users/observers/linked';
import { handedOut } from '../rank';
import { by, firstReason, hasAll, type ParsedRow, type RowKind, statusOf, valuesIn } from '../row_rules';
import type { ImportOptions } from '../table';
import { type Notes, rootId } from '../work';
import { peopleNamed } from './users/users_by_sis_id';

const states = ['active', 'deleted'] as const;
interface Named {
  readonly sis: string;
  readonly id: number;
}

interface AdminFacts {
  readonly id: number;
  readonly account_id: number;
  readonly user_id: number;
  readonly role_id: number;
  readonly workflow_state: string;
  readonly sis_import_id: number | null;
}

type Granted = Pick<AdminFacts, 'account_id' | 'user_id' | 'role_id'>;

interface Facts {
  readonly userOf: ReadonlyMap<string, Named>;
  readonly accountIn: (cells: ParsedRow['cells']) => number | undefined;
  readonly roleIn: (cells: ParsedRow['cells']) => number | undefined;
  readonly mayHandOut: (granted: Omit<Granted, 'user_id'>) => boolean;
  readonly links: readonly AdminFacts[];
  readonly options: ImportOptions;
}

interface Drafts {
  readonly made: Granted[];
  readonly changed: { readonly id: number; readonly workflow_state: string }[];
}

/** What a row grants, or why it cannot. */
function grantedBy({ cells }: ParsedRow, { userOf, accountIn, roleIn, mayHandOut }: Facts): Granted | string {
  const user_id = userOf.get(cells.user_id ?? '')?.id;
  const [account_id, role_id] = [accountIn(cells), roleIn(cells)];
  if (user_id === undefined) return `there is no user "${cells.user_id}"`;
  if (account_id === undefined) return `there is no account "${cells.account_id}"`;
  if (role_id === undefined) return `there is no account role "${cells.role_id || cells.role}"`;
  return mayHandOut({ account_id, role_id }) ? { account_id, user_id, role_id } : 'the role has more permissions than the importer';
}

function planAdmin(row: ParsedRow, facts: Facts, { made, changed }: Drafts, notes: Notes) {
  const { at, cells } = row;
  if (!hasAll(row, ['user_id', cells.role_id ? 'role_id' : 'role'], notes)) return;
  const status = statusOf(row, states, notes);
  if (!status) return;
  const granted = grantedBy(row, facts);
  if (typeof granted === 'string') return notes.warn(at, granted);
  const { account_id, user_id, role_id } = granted;
  const link = facts.links.find((one) => one.user_id === user_id && one.account_id === account_id && one.role_id === role_id);
  if (status === 'deleted' && link?.workflow_state === 'active' && link.sis_import_id === null)
    return notes.warn(at, 'an administrator who was not created by an import cannot be removed by one');
  notes.applied += 1;
  if (status === 'deleted' && facts.options.skip_deletes) return;
  if (!link && status === 'active') {
    made.push(granted);
    notes.tally('AccountUser', 'created');
  } else if (link && link.workflow_state !== status) {
    changed.push({ id: link.id, workflow_state: status });
    notes.changed('AccountUser', status === 'deleted' ? 'deleted' : 'restored', link.id, link.workflow_state, status);
  }
}

export const adminRows: RowKind = {
  cutting: {
    most: 300,
    touches: ({ user_id, account_id, role, role_id }) => ({ makes: [[user_id, account_id, role, role_id].join('\n')] }),
  },
  async apply(work, rows, notes) {
    const { build } = work.db;
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const users = peopleNamed(valuesIn(rows, 'user_id'));
    const [known, accounts, roles, links] = await work.read([
      build.all<Named>(users),
      build.all<Named>(
        sql`select sis_account_id as sis, id from accounts where sis_account_id is not null and workflow_state = 'active' and ${inTexts('sis_account_id', valuesIn(rows, 'account_id'))}`,
      ),
      build.all<{ id: number; name: string }>(
        sql`select id, name from roles where base_role_type = 'AccountMembership' and workflow_state <> 'inactive' order by account_id is not null, id`,
      ),
      build.all<AdminFacts>(
        sql`select id, account_id, user_id, role_id, workflow_state, sis_import_id from admins where user_id in (select id from (${users}))`,
      ),
    ]);
    const [userOf, accountOf] = [by(known, ({ sis }) => sis), by(accounts, ({ sis }) => sis)];
    const accountIn = (cells: ParsedRow['cells']) => (cells.account_id ? accountOf.get(cells.account_id)?.id : rootId);
    const roleIn = (cells: ParsedRow['cells']) =>
      roles.find(({ id, name }) => (cells.role_id ? String(id) === cells.role_id : name === cells.role))?.id;
    const wanted = rows.map(({ cells }) => ({ account_id: accountIn(cells) ?? 0, role_id: roleIn(cells) ?? 0 }));
    const mayHandOut = await handedOut(work, work.it.user_id, wanted);
    const drafts: Drafts = { made: [], changed: [] };
    const { made, changed } = drafts;
    const facts: Facts = { userOf, accountIn, roleIn, mayHandOut, links, options };
    for (const row of rows) planAdmin(row, facts, drafts, notes);
    if (made.length > 0)
      notes.changes.push({
        model: 'AccountUser',
        select: sql`select a.id, null as before, a.workflow_state as after from json_each(${JSON.stringify(made)}) j cross join admins a on a.account_id = j.value ->> 'account_id' and a.user_id = j.value ->> 'user_id' and a.role_id = j.value ->> 'role_id'`,
      });
    const stamped = { sis_import_id: sql`${sis_import_id}`, updated_at: sql`${now}` };
    return {
      statements: [
        ...updateMany(work.db, 'admins', { workflow_state: true, ...stamped }, changed),
        ...insertMany(
          work.db,
          'admins',
          { account_id: true, user_id: true, role_id: true, workflow_state: sql`'active'`, ...stamped, created_at: sql`${now}` },
          made,
        ),
      ],
    };
  },
};

interface Link {
  readonly observer_id: number;
  readonly student_id: number;
}

/** A link has no id of its own. */
const linkId = ({ observer_id, student_id }: Link) => `${observer_id}/${student_id}`;

const linked = (db: Database, link: Link, now: string): Statement[] => [
  db.build.run(
    sql`insert into observers (observer_id, student_id, created_at) values (${link.observer_id}, ${link.student_id}, ${now}) on conflict do nothing`,
  ),
  ...observerEnrollments(db, link, now),
];

const unlinked = (db: Database, link: Link, now: string): Statement[] => [
  db.build.run(sql`delete from observers where observer_id = ${link.observer_id} and student_id = ${link.student_id}`),
  ...observerEnrollmentsEnded(db, link, now),
];

/** Creates or deletes the link with that id. */
export function relinkObserver(db: Database, id: string, isThere: boolean, now: string): Statement[] {
  const [observer_id = 0, student_id = 0] = id.split('/').map(Number);
  return isThere ? linked(db, { observer_id, student_id }, now) : unlinked(db, { observer_id, student_id }, now);
}

export const observerRows: RowKind = {
  // Each link needs statements of its own.
  cutting: { most: 40, touches: ({ observer_id, student_id }) => ({ makes: [`${observer_id}\n${student_id}`] }) },
  async apply(work, rows, notes) {
    const { build } = work.db;
    const now = work.now();
    const users = peopleNamed(valuesIn(rows, 'observer_id', 'student_id'));
    const [known, links] = await work.read([
      build.all<Named>(users),
      build.all<{ observer_id: number; student_id: number }>(
        sql`select observer_id, student_id from observers where student_id in (select id from (${users})) and observer_id in (select id from (${users}))`,
      ),
    ]);
    const userOf = by(known, ({ sis }) => sis);
    const statements: Statement[] = [];
    for (const row of rows) {
      const { at, cells } = row;
      if (!hasAll(row, ['observer_id', 'student_id'], notes)) continue;
      const status = statusOf(row, states, notes);
      if (!status) continue;
      const [observer, student] = [userOf.get(cells.observer_id ?? '')?.id, userOf.get(cells.student_id ?? '')?.id];
      const refusal = firstReason(
        [observer === undefined, `there is no user "${cells.observer_id}"`],
        [student === undefined, `there is no user "${cells.student_id}"`],
        [observer === student, 'a user cannot observe themselves'],
      );
      if (refusal || observer === undefined || student === undefined) {
        notes.warn(at, refusal ?? '');
        continue;
      }
      notes.applied += 1;
      const isThere = links.some((one) => one.observer_id === observer && one.student_id === student);
      const link = { observer_id: observer, student_id: student };
      if (status === 'active' && !isThere) {
        statements.push(...linked(work.db, link, now));
        notes.changed('UserObserver', 'created', linkId(link), 'deleted', 'active');
      } else if (status === 'deleted' && isThere && !work.it.options.skip_deletes) {
        statements.push(...unlinked(work.db, link, now));
        notes.changed('UserObserver', 'deleted', linkId(link), 'active', 'deleted');
      }
    }
    return { statements };
  },
};
