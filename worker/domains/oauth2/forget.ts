// Deletes expired OAuth2 rows; codes only a day after expiry, so that their reuse is detected.

import { wireTime } from '@carrel/shared/wire/fields';
import { lt } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { authorization_codes, service_tokens, used_assertions } from './table';

const day = 86_400_000;

export const forgetGrants = ({ build }: Database, now: string): Statement[] => [
  build.delete(authorization_codes).where(lt(authorization_codes.expires_at, wireTime(Date.parse(now) - day))),
  build.delete(service_tokens).where(lt(service_tokens.expires_at, now)),
  build.delete(used_assertions).where(lt(used_assertions.expires_at, now)),
];
