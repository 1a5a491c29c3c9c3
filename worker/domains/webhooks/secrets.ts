// The secrets that sign the requests of a subscription, sealed for that subscription.

import { seal, unseal } from '../../database/seal';
import type { Platform } from '../../platform';
import type { webhook_subscriptions } from './table';

const purpose = 'secrets of webhooks';
type Keys = Pick<Platform, 'SIGNING_SECRET'>;

export const sealWebhookSecret = ({ SIGNING_SECRET }: Keys, secret: string, uuid: string): Promise<string> =>
  seal(SIGNING_SECRET, purpose, secret, uuid);

type Sealed = Pick<typeof webhook_subscriptions.$inferSelect, 'uuid' | 'secret' | 'previous_secret' | 'previous_secret_expires_at'>;

/** The secrets that sign now, the newest first. */
export async function openWebhookSecrets(
  { SIGNING_SECRET }: Keys,
  { uuid, secret, previous_secret, previous_secret_expires_at }: Sealed,
  now: string,
): Promise<readonly string[]> {
  const sealed = [secret, ...(previous_secret !== null && (previous_secret_expires_at ?? '') > now ? [previous_secret] : [])];
  const opened = await Promise.all(sealed.map((one) => unseal(SIGNING_SECRET, purpose, one, uuid)));
  return opened.map((one) => {
    if (one === undefined) throw new Error('the secrets of webhooks cannot be read: SIGNING_SECRET has changed');
    return one;
  });
}
