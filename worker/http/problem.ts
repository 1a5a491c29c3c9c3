// An error, and its translation to the bodies that Canvas clients know (reference 01 A6).

import { brokenLock } from '../database/lockable';

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

/** An error with a message, `{ "message": … }`. */
export const problem = (status: number, message: string) => new Problem(status, { message });

/** Shape 1: `{ "errors": [{ "message": … }] }`. */
export const refused = (status: number, message: string) => new Problem(status, { errors: [{ message }] });

export const notFound = () => refused(404, 'The specified resource does not exist.');

/** Canvas responds with 401, not 403, to a known user without permission. */
export const unauthorized = () =>
  new Problem(401, { status: 'unauthorized', errors: [{ message: 'user not authorized to perform that action' }] });

const challenge = { 'WWW-Authenticate': 'Bearer realm="canvas-lms"' };
export const unauthenticated = () =>
  new Problem(401, { status: 'unauthenticated', errors: [{ message: 'user authorization required' }] }, challenge);
export const badToken = (message = 'Invalid access token.') => new Problem(401, { errors: [{ message }] }, challenge);

/** A valid token without the required scope: a 401 without the header that asks for another token. */
export const insufficientScopes = () => refused(401, 'Insufficient scopes on access token.');

/** Shape 1 for a parameter: `name is missing`, `assignment[due_at] is not a date and time`. */
export const badParameter = (parameter: string, message: string) => refused(400, `${parameter} ${message}`);

const symbols: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'unprocessable_entity',
};

/** Shape 5: how the quiz interface refuses a request. */
export const rejected = (message: string, status = 400) => new Problem(status, { status: symbols[status] ?? 'bad_request', message });

type FieldError = 'blank' | 'taken' | 'too_long' | 'too_short' | 'invalid' | 'not_a_number' | 'inclusion';

/** Shape 2: by field, as for an invalid record. */
export const invalid = (field: string, type: FieldError, message: string = type, status = 400) =>
  new Problem(status, { errors: { [field]: [{ attribute: field, type, message }] } });

/** Shape 4: a search term that is too short. */
export const termTooShort = () =>
  new Problem(400, { errors: [{ field: 'search_term', code: 'invalid', message: '2 or more characters is required' }] });

/** The error for a batch that a lock of a blueprint has aborted. @param message of the database */
export function refusedByLock(message: string): Problem | undefined {
  const lock = brokenLock(message);
  if (lock === undefined) return undefined;
  return lock === 'kind' ? unauthorized() : invalid('base', 'invalid', `cannot change ${lock}: locked by the blueprint of this course`);
}

/** The value, or 404 when it is missing. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw notFound();
  return value;
}
