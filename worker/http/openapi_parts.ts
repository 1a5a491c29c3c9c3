// What operations of the OpenAPI document share: parameters, headers and refusals.

import type { Conditional } from './operation';

export const openapiParameters = {
  per_page: {
    name: 'per_page',
    in: 'query',
    description: 'Items per page: 1 to 100.',
    schema: { type: 'integer', minimum: 1, maximum: 100 },
    examples: { default: { value: 10, 'x-disabled': true } },
  },
  page: { name: 'page', in: 'query', description: 'A number, or the bookmark of a Link header.', schema: { type: 'string' } },
  idempotency_key: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Repeating a request with the same key changes nothing and returns the first response.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  if_match: {
    name: 'If-Match',
    in: 'header',
    description:
      'The request is done only if the file or folder has one of these versions: quoted, up to 20 separated by commas. `*`: only if it is there. For an upload this is about the file of that name in the folder, and is checked when the bytes have come.',
    schema: { type: 'string' },
    examples: { default: { value: '"7"', 'x-disabled': true } },
  },
  if_none_match: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The request is done only if the file or folder has none of these versions. `*`: only if nothing is there, so that the name is free.',
    schema: { type: 'string' },
    examples: { default: { value: '*', 'x-disabled': true } },
  },
  if_match_bytes: {
    name: 'If-Match',
    in: 'header',
    description: 'The bytes are sent only if their ETag is one of these, or if this is `*`.',
    schema: { type: 'string' },
    examples: { default: { value: '*', 'x-disabled': true } },
  },
  if_none_match_read: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETags that the client has. If the answer would have one of them, it is a 304 without a body.',
    schema: { type: 'string' },
    examples: { default: { value: 'W/"0123456789abcdef0123456789abcdef"', 'x-disabled': true } },
  },
};

/** The conditional headers that an endpoint takes. */
export const headersOfCondition: Readonly<Record<Conditional, readonly (keyof typeof openapiParameters)[]>> = {
  item: ['if_match', 'if_none_match'],
  upload: ['if_match', 'if_none_match'],
  name: ['if_none_match'],
  ticket: [],
  bytes: ['if_match_bytes', 'if_none_match_read'],
  feed: ['if_none_match_read'],
};

const refusal = (description: string, message: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' }, example: { errors: [{ message }] } } },
});
export const responses = {
  BadRequest: refusal('A parameter is missing or malformed; the message names it.', 'assignment[due_at] is not a date and time'),
  Unauthorized: refusal('No valid token or session, or no permission for this action.', 'user not authorized to perform that action'),
  RateLimited: {
    description: 'Too many requests. X-Rate-Limit-Remaining shows what is left.',
    content: { 'text/plain': { schema: { type: 'string' }, example: '403 Forbidden (Rate Limit Exceeded)\n' } },
  },
  NotFound: refusal('The object does not exist or is not visible to the caller.', 'The specified resource does not exist.'),
  PreconditionFailed: {
    description: 'What is there is not what If-Match or If-None-Match expects. Nothing was changed.',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/PreconditionFailed' },
        example: { message: 'the precondition failed', current: null, copy: null },
      },
    },
  },
  NotTheseBytes: { description: 'The bytes have another ETag than If-Match expects. The response has no body.' },
  NotModified: { description: 'The client has this answer already. The response has no body.' },
  KeyReused: refusal('The Idempotency-Key was used for a different request.', 'Idempotency-Key has been used for another request'),
};
/** The body of a 412 (`failedPrecondition`). */
export const preconditionFailed = {
  type: 'object',
  required: ['message', 'current', 'copy'],
  properties: {
    message: { type: 'string' },
    current: {
      description: 'The file, folder, submission, page or assignment that is there now, or null.',
      anyOf: [
        { $ref: '#/components/schemas/File' },
        { $ref: '#/components/schemas/Folder' },
        { $ref: '#/components/schemas/Submission' },
        { $ref: '#/components/schemas/Page' },
        { $ref: '#/components/schemas/Assignment' },
        { type: 'null' },
      ],
    },
    copy: {
      description: 'The file that has the bytes of an upload, where its ticket named a `conflict_name`; else null.',
      anyOf: [{ $ref: '#/components/schemas/File' }, { type: 'null' }],
    },
  },
};
