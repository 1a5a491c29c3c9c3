// How long reports of problems are kept.

import type { Retention } from '../../database/retention';

export const errorReportRetention: Retention = { table: 'error_reports', by: 'created_at', isInIdOrder: true, days: 180 };
