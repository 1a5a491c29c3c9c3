// How a file is cut into parts. Pure, apart from the variables of the deployment.

import { bodyLimit } from '../../../http/body_limit';
import type { Platform } from '../../../platform';

const mebibyte = 1_048_576;

/** R2 refuses smaller parts, except the last. */
const smallestPart = 5 * mebibyte;
const usualPart = 16 * mebibyte;

/** R2 allows 10,000. This many can be read back and hashed within the CPU time of one request (docs/scale.md). */
const mostParts = 500;

/** Below half of what the platform accepts, so that a part passes on every plan. */
export function partSizeOf(env: Pick<Platform, 'UPLOAD_PART_MB' | 'UPLOAD_REQUEST_MB'>): number {
  const wanted = Number(env.UPLOAD_PART_MB) > 0 ? Number(env.UPLOAD_PART_MB) * mebibyte : usualPart;
  return Math.max(smallestPart, Math.min(Math.floor(wanted), Math.floor(bodyLimit(env) / 2)));
}

export const largestFile = (part_size: number): number => mostParts * part_size;

interface Cut {
  readonly size: number;
  readonly part_size: number;
}

export const partCount = ({ size, part_size }: Cut): number => Math.ceil(size / part_size);

/** The length of a part, or undefined when the file has no such part. Numbers start at 1. */
export function partLength(cut: Cut, number: number): number | undefined {
  const count = partCount(cut);
  if (number < 1 || number > count) return undefined;
  return number < count ? cut.part_size : cut.size - (count - 1) * cut.part_size;
}
