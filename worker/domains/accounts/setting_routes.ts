// Account settings, terms of service, help links and the caller's permissions: endpoints in the order of the API reference.

import { TermsOfService } from '@carrel/shared/resources/account';
import { listOf, optional, text } from '@carrel/shared/wire/fields';
import { and, eq } from 'drizzle-orm';
import { above } from '../../contexts/account_tree';
import { permissions as allPermissions } from '../../contexts/permissions';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { unauthorized } from '../../http/problem';
import { answer } from '../../http/reply';
import { selfRegistrationOf } from '../users/registration/setting';
import { settingsAt, settledAbove } from './changes';
import { taughtIn } from './policy';
import { accounts } from './table';

/** @throws Problem 401 unless the caller manages the account or teaches in it */
async function mustKnow(call: Pick<Call, 'db' | 'me'> & { account: NonNullable<Call['account']> }): Promise<void> {
  if (call.account.isAdmin) return;
  const [known] = await call.db.perform([
    call.db.build
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, call.account.id), isInSelect(accounts.id, above(taughtIn(call))))),
  ]);
  if (!known.length) throw unauthorized();
}

const microsoftSync = [
  'microsoft_sync_tenant',
  'microsoft_sync_login_attribute',
  'microsoft_sync_login_attribute_suffix',
  'microsoft_sync_remote_attribute',
] as const;

export const accountSettingRoutes = [
  get(
    '/accounts/:account_id/settings',
    { can: 'manage_account_settings', returns: { json: null }, summary: 'Get account settings' },
    ({ account, institution }) =>
      answer({
        ...settingsAt([...settledAbove(account, institution), account]),
        admins_can_view_notifications: account.settings.admins_can_view_notifications === true,
        admins_can_change_passwords: account.settings.admins_can_change_passwords === true,
        users_can_edit_name: institution.root.settings.users_can_edit_name !== false,
        ...Object.fromEntries(microsoftSync.map((name) => [name, account.settings[name] ?? null])),
        microsoft_sync_enabled: account.settings.microsoft_sync_enabled === true,
        password_policy: account.settings.password_policy ?? {},
      }),
  ),

  get('/settings/environment', { can: 'user', returns: { json: null }, summary: 'Get global settings' }, ({ institution: { root } }) =>
    answer({ calendar_contexts_limit: 10, open_registration: selfRegistrationOf({ root }) !== 'none', collapse_global_nav: false }),
  ),

  get(
    '/accounts/:account_id/permissions',
    {
      can: 'user',
      params: { permissions: optional(listOf(text)) },
      returns: { json: null },
      summary: "Get the caller's permissions in an account",
    },
    async (call) => {
      await mustKnow(call);
      const names = call.params.permissions?.length ? call.params.permissions : [...allPermissions.keys()];
      return answer(Object.fromEntries(names.map((name) => [name, call.account.can(name)])));
    },
  ),

  get(
    '/accounts/:account_id/terms_of_service',
    { can: 'anyone', returns: { json: TermsOfService }, summary: 'Get the terms of service' },
    ({ account, institution: { root } }) => {
      const terms = (root.settings.terms_of_service ?? {}) as { terms_type?: string; content?: string | null; passive?: boolean };
      const isOwn = terms.terms_type === 'custom';
      return answer({
        id: account.id,
        terms_type: terms.terms_type ?? 'no_terms',
        passive: terms.passive ?? true,
        account_id: account.id,
        content: isOwn ? (terms.content ?? '') : null,
        self_registration_type: selfRegistrationOf({ root }),
      });
    },
  ),

  get('/accounts/:account_id/help_links', { can: 'user', returns: { json: null }, summary: 'Get the help links' }, () =>
    answer({ help_link_name: 'Help', help_link_icon: 'help', custom_help_links: [], default_help_links: [] }),
  ),
];
