// Retention of request counts: hours for two days, of which the console shows one.

import type { Retention } from '../../database/retention';

export const countRetention: Retention = { table: 'request_counts', by: 'hour', days: 2 };
