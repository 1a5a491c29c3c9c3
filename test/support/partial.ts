// Users with a subset of the permissions, and checks whether a request gave one of them more, or affected a user above them.

import { env } from 'cloudflare:test';
import { type PermissionFacts, permissions } from '@carrel/worker/contexts/permissions';
import { ground } from './api';
import type { BuiltCourse, Person } from './ground';

export interface Partial {
  readonly person: Person;
  readonly role_id: number;
  /** The account or course in which they have the role. */
  readonly at: 'root' | 'branch' | 'course';
  readonly holds: ReadonlySet<string>;
}

/**
 * Sets such that for every two permissions one set has the first but not the second: each permission is in a different choice of four of
 * nine sets.
 * A user with such a set may do what each of its permissions allows, and lacks every other permission in some set.
 */
export function separated(names: readonly string[]): string[][] {
  const sets: string[][] = Array.from({ length: 9 }, () => []);
  const choices: number[] = [];
  for (let bits = 0; bits < 512; bits += 1) if (bits.toString(2).replaceAll('0', '').length === 4) choices.push(bits);
  if (names.length > choices.length) throw new Error('more permissions than choices of four of nine');
  for (const [at, name] of names.entries()) for (const [n, set] of sets.entries()) if (((choices[at] as number) >> n) & 1) set.push(name);
  return sets;
}

const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";
const run = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

/** A role of the root account with exactly these permissions. */
async function roleOf(
  name: string,
  base: PermissionFacts['availableTo'] extends ReadonlySet<infer B> ? B : never,
  holds: ReadonlySet<string>,
) {
  const { meta } = await run(
    `insert into roles (account_id, name, base_role_type, workflow_state, created_at, updated_at) values (1, ?, ?, 'active', ${stamp})`,
    name,
    base,
  );
  const changed = [...permissions.values()].filter(
    (facts) => facts.availableTo.has(base) && holds.has(facts.name) !== facts.trueFor.has(base),
  );
  await run(
    'insert into role_overrides (account_id, role_id, permission, enabled) select 1, ?, j.value ->> 0, j.value ->> 1 from json_each(?) j',
    meta.last_row_id,
    JSON.stringify(changed.map((facts) => [facts.name, holds.has(facts.name) ? 1 : 0])),
  );
  return meta.last_row_id;
}

const namesFor = (base: 'AccountMembership' | 'TaEnrollment') =>
  [...permissions.values()].filter(({ availableTo }) => availableTo.has(base)).map(({ name }) => name as string);

/** For each set of permissions an administrator of the root account, one of a sub-account, and an assistant in courses. */
async function holders(
  split: (names: string[]) => string[][],
  branch: { id: number },
  courses: readonly BuiltCourse[],
): Promise<Partial[]> {
  const people: Partial[] = [];
  for (const [n, names] of split(namesFor('AccountMembership')).entries()) {
    const holds = new Set(names);
    const role_id = await roleOf(`Part ${people.length}/${names.length}`, 'AccountMembership', holds);
    for (const at of ['root', 'branch'] as const) {
      const person = await ground.admin({ name: `Part ${n} of ${at}`, role_id, account_id: at === 'root' ? 1 : branch.id });
      people.push({ person, role_id, at, holds });
    }
  }
  for (const [n, names] of split(namesFor('TaEnrollment')).entries()) {
    const holds = new Set(names);
    const role_id = await roleOf(`Assistant ${n}/${names.length}`, 'TaEnrollment', holds);
    const person = await ground.person({ name: `Part ${n} of course` });
    for (const one of courses)
      await run('update enrollments set role_id = ? where id = ?', role_id, await ground.enroll(one, person, 'ta'));
    people.push({ person, role_id, at: 'course', holds });
  }
  return people;
}

/** Users with all permissions of their level. */
export const wholePeople = (branch: { id: number }, courses: readonly BuiltCourse[]) => holders((names) => [names], branch, courses);

/** One user per permission without any other: the nightly run uses them instead of nine users with subsets. */
const single = (names: readonly string[]): string[][] => names.map((name) => [name]);

/** At each level nine users with a subset, or one for each permission. */
export const partialPeople = (branch: { id: number }, courses: readonly BuiltCourse[]) =>
  holders((env as { EACH_PERMISSION?: string }).EACH_PERMISSION === '1' ? single : separated, branch, courses);

const list = (columns: string, from: string) =>
  `(select json_group_array(json_array(${columns})) from (select * from ${from} order by id))`;

/** How users sign in, their names, addresses and permissions: none of it may change. */
const own = (whose: string, lastAdmin: number) =>
  [
    list(
      'id, name, short_name, sortable_name, workflow_state, avatar_url, avatar_state, locale, time_zone, settings',
      `users where id in (${whose})`,
    ),
    list(
      'id, user_id, unique_id, sis_user_id, integration_id, workflow_state, password_hash, authentication_provider_id',
      `logins where user_id in (${whose})`,
    ),
    list('id, user_id, address, type, workflow_state, position, confirmation_code', `communication_channels where user_id in (${whose})`),
    list('id, user_id, token_hash, workflow_state, scopes, expires_at', `tokens where user_id in (${whose})`),
    list('id, user_id, session_hash, workflow_state', `sessions where user_id in (${whose})`),
    // Roles without new permissions may be granted and removed.
    list('id, account_id, role_id, workflow_state', `admins where user_id in (${whose}) and id <= ${lastAdmin}`),
  ].join(' || ');

/** All rows that grant permissions. Rows created with a course or user of one's own are left out. */
const rights = (lastCourse: number) =>
  [
    list('id, user_id, account_id, role_id, workflow_state', 'admins'),
    list('id, account_id, base_role_type, workflow_state', 'roles'),
    list('id, account_id, role_id, permission, enabled, locked, applies_to_self, applies_to_descendants', 'role_overrides'),
    list(
      'id, user_id, course_id, course_section_id, type, role_id, enrollment_state',
      `enrollments where course_id <= ${lastCourse} and enrollment_state <> 'deleted'`,
    ),
    list('id, parent_account_id, workflow_state, settings', 'accounts'),
    list('id, account_id', `courses where id <= ${lastCourse}`),
    list('id, course_id', `sections where course_id <= ${lastCourse}`),
    list('id, user_id, workflow_state', 'tokens'),
    list('id, user_id', 'logins'),
    `(select json_group_array(json_array(observer_id, student_id)) from observers)`,
  ].join(' || ');

export interface State {
  readonly above: string;
  readonly rights: string;
}

export interface Before {
  readonly lastCourse: number;
  readonly lastAdmin: number;
}

/** Marks the end of the scene: rows after it were created by the users under test. */
export const stateBefore = async (): Promise<Before> =>
  (await env.DB.prepare(
    'select (select max(id) from courses) as lastCourse, (select max(id) from admins) as lastAdmin',
  ).first<Before>()) as Before;

/** @param above ids of users that none of these users may affect */
export const databaseState = async (above: readonly number[], { lastCourse, lastAdmin }: Before): Promise<State> =>
  (await env.DB.prepare(`select ${own(above.join(', '), lastAdmin)} as above, ${rights(lastCourse)} as rights`).first<State>()) as State;
