// Sends messages through a Cloudflare binding, or an HTTP endpoint that takes JSON, or not at all when neither is configured.

import type { Platform } from '../../platform';

export interface Outgoing {
  readonly to: string;
  readonly from_name: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

/** Permanent failure: retrying is useless. */
export class Undeliverable extends Error {}

export interface Mailer {
  readonly from: string;
  /** @throws Undeliverable when the address is rejected; any other error may be retried */
  send(message: Outgoing): Promise<void>;
}

/** Undefined when nothing is configured: messages can then only be read in the service. */
export function mailerOf({ EMAIL, MAIL_ENDPOINT, MAIL_TOKEN, MAIL_FROM }: Platform): Mailer | undefined {
  if (!MAIL_FROM) return undefined;
  if (EMAIL)
    return {
      from: MAIL_FROM,
      async send({ to, from_name, subject, text, html }) {
        await EMAIL.send({ from: { email: MAIL_FROM, name: from_name }, to, subject, text, ...(html !== null && { html }) });
      },
    };
  if (!MAIL_ENDPOINT) return undefined;
  return {
    from: MAIL_FROM,
    async send(letter) {
      const response = await fetch(MAIL_ENDPOINT, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(MAIL_TOKEN && { Authorization: `Bearer ${MAIL_TOKEN}` }) },
        body: JSON.stringify({ from: MAIL_FROM, ...letter }),
      });
      const words = (await response.text()).slice(0, 200);
      if (response.ok) return;
      const isFinal = response.status >= 400 && response.status < 500 && ![401, 403, 408, 429].includes(response.status);
      throw isFinal ? new Undeliverable(words) : new Error(`${response.status} ${words}`);
    },
  };
}
