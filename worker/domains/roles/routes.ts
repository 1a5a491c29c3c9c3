// Roles: every endpoint, in the order of the API reference.

import { RolePermission } from '@carrel/shared/resources/role';
import { bool, choices, mapOf, object, oneOf, optional, searchTerm, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, gt, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { isOffered } from '../../contexts/institution';
import { permissions as allPermissions, offForAdmins } from '../../contexts/permissions';
import { readId } from '../../contexts/references';
import type { RoleRow } from '../../contexts/viewer';
import { atMost } from '../../database/at_most';
import { among, isInSelect } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { problem } from '../../http/problem';
import { answer, list, one, oneOr, write } from '../../http/reply';
import { grantRows, rankingOf } from '../users/outranks';
import { checkRole, checkRoleOverrides } from './granting';
import { newRole, role as roleJson } from './json';
import { labelOf, labels, type OverrideWanted, overridesWanted, permissionGroup } from './role_permissions';
import { baseRoleTypes, role_overrides, roles } from './table';

export const about = { title: 'Roles', description: 'Roles of an account and their permissions.' };

const base = '/accounts/:account_id/roles';
const can = ['manage_role_overrides', 'manage_account_memberships'] as const;
const permissions = optional(
  mapOf(
    object({
      explicit: optional(bool),
      enabled: optional(bool),
      locked: optional(bool),
      applies_to_self: optional(bool),
      applies_to_descendants: optional(bool),
    }),
  ),
);

const builtIn = and(eq(roles.workflow_state, 'built_in'), ne(roles.name, 'StudentViewEnrollment'));
const inChain = (account: AccountContext) => or(builtIn, inArray(roles.account_id, [...account.chain]));
const named = (given: string) => {
  const id = readId(given);
  return id === undefined ? eq(roles.name, given) : eq(roles.id, id);
};

const unknown = () => problem(404, 'role not found');

/**
 * A role that the caller may deactivate or activate.
 * @throws Problem 404, or 401 for a role with permissions that the caller does not have
 */
async function load(call: Pick<Call, 'db' | 'me' | 'institution'> & { account: AccountContext }, where: SQL | undefined): Promise<RoleRow> {
  const { db } = call;
  const [[role], ...ranking] = await db.perform([
    db.build.select().from(roles).where(where).orderBy(sql`account_id desc`).limit(1),
    ...grantRows(call, where, call.account.id),
  ]);
  if (!role) throw unknown();
  if (role.workflow_state !== 'built_in') checkRole(role, call, rankingOf(ranking));
  return role;
}

/** Statements that set the overrides of a role in an account. */
function setOverrides(
  db: Database,
  account_id: number,
  role_id: number | SQL,
  wanted: ReadonlyMap<string, OverrideWanted | null>,
): Statement[] {
  const gone = [...wanted].flatMap(([permission, override]) => (override === null ? [permission] : []));
  const kept = [...wanted.values()].filter((override) => override !== null);
  const values = ['permission', 'enabled', 'locked', 'applies_to_self', 'applies_to_descendants'];
  return [
    ...(gone.length === 0
      ? []
      : [
          db.build
            .delete(role_overrides)
            .where(and(eq(role_overrides.account_id, account_id), sql`role_id = ${role_id}`, among(role_overrides.permission, gone))),
        ]),
    ...(kept.length === 0
      ? []
      : [
          db.build.run(sql`insert into role_overrides (account_id, role_id, ${sql.raw(values.join(', '))})
            select ${account_id}, ${role_id}, ${sql.raw(values.map((name) => `j.value ->> '${name}'`).join(', '))} from json_each(${JSON.stringify(kept)}) j where true
            on conflict (account_id, role_id, permission) do update set ${sql.raw(values.map((name) => `${name} = excluded.${name}`).join(', '))}`),
        ]),
  ];
}

/** Names that custom roles cannot use. */
const reserved = new Set([...Object.keys(labels), ...Object.values(labels), 'StudentViewEnrollment'].map((name) => name.toLowerCase()));

const taken = () => problem(400, 'role already exists');
const nameTaken = { 'roles.account_id': taken };

const sameName = (db: Database, account: AccountContext, label: string) =>
  db.build
    .select({ id: roles.id })
    .from(roles)
    .where(and(inArray(roles.account_id, [...account.chain]), sql`lower(name) = ${label.toLowerCase()}`));

/** @throws Problem 400 for a name that is already used */
function checkLabel(label: string, same: readonly { id: number }[], ownId = 0): void {
  if (label === '') throw problem(400, 'label is required');
  if (label.length > 255) throw problem(400, 'label is too long');
  if (reserved.has(label.toLowerCase()) || same.some((one) => one.id !== ownId)) throw taken();
}

export const roleRoutes = [
  get(
    base,
    {
      can,
      params: { state: choices('active', 'inactive'), show_inherited: optional(bool) },
      returns: [roleJson],
      summary: 'List roles',
    },
    ({ account, params, page }) => {
      const states = params.state?.length ? params.state : (['active'] as const);
      const owners = params.show_inherited ? account.chain : [account.id];
      // Roles are walked account by account, only as far as the page needs; one condition for all accounts would read every row.
      const custom = owners.map(
        (owner) =>
          sql`select id from (select id from roles where ${and(eq(roles.account_id, owner), inArray(roles.workflow_state, [...states]), gt(roles.id, Number(page.after?.[0] ?? 0)))} order by id limit ${atMost(page.per_page * (page.number ?? 1) + 1)})`,
      );
      const builtIns = sql`select id from roles where account_id is null and ${builtIn}`;
      const found = sql.join(states.includes('active') ? [builtIns, ...custom] : custom, sql` union all `);
      return list(rows(roles, { where: isInSelect(roles.id, found) }));
    },
  ),

  get(
    `${base}/permissions`,
    { can: 'manager', params: { search_term: searchTerm }, returns: { json: RolePermission }, summary: 'List permissions' },
    ({ params, institution }) => {
      const term = params.search_term?.toLowerCase() ?? '';
      return answer(
        [...allPermissions.values()]
          .filter(
            ({ name }) =>
              isOffered(name, institution) &&
              [name, name.replaceAll('_', ' '), labelOf(name).toLowerCase()].some((one) => one.includes(term)),
          )
          .map((facts) => {
            const of = permissionGroup(facts.name);
            return {
              key: facts.name,
              label: labelOf(facts.name),
              ...(of && { group: of, group_label: labelOf(of) }),
              available_to: [...facts.availableTo, 'AccountAdmin'],
              true_for: [...facts.trueFor, ...(offForAdmins.has(facts.name) ? [] : ['AccountAdmin'])],
            };
          }),
      );
    },
  ),

  get(`${base}/:role`, { can, returns: roleJson, summary: 'Get a role' }, ({ account, path }) =>
    oneOr(
      rows(roles, { where: and(named(path.role), inChain(account)), order: descending(sql`coalesce(account_id, 0)`, roles.id) }),
      unknown,
    ),
  ),

  post(
    base,
    {
      can: 'manage_role_overrides',
      params: { label: optional(text), role: optional(text), base_role_type: optional(oneOf(...baseRoleTypes)), permissions },
      returns: newRole,
      summary: 'Create a role',
    },
    async (call) => {
      const { db, account, params, institution, now } = call;
      const name = (params.label ?? params.role ?? '').trim();
      checkLabel(name, (await db.perform([sameName(db, account, name)]))[0]);
      const facts = { id: 0, base_role_type: params.base_role_type ?? ('AccountMembership' as const), workflow_state: 'active' as const };
      const wanted = overridesWanted(params.permissions ?? {}, facts, account.chain, institution);
      checkRoleOverrides(wanted, facts.id, call);
      const where = and(eq(roles.account_id, account.id), eq(roles.name, name));
      return write(
        [
          db.build.insert(roles).values({
            account_id: account.id,
            name,
            base_role_type: facts.base_role_type,
            workflow_state: 'active',
            created_at: now,
            updated_at: now,
          }),
          ...setOverrides(db, account.id, sql`(select id from roles where ${where})`, wanted),
        ],
        one(rows(roles, { where })),
        nameTaken,
      );
    },
  ),

  put(
    `${base}/:role`,
    { can: 'manage_role_overrides', params: { label: optional(text), permissions }, returns: roleJson, summary: 'Update a role' },
    async (call) => {
      const { db, account, path, params, institution, now } = call;
      const label = params.label?.trim();
      const where = and(named(path.role), inChain(account));
      const [[role], same, ...ranking] = await db.perform([
        db.build.select().from(roles).where(where).orderBy(sql`account_id desc`).limit(1),
        sameName(db, account, label ?? ''),
        ...grantRows(call, where, account.id),
      ]);
      if (!role) throw unknown();
      if (role.base_role_type === 'AccountMembership') checkRole(role, call, rankingOf(ranking));
      if (label !== undefined && label !== role.name && label !== lookUp(labels, role.name)) {
        if (role.account_id !== account.id) throw problem(400, 'built-in and inherited roles cannot be renamed');
        checkLabel(label, same, role.id);
      }
      const wanted = overridesWanted(params.permissions ?? {}, role, account.chain, institution);
      checkRoleOverrides(wanted, role.id, call);
      return write(
        [
          ...(role.account_id === account.id
            ? [db.build.update(roles).set({ name: label, updated_at: now }).where(eq(roles.id, role.id))]
            : []),
          ...setOverrides(db, account.id, role.id, wanted),
        ],
        one(rows(roles, { where: eq(roles.id, role.id) })),
        nameTaken,
      );
    },
  ),

  del(`${base}/:role`, { can: 'manage_role_overrides', returns: roleJson, summary: 'Deactivate a role' }, async (call) => {
    const { db, account, path, now } = call;
    const role = await load(call, and(named(path.role), or(builtIn, eq(roles.account_id, account.id))));
    if (role.workflow_state === 'built_in') throw problem(400, 'cannot remove a built-in role');
    if (role.workflow_state === 'inactive') throw problem(400, 'role is already inactive');
    return write(
      [db.build.update(roles).set({ workflow_state: 'inactive', updated_at: now }).where(eq(roles.id, role.id))],
      one(rows(roles, { where: eq(roles.id, role.id) })),
    );
  }),

  post(`${base}/:role/activate`, { can: 'manage_role_overrides', returns: roleJson, summary: 'Activate a role' }, async (call) => {
    const { db, account, path, now } = call;
    const role = await load(call, and(named(path.role), or(builtIn, eq(roles.account_id, account.id))));
    if (role.workflow_state !== 'inactive') throw problem(400, 'role is not inactive');
    return write(
      [db.build.update(roles).set({ workflow_state: 'active', updated_at: now }).where(eq(roles.id, role.id))],
      one(rows(roles, { where: eq(roles.id, role.id) })),
    );
  }),
];
