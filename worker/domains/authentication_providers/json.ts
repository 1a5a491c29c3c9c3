// Authentication providers as clients see them.

import { AuthenticationProvider } from '@carrel/shared/resources/authentication_provider';
import { lookUp } from '@carrel/shared/wire/look_up';
import { serializer } from '../../http/serializer';
import { type ProviderRow, providerKinds } from './kinds';
import { authentication_providers } from './table';

export const provider = serializer({
  resource: AuthenticationProvider,
  table: authentication_providers,
  json(row: ProviderRow) {
    const { fields, login_attribute, defaults } = providerKinds[row.auth_type];
    const own = Object.fromEntries(fields.map((name) => [name, lookUp(row.settings, name) ?? lookUp(defaults, name) ?? null]));
    return {
      ...row,
      login_attribute: row.login_attribute ?? login_attribute ?? null,
      ...own,
      ...(own.auth_port && { auth_port: Number(own.auth_port) }),
    };
  },
});
