// Retention of expired OAuth2 rows. Codes are kept for a day after expiry, so that their reuse is detected.

import type { Retention } from '../../database/retention';

export const grantRetentions: readonly Retention[] = [
  { table: 'authorization_codes', by: 'expires_at', days: 1 },
  { table: 'service_tokens', by: 'expires_at', days: 0 },
  { table: 'used_assertions', by: 'expires_at', days: 0 },
];
