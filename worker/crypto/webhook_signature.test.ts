// Signatures of webhooks: the example of the specification, and independent code.

import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { newWebhookSecret, webhookHeaders } from './webhook_signature';

test('a request is signed as in the example of the specification', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const request = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
  expect(await webhookHeaders([secret], request)).toEqual({
    'Content-Type': 'application/json',
    'Webhook-Id': request.id,
    'Webhook-Timestamp': '1614265330',
    'Webhook-Signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('while a secret is replaced, a request has a signature by each of the two', async () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  expect(new Set(secrets).size).toBe(2);
  const { 'Webhook-Signature': both = '' } = await webhookHeaders(secrets, { id: 'a', timestamp: 7, body: 'é' });
  const by = (secret: string) =>
    `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update('a.7.é')
      .digest('base64')}`;
  expect(both.split(' ')).toEqual(secrets.map(by));
});
