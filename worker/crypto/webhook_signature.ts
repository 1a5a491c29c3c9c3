// Secrets and signatures of webhooks, as in the specification Standard Webhooks: HMAC-SHA256 over id, timestamp and body.

const prefix = 'whsec_';
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const unbase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

export const newWebhookSecret = (): string => `${prefix}${base64(crypto.getRandomValues(new Uint8Array(32)))}`;

interface SignedRequest {
  readonly id: string;
  /** In Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

async function signatureBy(secret: string, { id, timestamp, body }: SignedRequest): Promise<string> {
  const key = await crypto.subtle.importKey('raw', unbase64(secret.slice(prefix.length)), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const signed = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
  return `v1,${base64(new Uint8Array(signed))}`;
}

/** The headers of a request, with a signature for each valid secret. */
export async function webhookHeaders(secrets: readonly string[], request: SignedRequest): Promise<Record<string, string>> {
  const signatures = await Promise.all(secrets.map((secret) => signatureBy(secret, request)));
  return {
    'Content-Type': 'application/json',
    'Webhook-Id': request.id,
    'Webhook-Timestamp': String(request.timestamp),
    'Webhook-Signature': signatures.join(' '),
  };
}
