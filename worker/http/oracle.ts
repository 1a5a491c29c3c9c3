// In tests an answer that differs from its declared resource is an error of ours.

import { type Field, mismatch } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { Endpoint, Returns } from './endpoint';
import { type PreparedResponse, serializerOf } from './perform';
import { Problem } from './problem';

/** Internal columns, which must never leave the server. */
const column =
  /"(same_id|feed_code|blob_id|graded_attempt|is_submitted|attachment_ids|copied_from_id|\w+_hash|sort_(course|due|email|integration_id|last_login|name|sis_id))":/;

const fieldOf = (returns: Returns): Field | undefined =>
  'json' in returns && !('table' in returns) ? (returns.json as { field?: Field } | null)?.field : serializerOf(returns)?.resource.field;

/** The parts of an answer that are each of the declared resource. */
function partsOf(json: unknown, returns: Returns): readonly unknown[] {
  if (Array.isArray(json)) return json;
  if ('enveloped' in returns) return [lookUp(json as Record<string, unknown>, returns.enveloped)];
  return 'wrapped' in returns ? (lookUp(json as Record<string, unknown[]>, returns.wrapped) ?? []) : [json];
}

/** @throws Problem 599 */
export function holdToResource({ json, status }: PreparedResponse, endpoint: Endpoint): void {
  const { returns } = endpoint.options;
  if (json === null || (status ?? 200) >= 300 || typeof json !== 'object') return;
  const refuse = (difference: string) => new Problem(599, { oracle: `${endpoint.method} ${endpoint.path}: ${difference}` });
  // Also applies inside fields that the resource does not describe.
  const [, leaked] = column.exec(JSON.stringify(json)) ?? [];
  if (leaked) throw refuse(`${leaked} is a column`);
  const field = fieldOf(returns);
  // A list inside a body of its own (`listWithin`) is checked by its members elsewhere, and a list in place of one by its handler.
  const isList = Array.isArray(json);
  if (!field || (Array.isArray(returns) && !isList) || ('table' in returns && isList)) return;
  for (const part of partsOf(json, returns)) {
    const difference = part === null ? undefined : mismatch(field, part);
    if (difference) throw refuse(difference);
  }
}
