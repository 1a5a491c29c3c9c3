// Accounts: every endpoint, in the order of the API reference.

import { bool, choice, json, number, object, optional, read, text } from '@carrel/shared/wire/fields';
import { wordOf } from '@carrel/shared/wire/form';
import { and, eq, sql } from 'drizzle-orm';
import { above, accountTreeOf, isBelow, treesOf } from '../../contexts/account_tree';
import { adminMay, chainOf, runsTheService } from '../../contexts/institution';
import { permissions } from '../../contexts/permissions';
import { idOf } from '../../contexts/references';
import { differs } from '../../contexts/unchanged';
import { among, isInSelect } from '../../database/ids';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, collated, rows } from '../../http/listing';
import { badParameter, found, invalid, notFound, problem, unauthorized } from '../../http/problem';
import { answer, list, listAs, made, one, oneOr, write } from '../../http/reply';
import { knownStandard } from '../../rules/grading_schemes';
import { role_overrides } from '../roles/table';
import { type AccountChange, accountFields, checkedChange, checkedValues, keptSettings, settledAbove } from './changes';
import { account as accountJson, accountName, childAccount, quotasOf } from './json';
import { taughtIn } from './policy';
import { accountSettingRoutes } from './setting_routes';
import { accounts } from './table';

export const about = { title: 'Accounts', description: 'The institution and its sub-accounts: settings, courses, users and permissions.' };

const include = ['lti_guid', 'registration_settings', 'services', 'course_count', 'sub_account_count'] as const;
const active = eq(accounts.workflow_state, 'active');
const mine = (call: Pick<Call, 'me'>) => call.me.adminLinks.map((link) => link.account_id);

/** Account of the courses that were created without naming an account. */
const manual = 'Manually-Created Courses';

const sisTaken = { 'accounts.sis_account_id': () => invalid('sis_account_id', 'taken') };

