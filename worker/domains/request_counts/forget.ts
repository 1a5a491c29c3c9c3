// Retention of request counts.

import { wireTime } from '@carrel/shared/wire/fields';
import { lt } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { request_counts } from './table';

const keptDays = 8;

export const forgetCounts = (db: Database, now: string): Statement[] => [
  db.build.delete(request_counts).where(lt(request_counts.hour, wireTime(Date.parse(now) - keptDays * 86_400_000))),
];
