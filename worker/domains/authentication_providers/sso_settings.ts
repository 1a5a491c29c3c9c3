// SSO settings, stored among the root account's settings.

import type { AccountRow } from '../../contexts/institution';

export const ssoNames = ['login_handle_name', 'change_password_url', 'auth_discovery_url', 'unknown_user_url'] as const;
export type StoredSsoSettings = Readonly<Record<(typeof ssoNames)[number], string | null>>;

export function ssoSettingsOf(root: Pick<AccountRow, 'settings'>): StoredSsoSettings {
  const kept = (root.settings.sso ?? {}) as Partial<Record<string, unknown>>;
  return Object.fromEntries(ssoNames.map((name) => [name, typeof kept[name] === 'string' ? kept[name] : null])) as StoredSsoSettings;
}