export const accountRoutes = [
  get('/accounts', { can: 'user', include, returns: [accountJson], summary: 'List accounts' }, ({ me }) =>
    list(rows(accounts, { where: and(active, among(accounts.id, mine({ me }))) })),
  ),

  get(
    '/accounts/search',
    {
      can: 'anyone',
      params: { name: optional(text), domain: optional(text), latitude: optional(number), longitude: optional(number) },
      returns: { json: null },
      summary: 'Search account domains',
    },
    ({ institution: { root }, params, url }) => {
      const isMeant = (given: string | undefined, own: string) => given === undefined || own.toLowerCase().includes(given.toLowerCase());
      const matches = isMeant(params.name, root.name) && isMeant(params.domain, url.hostname);
      // Distance is null because the location of the institution is unknown.
      return answer(matches ? [{ name: root.name, domain: url.hostname, distance: null, authentication_provider: null }] : []);
    },
  ),

  get('/manageable_accounts', { can: 'user', returns: [accountJson], summary: 'List accounts that the caller manages' }, ({ me, page }) =>
    list(treesOf(mine({ me }), page)),
  ),

  get(
    '/course_creation_accounts',
    { can: 'user', returns: [accountJson], summary: 'List accounts in which the caller may create courses' },
    ({ me, institution, page }) => {
      const roots = mine({ me }).filter((id) => adminMay('manage_courses_add', me, [institution.root.id, id], institution));
      return list(treesOf(roots, page));
    },
  ),

  get(
    '/manually_created_courses_account',
    { can: 'user', returns: accountJson, summary: 'Get the account for manually created courses' },
    ({ db, me, institution: { root }, institution, now }) => {
      const mayCreate = mine({ me }).some((id) => adminMay('manage_courses_add', me, [root.id, id], institution));
      if (!mayCreate) throw unauthorized();
      // The name index is case-insensitive; the unary plus keeps SQLite from walking by id instead.
      const called = sql`${accounts.name} collate nocase = ${manual}`;
      const itself = and(eq(accounts.parent_account_id, root.id), called, eq(accounts.name, manual), active);
      return made(one(rows(accounts, { where: itself, order: ascending(sql`+${accounts.id}`) })), [
        // The condition is repeated in the insert because two first requests may race.
        db.build.run(sql`insert into accounts (name, parent_account_id, root_account_id, uuid, default_time_zone, created_at, updated_at)
          select ${manual}, ${root.id}, ${root.id}, ${randomText(40)}, ${root.default_time_zone}, ${now}, ${now} where not exists (select 1 from accounts where ${itself})`),
      ]);
    },
  ),

  get(
    '/course_accounts',
    { can: 'user', returns: [accountName], summary: 'List accounts of the courses that the caller teaches' },
    (call) => list(rows(accounts, { where: and(active, isInSelect(accounts.id, taughtIn(call))) })),
  ),

  ...(['/accounts', '/accounts/:account_id/root_accounts'] as const).map((path) =>
    post(
      path,
      {
        can: ({ me, institution }) => runsTheService(me, institution),
        params: { account: optional(object(accountFields)) },
        returns: accountJson,
        summary: 'Create a root account',
      },
      ({ db, institution: { root }, params, now }) => {
        const given = params.account ?? {};
        if (!given.name) throw invalid('name', 'blank');
        const values = checkedValues(given);
        return write(
          [
            db.build.insert(accounts).values({
              ...values,
              name: given.name,
              default_time_zone: values.default_time_zone ?? root.default_time_zone,
              settings: keptSettings(given, []),
              parent_account_id: root.id,
              root_account_id: root.id,
              is_root: true,
              uuid: randomText(40),
              created_at: now,
              updated_at: now,
            }),
          ],
          one(rows(accounts, { where: eq(accounts.id, sql`last_insert_rowid()`) })),
          sisTaken,
        );
      },
    ),
  ),

  get('/accounts/:account_id', { can: 'user', include, returns: accountJson, summary: 'Get an account' }, (call) => {
    const isKnown = call.account.isAdmin ? undefined : isInSelect(accounts.id, above(taughtIn(call)));
    return oneOr(rows(accounts, { where: and(eq(accounts.id, call.account.id), isKnown) }), unauthorized);
  }),

  put(
    '/accounts/:account_id',
    {
      can: 'manager',
      params: { account: optional(object(accountFields)), override_sis_stickiness: optional(bool) },
      returns: accountJson,
      summary: 'Update an account',
    },
    async ({ db, account, params, me, institution, now }) => {
      const given = params.account ?? {};
      const stuck = params.override_sis_stickiness === false ? (account.stuck_sis_fields ?? '') : '';
      const checked = checkedChange(given, account, quotasOf(account, settledAbove(account, institution)));
      // With `override_sis_stickiness=false`, values that people changed by hand are kept.
      const values = { ...checked, name: stuck.includes(',name,') ? undefined : checked.name };
      let parent_account_id: number | undefined;
      const parent = account.is_root ? null : account.parent_account_id;
      if (given.parent_account_id !== undefined && differs(given.parent_account_id, parent) && !stuck.includes(',parent_account_id,')) {
        if (account.parent_account_id === null || account.is_root)
          throw invalid('parent_account_id', 'invalid', 'a root account has no parent');
        const target = idOf('account', given.parent_account_id);
        const [up, targets, overrides] = await db.perform([
          db.build
            .select()
            .from(accounts)
            .where(isInSelect(accounts.id, above(target))),
          db.build
            .select({ id: accounts.id })
            .from(accounts)
            .where(and(active, eq(accounts.id, sql`(${target})`))),
          db.build
            .select()
            .from(role_overrides)
            .where(sql`${role_overrides.account_id} in (${above(target)}) or ${role_overrides.account_id} = ${account.id}`),
        ]);
        parent_account_id = found(targets[0]).id;
        if (up.some((one) => one.id === account.id)) throw invalid('parent_account_id', 'invalid', 'an account cannot move below itself');
        const chain = chainOf(parent_account_id, { ...institution, accounts: new Map(up.map((one) => [one.id, one])) });
        if (!me.adminLinks.some((link) => chain.includes(link.account_id)) || !account.can('manage_account_settings')) throw unauthorized();
        const there = { root: institution.root, accounts: institution.accounts, overrides };
        // A move must not give the caller more permissions on the account than before.
        if ([...permissions.keys()].some((one) => adminMay(one, me, [...chain, account.id], there) && !account.can(one)))
          throw unauthorized();
      }
      const kept = keptSettings(given, settledAbove(account, institution), [account]);
      return write(
        [
          db.build
            .update(accounts)
            .set({
              ...values,
              grading_standard_id:
                typeof given.grading_standard_id === 'number'
                  ? sql`coalesce(${knownStandard(given.grading_standard_id, sql`${account.id}`)}, grading_standard_id)`
                  : given.grading_standard_id,
              parent_account_id,
              settings: Object.keys(kept).length ? sql`json_patch(settings, ${JSON.stringify(kept)})` : undefined,
              updated_at: now,
            })
            .where(eq(accounts.id, account.id)),
        ],
        one(rows(accounts, { where: eq(accounts.id, account.id) })),
        sisTaken,
      );
    },
  ),

  get(
    '/accounts/:account_id/sub_accounts',
    {
      can: 'manager',
      include,
      params: { recursive: optional(json), order: choice('id', 'name') },
      returns: [accountJson],
      summary: 'List sub-accounts',
    },
    ({ account, params }) => {
      const isRecursive = ['true', '1', 'True'].includes(wordOf(params.recursive));
      if (isRecursive) return list(accountTreeOf(account.id, true));
      return listAs(
        childAccount,
        rows(accounts, {
          where: and(active, eq(accounts.parent_account_id, account.id)),
          order: params.order === 'name' ? ascending(collated(accounts.name), accounts.id) : undefined,
        }),
      );
    },
  ),

  post(
    '/accounts/:account_id/sub_accounts',
    { can: 'manage_account_settings', params: { account: optional(json) }, returns: accountJson, summary: 'Create a sub-account' },
    ({ db, account, params, now }) => {
      const plain = typeof params.account === 'string' || typeof params.account === 'number';
      const shaped = read({ account: object(accountFields) }, { account: plain ? { name: params.account } : (params.account ?? {}) });
      if (!shaped.ok) throw badParameter(shaped.refusal.parameter, shaped.refusal.message);
      const given: AccountChange = shaped.value.account;
      if (!given.name) throw invalid('name', 'blank');
      const values = checkedValues(given);
      return write(
        [
          db.build.insert(accounts).values({
            ...values,
            name: given.name,
            sis_account_id: account.can('manage_sis') ? (values.sis_account_id ?? null) : null,
            default_time_zone: values.default_time_zone ?? account.default_time_zone,
            parent_account_id: account.id,
            root_account_id: account.root_account_id ?? account.id,
            uuid: randomText(40),
            created_at: now,
            updated_at: now,
          }),
        ],
        one(rows(accounts, { where: eq(accounts.id, sql`last_insert_rowid()`) })),
        sisTaken,
      );
    },
  ),

  del(
    '/accounts/:account_id/sub_accounts/:sub_account',
    { can: 'manage_account_settings', returns: accountJson, summary: 'Delete a sub-account' },
    async ({ db, account, path, now }) => {
      const isEmpty = sql`not exists (select 1 from courses c where c.account_id = accounts.id and c.workflow_state <> 'deleted') and not exists (select 1 from accounts a where a.parent_account_id = accounts.id and a.workflow_state <> 'deleted')`;
      const [[target]] = await db.perform([
        db.build
          .select({
            id: accounts.id,
            parent_account_id: accounts.parent_account_id,
            is_root: accounts.is_root,
            isEmpty: sql<number>`${isEmpty}`.as('isEmpty'),
          })
          .from(accounts)
          .where(and(active, isInSelect(accounts.id, idOf('account', path.sub_account)), isBelow(accounts.id, sql`${account.id}`))),
      ]);
      if (!target) throw notFound();
      if (target.parent_account_id === null || target.is_root) throw problem(401, 'You cannot delete a root account.');
      if (!target.isEmpty) throw problem(409, 'You cannot delete an account that has active sub-accounts or courses.');
      return write(
        [
          db.build
            .update(accounts)
            .set({ workflow_state: 'deleted', updated_at: now })
            .where(and(eq(accounts.id, target.id), isEmpty)),
        ],
        one(rows(accounts, { where: eq(accounts.id, target.id) })),
      );
    },
  ),

  ...accountSettingRoutes,
];
