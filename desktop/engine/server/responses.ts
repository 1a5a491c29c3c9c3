// What a response of the server means. Pure.

import { t } from '../../language/texts';

/** @param stays a redirect is an answer, too */
export const isAnswer = ({ ok, status }: Response, stays = false): boolean =>
  ok || status === 304 || (stays && status >= 300 && status < 400);

export const isEmptyObject = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && !Array.isArray(result) && Object.keys(result).length === 0;

/** Canvas throttles with 403 and these words; a 403 without them is a plain refusal. */
export const isRateLimited = (status: number, body: string): boolean =>
  status === 429 || (status === 403 && body.includes('Rate Limit Exceeded'));

export const isTemporary = (status: number, body: string): boolean => status >= 500 || status === 408 || isRateLimited(status, body);

/** Canvas answers 401 for a missing permission as well; only a refused token carries the header. */
export const isTokenRefused = (response: Response, body: string): boolean =>
  response.headers.has('www-authenticate') || saysToken.test(body) || /"status":\s*"unauthenticated"/.test(body);
export const saysToken = /(invalid|expired) access token/i;

export const isElsewhere = ({ url }: Response, own: string): boolean => url !== '' && URL.parse(url)?.origin !== new URL(own).origin;

export const isFileDownload = ({ pathname }: URL): boolean => /\/files\/\d+\/download$/.test(pathname);

export function retryAfter(response: Response, now: Date): number | undefined {
  const given = response.headers.get('retry-after');
  if (given === null) return undefined;
  const milliseconds = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now.getTime();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

/** An HTML page is a complete response; truncated JSON is not. */
export function jsonIn(text: string): { readonly value: unknown } | 'cut short' | 'no JSON' {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return /^\s*[[{]/.test(text) ? 'cut short' : 'no JSON';
  }
}

export function reasonOf(status: number, body: string): string {
  try {
    const parsed = JSON.parse(body) as { message?: unknown; errors?: unknown };
    const first = Array.isArray(parsed.errors) ? (parsed.errors[0] as { message?: unknown } | undefined)?.message : parsed.errors;
    const said = parsed.message ?? first;
    if (typeof said === 'string') return said;
    if (said !== undefined && said !== null) return JSON.stringify(said);
  } catch {
    // Not JSON: the status is enough.
  }
  return t('why.answered', { status: String(status) });
}
