// References in place of ids, as the SQL that resolves them: `12`, `self`, `sis_course_id:X`, `hex:sis_…` (reference 01 A4).

import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';

export type Referable = 'course' | 'section' | 'user' | 'account' | 'term' | 'assignment' | 'group' | 'group_category';

const live = sql.raw("workflow_state <> 'deleted'");

const finders: Record<Referable, Record<string, (value: string | SQL) => SQL>> = {
  course: {
    sis_course_id: (value) => sql`select id from courses where sis_course_id = ${value}`,
    sis_integration_id: (value) => sql`select id from courses where integration_id = ${value}`,
    uuid: (value) => sql`select id from courses where uuid = ${value}`,
    lti_context_id: (value) => sql`select id from courses where uuid = ${value}`,
  },
  section: {
    sis_section_id: (value) => sql`select id from sections where sis_section_id = ${value}`,
    sis_integration_id: (value) => sql`select id from sections where integration_id = ${value}`,
  },
  user: {
    sis_user_id: (value) => sql`select user_id from logins where account_id = 1 and sis_user_id = ${value} and ${live}`,
    sis_integration_id: (value) => sql`select user_id from logins where account_id = 1 and integration_id = ${value} and ${live}`,
    // Names are unique per provider only: a password login takes precedence.
    sis_login_id: (value) =>
      sql`select user_id from (select user_id from logins where account_id = 1 and lower(unique_id) = lower(${value}) and ${live} order by coalesce(authentication_provider_id, 1), id limit 1)`,
    ...Object.fromEntries(
      ['uuid', 'lti_user_id', 'lti_context_id', 'lti_1_1_id', 'lti_1_3_id'].map((prefix) => [
        prefix,
        (value: string | SQL) => sql`select id from users where uuid = ${value}`,
      ]),
    ),
  },
  account: {
    sis_account_id: (value) => sql`select id from accounts where sis_account_id = ${value}`,
    sis_integration_id: (value) => sql`select id from accounts where integration_id = ${value}`,
    uuid: (value) => sql`select id from accounts where uuid = ${value}`,
    lti_context_id: (value) => sql`select id from accounts where uuid = ${value}`,
  },
  term: {
    sis_term_id: (value) => sql`select id from terms where sis_term_id = ${value}`,
    sis_integration_id: (value) => sql`select id from terms where integration_id = ${value}`,
  },
  group: {
    sis_group_id: (value) => sql`select id from groups where sis_group_id = ${value}`,
    lti_context_id: (value) => sql`select id from groups where uuid = ${value}`,
  },
  group_category: { sis_group_category_id: (value) => sql`select id from group_categories where sis_group_category_id = ${value}` },
  assignment: {
    sis_assignment_id: (value) => sql`select id from assignments where sis_assignment_id = ${value}`,
    lti_context_id: (value) => sql`select id from assignments where lti_context_id = ${value}`,
  },
};

/** The only active term that includes the given time; null when there are several. */
export const termAt = (now: SQL): SQL => sql`select max(id) from terms where workflow_state = 'active'
  and (start_at is not null or end_at is not null) and coalesce(start_at, '') <= ${now} and coalesce(end_at, '9') >= ${now} having count(*) = 1`;

const words: Partial<Record<Referable, Record<string, SQL>>> = {
  account: {
    self: sql`select id from accounts where parent_account_id is null`,
    default: sql`select id from accounts where parent_account_id is null`,
    site_admin: sql`select id from accounts where parent_account_id is null`,
  },
  term: {
    default: sql`select id from terms where is_default = 1`,
    current: termAt(sql.raw("strftime('%Y-%m-%dT%H:%M:%SZ', 'now')")),
  },
};

const unhex = (digits: string) => new TextDecoder().decode(Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));

const nothing = sql`select 0 where 0`;

/** A valid database id, or undefined. */
export const readId = (given: string): number | undefined => {
  if (!/^\d{1,16}$/.test(given)) return undefined;
  const id = Number(given);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

/** A select of one id, or of none for an invalid reference, which then is a 404 and never a 400. */
export function idOf(kind: Referable, given: string, bySisId = false): SQL {
  const id = readId(given);
  if (id !== undefined && !bySisId) return sql`select ${id}`;
  const word = lookUp(words[kind] ?? {}, given);
  if (word) return word;
  const [prefix, value] = read(bySisId ? `sis_${kind}_id:${given}` : given);
  return lookUp(finders[kind], prefix)?.(value) ?? nothing;
}

/** The parts before and after the colon, decoded. */
function read(given: string): readonly [prefix: string, value: string] {
  const isHex = given.startsWith('hex:');
  const written = isHex ? given.slice(4) : given;
  const colon = Math.max(0, written.indexOf(':'));
  const value = written.slice(colon + 1);
  return [written.slice(0, colon), isHex ? unhex(value) : value];
}

/** An object with the columns by which references name it, besides its id. */
export interface Referred {
  readonly id: number;
  readonly [column: string]: unknown;
}

/** Whether a reference names the object. */
export function refersTo(given: string, object: Referred): boolean {
  const id = readId(given);
  if (id !== undefined) return id === object.id;
  const [prefix, value] = read(given);
  return value === lookUp(object, prefix);
}

/** A select of the ids for several references, with one parameter per kind of reference. */
export function idsOf(kind: Referable, given: readonly string[]): SQL {
  const numbers = given.flatMap((one) => readId(one) ?? []);
  const ways = Object.entries(finders[kind]).flatMap(([prefix, find]) => {
    const values = given.map(read).flatMap(([before, value]) => (before === prefix ? [value] : []));
    return values.length === 0 ? [] : [sql`select (${find(sql.raw('named.value'))}) from json_each(${JSON.stringify(values)}) named`];
  });
  return sql.join([sql`select value as id from json_each(${JSON.stringify(numbers)})`, ...ways], sql` union `);
}
