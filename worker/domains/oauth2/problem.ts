// OAuth2 error responses (RFC 6749 §5.2).

import { Problem } from '../../http/problem';

export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

const refusal = (status: number, error: string, error_description: string, headers: Record<string, string> = {}) =>
  new Problem(status, { error, error_description }, { ...noStore, ...headers });

export const invalidClient = (description: string) =>
  refusal(401, 'invalid_client', description, { 'WWW-Authenticate': 'Canvas OAuth 2.0' });
export const unauthorizedClient = (description: string) => refusal(401, 'unauthorized_client', description);
export const invalidGrant = (description: string) => refusal(400, 'invalid_grant', description);
export const invalidRequest = (description: string) => refusal(400, 'invalid_request', description);
export const invalidScope = (description: string) => refusal(400, 'invalid_scope', description);
export const unsupportedGrantType = () => refusal(400, 'unsupported_grant_type', 'The grant_type you requested is not currently supported');
