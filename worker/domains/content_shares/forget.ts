// Retention of content shares, which last as long as the packages that they name.

import { exportRetention } from '../content_exports/forget';

export const shareRetention = { ...exportRetention, table: 'content_shares' };
