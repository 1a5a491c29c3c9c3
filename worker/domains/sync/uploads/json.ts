// An upload as clients see it.

import type { Call } from '../../../http/call';
import type { FoundUpload } from './access';
import { directAddress } from './direct';
import { partCount } from './plan';

/** @throws Problem 404 for a pending file without an upload in parts */
export async function uploadJson(call: Pick<Call, 'env' | 'now'>, { file, running, parts }: FoundUpload): Promise<object> {
  const { id } = file;
  if (!running) return { id, workflow_state: 'complete', size: file.size };
  const { size, sha256, part_size, expires_at } = running;
  return {
    id,
    workflow_state: 'open',
    size,
    sha256,
    part_size,
    part_count: partCount(running),
    parts: parts.map(({ number, sha256 }) => ({ number, sha256 })),
    expires_at,
    ...(running.multipart_id === null && (await directAddress(call, running))),
  };
}
