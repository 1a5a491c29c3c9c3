// Accounts as clients see them: in full for their managers, only the name for their teachers.

import { Account, AccountName } from '@carrel/shared/resources/account';
import { sql } from 'drizzle-orm';
import { above } from '../../contexts/account_tree';
import { type AccountRow, linksOn } from '../../contexts/institution';
import { roleHolds } from '../../contexts/permissions';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { ssoSettingsOf } from '../authentication_providers/sso_settings';
import { selfRegistrationOf } from '../users/registration/setting';
import { accounts } from './table';

const quotas = ['default_storage_quota_mb', 'default_user_storage_quota_mb', 'default_group_storage_quota_mb'] as const;
const usual = { default_storage_quota_mb: 500, default_user_storage_quota_mb: 50, default_group_storage_quota_mb: 50 };

type Ancestor = Pick<AccountRow, 'id' | 'parent_account_id' | (typeof quotas)[number]>;

/** The nearest quota that is set, from the account upwards. */
function inherited(row: Ancestor, ancestors: readonly Ancestor[], quota: (typeof quotas)[number]): number {
  for (let at: Ancestor | undefined = row; at; at = ancestors.find((one) => one.id === at?.parent_account_id)) {
    const set = at[quota];
    if (set !== null) return set;
  }
  return usual[quota];
}

/** The effective quotas of an account, its own or inherited. */
export const quotasOf = (row: Ancestor, above: readonly Ancestor[]) =>
  Object.fromEntries(quotas.map((quota) => [quota, inherited(row, above, quota)]));

/** Whether one of the caller's account roles that applies here grants the permission. */
function holdsAt(row: AccountRow, call: Call, permission: string): boolean {
  if (call.account) return call.account.can(permission);
  const chain = [call.institution.root.id, row.id];
  return linksOn(call.me, chain).some((link) => roleHolds(permission, link.role, chain, call.institution.overrides));
}

/** The account's position in the tree as clients see it: root accounts have no parent. */
const placeOf = ({ is_root, parent_account_id, root_account_id }: AccountRow) =>
  is_root ? { parent_account_id: null, root_account_id: null } : { parent_account_id, root_account_id };

const telling = (areChildren: boolean) =>
  serializer({
    resource: Account,
    table: accounts,
    columns: ({ include }) => ({
      ...(include.has('course_count') && {
        course_count: sql`(select count(*) from courses c where c.account_id = accounts.id and c.workflow_state <> 'deleted')`.as(
          'course_count',
        ),
      }),
    }),
    also: (ids, { db }) => ({
      ancestors: areChildren
        ? undefined
        : db.build
            .select({
              id: accounts.id,
              parent_account_id: accounts.parent_account_id,
              default_storage_quota_mb: accounts.default_storage_quota_mb,
              default_user_storage_quota_mb: accounts.default_user_storage_quota_mb,
              default_group_storage_quota_mb: accounts.default_group_storage_quota_mb,
            })
            .from(accounts)
            .where(
              isInSelect(
                accounts.id,
                above(sql`select parent_account_id from accounts where id in (${ids}) and parent_account_id is not null`),
              ),
            ),
    }),
    json(row: AccountRow, call, found) {
      const ancestors = found.ancestors ?? [...call.institution.accounts.values()];
      const isManager = call.account ? call.account.isAdmin : linksOn(call.me, [call.institution.root.id, row.id]).length > 0;
      const isRoot = row.parent_account_id === null || row.is_root;
      const place = placeOf(row);
      const seesSis = !isRoot && (holdsAt(row, call, 'read_sis') || holdsAt(row, call, 'manage_sis'));
      if (!isManager)
        return {
          id: row.id,
          name: row.name,
          workflow_state: row.workflow_state,
          ...place,
          default_time_zone: row.default_time_zone,
        };
      return {
        ...row,
        ...place,
        ...quotasOf(row, ancestors),
        sis_account_id: when(seesSis, row.sis_account_id),
        integration_id: when(seesSis, row.integration_id),
        sis_import_id: when(!isRoot && holdsAt(row, call, 'manage_sis'), row.sis_import_id),
        sub_account_count: when(call.include.has('sub_account_count'), row.sub_account_count),
        lti_guid: when(call.include.has('lti_guid'), row.uuid),
        ...(call.include.has('registration_settings') && {
          registration_settings: {
            login_handle_name: ssoSettingsOf(call.institution.root).login_handle_name,
            require_email: selfRegistrationOf(call.institution) !== 'none',
          },
          ...(isRoot && {
            terms_required: (call.institution.root.settings.terms_of_service as { passive?: boolean } | undefined)?.passive === false,
            terms_of_use_url: null,
            privacy_policy_url: null,
            recaptcha_key: null,
          }),
        }),
        services: when(call.include.has('services') && holdsAt(row, call, 'manage_account_settings'), row.settings.services ?? {}),
      };
    },
  });

export const account = telling(false);
/** A child of the request's account, so its ancestors are already loaded. */
export const childAccount = telling(true);

/** For callers who are not managers: id and name only. */
export const accountName = serializer({
  resource: AccountName,
  table: accounts,
  json: (row: AccountRow) => ({ ...row, ...placeOf(row) }),
});
