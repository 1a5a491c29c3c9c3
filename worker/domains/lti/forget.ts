// Retention of launches and messages that were used.

import type { Retention } from '../../database/retention';

export const launchRetention: Retention = { table: 'lti_used', by: 'expires_at', days: 0 };
