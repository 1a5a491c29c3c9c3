// Uploads straight to the bucket, past the Worker, where its S3 interface is configured. R2 accepts a signed `PUT`, but no form (`POST`), so
// clients have to ask for it.

import { presigned } from '../../../crypto/aws_signature';
import type { Call } from '../../../http/call';
import type { Platform } from '../../../platform';
import type { RunningUpload } from './access';

/** R2 accepts at most 5 GiB in one `PUT`, less 5 MiB. */
const most = 5 * 1024 ** 3 - 5 * 1024 ** 2;

/** An hour: the signature is checked when the request begins. */
const seconds = 3600;

type Configured = Pick<Platform, 'R2_S3_ENDPOINT' | 'R2_S3_BUCKET' | 'R2_S3_ACCESS_KEY_ID' | 'R2_S3_SECRET_ACCESS_KEY'>;

export const mayBeDirect = (env: Configured, size: number): boolean =>
  Boolean(env.R2_S3_ENDPOINT && env.R2_S3_BUCKET && env.R2_S3_ACCESS_KEY_ID && env.R2_S3_SECRET_ACCESS_KEY) && size <= most;

/**
 * The signature covers the length, and the condition that the object does not exist: bytes that were checked cannot be replaced with the
 * same address.
 */
export async function directAddress({ env, now }: Pick<Call, 'env' | 'now'>, { key, size }: RunningUpload) {
  const { R2_S3_ENDPOINT = '', R2_S3_BUCKET = '', R2_S3_ACCESS_KEY_ID = '', R2_S3_SECRET_ACCESS_KEY = '' } = env;
  if (!mayBeDirect(env, size)) return {};
  const upload_headers = { 'content-length': String(size), 'if-none-match': '*' };
  const upload_url = await presigned({
    method: 'PUT',
    url: new URL(`/${R2_S3_BUCKET}/${key}`, R2_S3_ENDPOINT),
    headers: upload_headers,
    region: 'auto',
    accessKeyId: R2_S3_ACCESS_KEY_ID,
    secretAccessKey: R2_S3_SECRET_ACCESS_KEY,
    now,
    seconds,
  });
  return { upload_url, upload_headers };
}
