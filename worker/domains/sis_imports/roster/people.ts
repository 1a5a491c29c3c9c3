// The users of SIS rows: by the SIS ids of their logins.

import { type SQL, sql } from 'drizzle-orm';
import { inTexts } from '../../../database/many_rows';
import type { SisPerson, SisRow } from './decide';

const peopleNamed = (rows: readonly SisRow[], kind: 'sis' | 'integration'): string[] => [
  ...new Set(
    rows.flatMap(({ user, observed, source }) => [
      ...(user.startsWith(`${kind}:`) ? [user.slice(kind.length + 1)] : []),
      ...(kind === 'sis' && observed !== undefined ? [observed] : []),
      ...(kind === 'sis' && source !== undefined ? [source] : []),
    ]),
  ),
];

export interface LoginRow {
  readonly sis_user_id: string | null;
  readonly integration_id: string | null;
  readonly user_id: number;
  readonly sortable_name: string;
  readonly sort_email: string;
  readonly sort_sis_id: string;
  readonly is_gone: number;
}

export function sisPeopleOf(logins: readonly LoginRow[]): Map<string, SisPerson> {
  const people = new Map<string, SisPerson>();
  // Deleted logins come first, so that live ones overwrite them.
  for (const { sis_user_id, integration_id, is_gone, ...rest } of logins) {
    const person = { ...rest, isGone: is_gone === 1 };
    if (sis_user_id !== null) people.set(`sis:${sis_user_id}`, person);
    if (integration_id !== null) people.set(`integration:${integration_id}`, person);
  }
  return people;
}

/** Users named by the rows: by live logins, then by deleted ones. */
export function loginsNamed(rows: readonly SisRow[]): SQL {
  const columns = sql.raw(
    "l.sis_user_id, l.integration_id, l.user_id, u.sort_name as sortable_name, u.sort_email, u.sort_sis_id, (l.workflow_state = 'deleted' or u.workflow_state = 'deleted') as is_gone",
  );
  const from = sql.raw('from logins l cross join users u on u.id = l.user_id');
  const [sis, integrations] = [peopleNamed(rows, 'sis'), peopleNamed(rows, 'integration')];
  const live = sql.raw("l.account_id = 1 and l.workflow_state <> 'deleted'");
  const parts = [
    sql`select ${columns} ${from} where l.workflow_state = 'deleted' and l.sis_user_id is not null and ${inTexts('l.sis_user_id', sis)}`,
    sql`select ${columns} ${from} where ${live} and l.sis_user_id is not null and ${inTexts('l.sis_user_id', sis)}`,
    ...(integrations.length > 0
      ? [sql`select ${columns} ${from} where ${live} and l.integration_id is not null and ${inTexts('l.integration_id', integrations)}`]
      : []),
  ];
  return sql.join(parts, sql` union all `);
}
