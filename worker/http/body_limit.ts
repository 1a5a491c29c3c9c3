// The most bytes that one request may carry. The platform refuses more before the Worker sees them, with an error that names no limit.

import type { Platform } from '../platform';
import { problem } from './problem';

type Limited = Pick<Platform, 'UPLOAD_REQUEST_MB'>;

const megabyte = 1_000_000;

/** The platform's limit on its smaller plans. */
const usual = 100;

/** Room for the parameters and boundaries around the file of a form. */
const aroundFile = megabyte;

export const bodyLimit = ({ UPLOAD_REQUEST_MB }: Limited): number =>
  (Number(UPLOAD_REQUEST_MB) > 0 ? Number(UPLOAD_REQUEST_MB) : usual) * megabyte;

/** The largest file that fits into one request. */
export const fileLimit = (env: Limited): number => Math.max(megabyte, bodyLimit(env) - aroundFile);

const inMegabytes = (bytes: number) => Math.floor(bytes / megabyte);

/** @throws Problem 413 for an announced length above the limit; nothing of the body is read */
export function refuseLargeBody({ headers }: Request, env: Limited): void {
  const limit = bodyLimit(env);
  if (Number(headers.get('content-length') ?? 0) > limit)
    throw problem(413, `the request body exceeds the limit of ${inMegabytes(limit)} MB for one request`);
}

export const fileTooLarge = (env: Limited) =>
  problem(413, `the file exceeds the limit of ${inMegabytes(fileLimit(env))} MB for one request; send it in parts (in_parts=true)`);
